// Whether the job can be run: its file, its dialect, its input, and the place of its table.
import { loadJobDialect } from '../../config/load-dialect.js';
import { keptAsks } from '../../dialect/custom-asks.js';
import { isDropFolder, isStillEmpty } from '../../input/sources/drop-folder.js';
import { STANDARD_INPUT } from '../../input/sources/source-name.js';
import { explainLacking, inputsOf } from '../../model/ask.js';
import type { Column } from '../../model/lead.js';
import { nameOfMapped } from '../../model/mapping/find-column.js';
import type { MappedInput } from '../../model/mapping/mapping.js';
import { columnsToTell } from '../../model/mapping/tell-columns.js';
import { parseUrl } from '../../model/text/address.js';
import { checkTarget } from '../../output/target-file.js';
import { writesOf } from '../files/check-table.js';
import { refuseOwnFiles } from '../files/check-writes.js';
import { nameTables } from '../files/name-table.js';
import { checkColumns, naming } from '../plan/check-columns.js';
import { isForEach } from '../plan/drop-portions.js';
import { lookAtInput } from '../plan/first-look.js';
import { planList } from '../plan/plan-run.js';
import { refuseMissingCalls, refuseNoPlace } from '../run/how-to-ask.js';
import { SANDBOX_URL } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import { hopelessAsks } from '../settings/set-up-job.js';
import { checkKeep } from '../state/keep-state.js';
import type { CheckContext } from './check-context.js';
import { type Finding, fail, ok, skipped, warn } from './finding.js';

const NO_JOB = 'No job is named.';
const NOT_READ = 'The job cannot be read.';

/** The finding that a check which needs the job is skipped. */
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
  return ok(`${settings.job} asks for ${settings.ask.join(', ')} at ${plain(settings.url)}.`);
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
  context.dialect = await loadJobDialect({
    dialect: file,
    prices: settings?.prices,
    ask: settings?.ask ?? [],
  });
  if (settings !== undefined) {
    refuseNoPlace(settings, context.dialect);
    refuseMissingCalls(settings, context.dialect);
  }
  return ok(file === undefined ? 'The neutral dialect.' : `${file} is a dialect.`);
}

export async function checkInput(context: CheckContext): Promise<Finding> {
  const { settings, dialect } = context;
  if (settings === undefined) return withoutJob(context);
  if (settings.input.includes(STANDARD_INPUT)) {
    return skipped('Standard input is not looked at beforehand.');
  }
  if (await isWaiting(settings)) return ok('Nothing has come into the drop folder yet.');
  const { format, sheet, headerRow, delimiter, encoding } = settings;
  const custom = dialect && keptAsks(dialect, settings.ask);
  const look = (input: readonly string[]) =>
    lookAtInput({ input: [...input], format, sheet, 'header-row': headerRow, delimiter, encoding });
  const { sources, ...first } = await look(settings.input);
  context.sources = sources;
  // Each file of a drop folder may have columns of its own, if each has a run of its own.
  const isEach = isForEach(settings.out) && (await isDropFolder(settings.input));
  const mappings = new Map<
    string,
    { readonly mapping: readonly MappedInput[]; readonly named: readonly Column[] }
  >();
  for (const path of isEach ? sources : ['']) {
    const own = isEach ? await look([path]) : first;
    const { mapping } = naming(isEach ? [path] : undefined, () =>
      checkColumns(own, settings, { custom }),
    );
    const named = columnsToTell(own.columns, own.records);
    mappings.set(describe(mapping), { mapping, named });
  }
  const count = sources.length === 1 ? sources[0] : `${sources.length} files`;
  const what = `${count}: ${[...mappings.keys()].join('; or ')}.`;
  if (dialect === undefined) return ok(what);
  const hopeless = [...mappings.values()].map(({ mapping, named }) => {
    const inputs = inputsOf(mapping);
    return hopelessAsks(settings.ask, inputs, dialect.requires, { columns: named });
  });
  const [lacking] = hopeless.toSorted((a, b) => b.length - a.length);
  if (lacking === undefined || lacking.length === 0) return ok(what);
  return warn(
    `${what} That is not enough for all that is asked: ${explainLacking(lacking, dialect.requires)}.`,
    'Name a column under map: in the job, or ask for less.',
  );
}

async function isWaiting({ input }: JobSettings): Promise<boolean> {
  return (await isDropFolder(input)) && (await isStillEmpty(input));
}

function describe(mapping: readonly MappedInput[]): string {
  return mapping.map((mapped) => `${mapped.input} = ${nameOfMapped(mapped)}`).join(', ');
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
