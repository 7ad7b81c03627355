// sluice export RUN: writes a run's table again, in the middle of it or long after.
import { command, FORCE_OPTION, JSON_OPTION, STATE_OPTION, TEXT } from '../../command.js';

interface ExportArguments {
  run: number;
  out: string | undefined;
  positions: string | undefined;
  bom: boolean | undefined;
  excel: boolean | undefined;
  'formula-guard': boolean | undefined;
  force: boolean;
  state: string | undefined;
  json: boolean;
}

export const exportCommand = command<ExportArguments>({
  command: 'export <run>',
  describe: 'Write the table of a run again, from what is known now',
  builder: (yargs) =>
    yargs
      .positional('run', { type: 'number', demandOption: true, describe: 'Number of the run' })
      .options({
        out: {
          ...TEXT,
          describe: "Where to write (default: the run's own table); - for standard output",
        },
        positions: {
          ...TEXT,
          describe: 'Shape of the positions: current, wide:N, long or json',
        },
        bom: { type: 'boolean', describe: 'Begin a CSV with a byte order mark' },
        excel: { type: 'boolean', describe: 'CSV as Excel wants it' },
        'formula-guard': { type: 'boolean', describe: 'Keep text from starting a formula' },
        ...FORCE_OPTION,
        ...STATE_OPTION,
        ...JSON_OPTION,
      }),
  handler: async (args) => {
    const { exportRun } = await import('../../../app/run/export-run.js');
    const { ClosedPipe } = await import('../../../output/closed-pipe.js');
    const { parsePositionShape } = await import('../../../model/columns/positions.js');
    const { SluiceError } = await import('../../../model/errors.js');
    const { findRun, withState } = await import('../../open-state.js');
    if (args.positions !== undefined && parsePositionShape(args.positions) === undefined) {
      throw new SluiceError('usage', '--positions is current, wide:N, long or json.', {
        flag: 'positions',
      });
    }
    await withState(args.state, async (store, path) => {
      const run = await findRun(store, path, args.run);
      const plan = {
        ...(args.out === undefined ? {} : { out: args.out }),
        ...(args.positions === undefined ? {} : { positions: args.positions }),
        ...(args.bom === undefined ? {} : { bom: args.bom }),
        ...(args.excel === undefined ? {} : { excel: args.excel }),
        ...(args['formula-guard'] === undefined ? {} : { formulaGuard: args['formula-guard'] }),
      };
      try {
        const report = await exportRun(store, run.id, plan, {
          standardOutput: process.stdout,
          force: args.force,
        });
        const stream = report.out === '-' ? process.stderr : process.stdout;
        const line = args.json ? JSON.stringify(report) : `${report.out}: ${report.rows} rows`;
        if (args.json || report.out !== '-') stream.write(`${line}\n`);
      } catch (error) {
        if (!(error instanceof ClosedPipe)) throw error;
      }
    });
  },
});
