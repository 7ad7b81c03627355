// sluice sandbox: the platform on your own machine, as a process of its own. sluice sandbox emit: makes a running
// sandbox send an event.
import type { InferredOptionTypes } from 'yargs';
import { checkInvoicePlace, writeInvoice } from '../../app/audit/write-invoice.js';
import { rateOf } from '../../app/settings/command-settings.js';
import { SANDBOX_URL } from '../../app/settings/environment.js';
import { loadDialect } from '../../config/load-dialect.js';
import type { Dialect } from '../../dialect/dialect.js';
import { wrongUse } from '../../model/errors.js';
import { judgeEventType } from '../../model/events/event-catalogue.js';
import { formatCount, formatNumber } from '../../model/text/count.js';
import type { JsonObject, JsonValue } from '../../model/text/json.js';
import { emitEvent } from '../../sandbox/emit-event.js';
import { FAULT_NAMES, isFaultName } from '../../sandbox/faults.js';
import type { SandboxOptions } from '../../sandbox/sandbox-options.js';
import { command } from '../command.js';
import { commandEnvironment } from '../command-environment.js';
import { durationOf, FORCE_OPTION, needed, number, text, texts, toggle } from '../options.js';
import { untilStopped } from '../signals.js';

const PORT = 8620;
const HOST = '127.0.0.1';

const OPTIONS = {
  port: number('Port to listen on; 0 for any', { default: PORT }),
  host: text('Address to listen on', { default: HOST }),
  username: text('User name it accepts', { default: 'sandbox' }),
  password: text('Password it accepts; not a secret', { default: 'sandbox' }),
  'webhook-secret': text('The word that its webhooks show, unless their hook has a secret'),
  seed: number('Another seed, other answers', { default: 1 }),
  moved: number('Share of people, 0 to 1, who have changed jobs since a sandbox without it', {
    default: 0,
  }),
  knows: text('Share of people of whom it finds anything; others for each seed', {
    default: '100%',
  }),
  latency: text('Median time to an answer (log-normal)', { default: '10s' }),
  sigma: number('Spread of that time', { default: 0.6 }),
  rate: text('Requests in any window it grants, or off (default: 20/2s)'),
  dialect: text('Dialect that says what it sells, by which inputs and prices'),
  'at-once': toggle('Give the result in the answer to the request, as some platforms do'),
  ledger: text('File that keeps what it accepted over a restart'),
  invoice: text('Write at its end the list of what it charged, for sluice audit: .csv, .xlsx, …'),
  overcharge: text('Share of enrichments for which the invoice is wrong, like 2%, in six ways', {
    default: '0%',
  }),
  ...FORCE_OPTION,
  credits: number('Credits of the account (default: always enough)'),
  fault: texts(
    `NAME=P: a fault and its probability, 0 to 1; may be repeated. There are ${FAULT_NAMES.join(', ')}`,
  ),
  'fault-seed': number('Another seed, other requests struck', { default: 1 }),
  slow: text('How long the fault slow holds an answer back', { default: '2s' }),
  'webhook-batch': number('Most results in one webhook body', { default: 1 }),
  'webhook-retry': text('Wait before a failed webhook is repeated; then three times as long', {
    default: '1s',
  }),
} as const;

const emitCommand = command({
  command: 'emit <event>',
  describe: 'Make a running sandbox send an event to its hooks; prints the record',
  args: { event: needed('Type of the event, like emailsReplied; what a hook may subscribe to') },
  options: {
    field: texts('NAME=VALUE: a field of the record, as JSON or text; null leaves it out'),
    url: text(`Where the sandbox is (default: SLUICE_URL, else http://${HOST}:${PORT})`),
    port: number('Its port on this machine, in place of --url', { conflicts: 'url' }),
  },
  examples: {
    'sluice sandbox emit emailsReplied --field isThirdPartyReply=true': '',
    'sluice sandbox emit emailsSent --field campaignId=cam_autumn --field cc=a@b.example': '',
  },
  handler: async (args) => {
    const { url: ofPlace } = commandEnvironment();
    const here = `http://${HOST}:${args.port ?? PORT}`;
    const isElsewhere = args.port === undefined && ofPlace !== SANDBOX_URL;
    const url = args.url ?? (isElsewhere ? ofPlace : undefined) ?? here;
    const { record, hooks, state } = await emitEvent(url, emissionOf(args));
    console.log(JSON.stringify(record, null, 2));
    // On standard error, so that standard output stays JSON.
    const goes = `It is on its way to ${formatCount(hooks, 'hook')}.`;
    console.error(hooks > 0 ? goes : 'No hook wants it: register one with POST /hooks.');
    if (state !== null) console.error(`The lead is ${state} now, which is an event as well.`);
  },
});

