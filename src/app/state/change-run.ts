// Changes a run at a user's wish. What that does and costs is told here, for whoever asks.
import { timesCredits } from '../../model/credits.js';
import { wrongUse } from '../../model/errors.js';
import { tellCancelled } from '../../model/report/open-charges.js';
import { changedTexts, keyLines, writtenTables } from '../../model/report/written-tables.js';
import { isOpen, type Run } from '../../model/run.js';
import { leadsIn, type RunTally, retriableLeads } from '../../model/tally.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import { formatCount } from '../../model/text/count.js';
import { printable } from '../../model/text/printable.js';
import type { RetriedOutcome, RetriedWork } from '../../ports/store/enrichments.js';
import type { Store } from '../../ports/store/store.js';
import { openChargesOf } from '../../run/send/budget.js';
import { statedInJobs } from '../files/stated-files.js';
import { type ExportReport, type ExportWish, exportRun } from '../results/export-run.js';
import { runOf } from '../results/run-of.js';
import { columnsOfPeople } from '../results/write-tables.js';
import { cancelRun as endCancelled } from '../run/end/note-left.js';
import type { Environment } from '../settings/environment.js';
import { systemClock } from '../system-clock.js';
import { whileJobLocked } from './lock-job.js';
import type { Asked, Done } from './pause-job.js';

const POSITIONS_MAX = 1_000;

/** `name` is the name of its job for its user. */
interface OfRun {
  readonly store: Store;
  readonly run: Run;
  readonly name: string;
}

export const cancelling = {
  ask: async ({ name, run, store }: OfRun): Promise<Asked> => {
    const canBe = isOpen(run.state);
    return {
      title: `Cancel run ${run.id} of ${name}?`,
      sentences: canBe
        ? [
            tellCancelled(await openChargesOf(store, run), run, await store.tally(run.id)),
            `This cannot be undone: the next start of ${name} begins a new run.`,
          ]
        : [`Run ${run.id} is ${run.state}: there is nothing to cancel.`],
      cost: 'nothing. What is paid for already is not given back by the platform.',
      canBe,
      isDangerous: canBe,
    };
  },
  perform: async ({ name, run, store }: OfRun) => {
    const tally = await endCancelled(store, run, systemClock.now());
    const [queued, submitting, awaiting] = (['queued', 'submitting', 'awaiting'] as const).map(
      (one) => leadsIn(tally, one),
    );
    return {
      title: `Run ${run.id} of ${name} is cancelled`,
      sentences: [tellCancelled(await openChargesOf(store, run), run, tally)],
      data: { queued, submitting, awaiting },
    };
  },
};

/**
 * Cancels a run, also one that is at work, which still collects what is paid for. Returns its leads, with those that have
 * not ended.
 * @throws SluiceError `usage` if it has ended
 */
export async function cancelRun(store: Store, runId: number): Promise<RunTally> {
  return endCancelled(store, await runOf(store, runId), systemClock.now());
}

export const exporting = {
  ask: async ({ name, run: { id, output } }: OfRun): Promise<Asked> => {
    const files = [output.out, ...Object.values(output.further ?? {})].filter((out) => out !== '-');
    return {
      title: `Write the tables of run ${id} of ${name} again?`,
      sentences:
        files.length === 0
          ? ['The table of this run went to standard output. Download it instead.']
          : [
              `With what is known now: ${files.map(printable).join(', ')}.`,
              'A file that Sluice did not write is not replaced.',
            ],
      cost: 'nothing.',
      canBe: files.length > 0,
    };
  },
  perform: async (
    { run, store }: OfRun,
    environment: Environment,
    wish: ExportWish = {},
  ): Promise<Done<ExportReport>> => {
    const stated = await statedInJobs(run, environment);
    const data = await exportRun(store, run.id, { ...wish, stated });
    return {
      title: `The tables of run ${run.id} are written`,
      sentences: [
        ...writtenTables(data).map(
          ({ out, rows }) => `${printable(out)}: ${formatCount(rows, 'row')}`,
        ),
        ...keyLines(data.key),
        ...changedTexts(data.changed),
        ...unaskedColumns(run, wish),
      ],
      data,
    };
  },
};

/** Of the columns that are wished for by name, those that nothing fills which the run asked for. */
function unaskedColumns(run: Run, { columns = [] }: ExportWish): string[] {
  if (typeof columns === 'string') return [];
  const wanted = new Set(
    columns.flatMap((one) => (typeof one === 'string' ? one : Object.values(one))),
  );
  return columnsOfPeople(run).flatMap(({ asks = [], key }) =>
    !wanted.has(key) || asks.length === 0 || asks.some((one) => run.ask.includes(one))
      ? []
      : [
          `Run ${run.id} did not ask for ${key} (${asks.join(', ')}): the column is probably empty.`,
        ],
  );
}

/** The outcomes of which a page offers the leads: uncertain ones may be paid for twice. */
export const OFFERED_OUTCOMES = ['failed', 'timed_out', 'not_found'] as const;

