// The definition of a command, and the options that several commands share.
import type { Argv } from 'yargs';
import type { PlatformWish } from '../app/platform/ask-platform.js';
import { type ListenAddress, parseListenAddress } from '../model/text/address.js';
import { printable, printableJson } from '../model/text/printable.js';
import { parseDuration } from '../model/text/time.js';
import { ClosedPipe } from '../output/standard-output.js';
import { asJson } from '../tell/as-json.js';
import { asText } from '../tell/as-text.js';
import type { Page } from '../tell/page.js';
import { wrongFlag } from './misuse.js';

/** The output of a command at its end. */
export interface Said {
  /** For `--json`: an object, or a list of objects, each of which is a line for `--ndjson`. */
  readonly json: object | readonly object[];
  /** For people. */
  readonly lines: string | readonly string[];
  /** The table that was written. If it is on standard output (`-`), only JSON is printed, to standard error. */
  readonly table?: string;
}

/** Prints it. */
export function say({ json, lines, table }: Said, isJson: boolean, isByLine = false): void {
  const print = table === '-' ? console.error : console.log;
  const toJson = (one: object): void => print(printableJson(JSON.stringify(one)));
  if (isByLine && Array.isArray(json)) for (const one of json) toJson(one as object);
  else if (isJson) toJson(json);
  else if (table !== '-') for (const line of [lines].flat()) print(printable(line));
}

/** Prints a page. */
export function sayPage({ data, parts }: Pick<Page, 'data' | 'parts'>): Said {
  return sayLines(asText(parts), data);
}

/** Prints lines, or the data as as-json.ts spells it. */
export function sayLines(lines: Said['lines'], data: object): Said {
  return { json: asJson(data) as object, lines };
}

interface Definition<A> {
  /** The words of a subcommand; those of top-level commands are in command-list.ts. */
  readonly command?: string | readonly string[];
  readonly describe?: string;
  readonly builder: (yargs: Argv) => Argv<A>;
  /** Its return value is printed. */
  readonly handler: (args: A) => MaybeSaid | Promise<MaybeSaid>;
}

// A handler that prints nothing at its end returns nothing.
// oxlint-disable-next-line typescript/no-invalid-void-type
export type MaybeSaid = Said | Page | undefined | void;

/** `A` is the type of the parsed options and positionals. */
export function command<A>({ handler, ...words }: Definition<A>) {
  return {
    ...words,
    handler: async (
      args: A & { readonly json?: boolean; readonly ndjson?: boolean },
    ): Promise<void> => {
      try {
        const said = await handler(args);
        if (said === undefined) return;
        say('parts' in said ? sayPage(said) : said, args.json === true, args.ndjson === true);
      } catch (error) {
        // The reader of the table has seen enough.
        if (!(error instanceof ClosedPipe)) throw error;
      }
    },
  };
}

/** A command that needs a subcommand. */
export function commandGroup(commands: readonly object[]) {
  return command<object>({
    builder: (yargs) => yargs.command(commands as never).demandCommand(1),
    handler: () => undefined,
  });
}

/** `nargs: 1` since yargs otherwise takes the value `-` for another flag. */
export const TEXT = { type: 'string', nargs: 1 } as const;
export const NUMBER = { type: 'number', nargs: 1 } as const;
/** @throws SluiceError `usage` naming the flag */
export function durationOf(flag: string, text: string): number {
  const durationMs = parseDuration(text);
  if (durationMs !== undefined) return durationMs;
  throw wrongFlag(`--${flag}: a duration is written like 90d, 12h, 10s or 500ms.`);
}

/** @throws SluiceError `usage` naming the flag */
export function addressOf(flag: string, text: string): ListenAddress {
  const address = parseListenAddress(text);
  if (address !== undefined) return address;
  throw wrongFlag(
    `--${flag}: where to listen is written PORT or HOST:PORT, like 8640 or 0.0.0.0:8640.`,
  );
}

/** An option that is off unless it is given. */
export const SWITCH = { type: 'boolean', default: false } as const;

export const JSON_OPTION = {
  json: { ...SWITCH, describe: 'Print JSON for a script to read' },
} as const;

/** Of a command that lists. */
export const LIST_OPTIONS = {
  ...JSON_OPTION,
  ndjson: { ...SWITCH, describe: 'The same, an object of the list a line' },
} as const;

export const FORCE_OPTION = {
  force: {
    ...SWITCH,
    describe: 'Replace files that Sluice did not write; never an input, a job or a state',
  },
} as const;

export const QUIET_OPTION = {
  quiet: { ...SWITCH, alias: 'q', describe: 'Print nothing but errors' },
} as const;

export const STATE_OPTION = {
  state: {
    ...TEXT,
    describe:
      'State file, or postgres://… of a database (default: SLUICE_STATE, or data/sluice.db)',
  },
} as const;

/** The options of commands that make one call to the platform. */
export const PLATFORM_OPTIONS = {
  url: { ...TEXT, describe: 'Base address of the platform (default: SLUICE_URL)' },
  dialect: {
    ...TEXT,
    describe: "File that describes the platform's wire format, or the name of a ready-made one",
  },
  account: { ...TEXT, describe: 'Name of the account that pays (default: SLUICE_ACCOUNT)' },
  rate: {
    ...TEXT,
    describe: "Requests in any window, like 20/2s, or off (default: the dialect's)",
  },
  ...STATE_OPTION,
} as const;

/** The parsed `PLATFORM_OPTIONS` and `--json`. */
export interface PlatformArguments extends PlatformWish {
  readonly json: boolean;
}

/** The positional of commands that look at a run. */
export const RUN = {
  type: 'number',
  demandOption: true,
  describe: 'Number of the run',
} as const;
