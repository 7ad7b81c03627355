// sluice export RUN: writes a run's table again, during the run or long after it.
import { tablesOf, withoutUndefined } from '../../../app/settings/job-settings.js';
import { exporting } from '../../../app/state/change-run.js';
import type { OutputPlan } from '../../../model/run.js';
import { commandEnvironment } from '../../command-environment.js';
import { type FlagValues, jobFlags, jobOfFlags } from '../../job-flags.js';
import { findRun, stateCommand } from '../../open-state.js';
import { FORCE_OPTION, RUN, text } from '../../options.js';

/** The keys of a job that change the tables of its runs. */
const OUTPUT_KEYS = [
  'out',
  'columns',
  'key',
  'fill',
  'positions',
  'excel',
  'delimiter-out',
  'bom',
  'formula-guard',
] as const;

export const exportCommand = stateCommand({
  args: { run: RUN },
  options: {
    ...jobFlags(OUTPUT_KEYS),
    where: text("Leads whose row this chooses, like 'email is not empty'; needs --out"),
    ...FORCE_OPTION,
  },
  prepare: (args) => planOf(args),
  handler: async ({ force, run: id, where }, store, path, plan) => {
    const run = await findRun(store, path, id);
    const wish = { ...plan, standardOutput: process.stdout, force, where };
    const of = { store, run, name: run.job };
    const { data, sentences } = await exporting.perform(of, commandEnvironment(), wish);
    return { data, lines: sentences, table: data.out ?? '' };
  },
});

/** What the flags change of the run's output. Without one for a table, all tables of the run are written. */
function planOf(flags: FlagValues): Partial<OutputPlan> {
  const job = jobOfFlags(flags, { input: '-', out: { people: '-' } }, OUTPUT_KEYS);
  const { out, further } = tablesOf(job.out);
  const { columns, excel, positions, fill, bom, key } = job;
  return withoutUndefined({
    ...(flags.out !== undefined && { out }),
    ...(Object.keys(further).length > 0 && { further }),
    columns,
    key: key && [key].flat(),
    fill,
    positions,
    excel,
    bom,
    delimiter: job['delimiter-out'],
    formulaGuard: job['formula-guard'],
  }) as Partial<OutputPlan>;
}
