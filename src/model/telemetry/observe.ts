// The events of a run and of other commands, for every observer: the command line, the log, the metrics, a program.
import { FIELDS, type FieldName, type ValueOf } from './event-fields.js';

/** The log levels, from the least to the most lines: each level includes those before it. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export function logsRequests(level: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf('debug');
}

/** Each kind of event: its level, its values and its meaning. */
const EVENTS = {
  // Of the run, its leads and its enrichments.
  'run.started':
    'info | isContinued leads run | A run begins, or is continued; its leads are in the state already.',
  'run.recovered':
    'warn | uncertain | An earlier process died between sending and saving: these enrichments are uncertain.',
  'run.resumed': 'info | queued awaiting | Work that an earlier process left.',
  'run.mapped': 'info | inputs guessed mapping | It is known which columns feed which inputs.',
  'run.detected':
    'info | what value detection | The encoding or the delimiter of the input was guessed, and is not UTF-8 or a comma; one of several sheets is read; the header is not the first row; rows have fewer cells than it; or a sheet hides or merges some.',
  'run.resending': 'warn | count | `--resend-uncertain`: these may be paid for twice.',
  'run.adopted':
    'info | queued awaiting uncertain | Work that another run had taken over and not ended comes back; uncertain is what no process can be sending any more.',
  'run.draining':
    'info | by | The run is to end, by a `signal` or `cancel`: nothing new is sent, what is under way is saved.',
  'run.warned': 'warn | warning message | A person should look at something; the run goes on.',
  'run.ended':
    'info | result leads rejects found not_found failed timed_out uncertain skipped not_asked fromCache credits durationMs advice run | The work on a run is over, finished or not; told at `warn` unless the result is `ok` or `stopped`.',
  'run.reopened': 'info | queued awaiting answered run | `sluice retry` put failures back to work.',
  'state.new':
    'info | path beside isRemote | Nothing has run with this state yet: nothing that was paid for is known to it.',
  'state.back': 'info | durationMs | The database answers again, after it was gone.',
  'job.locked': 'debug | job | This process has the job to itself.',
  'job.released': 'debug | job | Others may work on the job again.',
  'folder.unchanged':
    'info | files hashed | Every file of a drop folder is done: there was nothing to run.',
  'leads.passed':
    'debug | leads queued awaiting cached shared skipped notAsked | A batch of leads has reached a step of a waterfall.',
  'leads.read':
    'debug | position leads queued awaiting cached shared skipped notAsked rejects | A batch of leads is in the state.',
  'leads.complete': 'info | leads | The whole input is read.',
  'enrichments.claimed': 'debug | enrichments | It is on the disk that these are about to be sent.',
  'enrichments.submitted':
    'debug | enrichments pollAt | The platform accepted these, and their tickets are saved.',
  'enrichments.requeued': 'debug | enrichments | Certainly not accepted: these will be sent again.',
  'enrichments.postponed':
    'debug | enrichments | Asked for, and not answered yet: these will be asked for again.',
  'enrichments.settled':
    'debug | outcome by credits enrichments | These ended, by a `submit`, a `poll` or a `webhook`.',
  'cap.looked':
    'debug | cap period spent reserved | Before a send: the room that is left in the tightest cap.',
  'budget.reserved':
    'debug | credits reserved spent budget | Before a send: what it may cost is set aside.',
  // Of the platform, the listener and files, and of other commands.
  'platform.ready':
    'info | durationMs | The platform answered a question that costs nothing, before the first that does.',
  'platform.back':
    'info | durationMs | It answers again, after failures in a row that were warned of.',
  'request.sent': 'trace | route attempt | A request is about to leave.',
  'request.answered': 'debug | route attempt status durationMs | Its answer is here.',
  'request.failed': 'warn | route attempt became code durationMs | No answer came.',
  'limit.waited': 'trace | request permits durationMs | A request waited for the rate limit.',
  'limit.paused':
    'warn | route status pauseMs | The platform asked for a pause, by 429 or as its dialect says: nothing is sent.',
  'requests.slowed': 'warn | request pauseMs | Requests failed in a row: the next one waits.',
  'write.repeated':
    'warn | attempt reason pauseMs | The state could not be written; it is tried again.',
  'hook.added': 'info | hook type | A webhook was registered on the platform.',
  'listener.opened': 'info | port isShared | Deliveries can come.',
  'listener.closed': 'info | port | This process takes no more deliveries.',
  'deliveries.kept': 'debug | count repeated settled full | Deliveries and events are on the disk.',
  'deliveries.refused': 'debug | reason status | The listener refused a request.',
  'deliveries.handled':
    'debug | deliveries settled postponed unchanged unknown | Deliveries were settled; the other counts are of their entries.',
  'journal.replayed':
    'info | deliveries changed | `sluice replay` went through the pending deliveries of the journal.',
  'events.followed': 'debug | count last | `sluice events --follow` printed events.',
  'list.created': 'info | list | A contact list was created.',
  'list.filled':
    'info | list added alreadyIn | The chosen leads of the run are in its contact list.',
  'table.exported': 'info | out rows hasRejects changedCells durationMs | The table is written.',
  'metrics.served': 'info | port | Metrics can be scraped.',
  'metrics.written': 'debug | out | The metrics file is written.',
  'command.failed': 'error | code exitCode message | The command ends with an error.',
} as const;

