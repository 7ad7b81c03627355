// Writing a run's tables again, into their files. A download of the table is not an action: it changes nothing.
import { statedInJobs } from '../../app/files/stated-files.js';
import { exportRun } from '../../app/results/export-run.js';
import { formatCount } from '../../model/text/count.js';
import { printable } from '../../model/text/printable.js';
import { type Action, called, runIn } from '../action.js';
import { PATHS, runPath } from '../paths.js';

export const exportAction: Action = {
  path: PATHS.export,
  ask: async (context, params) => {
    const { id, job, output } = await runIn(context, params);
    const files = [output.out, ...Object.values(output.further ?? {})].filter((out) => out !== '-');
    return {
      title: `Write the tables of run ${id} of ${called(context, job)} again?`,
      sentences:
        files.length === 0
          ? ['The table of this run went to standard output. Download it instead.']
          : [
              `With what is known now: ${files.map(printable).join(', ')}.`,
              'A file that Sluice did not write is not replaced.',
            ],
      cost: 'nothing.',
      choices: [],
      button: files.length === 0 ? null : 'Write them',
      isDangerous: false,
      back: runPath(id),
    };
  },
  perform: async (context, params) => {
    const run = await runIn(context, params);
    const { id } = run;
    const stated = await statedInJobs(run, context.environment);
    const { further, out, rows } = await exportRun(context.store, id, { stated });
    const tables = [...(out === null ? [] : [{ out, rows }]), ...Object.values(further)];
    return {
      title: `The tables of run ${id} are written`,
      sentences: tables.map(
        (table) => `${printable(table.out)}: ${formatCount(table.rows, 'row')}`,
      ),
      links: [{ path: runPath(id), text: `Run ${id}` }],
    };
  },
};
