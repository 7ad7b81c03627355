// A run: one execution of a job, as the store remembers it.
import type { Ask, Prices } from './ask.js';
import type { ColumnWish } from './columns/choose-columns.js';
import type { ErrorCode } from './errors.js';
import type { Column, Delimiter } from './lead.js';
import type { MappingWish } from './mapping/mapping.js';
import type { OwnWish } from './mapping/own-columns.js';
import type { Pace } from './schedule/rate.js';
import type { RunTally } from './tally.js';

/**
 * - `reading`: not all leads are in the store yet
 * - `working`: all leads are in; some enrichments are open
 * - `finished`: every lead is answered
 * - `replaced`: the job or its input changed before the run ended; its payments serve the next run
 * - `cancelled`: the user ended it; nothing more is sent for it, and its payments serve the next run
 */
export type RunState = 'reading' | 'working' | 'finished' | 'replaced' | 'cancelled';

/** The tables beside that of the people. */
export const FURTHER_TABLES = ['positions', 'companies'] as const;
export type FurtherTable = (typeof FURTHER_TABLES)[number];
export type FurtherNames = Readonly<Partial<Record<FurtherTable, string>>>;

/** The files that a run writes, or the templates of their names. */
export interface TableNames {
  /** The table of the people, with a row for each lead; the only one that may be `-`. */
  readonly out: string;
  readonly further?: FurtherNames | undefined;
  /** The page that shows how it went; absent where the job wants none. */
  readonly report?: string | undefined;
}

export type NamedFile = 'people' | FurtherTable | 'report';

/** The same files under the names that `change` gives them. */
export function mapNames<N extends Partial<TableNames>>(
  { out, further, report }: N,
  change: (name: string, file: NamedFile) => string,
): N {
  const named = FURTHER_TABLES.flatMap((table) => {
    const name = further?.[table];
    return name === undefined ? [] : [[table, change(name, table)]];
  });
  return {
    ...(out === undefined ? {} : { out: change(out, 'people') }),
    ...(named.length === 0 ? {} : { further: Object.fromEntries(named) }),
    ...(report === undefined ? {} : { report: change(report, 'report') }),
  } as N;
}

/** What the output of a run looks like; kept so that `sluice export RUN` can write it again. */
export interface OutputPlan extends TableNames {
  /** What `out` was made from, where that has `{date}` and the like in it. */
  readonly template?: string;
  /** The same of the further tables. */
  readonly furtherTemplates?: FurtherNames;
  readonly reportTemplate?: string;
  /** Whether each table has a dictionary beside it. */
  readonly dictionary?: boolean;
  readonly positions: string;
  /** Absent: all. */
  readonly columns?: ColumnWish;
  /** Columns of the input that come first. */
  readonly key?: readonly string[];
  /** Columns of the input whose empty cells show what was found. */
  readonly fill?: OwnWish;
  /** Of a CSV; absent in runs of 0.1.0, which had commas. */
  readonly delimiter?: Delimiter;
  readonly bom: boolean;
  readonly excel: boolean;
  readonly formulaGuard: boolean;
}

export interface RunPlan {
  /** The job's name: its file's, or the input's where there is no job file. */
  readonly job: string;
  /** The account that pays: a digest of base URL and user name. Never the credentials. */
  readonly account: string;
  /** Digest of the account's address alone; absent in runs of 0.1.0. */
  readonly address?: string;
  readonly ask: readonly Ask[];
  /** The columns that the user named for the inputs; absent in runs of 0.1.0. */
  readonly map?: MappingWish;
  /** Whether the user agreed that leads which are known elsewhere are paid for anew. */
  readonly paysAnew?: boolean;
  /** Digest of everything that decides what is asked: another value starts a new run. */
  readonly terms: string;
  /** The reader's signature, or null where the input cannot be read twice. */
  readonly signature: string | null;
  readonly sources: readonly string[];
  /** SHA-256 of each source, in hex, where they are files of a drop folder: those are done once each. */
  readonly digests?: readonly string[];
  /** How long an answer is waited for, in ms; absent in runs of 0.1.0. */
  readonly deadlineMs?: number;
  /** How long a result counts as fresh, in ms; absent in runs of 0.1.0. */
  readonly freshForMs?: number;
  /** The most that one enrichment may cost, in credits; absent in runs of 0.1.0. */
  readonly priceMax?: number;
  /** Whether no price was stated for something that is asked; absent in runs of 0.1.0. */
  readonly arePricesAssumed?: boolean;
  /** How fast it could be at best when it began; absent in runs of 0.1.0. */
  readonly pace?: Pace;
  /** Credits that it may spend at most; absent where the job has no budget, and in runs of 0.1.0. */
  readonly budget?: number | undefined;
  /** The unfinished runs in whose place it is, the newest last: what they spent counts for its budget. */
  readonly replaces?: readonly number[];
  /** What each ask costs where it finds something; absent in runs of 0.1.0. */
  readonly prices?: Prices;
  readonly output: OutputPlan;
}

