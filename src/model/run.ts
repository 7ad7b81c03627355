// A run: one execution of a job, as the store remembers it.
import type { Ask, CustomAsks, Prices } from './ask.js';
import type { ColumnWish } from './columns/choose-columns.js';
import type { Money } from './credits.js';
import type { ErrorCode } from './errors.js';
import type { Column, Delimiter } from './lead.js';
import type { OwnWish } from './mapping/column-kinds.js';
import type { MappedInput, MappingWish } from './mapping/mapping.js';
import type { Caps } from './schedule/caps.js';
import type { Pace } from './schedule/rate.js';
import type { RunTally } from './tally.js';
import type { Waterfall } from './waterfall/waterfall.js';

/**
 * - `reading`: not all leads are in the store yet
 * - `working`: all leads are in; some enrichments are open
 * - `finished`: every lead is answered
 * - `replaced`: the job or its input changed before the run ended; its payments serve the next run
 * - `cancelled`: the user ended it; nothing more is sent for it, and its payments serve the next run
 */
export type RunState = 'reading' | 'working' | 'finished' | 'replaced' | 'cancelled';

export const FURTHER_TABLES = ['positions', 'companies'] as const;
export type FurtherTable = (typeof FURTHER_TABLES)[number];
export type FurtherNames = Readonly<Partial<Record<FurtherTable, string>>>;

/** The files that a run writes, or the templates of their names. */
export interface TableNames extends FilesAtEnd {
  /** The table of people, with a row for each lead; the only one that may be `-`. */
  readonly out: string;
  readonly further?: FurtherNames | undefined;
}

/** The files that are written once a run has ended; the store is no worse without them. */
export const AT_END = ['report', 'changes'] as const;
export type FilesAtEnd = { readonly [File in (typeof AT_END)[number]]?: string | undefined };

export function filesAtEnd({ changes, report }: FilesAtEnd): FilesAtEnd {
  return { report, changes };
}

export type NamedFile = 'people' | FurtherTable | keyof FilesAtEnd;

export function mapNames<N extends Partial<TableNames>>(
  { out, further, ...others }: N,
  change: (name: string, file: NamedFile) => string,
): N {
  const named = FURTHER_TABLES.flatMap((table) => {
    const name = further?.[table];
    return name === undefined ? [] : [[table, change(name, table)]];
  });
  return {
    ...(out === undefined ? {} : { out: change(out, 'people') }),
    ...(named.length === 0 ? {} : { further: Object.fromEntries(named) }),
    ...Object.fromEntries(
      AT_END.flatMap((file) => {
        const name = others[file];
        return name === undefined ? [] : [[file, change(name, file)]];
      }),
    ),
  } as N;
}

/** The form of a run's output; kept so that `sluice export RUN` can write it again. */
export interface OutputPlan extends TableNames {
  /** The template of `out`, if `{date}` and the like are in it. */
  readonly template?: string;
  readonly furtherTemplates?: FurtherNames;
  readonly atEndTemplates?: FilesAtEnd;
  readonly positions: string;
  /** The wished columns; absent for all. */
  readonly columns?: ColumnWish;
  /** Columns of the input that come first. */
  readonly key?: readonly string[];
  /** Columns of the input whose empty cells show the values that were found. */
  readonly fill?: OwnWish;
  readonly delimiter: Delimiter;
  readonly bom: boolean;
  readonly excel: boolean;
  readonly formulaGuard: boolean;
}

export interface RunPlan {
  /** The job's name: that of its file, or of the input if there is no job file. */
  readonly job: string;
  /** The account that pays: a digest of base URL and user name. Never the credentials. */
  readonly account: string;
  /** The digest of the account's address alone. */
  readonly address: string;
  readonly ask: readonly Ask[];
  readonly custom?: CustomAsks;
  readonly map: MappingWish;
  /** Whether the user agreed to pay anew for leads that are known elsewhere. */
  readonly paysAnew?: boolean;
  /** The digest of everything that decides what is asked: another value starts a new run. */
  readonly terms: string;
  /** The reader's signature, or null if the input cannot be read twice. */
  readonly signature: string | null;
  readonly sources: readonly string[];
  /** The number of leads after which it reads no further. */
  readonly limit?: number;
  /** The SHA-256 of each source, in hex, if they are files of a drop folder: those are done once each. */
  readonly digests?: readonly string[];
  /** How long an answer is waited for, in ms. */
  readonly deadlineMs: number;
  readonly freshForMs: number;
  /** The most that one enrichment may cost, in credits; absent in a run that holds leads: each step has its own. */
  readonly priceMax?: number;
  /** Whether the price of something that is asked was not stated. */
  readonly arePricesAssumed: boolean;
  /** The best possible speed when it began; absent in a run that holds leads. */
  readonly pace?: Pace;
  /** The credits that it may spend at most; absent if the job has no budget. */
  readonly budget?: number | undefined;
  /** The price of a credit in money; absent if it is not stated. */
  readonly credit?: Money | undefined;
  readonly caps?: Caps | undefined;
  /** The unfinished runs that it replaces, the newest last: their spendings count for its budget. */
  readonly replaces?: readonly number[];
  /** The price of each ask that finds something; empty in a run that holds leads. */
  readonly prices: Prices;
  /** The steps that ask for its leads; such a run holds leads, and sends nothing itself. */
  readonly waterfall?: Waterfall;
  /** Set for the run of a step: the run that holds its leads, and the step's name. */
  readonly step?: { readonly of: number; readonly name: string };
  readonly output: OutputPlan;
}

