// Reads a job's whole input and says what a run would cost; sends nothing, changes nothing.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { loadJobDialect } from '../../config/load-dialect.js';
import type { Dialect } from '../../dialect/dialect.js';
import type { LeadsInMemory } from '../../input/leads-as-lines.js';
import { isDropFolder } from '../../input/sources/drop-folder.js';
import { createKeyCensus } from '../../model/columns/key-census.js';
import type { MappedInput } from '../../model/mapping/mapping.js';
import type { CapState } from '../../model/schedule/caps.js';
import type { Forecast } from '../../model/tally.js';
import type { Detection } from '../../ports/lead-reader.js';
import type { StateSize } from '../../ports/store/maintenance.js';
import type { Store } from '../../ports/store/store.js';
import { commitmentOf } from '../../run/send/budget.js';
import { isStateThere, openStore } from '../../store/open-store.js';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.js';
import { openScratch } from '../../store/sqlite/scratch.js';
import { accountOf, addressDigest, checkPayer } from '../platform/account.js';
import { dialectAt } from '../platform/dialect-at.js';
import { askingTermsIn, termsDigest } from '../run/asking-terms.js';
import { refusalOfRows } from '../run/begin/accept-rows.js';
import { findContinued } from '../run/begin/open-run.js';
import { openElsewhere } from '../run/begin/pay-anew.js';
import { paceOf, refuseMissingCalls } from '../run/how-to-ask.js';
import { type Environment, NO_ENVIRONMENT } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import { checkKeep } from '../state/keep-state.js';
import { isWorkedOn } from '../state/lock-job.js';
import { systemClock } from '../system-clock.js';
import { lookIntoDrop, notDone, type Portion, portionsOf, readNothing } from './drop-portions.js';
import type { DoubtFinder } from './find-doubts.js';
import { forecastLeads } from './forecast-leads.js';
import { planList, planRun } from './plan-run.js';
import { readInput } from './read-input.js';
import { takeLeads } from './take-leads.js';

export interface PlanOptions {
  /** The environment that names the account; the sandbox in the process needs no credentials. */
  readonly environment?: Environment;
  /** Objects, each a lead, in place of the job's `input`. */
  readonly leads?: LeadsInMemory;
  /** The stream of the input `-`. */
  readonly standardInput?: AsyncIterable<Uint8Array>;
  /** For a drop folder: whether files that are done count as well. */
  readonly again?: boolean;
  /** For a drop folder: whether to read every file to know whether it is done. */
  readonly verify?: boolean;
  /** For a drop folder: the terms by which files are done, where they are those of a waterfall's run. */
  readonly doneTerms?: string | undefined;
  /** Collects what is doubtful about the input. */
  readonly doubts?: DoubtFinder | undefined;
  readonly onMapped?: ((mapping: readonly MappedInput[]) => void) | undefined;
  readonly onDetected?: ((detection: Detection) => void) | undefined;
}

export interface JobForecast extends Forecast {
  /**
   * The number of runs that would read the new input: one for each file of a drop folder whose files have tables of
   * their own.
   */
  readonly runs: number;
  /** The caps of the account, and those of the job, as they are now. */
  readonly caps: readonly CapState[];
  /** The credits of its budget that the unfinished run has spent; null if there is no such run. */
  readonly budgetSpent: number | null;
  /** The credits that it may still be charged for requests under way; null likewise. */
  readonly budgetReserved: number | null;
  /** The most credits that one request costs. */
  readonly priceMax: number;
  /** The budget of the unfinished run that would go on; null if it has none. */
  readonly budgetBefore: number | null;
  /** Why the run would not begin, by the rows of its input; empty if it would. */
  readonly refusal: string;
  /** Null if there is no state file yet. */
  readonly stateSize: StateSize | null;
}

/**
 * Without a state, it needs no credentials.
 * @throws SluiceError for everything else that a run would find wrong before its first request
 */