type Kind = keyof typeof EVENTS;
type Words<Text> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text;
type FieldsOf<Row> = Row extends `${string} | ${infer Fields} | ${string}` ? Words<Fields> : never;
type EventOf<K extends Kind> = {
  readonly kind: K;
  /** The step of a waterfall to whose run it belongs. */
  readonly step?: string;
  /** The job to which it belongs, from a worker, which works on several at once. */
  readonly ofJob?: string;
} & { readonly [F in FieldsOf<(typeof EVENTS)[K]>]: ValueOf<F> };
export type RunEvent = { readonly [K in Kind]: EventOf<K> }[Kind];

interface EventSpec {
  readonly level: LogLevel;
  readonly about: string;
  /** The fields of its log line, in this order. */
  readonly fields: readonly FieldName[];
}

export const RUN_EVENT_CATALOGUE = {} as Record<Kind, EventSpec>;
for (const [kind, row] of Object.entries(EVENTS)) {
  const [level, names = '', about = ''] = row.split(' | ');
  const fields = (names.split(' ') as FieldName[]).filter((name) => FIELDS[name].about);
  RUN_EVENT_CATALOGUE[kind as Kind] = { level: level as LogLevel, about, fields };
}

export function levelOf(event: RunEvent): LogLevel {
  const isTrouble =
    event.kind === 'run.ended' && event.result !== 'ok' && event.result !== 'stopped';
  return isTrouble ? 'warn' : RUN_EVENT_CATALOGUE[event.kind].level;
}

export type RunObserver = (event: RunEvent) => void;

/** The observer of a run, and whether it also gets each request: without a rate limit, thousands a second. */
export interface Watch {
  readonly observe: RunObserver;
  readonly observesRequests: boolean;
}

export const UNWATCHED: Watch = { observe: () => undefined, observesRequests: false };

export type EventHandlers = {
  readonly [K in Kind]?: (event: EventOf<K>) => void;
};

export function handleEvent(handlers: EventHandlers, event: RunEvent): void {
  // Each handler takes the event of its own kind, which the types cannot follow here.
  (handlers[event.kind] as RunObserver | undefined)?.(event);
}

export function observerOfJob(observe: RunObserver, ofJob: string): RunObserver {
  return (event) => observe({ ...event, ofJob });
}

export function observerOfStep(observe: RunObserver, step: string): RunObserver {
  return (event) => observe({ ...event, step });
}
