// The values of events, each with its meaning. Those with a meaning are the fields of log lines; the others are only for
// programs. Log lines hold numbers, ids and codes, never persons: the columns of `mapping`, for example, are the values
// of a lead where the header is missing.
import type { Detection } from '../../ports/lead-reader.js';
import type { Outcome } from '../enrichment/arrows.js';
import type { ErrorCode } from '../errors.js';
import type { MappedInput } from '../mapping/mapping.js';
import type { Run } from '../run.js';
import type { RequestKind } from '../schedule/rate.js';

/**
 * The end of the work on a run; `stopped` by a signal, an error code by an error, `bug` by an error that Sluice does
 * not know.
 */
export type RunResult = 'ok' | 'unanswered' | 'stopped' | 'bug' | ErrorCode;

/** Trouble that a person should look at, though the run continues. */
export const WARNINGS = [
  'no_deliveries',
  'unread_answers',
  'unread_fields',
  'empty_answers',
  'deliveries_not_kept',
  'deliveries_refused',
  'metrics_not_written',
  'report_not_written',
  'file_left_out',
  'notice_not_sent',
  'platform_silent',
  'sending_ended',
  'nearly_used',
  'credits_short',
  'step_unavailable',
  'no_bulk_call',
  'columns_unused',
  'old_runs_not_removed',
  'database_gone',
  'database_slow',
  'waits',
  'waits_long',
  'worker_trouble',
  'run_replaced',
  'no_budget',
] as const;
export type Warning = (typeof WARNINGS)[number];

/** Those for which a notice is sent at once. */
export const URGENT: ReadonlySet<Warning> = new Set(['nearly_used', 'credits_short']);

/** The purpose of a request: the name of a call, never its address. */
export const ROUTES = [
  'submit',
  'submit_bulk',
  'result',
  'account',
  'people_schema',
  'hooks',
  'list_create',
  'list_add',
  'contacts',
  'draft',
] as const;
export type Route = (typeof ROUTES)[number];

export type LogValue = string | number | boolean | null | readonly number[];

/** A value of events; without a meaning it is not logged. */
interface Field<T> {
  readonly about: string | undefined;
  readonly type?: T;
}

function logged<T extends LogValue>(about: string): Field<T> {
  return { about };
}

function unlogged<T>(): Field<T> {
  return { about: undefined };
}

/** In the log, `durationMs` is `duration_ms`. */
export const FIELDS = {
  added: logged<number>('leads that were put in'),
  advice: logged<string>('what to do next, where the result is `unanswered`; else empty'),
  alreadyIn: logged<number>('leads that were in the list already'),
  answered: logged<number>('answered by a later run meanwhile'),
  attempt: logged<number>('which one it is, from 1'),
  awaiting: logged<number>('enrichments that are sent, and whose answer is not here yet'),
  became: logged<'unsent' | 'lost'>('`unsent`: not a byte left; `lost`: it may have arrived'),
  beside: logged<string | null>('another state in its folder, which may have been meant'),
  budget: logged<number>('what the run may spend'),
  by: logged<'signal' | 'cancel' | 'submit' | 'poll' | 'webhook'>('what brought it about'),
  cached: logged<number>('leads answered already'),
  cap: logged<number>('the credits that may be spent in its period'),
  changed: logged<number>('enrichments that changed'),
  changedCells: logged<number>(
    'cells that are in the table otherwise than they were, since its format cannot hold them or they had controls',
  ),
  code: logged<string>('what broke, like `ECONNREFUSED`; of a command as in `--json`'),
  count: logged<number>('how many'),
  credits: logged<number>('what they cost together; of a run what it paid; before a send its cost'),
  deliveries: logged<number>('how many'),
  detection: unlogged<Detection>(),
  durationMs: logged<number>('how long it took'),
  enrichments: logged<readonly number[]>('their ids in the state'),
  exitCode: logged<number>('of the process'),
  failed: logged<number>('leads with this outcome'),
  files: logged<number>('how many there are'),
  found: logged<number>('leads with this outcome'),
  fromCache: logged<number>('leads that share a payment'),
  full: logged<number>('what was not kept, since one key may keep no more'),
  guessed: logged<number>('how many of these inputs were guessed'),
  hashed: logged<number>('how many were read to know that; the others look unchanged'),
  hasRejects: logged<boolean>('whether a file of rejects is beside the table'),
  hook: logged<string>('its id'),
  inputs: logged<string>('the inputs that have a column, without its name'),
  isContinued: logged<boolean>('whether an earlier process began it'),
  isShared: logged<boolean>('whether another process listens there for this one'),
  job: unlogged<string>(),
  last: logged<number>('number of the last one'),
  leads: logged<number>('how many leads'),
  list: logged<string>('its id'),
  mapping: unlogged<readonly MappedInput[]>(),
  message: logged<string>('the sentence that a terminal shows'),
  not_asked: logged<number>('leads that are not asked for'),
  notAsked: logged<number>('leads that are not asked for'),
  not_found: logged<number>('leads with this outcome'),
  out: unlogged<string>(),
  outcome: logged<Outcome>('`found`, `not_found`, `failed`, `timed_out` or `uncertain`'),
  path: logged<string>('where it is'),
  isRemote: logged<boolean>(
    'whether it is on the disk of another machine, where its locks and its log are not reliable',
  ),
  pauseMs: logged<number>('how long'),
  period: logged<'day' | 'month'>('of the cap: `day` or `month`'),
  permits: logged<number>('requests that may go now'),
  pollAt: unlogged<number>(),
  port: logged<number>('where'),
  position: logged<number>('leads read so far'),
  postponed: logged<number>('empty entries, whose answer is asked for again'),
  queued: logged<number>('enrichments that are to be sent'),
  reason: logged<string>('why; of a delivery as in [Webhooks](webhooks.md)'),
  rejects: logged<number>('lines that could not be read as they are'),
  repeated: logged<number>('what was there already'),
  request: logged<RequestKind>('`submit` or `poll`'),
  reserved: logged<number>('credits for what is on its way, or may still be charged'),
  result: logged<RunResult>('`ok`, `unanswered`, `stopped` (by a signal), or an error code'),
  route: logged<Route>('what is asked for'),
  rows: logged<number>('how many'),
  run: unlogged<Run>(),
  settled: logged<number>(
    'what ended an enrichment, or was not kept, since its lead has its answer',
  ),
  shared: logged<number>('leads that share an open enrichment'),
  skipped: logged<number>('leads that cannot be asked for'),
  spent: logged<number>('credits: by the run so far; of a cap by all runs in its period'),
  status: logged<number>('of HTTP'),
  timed_out: logged<number>('leads with this outcome'),
  type: logged<string>('what it delivers'),
  uncertain: logged<number>('those of which it is unknown whether they are paid for'),
  unchanged: logged<number>('entries that came twice, late, or say nothing'),
  unknown: logged<number>(
    'entries for tickets that are not known here, or that are not those of the key beside them',
  ),
  value: logged<string>('which'),
  warning: logged<Warning>(WARNINGS.map((warning) => `\`${warning}\``).join(', ')),
  what: logged<Detection['what']>(
    '`encoding`, `delimiter`, `sheet`, `header`, `short`, `hidden` or `merged`',
  ),
};
export type FieldName = keyof typeof FIELDS;
export type ValueOf<F extends FieldName> = (typeof FIELDS)[F] extends Field<infer T> ? T : never;