/** What a run is told anew when it is continued. */
export type RunChanges = Pick<RunPlan, 'budget' | 'output' | 'prices'> & Pick<Run, 'idleMs'>;

/** How a run was left before it was finished. */
export interface RunLeft {
  readonly at: number;
  /** A signal, or the error that stopped its process; `replaced` by another run. */
  readonly by: 'signal' | 'replaced' | 'bug' | ErrorCode;
  /** What that error said, without persons. */
  readonly said?: string;
  /** Its numbers then, where it was replaced or cancelled: later runs answer its leads. */
  readonly tally?: RunTally;
}

export interface Run extends RunPlan {
  readonly id: number;
  readonly state: RunState;
  readonly columns: readonly Column[];
  /** Position of the last lead, and number of rejects, that are in the store. */
  readonly leadCount: number;
  readonly rejectCount: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** When `sluice retry` opened it again; absent once it goes on. */
  readonly reopenedAt?: number;
  /** When it had ended before that; absent as `reopenedAt` is, and where an earlier release opened it again. */
  readonly endedBefore?: number;
  /** For how long no process worked on it before it was continued, in ms; absent where it never was. */
  readonly idleMs?: number;
  /** Absent while it is worked on, and where its process was cut off before it could say. */
  readonly left?: RunLeft;
}

/**
 * What is shown of a run. Open, and no process works on it: `queued` where it waits for a worker, `parked` where it does
 * until a time, `reopened` where `sluice retry` has opened it again, else by how it was left. The store does not hold
 * these.
 */
export type ShownState =
  | RunState
  | 'stopped_at_budget'
  | 'paused'
  | 'stopped'
  | 'stopped_by_error'
  | 'cut_off'
  | 'reopened'
  | 'queued'
  | 'parked';

/** What is known beside a run. */
export interface Standing {
  readonly isAtWork: boolean;
  /** Null where it waits for no worker. */
  readonly task?: { readonly parked: unknown } | null;
  /** Since when its job is paused. */
  readonly pausedAt: number | null;
}

export function shownState(
  { left, reopenedAt, state }: Pick<Run, 'left' | 'reopenedAt' | 'state'>,
  { isAtWork, pausedAt, task = null }: Standing,
): ShownState {
  if (!isOpen(state) || isAtWork) return state;
  if (task !== null) return task.parked === null ? 'queued' : 'parked';
  if (reopenedAt !== undefined) return 'reopened';
  if (left?.by === 'budget') return 'stopped_at_budget';
  if (pausedAt !== null) return 'paused';
  if (left === undefined) return 'cut_off';
  // One that was paused is no more.
  return left.by === 'signal' || left.by === 'paused' ? 'stopped' : 'stopped_by_error';
}

/** `cut_off` → `cut off`. */
export function wordsOfState(state: ShownState): string {
  return state.replaceAll('_', ' ');
}

/** Whether its end is still to come, without a user having to act. */
export function isOpen(state: ShownState): boolean {
  return state === 'reading' || state === 'working' || isForWorker(state);
}

/** Whether it goes on once a user starts its job again. */
export function isForUser(state: ShownState): boolean {
  return FOR_USER.has(state);
}

const FOR_USER: ReadonlySet<ShownState> = new Set<ShownState>([
  'stopped_at_budget',
  'paused',
  'stopped',
  'stopped_by_error',
  'cut_off',
  'reopened',
]);

export function isForWorker(state: ShownState): boolean {
  return state === 'queued' || state === 'parked';
}