export async function planJob(job: JobSettings, options: PlanOptions = {}): Promise<JobForecast> {
  const { environment = NO_ENVIRONMENT, doubts, onDetected, onMapped } = options;
  const { settings, standardInput } = takeLeads(job, options);
  const startedAt = systemClock.now();
  planList(settings, startedAt);
  const dialect = dialectAt(settings, await loadJobDialect(settings));
  refuseMissingCalls(settings, dialect);
  // Only a state needs to know whose payments it is asked for.
  if (isStateThere(settings.state)) checkPayer({ settings, dialect, environment });
  await using stores = await openPlanStores(settings.state);
  const { scratch, seen, state, store } = stores;
  await checkKeep(settings, state);
  const wish = { ...options, environment, standardInput: standardInput ?? Readable.from([]) };
  const next = await planNextRun(settings, store, { ...wish, dialect, startedAt });
  const { open, readers } = next;
  const { freshForMs, key, limit } = settings;
  const forecast = await forecastLeads(readers, {
    ...next,
    store,
    scratch,
    pace: paceOf(settings, dialect),
    limit,
    isSending: await isWorkedOn(store),
    elsewhere: await openElsewhere(store, { ...next, startedAt }),
    // For leads that a continued run has read already, freshness was judged when it began.
    freshSince: (position) =>
      (open !== null && position <= open.leadCount ? open.startedAt : startedAt) - freshForMs,
    keys: key && createKeyCensus(key, seen),
    doubts,
    onMapped,
    onDetected,
  });
  const stateSize = (await state?.size(startedAt)) ?? null;
  const { openRun } = await store.jobNow(settings.job);
  const committed = openRun && (await commitmentOf(store, openRun));
  const caps = await store.caps(next.terms.account, startedAt, settings.caps);
  const [refusal] = readers.flatMap((reader) => refusalOfRows(reader, settings) ?? []);
  const refused = open === null && refusal !== undefined ? refusal.message : '';
  return {
    ...forecast,
    refusal: refused,
    runs: readers.length,
    budgetSpent: committed && committed.spent,
    budgetReserved: committed && committed.open,
    priceMax: next.plan.priceMax ?? 0,
    budgetBefore: open?.budget ?? null,
    caps,
    stateSize,
  };
}

/**
 * The stores of a plan, which leaves nothing behind: the state if there is one, or an empty store in its place, and
 * others that are removed with it: one of leads, and the digests that a count has seen.
 */
async function openPlanStores(place: string) {
  const state = isStateThere(place) ? await openStore(place) : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-plan-'));
  const scratch = openSqliteStore(join(folder, 'scratch.db'));
  const seen = openScratch();
  return {
    state,
    store: state ?? scratch,
    scratch,
    seen,
    [Symbol.asyncDispose]: async () => {
      seen.close();
      await scratch.close();
      await state?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface NextWish extends Pick<PlanOptions, 'again' | 'doneTerms' | 'verify'> {
  readonly dialect: Dialect;
  readonly environment: Environment;
  readonly startedAt: number;
  readonly standardInput: AsyncIterable<Uint8Array>;
}

/** @throws SluiceError for an input that cannot be read, or lacks a column that the job names */
async function planNextRun(
  settings: JobSettings,
  store: Store,
  { again = false, dialect, environment, standardInput, startedAt, ...wish }: NextWish,
) {
  const account = isStateThere(settings.state)
    ? await accountOf({ settings, dialect, environment }, store)
    : addressDigest(settings.url);
  const terms = await askingTermsIn(store, settings, dialect, account);
  const isFolder = await isDropFolder(settings.input);
  const digest = termsDigest(settings, terms, isFolder);
  const read = { dialects: [dialect], standardInput, store };
  const portions: Portion[] = [];
  if (isFolder) {
    const look = {
      store,
      clock: systemClock,
      termsDigest: digest,
      verify: wish.verify === true || again,
    };
    const found = await lookIntoDrop(settings, look);
    const fresh = again
      ? found.files
      : await notDone(found.files, settings.job, wish.doneTerms ?? digest, store);
    for (const files of portionsOf(fresh, settings.out)) {
      portions.push({ reader: await readInput(settings, { ...read, files }), files });
    }
  } else portions.push({ reader: await readInput(settings, read) });
  const plan = await planRun(
    // Each file of a folder may have a table of its own; a plan writes none of them.
    isFolder ? { ...settings, out: undefined } : settings,
    portions[0] ?? { reader: readNothing() },
    { terms, digest, startedAt, dialect },
  );
  const readers = portions.map(({ reader }) => reader);
  return { terms, plan, open: await findContinued(store, plan), readers };
}
