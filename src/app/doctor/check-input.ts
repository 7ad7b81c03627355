import { isDropFolder, isStillEmpty } from '../../input/sources/drop-folder.js';
import { STANDARD_INPUT } from '../../input/sources/source-name.js';
import { explainLacking, inputsOf } from '../../model/ask.js';
import type { Column } from '../../model/lead.js';
import { columnsToName, nameOfMapped } from '../../model/mapping/find-column.js';
import type { MappedInput } from '../../model/mapping/mapping.js';
import { checkColumns, naming } from '../plan/check-columns.js';
import { isForEach } from '../plan/drop-portions.js';
import { lookAtInput } from '../plan/first-look.js';
import { customOf } from '../plan/read-input.js';
import type { JobSettings } from '../settings/job-settings.js';
import { hopelessAsks } from '../settings/new-job.js';
import type { CheckContext } from './check-context.js';
import { withoutJob } from './check-job.js';
import { type Finding, ok, skipped, warn } from './finding.js';

export async function checkInput(context: CheckContext): Promise<Finding> {
  const { dialect, settings, steps } = context;
  if (settings === undefined) return withoutJob(context);
  if (settings.input.includes(STANDARD_INPUT)) {
    return skipped('Standard input is not looked at beforehand.');
  }
  if (await isWaiting(settings)) return ok('Nothing has come into the drop folder yet.');
  const alone = dialect === undefined ? [] : [dialect];
  const custom = customOf(steps?.map((step) => step.dialect) ?? alone, settings);
  const look = (input: readonly string[]) => lookAtInput({ ...settings.stated, input });
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
    const named = columnsToName(own.columns, own.records);
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