export const retrying = {
  ask: async ({ name, run, store }: OfRun): Promise<Asked & { readonly tally: RunTally }> => {
    const tally = await store.tally(run.id);
    const isNone = OFFERED_OUTCOMES.every((outcome) => retriableLeads(tally, outcome) === 0);
    const { isLocked } = await store.jobNow(run.job);
    const failed = retriableLeads(tally, 'failed');
    return {
      title: `Retry leads of run ${run.id} of ${name}?`,
      sentences: isNone
        ? [`Run ${run.id} has no leads that failed, timed out or were not found.`]
        : [
            ...(isLocked ? [`A process is working on ${name}: wait for it to end.`] : []),
            'The leads are open again after this. Nothing is sent before the job is started.',
          ],
      cost: `nothing now. ${
        failed === 0
          ? 'The next start of the job reads tickets again, which is free.'
          : `Asking for ${formatCount(failed, 'failed lead')} again, once the job is started, costs ${priceOf(run, failed)}.`
      }`,
      canBe: !isNone && !isLocked,
      tally,
    };
  },
  perform: async (
    { name, run, store }: OfRun,
    wish: RetryWish,
  ): Promise<Done<RetriedWork & { readonly creditsMax: number | null }>> => {
    const work = await retryRun(store, run.id, wish);
    const { answered, awaiting, queued } = work;
    const isOpen = queued + awaiting > 0;
    const { priceMax } = run;
    return {
      title: isOpen
        ? `Run ${run.id} of ${name} is open again`
        : `Nothing was changed: run ${run.id} of ${name} has no lead to ask for again that is ${wish.only.join(' or ')}`,
      sentences: [
        ...(queued > 0
          ? [
              `${formatCount(queued, 'enrichment')} to ask for, which costs ${priceOf(run, queued)}.`,
            ]
          : []),
        ...(awaiting > 0
          ? [`${formatCount(awaiting, 'answer')} to read again, which is free.`]
          : []),
        ...(isOpen ? [continueWords(run)] : []),
        ...(!isOpen && run.reopenedAt !== undefined
          ? [
              `An earlier retry has opened it, and its answers are read first: ${continueWords(run)} Then retry what is still without an answer.`,
            ]
          : []),
        ...(answered > 0
          ? [
              `${formatCount(answered, 'enrichment')} got an answer from a later run meanwhile: "sluice export ${run.id}" writes it.`,
            ]
          : []),
      ],
      data: { ...work, creditsMax: priceMax === undefined ? null : timesCredits(priceMax, queued) },
    };
  },
};

/** The words for continuing. The name of a job that `sluice enrich` made is its input. */
function continueWords({ job, sources }: Run): string {
  return sources.includes(job)
    ? 'The same "sluice enrich" command continues it.'
    : 'Start it as before; it continues.';
}

function priceOf({ arePricesAssumed, priceMax }: Run, count: number): string {
  if (priceMax === undefined) return 'credits, and it is not known how many';
  const assumed = arePricesAssumed ? ', prices assumed' : '';
  return `${formatCount(timesCredits(priceMax, count), 'credit')} at most${assumed}`;
}

export interface RetryWish {
  /** The outcomes of the leads to open again. */
  readonly only: readonly RetriedOutcome[];
  /**
   * Whether to send failed enrichments again, which costs credits, instead of reading their tickets again, which is
   * free.
   */
  readonly askAnew?: boolean | undefined;
  /** The path of the state file, beside which the job is locked. */
  readonly state: string;
  readonly observe?: RunObserver | undefined;
}

/**
 * Opens the run's leads with these outcomes again; the next run of its job asks for them.
 * @throws SluiceError `usage` for a run that was cancelled or replaced by a newer run, `busy` while its job runs
 */
export async function retryRun(
  store: Store,
  runId: number,
  { only, state, askAnew = false, observe = () => undefined }: RetryWish,
): Promise<RetriedWork> {
  const run = await runOf(store, runId);
  return whileJobLocked(
    { store, job: run.job, state, clock: systemClock, observe },
    async (store) => {
      if (run.state === 'replaced' || run.state === 'cancelled') {
        throw wrongUse(
          `Run ${run.id} was ${run.state}: its leads are asked for by the next run of ${run.job}. Start that instead.`,
        );
      }
      const { openRun: open } = await store.jobNow(run.job);
      if (open !== null && open.id !== run.id) {
        throw wrongUse(
          `Run ${open.id} of ${run.job} is not finished yet. Continue that one first, or cancel it: sluice cancel ${open.id}.`,
        );
      }
      const at = systemClock.now();
      const deadlineAt = at + run.deadlineMs;
      const work = { queued: 0, awaiting: 0, answered: 0 };
      const steps = await store.stepRuns(run.id);
      // A lead of a waterfall has one outcome, whatever its steps have come to.
      const positions = steps.length === 0 ? undefined : await positionsOf(store, run.id, only);
      for (const { id } of steps.length > 0 ? steps : [run]) {
        const times = { at, deadlineAt, askAnew, ...(positions && { positions }) };
        const one = await store.retry(id, only, times);
        work.queued += one.queued;
        work.awaiting += one.awaiting;
        work.answered += one.answered;
      }
      observe({ kind: 'run.reopened', run, ...work });
      return work;
    },
  );
}

async function positionsOf(
  store: Store,
  runId: number,
  outcomes: readonly RetriedOutcome[],
): Promise<number[]> {
  const all: number[] = [];
  for (const outcome of outcomes) {
    for (let position = 0; ; ) {
      const cursor = { direction: 'after', position } as const;
      const page = await store.positions(runId, { outcome }, cursor, POSITIONS_MAX);
      const last = page.at(-1);
      if (last === undefined) break;
      all.push(...page);
      position = last;
    }
  }
  return all;
}

/**
 * Names the contact list of a run if it is unknown whether it was created, or under which id.
 * @throws SluiceError `usage` if the run wants no list or has put leads into another, `busy` while its job runs
 */
export async function adoptList(
  store: Store,
  run: Run,
  listId: string,
  state: string,
): Promise<void> {
  await whileJobLocked({ store, job: run.job, state, clock: systemClock }, async (store) => {
    const list = await store.findList(run.id);
    if (list === null) {
      throw wrongUse(`Run ${run.id} has no contact list.`);
    }
    if (await store.recordList(list.id, { kind: 'created', listId, isStated: true })) return;
    throw wrongUse(
      `Run ${run.id} has put leads into the contact list ${list.listId} already, and keeps to it.`,
    );
  });
}
