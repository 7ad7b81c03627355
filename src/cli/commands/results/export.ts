// sluice export RUN: writes a run's table again, during the run or long after it.
import { statedInJobs } from '../../../app/files/stated-files.js';
import { exportRun } from '../../../app/results/export-run.js';
import { parsePositionShape } from '../../../model/columns/positions.js';
import type { FurtherNames } from '../../../model/run.js';
import { writtenTables } from '../../../tell/shared.js';
import { DELIMITER_OUT, delimiterOf, FORCE_OPTION, RUN, TEXT } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { parseColumns, parseFill, TABLE_FLAGS } from '../../job-flags.js';
import { wrongFlag } from '../../misuse.js';
import { findRun, stateCommand } from '../../open-state.js';
import { changedLines, formatCount, keyLines } from '../../print/format.js';

export const exportCommand = stateCommand({
  builder: (yargs) =>
    yargs.positional('run', RUN).options({
      out: {
        ...TEXT,
        describe: "The file to write (default: the run's own table); - for standard output",
      },
      ...TABLE_FLAGS,
      where: {
        ...TEXT,
        describe: "Leads whose row this chooses, like 'email is not empty'; needs --out",
      },
      positions: {
        ...TEXT,
        describe: 'Shape of the positions: current, wide:N, long or json',
      },
      columns: {
        ...TEXT,
        array: true,
        describe: 'Columns in their order, NEW=COLUMN to rename; all or used',
      },
      key: { ...TEXT, array: true, describe: 'Columns of the input that come first' },
      fill: {
        ...TEXT,
        array: true,
        describe: 'email=COLUMN, phone=COLUMN: your own empty cells show what was found',
      },
      'delimiter-out': DELIMITER_OUT,
      bom: { type: 'boolean', describe: 'Begin a CSV with a byte order mark' },
      excel: { type: 'boolean', describe: 'CSV as Excel wants it' },
      'formula-guard': { type: 'boolean', describe: 'Keep text from starting a formula' },
      ...FORCE_OPTION,
    }),
  prepare: ({ positions }) => {
    if (positions === undefined || parsePositionShape(positions) !== undefined) return;
    throw wrongFlag('--positions is current, wide:N, long or json.');
  },
  handler: async (args, store, path) => {
    const run = await findRun(store, path, args.run);
    const delimiter = delimiterOf(args['delimiter-out']);
    const { out, positions, where, bom, excel, 'formula-guard': formulaGuard, force } = args;
    const plan = {
      ...(out !== undefined && { out }),
      ...(positions !== undefined && { positions }),
      ...(args.columns !== undefined && { columns: parseColumns(args.columns) }),
      ...(args.key !== undefined && { key: args.key }),
      ...furtherOf(args),
      ...(args.fill !== undefined && { fill: parseFill(args.fill) }),
      ...(delimiter !== undefined && { delimiter }),
      ...(bom !== undefined && { bom }),
      ...(excel !== undefined && { excel }),
      ...(formulaGuard !== undefined && { formulaGuard }),
    };
    const { stdout: standardOutput } = process;
    const stated = await statedInJobs(run, commandEnvironment());
    const wish = { ...plan, standardOutput, force, stated, where };
    const report = await exportRun(store, run.id, wish);
    const lines = [
      ...writtenTables(report).map(({ out, rows }) => `${out}: ${formatCount(rows, 'row')}`),
      ...(report.key === null ? [] : keyLines(report.key)),
      ...changedLines(report.changed),
    ];
    return { json: report, lines, table: report.out ?? '' };
  },
});

/** Without a flag for a table, all tables of the run are written. */
function furtherOf(flags: {
  readonly 'out-positions'?: string | undefined;
  readonly 'out-companies'?: string | undefined;
}): { readonly further?: FurtherNames } {
  const { 'out-positions': positions, 'out-companies': companies } = flags;
  if (positions === undefined && companies === undefined) return {};
  return {
    further: {
      ...(positions !== undefined && { positions }),
      ...(companies !== undefined && { companies }),
    },
  };
}
