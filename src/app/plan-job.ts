// Reads a job's whole input and tells what running it would cost; sends nothing, changes nothing.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { loadDialect } from '../config/load-dialect.js';
import type { Forecast } from '../domain/forecast.js';
import type { MappedInput } from '../domain/mapping.js';
import { digestHex } from '../identity/digest.js';
import { forecastLeads } from '../pipeline/forecast-leads.js';
import { openSqliteStore } from '../store/open-sqlite-store.js';
import { askingTerms, termsDigest } from './asking-terms.js';
import { type Environment, NO_ENVIRONMENT } from './environment.js';
import { leastRequests } from './how-to-ask.js';
import type { JobSettings } from './job-settings.js';
import { accountText } from './open-platform.js';
import { planList } from './plan-list.js';
import { planRun } from './plan-run.js';
import { readInput } from './read-input.js';
import { systemClock } from './system-clock.js';

export interface PlanOptions {
  /** Names the account; the sandbox in the process needs none. */
  readonly environment?: Environment;
  /** What the input `-` reads. */
  readonly standardInput?: AsyncIterable<Uint8Array>;
  readonly onMapped?: (mapping: readonly MappedInput[]) => void;
}

/** @throws SluiceError as a run would, for everything a run would find before its first request */
export async function planJob(
  settings: JobSettings,
  { environment, standardInput, onMapped }: PlanOptions = {},
): Promise<Forecast> {
  planList(settings, systemClock.now());
  const dialect = await loadDialect(settings.dialect);
  const terms = askingTerms(
    settings,
    dialect,
    digestHex(accountText(settings, environment ?? NO_ENVIRONMENT)),
  );
  const reader = await readInput(settings, standardInput ?? Readable.from([]));
  // A plan leaves nothing behind: where there is no state file yet, the empty store stands for it.
  const state = existsSync(settings.state) ? openSqliteStore(settings.state) : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-plan-'));
  const scratch = openSqliteStore(join(folder, 'scratch.db'));
  try {
    return await forecastLeads(reader, {
      store: state ?? scratch,
      scratch,
      plan: await planRun(settings, reader, termsDigest(settings, terms), terms.account),
      terms,
      rate: settings.rate ?? dialect.limits.rate,
      leastRequests: (toPay, awaited) => leastRequests(settings, dialect, toPay, awaited),
      limit: settings.limit,
      freshSince: systemClock.now() - settings.freshForMs,
      onMapped: onMapped ?? (() => undefined),
    });
  } finally {
    await scratch.close();
    await state?.close();
    await rm(folder, { recursive: true, force: true });
  }
}
