import { digestHex } from '../../../identity/digest.js';
import { listAsks } from '../../../model/ask.js';
import type { Run, RunPlan } from '../../../model/run.js';
import { leadsIn } from '../../../model/tally.js';
import { formatCount } from '../../../model/text/count.js';
import type { Waterfall } from '../../../model/waterfall/waterfall.js';
import type { LeadReader } from '../../../ports/lead-reader.js';
import type { Store } from '../../../ports/store/store.js';
import { withSample } from '../../../run/lead-batches.js';
import type { AskingTerms, ReadingContext } from '../../../run/run-context.js';
import { checkTable, filesRead } from '../../files/check-table.js';
import { type Portion, readNothing } from '../../plan/drop-portions.js';
import { planRun } from '../../plan/plan-run.js';
import { termsDigest, termsOfRuns } from '../asking-terms.js';
import type { RunTask } from '../run-options.js';
import { openReading } from '../senders.js';
import { acceptRows, refuseRows } from './accept-rows.js';
import { findContinued, type LeftRun, openRun } from './open-run.js';
import { lookElsewhere } from './pay-anew.js';

interface Begun {
  readonly context: ReadingContext;
  readonly reader: LeadReader;
}

/** Checks first that its table may be written, that most rows can be leads, and that no known lead is paid for again. */
export async function beginRun(
  task: RunTask,
  store: Store,
  portion: Portion,
  startedAt: number,
): Promise<Begun> {
  const stated = await termsOfRuns(task, store);
  if (portion.goesOn !== undefined) return goOn(task, store, portion.goesOn, stated, startedAt);
  const { dialect, drain, force, isElsewhere, observe, settings } = task;
  const { sources } = portion.reader;
  const digest = digestOf(task, stated, portion.files !== undefined);
  const planned = await planRun(settings, portion, { terms: stated, digest, startedAt, dialect });
  const waterfall = task.waterfall?.plan;
  const plan = waterfall === undefined ? planned : ofWaterfall(planned, waterfall);
  const { ifDone } = portion;
  const asked = { sources, isForced: force, digests: plan.digests, ifDone, isElsewhere };
  const open = await findContinued(store, plan);
  const isPipe = plan.signature === null;
  // The rows of a continued run were accepted when it began.
  if (!isPipe && open === null) refuseRows(portion.reader, settings);
  const input = isPipe ? acceptRows(portion.reader, settings) : portion.reader;
  // All its leads are in the store.
  const isRead = open?.state === 'working';
  const terms = isRead ? stated : await withSample(stated, portion.reader, settings.limit, drain);
  // Each step looks for what is known as its leads come.
  const { reader, paysAnew } =
    waterfall === undefined
      ? await lookElsewhere(task, store, input, { plan, terms, open, startedAt })
      : { reader: input, paysAnew: false };
  const begun = isPipe ? await readAhead(reader, drain) : reader;
  const agreed = paysAnew ? { ...plan, paysAnew } : plan;
  const { budgetBefore, isContinued, replaced, run } = await openRun(
    store,
    agreed,
    startedAt,
    (names, id) => checkTable(settings, names, { ...asked, run: id }, store),
  );
  observe({ kind: 'run.started', run, leads: run.leadCount, isContinued });
  if (budgetBefore !== undefined && run.budget === undefined) {
    const message = `This start states no budget: run ${run.id} goes on without a limit. Before, it had a budget of ${budgetBefore}.`;
    observe({ kind: 'run.warned', warning: 'no_budget', message });
  }
  if (replaced !== undefined) tellReplaced(replaced, observe);
  await store.noteRead(run.id, filesRead(settings, sources));
  await keepSample(store, settings.job, terms);
  return { context: openReading(task, { run, startedAt, store, terms }), reader: begun };
}

/** Leads that the replaced run has not asked for are not asked for by it any more. */
function tellReplaced({ run: { ask, id }, tally }: LeftRun, observe: RunTask['observe']): void {
  const queued = leadsIn(tally, 'queued');
  if (queued === 0) return;
  const message = `This replaces run ${id} (${listAsks(ask)}), since the job or its input has changed: ${formatCount(queued, 'lead was', 'leads were')} not asked for there. To go on with both, give each a job of its own.`;
  observe({ kind: 'run.warned', warning: 'run_replaced', message });
}

/** A reader of a pipe with its first batch read: its trouble is thrown here. It stops waiting when the signal aborts. */
async function readAhead(reader: LeadReader, drain: AbortSignal): Promise<LeadReader> {
  const batches = reader.batches()[Symbol.asyncIterator]();
  const first = batches.next();
  const stopped = new Promise((resolve) => {
    drain.addEventListener('abort', resolve, { once: true });
  });
  if (!drain.aborted) await Promise.race([first, stopped]);
  first.catch(() => undefined);
  return {
    ...reader,
    async *batches() {
      const { done, value } = await first;
      if (done === true) return;
      yield value;
      yield* { [Symbol.asyncIterator]: () => batches };
    },
  };
}

/** The plan of the run that holds a waterfall's leads: prices and pace are those of each step. */
function ofWaterfall(planned: RunPlan, waterfall: Waterfall): RunPlan {
  const { caps: _caps, credit: _credit, pace: _pace, priceMax: _max, ...shared } = planned;
  return { ...shared, prices: {}, waterfall };
}

/** The digest of the terms; other steps of a waterfall, or the same in another order, are other terms. */
export function digestOf(
  { settings, waterfall }: Pick<RunTask, 'settings' | 'waterfall'>,
  terms: AskingTerms,
  isDrop: boolean,
): string {
  const digest = termsDigest(settings, terms, isDrop);
  if (waterfall === undefined) return digest;
  const platforms = waterfall.steps.map(({ settings: { account, dialect, url } }) => [
    url,
    account ?? null,
    dialect ?? null,
  ]);
  return digestHex(JSON.stringify([digest, waterfall.plan, platforms]));
}

/** Keeps the sample before any of its leads is asked for. */
async function keepSample(store: Store, job: string, { choice, sampled = [] }: AskingTerms) {
  const sample = choice?.sample;
  if (sample?.positions !== undefined) await store.keepSample(job, sample.seed, sampled);
}

/** Continues a run whose leads are all in the store: only the places of the tables have to be checked. */
async function goOn(
  task: RunTask,
  store: Store,
  run: Run,
  terms: AskingTerms,
  startedAt: number,
): Promise<Begun> {
  const { force, isElsewhere, observe, settings, writesTables } = task;
  const { digests, id, output, sources } = run;
  if (writesTables?.(true) !== false) {
    const asked = { sources, isForced: force, digests, run: id, isElsewhere };
    await checkTable(settings, output, asked, store);
  }
  await store.changeRun(id, { left: null });
  observe({ kind: 'run.started', run, leads: run.leadCount, isContinued: true });
  const context = openReading(task, { run, startedAt, store, terms });
  return { context, reader: readNothing(sources) };
}
