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
import type { Forecast } from '../../model/tally.js';
import type { Detection } from '../../ports/lead-reader.js';
import type { StateSize } from '../../ports/store/maintenance.js';
import type { Store } from '../../ports/store/store.js';
import { isStateThere, openStore } from '../../store/open-store.js';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.js';
import { openScratch } from '../../store/sqlite/scratch.js';
import { accountOf, checkAccount } from '../platform/account.js';
import { askingTermsIn, termsDigest } from '../run/asking-terms.js';
import { findContinued } from '../run/begin/open-run.js';
import { openElsewhere } from '../run/begin/pay-anew.js';
import { paceOf, refuseMissingCalls } from '../run/how-to-ask.js';
import { type Environment, NO_ENVIRONMENT } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import { checkKeep } from '../state/keep-state.js';
import { systemClock } from '../system-clock.js';
import { notDone, type Portion, portionsOf, readNothing } from './drop-portions.js';
import { forecastLeads } from './forecast-leads.js';
import { lookIntoDrop } from './look-into-drop.js';
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
  readonly onMapped?: (mapping: readonly MappedInput[]) => void;
  readonly onDetected?: (detection: Detection) => void;
}

export interface JobForecast extends Forecast {
  /**
   * The number of runs that would read the new input: one for each file of a drop folder whose files have tables of
   * their own.
   */
  readonly runs: number;
  /** Null if there is no state file yet. */
  readonly stateSize: StateSize | null;
}

const RUNS_LOOKED_AT = 200;

/** @throws SluiceError for everything that a run would find wrong before its first request */
export async function planJob(
  job: JobSettings,
  {
    again = false,
    verify = false,
    environment = NO_ENVIRONMENT,
    onMapped,
    onDetected,
    ...given
  }: PlanOptions = {},
): Promise<JobForecast> {
  const { settings, standardInput } = takeLeads(job, given);
  const at = systemClock.now();
  planList(settings, at);
  const dialect = await loadJobDialect(settings);
  refuseMissingCalls(settings, dialect);
  const payer = { settings, dialect, environment };
  checkAccount(payer);
  const isFolder = await isDropFolder(settings.input);
  const stdin = standardInput ?? Readable.from([]);
  // A plan leaves nothing behind: if there is no state file yet, an empty store takes its place.
  const state = isStateThere(settings.state) ? await openStore(settings.state) : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-plan-'));
  const scratch = openSqliteStore(join(folder, 'scratch.db'));
  const seen = openScratch();
  try {
    const store = state ?? scratch;
    await checkKeep(settings, state);
    const terms = await askingTermsIn(store, settings, dialect, await accountOf(payer, store));
    const digest = termsDigest(settings, terms, isFolder);
    const portions = isFolder
      ? await newPortions(settings, { again, dialect, verify, standardInput: stdin }, digest, store)
      : [{ reader: await readInput(settings, { dialect, standardInput: stdin, store }) }];
    const readers = portions.map(({ reader }) => reader);
    // Each file of a folder may have a table of its own; a plan writes none of them.
    const plan = await planRun(
      isFolder ? { ...settings, out: undefined } : settings,
      portions[0] ?? { reader: readNothing() },
      { terms, digest, startedAt: at, dialect },
    );
    const open = await findContinued(store, plan);
    const elsewhere = await openElsewhere(store, { plan, terms, open, startedAt: at, settings });
    const forecast = await forecastLeads(readers, {
      store,
      scratch,
      plan,
      terms,
      pace: paceOf(settings, dialect),
      limit: settings.limit,
      isSending: await isSending(store),
      elsewhere,
      // For leads that a continued run has read already, freshness was judged when it began.
      freshSince: (position) =>
        (open !== null && position <= open.leadCount ? open.startedAt : at) - settings.freshForMs,
      keys: settings.key && createKeyCensus(settings.key, seen),
      onMapped: onMapped ?? (() => undefined),
      onDetected: onDetected ?? (() => undefined),
    });
    return { ...forecast, runs: portions.length, stateSize: (await state?.size(at)) ?? null };
  } finally {
    seen.close();
    await scratch.close();
    await state?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Tells whether a process works on one of the runs that have not ended. */
async function isSending(store: Store): Promise<boolean> {
  const open = await store.listRuns(RUNS_LOOKED_AT, { states: ['reading', 'working'] });
  const jobs = [...new Set(open.map(({ job }) => job))];
  return (await Promise.all(jobs.map((job) => store.isLocked(job)))).includes(true);
}

/** The portions that runs over the drop folder would read now. */
async function newPortions(
  settings: JobSettings,
  {
    again,
    dialect,
    verify,
    standardInput,
  }: Pick<Required<PlanOptions>, 'again' | 'verify' | 'standardInput'> & {
    readonly dialect: Dialect;
  },
  termsDigest: string,
  store: Store,
): Promise<readonly Portion[]> {
  const look = { store, clock: systemClock, termsDigest, verify: verify || again };
  const found = await lookIntoDrop(settings, look);
  const files = again ? found.files : await notDone(found.files, settings.job, termsDigest, store);
  const portions: Portion[] = [];
  for (const portion of portionsOf(files, settings.out)) {
    const reader = await readInput(settings, { dialect, standardInput, files: portion, store });
    portions.push({ reader, files: portion });
  }
  return portions;
}