/** The parts of a plan that a continued run is told anew. */
export type RunChanges = Pick<RunPlan, 'budget' | 'caps' | 'credit' | 'output'> &
  Partial<Pick<RunPlan, 'prices'>> &
  Pick<Run, 'idleMs'>;

export interface RunLeft {
  readonly at: number;
  /** A signal, or the error that stopped its process; `replaced` by another run. */
  readonly by: 'signal' | 'replaced' | 'bug' | ErrorCode;
  /** The message of that error, without persons. */
  readonly said?: string;
  /** Its numbers then, if replaced or cancelled: later runs answer its leads. What it paid is asked for anew. */
  readonly tally?: RunTally;
}

export interface Run extends RunPlan {
  readonly id: number;
  readonly state: RunState;
  readonly columns: readonly Column[];
  /** The column that feeds each input; empty until the first lead is in. */
  readonly mapping: readonly MappedInput[];
  /** The position of the last lead that is in the store; `rejectCount` is the number of rejects there. */
  readonly leadCount: number;
  readonly rejectCount: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** The time at which `sluice retry` opened it again; absent once it goes on. */
  readonly reopenedAt?: number;
  /** The time at which it had ended before that; absent as `reopenedAt` is. */
  readonly endedBefore?: number;
  /** The time in ms without a process before it was continued; absent if it never was. */
  readonly idleMs?: number;
  /** Absent while it is worked on, and if its process was cut off before it could note it. */
  readonly left?: RunLeft;
}

/** Why its leads that are still queued were not sent; null while that goes on. */
export function whyUnsent({ left }: Pick<Run, 'left'>): string | null {
  if (left === undefined) return null;
  return `not sent: ${UNSENT[left.by] ?? 'an error stopped the run'}`;
}

const UNSENT: Partial<Record<RunLeft['by'], string>> = {
  budget: 'the budget left no room',
  cap: 'a cap left no room',
  'hit-rate': 'the platform found too little',
  paused: 'the job was paused',
  signal: 'the run was told to stop',
  cancelled: 'the run was cancelled',
  replaced: 'another run took the place of this one',
};

/** Its number for people; of a waterfall's step that of the waterfall, and its name: `1.first`. */
export function nameOfRun({ id, step }: Run): string {
  return step === undefined ? `${id}` : `${step.of}.${step.name}`;
}

/**
 * An open run without a process is `queued` if it waits for a worker, `parked` if it waits for one until a time,
 * `reopened` if `sluice retry` has opened it again, else shown by how it was left. The store holds none of these.
 */
export type ShownState =
  | RunState
  | 'stopped_at_budget'
  | 'stopped_at_cap'
  | 'stopped_at_hit_rate'
  | 'paused'
  | 'stopped'
  | 'stopped_by_error'
  | 'cut_off'
  | 'reopened'
  | 'queued'
  | 'parked';

export interface WorkState {
  readonly isAtWork: boolean;
  /** Null if it waits for no worker. */
  readonly task?: { readonly parked: unknown } | null;
  /** The time since which its job is paused. */
  readonly pausedAt: number | null;
}

export function shownState(
  { left, reopenedAt, state }: Run,
  { isAtWork, pausedAt, task = null }: WorkState,
): ShownState {
  if (!isOpen(state) || isAtWork) return state;
  if (task !== null) return task.parked === null ? 'queued' : 'parked';
  if (reopenedAt !== undefined) return 'reopened';
  if (left?.by === 'budget') return 'stopped_at_budget';
  if (left?.by === 'cap') return 'stopped_at_cap';
  if (left?.by === 'hit-rate') return 'stopped_at_hit_rate';
  if (pausedAt !== null) return 'paused';
  if (left === undefined) return 'cut_off';
  // A run that was stopped by a pause is not paused any more.
  return left.by === 'signal' || left.by === 'paused' ? 'stopped' : 'stopped_by_error';
}

export function wordsOfState(state: ShownState): string {
  return state.replaceAll('_', ' ');
}

/** Whether its end is still to come, without a user having to act. */
export function isOpen(state: ShownState): boolean {
  return state === 'reading' || state === 'working' || isForWorker(state);
}

/** Whether it goes on once a user starts its job again. */
export function isForUser(state: ShownState): boolean {
  return FOR_USER.includes(state);
}

const FOR_USER: readonly ShownState[] = [
  'stopped_at_budget',
  'stopped_at_cap',
  'stopped_at_hit_rate',
  'paused',
  'stopped',
  'stopped_by_error',
  'cut_off',
  'reopened',
];

/** Every state, in the order of a list to choose from. */
export const SHOWN_STATES: readonly ShownState[] = [
  'reading',
  'working',
  'queued',
  'parked',
  ...FOR_USER,
  'finished',
  'cancelled',
  'replaced',
];

export function isForWorker(state: ShownState): boolean {
  return state === 'queued' || state === 'parked';
}
