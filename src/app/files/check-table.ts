import { STANDARD_INPUT } from '../../input/sources/source-name.js';
import { filesAtEnd, type TableNames } from '../../model/run.js';
import { hasPlaceholder } from '../../model/text/placeholders.js';
import { whileOpen } from '../../model/while-open.js';
import { rejectsPath } from '../../output/target-file.js';
import type { FileInUse, ReadRole } from '../../ports/store/files.js';
import type { Store } from '../../ports/store/store.js';
import { isStateThere, openStore } from '../../store/open-store.js';
import type { JobSettings } from '../settings/job-settings.js';
import { checkPlaces, checkWrites, refuseOwnFiles, type WriteWish } from './check-writes.js';
import { type NamedRun, nameTables } from './name-table.js';
import { holdsMetrics } from './own-files.js';
import { refuseElsewhere } from './stated-files.js';
import { placeOf, tableWrites, type Write } from './target.js';

type Asked = Pick<WriteWish, 'sources' | 'run' | 'digests' | 'ifDone' | 'isForced' | 'isElsewhere'>;

/** Needs no input. @throws SluiceError `usage` for an unknown placeholder, or a known name that cannot be written */
export async function checkNames(
  templates: TableNames,
  run: Pick<NamedRun, 'job' | 'startedAt'>,
  isElsewhere?: boolean,
): Promise<void> {
  nameTables(templates, { ...run, sources: ['any'] });
  const known = tableWrites(templates, null).filter(({ path }) => !hasPlaceholder(path));
  await checkPlaces(known, isElsewhere);
}

/** Needs no state. @throws SluiceError `usage` if a file cannot be written, or would replace one that the run needs */
export async function checkPlace(
  settings: JobSettings,
  names: TableNames,
  sources: readonly string[],
  isElsewhere?: boolean,
): Promise<void> {
  await checkPlaces(tableWrites(names, null), isElsewhere);
  refuseOwnFiles(writesOf(settings, names), { ...settings, sources });
}

/**
 * Checks all files of a run; the names may be those that the state has for it.
 * @throws SluiceError `usage` if a file cannot be written, or would replace a file that Sluice did not write
 */
export async function checkTable(
  settings: JobSettings,
  names: TableNames,
  asked: Asked,
  store: Store | undefined,
): Promise<void> {
  refuseElsewhere(names, settings);
  await checkWrites(writesOf(settings, names), { ...settings, ...asked }, store);
}

/**
 * Checks the metrics by themselves, because they are also written if no run can begin.
 * @throws SluiceError `usage` if they cannot be written, or would replace a file that Sluice did not write
 */
export async function checkMetrics(settings: JobSettings, isForced: boolean): Promise<void> {
  const { metricsFile, input: sources, state } = settings;
  if (metricsFile === undefined) return;
  const writer = { ...settings, sources };
  const { further, out } = settings;
  const names = Object.values({ out, ...further, ...filesAtEnd(settings) });
  if (!names.some((name) => name !== undefined && hasPlaceholder(name))) {
    refuseOwnFiles(writesOf(settings, { ...settings, out: settings.out ?? '-' }), writer);
  }
  // A file without metrics may be the input of some run.
  const isOther = isForced && !holdsMetrics(metricsFile);
  const check = (store?: Store) =>
    checkWrites([{ path: metricsFile, purpose: 'metrics' }], { ...writer, isForced }, store);
  if (isOther && isStateThere(state)) await whileOpen(await openStore(state), check);
  else await check();
}

/** The files that a run reads. Nothing may replace them as long as the run is in the state file. */
export function filesRead({ dialect, file }: JobSettings, sources: readonly string[]): FileInUse[] {
  const named: [ReadRole, string | undefined][] = [
    ...sources.map((source): [ReadRole, string] => ['input', source]),
    ['job', file],
    ['dialect', dialect],
  ];
  return named.flatMap(([role, path]) =>
    path === undefined || path === STANDARD_INPUT ? [] : [{ role, path: placeOf(path) }],
  );
}

/** The files that a run writes; the placeholders in their names are not filled in. */
export function writesOf({ metricsFile }: JobSettings, names: TableNames): readonly Write[] {
  const tables = tableWrites(names, rejectsPath(names.out));
  return metricsFile === undefined
    ? tables
    : [...tables, { path: metricsFile, purpose: 'metrics' }];
}
