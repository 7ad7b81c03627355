// The options of commands: how one is declared, and those that several commands share.

import type { PlatformWish } from '../app/platform/ask-platform.js';
import { wrongUse } from '../model/errors.js';
import { type ListenAddress, parseListenAddress } from '../model/text/address.js';
import { parseDuration } from '../model/text/time.js';

/** A text; `more` is what else yargs is to know. Without `nargs: 1` yargs takes the value `-` for another flag. */
export function text<const M extends object = object>(describe: string, more?: M) {
  return { nargs: 1 as const, ...optionOf('string', describe, more) };
}

/** A text without which the command does nothing, or several. */
export function needed<const M extends object = object>(describe: string, more?: M) {
  return { ...text(describe, more), demandOption: true as const };
}

/** Several texts, each after the name of the option. */
export function texts(describe: string) {
  return text(describe, { array: true });
}

export function number<const M extends object = object>(describe: string, more?: M) {
  return { nargs: 1 as const, ...optionOf('number', describe, more) };
}

/** An option that is off unless it is given. */
export function toggle<const M extends object = object>(describe: string, more?: M) {
  return { default: false as const, ...optionOf('boolean', describe, more) };
}

function optionOf<const T, M>(type: T, describe: string, more: M | undefined) {
  return { type, describe, ...more } as { readonly type: T; readonly describe: string } & M;
}

/** @throws SluiceError `usage` naming the flag */
export function durationOf(flag: string, text: string): number {
  const durationMs = parseDuration(text);
  if (durationMs !== undefined) return durationMs;
  throw wrongUse(`--${flag}: a duration is written like 90d, 12h, 10s or 500ms.`);
}

/** @throws SluiceError `usage` naming the flag */
export function addressOf(flag: string, text: string): ListenAddress {
  const address = parseListenAddress(text);
  if (address !== undefined) return address;
  throw wrongUse(
    `--${flag}: where to listen is written PORT or HOST:PORT, like 8640 or 0.0.0.0:8640.`,
  );
}

export const JSON_OPTION = { json: toggle('Print JSON for a script to read') };

/** Of a command that lists. */
export const LIST_OPTIONS = {
  ...JSON_OPTION,
  ndjson: toggle('The same, an object of the list a line'),
};

export const FORCE_OPTION = {
  force: toggle('Replace files that Sluice did not write; never an input, a job or a state'),
};

export const QUIET_OPTION = { quiet: toggle('Print nothing but errors', { alias: 'q' }) };

export const STATE_OPTION = {
  state: text(
    'State file, or postgres://… of a database (default: SLUICE_STATE, or data/sluice.db)',
  ),
};

/** The options of commands that make one call to the platform. */
export const PLATFORM_OPTIONS = {
  url: text('Base address of the platform (default: SLUICE_URL)'),
  dialect: text("File that describes the platform's wire format, or the name of a ready-made one"),
  account: text('Name of the account that pays (default: SLUICE_ACCOUNT)'),
  rate: text("Requests in any window, like 20/2s, or off (default: the dialect's)"),
  ...STATE_OPTION,
};

/** A command that makes one call tells its waits, as a run does. */
export const TELLS_WAITS = {
  onWait: (sentence: string): void => void process.stderr.write(`sluice: ${sentence}\n`),
};

/** The parsed `PLATFORM_OPTIONS` and `--json`. */
export interface PlatformArguments extends PlatformWish {
  readonly json: boolean;
}

/** The positional of commands that look at a run. */
export const RUN = number('Number of the run', { demandOption: true });
