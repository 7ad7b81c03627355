import { loadJobDialect } from '../../config/load-dialect.js';
import { isDropFolder } from '../../input/sources/drop-folder.js';
import { parseUrl } from '../../model/text/address.js';
import { checkTarget } from '../../output/target-file.js';
import { writesOf } from '../files/check-table.js';
import { refuseOwnFiles } from '../files/check-writes.js';
import { nameTables } from '../files/name-table.js';
import { planList } from '../plan/plan-run.js';
import { dialectAt } from '../platform/dialect-at.js';
import { refuseMissingCalls, refuseNoPlace } from '../run/how-to-ask.js';
import { readSteps } from '../run/waterfall/steps.js';
import { SANDBOX_URL } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import { checkKeep } from '../state/keep-state.js';
import { type CheckContext, urlOf } from './check-context.js';
import { type Finding, fail, ok, skipped } from './finding.js';

const NO_JOB = 'No job is named.';
const NOT_READ = 'The job cannot be read.';

export function withoutJob({ wish }: CheckContext): Finding {
  return skipped(wish.loadJob === undefined ? NO_JOB : NOT_READ);
}

export async function checkJob(context: CheckContext): Promise<Finding> {
  const { loadJob } = context.wish;
  if (loadJob === undefined) return skipped(`${NO_JOB} "sluice doctor JOB" looks at one as well.`);
  const settings = await loadJob();
  context.settings = settings;
  planList(settings, context.clock.now());
  await checkKeep(settings, undefined);
  if (settings.waterfall !== undefined) return checkSteps(context, settings);
  return ok(`${settings.job} asks for ${settings.ask.join(', ')} at ${plain(settings.url)}.`);
}

/** The steps of a waterfall; whether each can be asked is checked step by step. */
async function checkSteps(context: CheckContext, settings: JobSettings): Promise<Finding> {
  const { environment, wish } = context;
  const environmentOf = (await wish.environmentOf?.(settings)) ?? (() => undefined);
  context.steps = await readSteps(settings, { environment, environmentOf });
  const steps = context.steps.map(
    ({ name, settings: { ask, url } }) => `${name} for ${ask.join(', ')} at ${plain(url)}`,
  );
  return ok(`${settings.job} asks ${steps.join('; ')}.`);
}

/** The address without a password: SLUICE_URL may hold one, which another check reports. */
function plain(address: string): string {
  if (address === SANDBOX_URL) return address;
  const url = parseUrl(address);
  return url === undefined ? 'an invalid address' : url.origin + url.pathname.replace(/\/$/, '');
}

export async function checkDialect(context: CheckContext): Promise<Finding> {
  const { settings, wish } = context;
  const file = settings?.dialect ?? wish.dialect;
  const stated = { dialect: file, prices: settings?.prices, ask: settings?.ask ?? [] };
  const where = { url: urlOf(context), sandbox: settings?.sandbox };
  context.dialect = dialectAt(where, await loadJobDialect(stated));
  if (settings !== undefined) {
    refuseNoPlace(settings, context.dialect);
    refuseMissingCalls(settings, context.dialect);
  }
  return ok(file === undefined ? 'The neutral dialect.' : `${file} is a dialect.`);
}

export async function checkOutput(context: CheckContext): Promise<Finding> {
  const { settings, sources = [] } = context;
  if (settings === undefined) return withoutJob(context);
  const { out } = settings;
  if (out === undefined) {
    return fail('The output is missing.', 'Write out: in the job, or run it with --out.');
  }
  // With {input} in it, each file of a drop folder has a table of its own: only the first is checked.
  const isFolder = await isDropFolder(settings.input);
  const named = isFolder || sources.length === 0 ? [sources[0] ?? 'any'] : sources;
  const { further, job, report } = settings;
  const startedAt = context.clock.now();
  const names = nameTables({ out, further, report }, { startedAt, sources: named, job });
  const files = [out, ...Object.values(further), report].filter(
    (template) => template !== undefined && template !== '-',
  );
  for (const name of Object.values({ out: names.out, ...names.further })) await checkTarget(name);
  if (names.report !== undefined) await checkTarget(names.report, 'The report', false);
  refuseOwnFiles(writesOf(settings, names), { ...settings, sources });
  if (files.length === 0) return ok('The table goes to standard output.');
  return ok(`${files.join(', ')} can be written.`);
}
