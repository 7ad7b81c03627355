// Tells a list of runs: fewer facts than about one run, so that a page of them costs little.
import { STATE_TONES, toneOfStatus, wordsOf } from '../html/parts.js';
import type { LeadStatus } from '../model/answer.js';
import { describeDisturbance } from '../model/events/describe-disturbance.js';
import { billOf } from '../model/report/bill.js';
import type { SeenBeside } from '../model/report/run-figures.js';
import { type Run, type ShownState, wordsOfState } from '../model/run.js';
import { describeLeft, type TimeLeft } from '../model/schedule/pace.js';
import { openLeads, type RunTally } from '../model/tally.js';
import { cutText, formatNumber, formatShare } from '../model/text/count.js';
import { formatDuration } from '../model/text/format-time.js';
import type { LockHolder } from '../ports/store/jobs.js';
import type { Column, Mark, Page, Value } from './page.js';
import { workedMs } from './run-data.js';
import { foundIn, notes, table } from './shared.js';

/** A run at one moment. */
export interface RunLine {
  readonly run: Run;
  /** The name of the dropped file of its job; null for any other job. */
  readonly file: string | null;
  readonly state: ShownState;
  readonly tally: RunTally;
  /** The remaining time; null if that is not known, or the run has ended. */
  readonly left: TimeLeft | null;
  readonly seen: Pick<SeenBeside, 'worker' | 'pausedAt' | 'disturbances'> & {
    readonly task: Pick<NonNullable<SeenBeside['task']>, 'parked'> | null;
  };
}

const COLUMNS: readonly Column[] = [
  { name: 'run' },
  { name: 'job', isEvident: true, isOptional: true },
  { name: 'state', isEvident: true },
  { name: 'found' },
  { name: 'answered', isMinor: true, isOptional: true },
  { name: 'credits', isNumber: true, isMinor: true },
  { name: 'took', isNumber: true, isMinor: true, isOptional: true },
  { name: 'begun' },
  { name: 'worked on by', isMinor: true, isOptional: true },
  { name: 'table', isLong: true, isMinor: true },
  { name: 'last trouble', isLong: true, isMinor: true, isOptional: true },
];

interface RunsOptions {
  /** Whether all are of the job of the page. */
  readonly areOfJob?: boolean;
  /** What each run is for a script. */
  readonly data?: Page['data'];
  /** Sentences about the next steps. */
  readonly next?: readonly string[];
  readonly title?: string;
}

export function tellRuns(
  lines: readonly RunLine[],
  { areOfJob = false, data = [], next = [], title = 'Runs' }: RunsOptions = {},
): Page {
  const shape = { isAlone: true, isStacked: true, isBrief: true, columns: COLUMNS };
  const rows = lines.map((line) => cellsOf(line, areOfJob));
  const parts = [table(title, [], rows, shape), ...notes(...next)];
  return { title, parts, data };
}

function cellsOf(line: RunLine, isOfJob: boolean): Value[] {
  const { run, seen, state, tally } = line;
  const bill = billOf(tally, run.credit);
  return [
    { to: 'run', run: run.id, text: `Run ${run.id}` },
    isOfJob ? null : jobRef(run.job, line.file),
    marksOf(state, seen.pausedAt),
    [foundIn(tally, state === 'reading' ? '+' : ''), { shares: outcomeShares(tally) }],
    run.endedAt === null ? progressOf(line) : null,
    bill.money ?? bill.credits ?? bill.text,
    tookMs(line),
    { at: run.startedAt, isAgo: true },
    seen.worker && describeWorker(seen.worker),
    run.output.out,
    lastTrouble(line),
  ];
}

/** `file` is the name of its dropped file; null for any other job. */
export function jobRef(job: string, file: string | null): Value {
  const ref = { to: 'job', job, text: file ?? job } as const;
  return file === null ? ref : [ref, ` ${job}`];
}

/** The state; a run that goes on may be paused besides. */
export function marksOf(state: ShownState, pausedAt: number | null): Value {
  const mark: Mark = { mark: wordsOfState(state), tone: STATE_TONES[state] };
  return pausedAt === null || state === 'paused'
    ? mark
    : [mark, ' ', { mark: 'paused', tone: 'warn' }];
}

/** How far it has come: `62 %, about 2 min left`. */
function progressOf({ left, tally }: RunLine): string {
  const told = describeLeft(left);
  return `${formatShare(tally.leads - openLeads(tally), tally.leads)}${told === '' ? '' : `, ${told}`}`;
}

/** Null if it has not finished: when the work on one that was replaced or cancelled ended, its requests alone tell. */
function tookMs({ run, state }: RunLine): string | null {
  const { endedAt: to, startedAt: from } = run;
  return state !== 'finished' || to === null ? null : formatDuration(workedMs(run, { from, to }));
}

/** `process 4711 on db1` */
export function describeWorker({ host, pid }: LockHolder): string {
  return `process ${pid} on ${host}`;
}

/** The last trouble, or the reason why it does not go on; null if there is none. */
function lastTrouble({ run, seen, state, tally }: RunLine): string | null {
  const isStopped = state.startsWith('stopped_');
  const why = isStopped ? (run.left?.said ?? null) : null;
  const [last] = seen.disturbances.toSorted((a, b) => b.lastAt - a.lastAt);
  const disturbed = last === undefined ? null : describeDisturbance(last);
  const trouble = seen.task?.parked?.why ?? why ?? disturbed ?? worstReason(tally);
  return trouble && cutText(trouble, TROUBLE_MAX);
}

/** The page of the run has all of it. */
const TROUBLE_MAX = 120;

/** The most frequent reason why leads have no answer. */
function worstReason({ reasons }: RunTally): string | null {
  const worst = reasons.find(({ status }) => ['failed', 'timed_out', 'uncertain'].includes(status));
  if (worst === undefined) return null;
  return `${formatNumber(worst.leads)} ${wordsOf(worst.status)}: ${worst.reason}`;
}

/** The order of a bar: answered leads, unanswered ones, those that wait, those that were not asked. */
export const OUTCOMES: readonly LeadStatus[] = [
  'found',
  'not_found',
  'failed',
  'timed_out',
  'uncertain',
  'awaiting',
  'submitting',
  'queued',
  'skipped',
  'not_asked',
];

function outcomeShares({ byStatus }: RunTally) {
  return OUTCOMES.map((status) => ({
    name: wordsOf(status),
    value: byStatus[status],
    tone: toneOfStatus(status),
  })).filter(({ value }) => value > 0);
}
