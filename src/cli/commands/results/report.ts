// sluice report [RUN]: how a run went, as one HTML file, during the run or long after it.

import type { InferredOptionTypes } from 'yargs';
import { refuseElsewhere, statedInJobs } from '../../../app/files/stated-files.js';
import { compareRuns } from '../../../app/report/compare-runs.js';
import { checkReportName, reportRun } from '../../../app/report/write-report.js';
import type { Environment } from '../../../app/settings/environment.js';
import { wrongUse } from '../../../model/errors.js';
import { changedTexts } from '../../../model/report/written-tables.js';
import type { Run } from '../../../model/run.js';
import { formatCount } from '../../../model/text/count.js';
import type { Store } from '../../../ports/store/store.js';
import { figuresData } from '../../../tell/run-data.js';
import { notes } from '../../../tell/shared.js';
import { tellCompare } from '../../../tell/tell-compare.js';
import type { MaybeSaid } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { findRun, stateCommand } from '../../open-state.js';
import { FORCE_OPTION, number, text, texts } from '../../options.js';
import { createTold } from '../../print/progress.js';

const ARGS = { run: number('Number of the run') };
const OPTIONS = {
  out: text(
    'The HTML file to write (default: that of its job, else report-RUN.html; with --json none)',
  ),
  compare: {
    type: 'number',
    array: true,
    nargs: 2,
    describe: 'EARLIER LATER: write what changed between these two runs instead',
  },
  key: texts('Column that names a lead in both runs; may be repeated (default: the same inputs)'),
  changes: text(
    'Table of the people for whom something changed: .csv, .xlsx or another; - for standard output',
  ),
  ...FORCE_OPTION,
} as const;

export const reportCommand = stateCommand({
  args: ARGS,
  options: OPTIONS,
  prepare: (args) => {
    checkCompare(args);
    if (args.out !== undefined) checkReportName(args.out);
  },
  handler: async (args, store, state) => {
    if (args.compare !== undefined) return compare(args, store, state);
    const run = await findRun(store, state, args.run);
    const environment = commandEnvironment();
    const out = args.out ?? (args.json ? undefined : await usualReport(run, environment));
    const figures = await reportRun(store, run.id, {
      out,
      force: args.force,
      state,
      environment,
      onProgress: createTold((leads) => `${formatCount(leads, 'lead')} read`),
    });
    return { data: figuresData(figures), lines: out ?? '' };
  },
});

/** The file that the run's job names; it is refused if only the state names it and it is elsewhere. */
async function usualReport({ id, job, output }: Run, environment: Environment): Promise<string> {
  const { report } = output;
  if (report === undefined) return `report-${id}.html`;
  refuseElsewhere({ report }, await statedInJobs({ job, output: { report } }, environment));
  return report;
}

type ReportArguments = InferredOptionTypes<typeof ARGS & typeof OPTIONS>;

/** @throws SluiceError `usage` for flags that do not go together */
function checkCompare(args: ReportArguments): void {
  const { changes, compare, key, run } = args;
  if (compare === undefined) {
    const flag = key !== undefined ? 'key' : changes !== undefined && 'changes';
    if (flag !== false) throw wrongUse(`--${flag} needs --compare with two runs.`);
    return;
  }
  if (compare.length !== 2 || run !== undefined) {
    throw wrongUse('--compare is followed by two runs and no other: --compare 1 2.');
  }
  if (args.out !== undefined) {
    throw wrongUse(
      'A comparison writes no page: leave out --out, and name a table with --changes.',
    );
  }
}

async function compare(
  { changes, compare: [first, second] = [], force, key }: ReportArguments,
  store: Store,
  state: string,
): Promise<MaybeSaid> {
  const [before, after] = [await findRun(store, state, first), await findRun(store, state, second)];
  const wish = { key, changes, force, standardOutput: process.stdout };
  const report = await compareRuns(store, before.id, after.id, wish);
  const { data, parts } = tellCompare(report);
  const written = report.changes;
  const table = written !== null && `${written.out}: ${formatCount(written.rows, 'row')}`;
  const more = notes(table, ...changedTexts(written?.changed ?? []));
  return { data, parts: [...parts, ...more], table: changes ?? '' };
}