export const sandboxCommand = command({
  options: OPTIONS,
  examples: {
    'sluice sandbox --fault empty-first=0.3':
      'Three results in ten are empty at the first reading, if that comes within two seconds',
    'sluice sandbox --fault empty-first-read=0.3': 'The same, however late that comes',
  },
  commands: [emitCommand],
  handler: async (args) => {
    const dialect = await loadDialect(args.dialect);
    const share = shareOf('overcharge', args.overcharge);
    if (args.invoice !== undefined) await checkInvoicePlace(args.invoice, args.force);
    // Loaded only here: `emit` does not need the server.
    const { openSandbox } = await import('../../sandbox/open-sandbox.js');
    const sandbox = await openSandbox(sandboxOptionsOf(args, dialect));
    // Before it says so: a signal may come at once.
    const stopped = untilStopped();
    console.log(
      `Sandbox at ${sandbox.url} (user ${args.username}); what it accepted and charged: ${sandbox.url}/sandbox/ledger`,
    );
    console.log('Ctrl+C stops it.');
    await stopped;
    if (args.invoice !== undefined) {
      const { charges, wrong } = sandbox.invoice(share);
      await writeInvoice(args.invoice, charges);
      console.log(
        `${args.invoice}: ${formatCount(charges.length, 'charge')}, ${formatNumber(wrong.size)} wrong on purpose`,
      );
    }
    await sandbox.close();
  },
});

export type SandboxArguments = InferredOptionTypes<typeof OPTIONS>;

/** How long the first result of a batch waits for others. */
const BATCH_WITHIN_MS = 100;

/**
 * The options of `openSandbox`, which checks the numbers; `dialect` is the dialect of `--dialect`.
 * @throws SluiceError `usage` for a malformed flag
 */
export function sandboxOptionsOf(args: SandboxArguments, dialect: Dialect): SandboxOptions {
  const max = args['webhook-batch'];
  rateOf(args.rate);
  return {
    port: args.port,
    host: args.host,
    username: args.username,
    password: args.password,
    webhookSecret: args['webhook-secret'],
    seed: args.seed,
    moved: args.moved,
    knows: shareOf('knows', args.knows),
    latency: { medianMs: durationOf('latency', args.latency), sigma: args.sigma },
    dialect,
    atOnce: args['at-once'],
    ...(args.rate !== undefined && { rate: args.rate }),
    ...(args.ledger !== undefined && { ledgerFile: args.ledger }),
    credits: args.credits,
    faults: faultsOf(args.fault ?? []),
    faultSeed: args['fault-seed'],
    slowMs: durationOf('slow', args.slow),
    webhookBatch: { max, withinMs: max === 1 ? 0 : BATCH_WITHIN_MS },
    webhookRetryMs: durationOf('webhook-retry', args['webhook-retry']),
  };
}

interface EmitArguments {
  readonly event: string;
  readonly field: readonly string[] | undefined;
}

/**
 * The body of `POST /sandbox/emit`. A value is read as JSON if it is JSON (`2`, `true`, `null`, `[…]`, `"2"`), and
 * as text otherwise.
 * @throws SluiceError `usage` for an event that no longer exists or never did, or a field that is not NAME=VALUE
 */
export function emissionOf({ event, field: texts = [] }: EmitArguments): {
  readonly type: string;
  readonly fields: JsonObject;
} {
  const verdict = judgeEventType(event);
  if (verdict.kind !== 'known') throw wrongUse(verdict.problem);
  const fields = texts.map((text): [string, JsonValue] => {
    const end = text.indexOf('=');
    if (end < 1) throw wrongUse(`--field: "${text}" is not written like leadId=lea_7.`);
    return [text.slice(0, end), valueOf(text.slice(end + 1))];
  });
  return { type: event, fields: Object.fromEntries(fields) };
}

function valueOf(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function shareOf(flag: string, text: string): number {
  const [, digits] = /^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(text) ?? [];
  const share = Number(digits) / 100;
  if (share <= 1) return share;
  throw wrongUse(`--${flag} wants a share from 0% to 100%, like 2%.`);
}

function faultsOf(texts: readonly string[]): Record<string, number> {
  const faults = texts.map((text): [string, number] => {
    const [, name = '', digits = ''] = /^([^=]+)=(\d*\.?\d+)$/.exec(text) ?? [];
    if (isFaultName(name) && Number(digits) <= 1) return [name, Number(digits)];
    throw wrongUse(
      `--fault: "${text}" is not written like drop-after=0.05, from 0 to 1; there are ${FAULT_NAMES.join(', ')}.`,
    );
  });
  return Object.fromEntries(faults);
}
