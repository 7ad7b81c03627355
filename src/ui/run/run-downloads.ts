// A run's table and its report as they are now, for the browser to keep.
import { reportRun } from '../../app/report/write-report.js';
import { exportRun } from '../../app/results/export-run.js';
import { reportPage } from '../../html/report/report-page.js';
import { SluiceError } from '../../model/errors.js';
import { called, runIn } from '../action.js';
import { makeFile, stemOf, TABLE_FORMATS, TABLES } from '../download-links.js';
import type { UiDownload } from '../page.js';
import { PATHS, tablePath } from '../paths.js';
import { showRun } from './run-page.js';

/**
 * Downloads of the table. With `?excel` it is a CSV that Excel opens by a double click; with `?where=` it has the rows
 * that the expression chooses.
 */
export const tableDownloads: readonly UiDownload[] = TABLE_FORMATS.map(
  (format): UiDownload => ({
    path: tablePath(format),
    open: async (context, visit) => {
      const { params, query } = visit;
      const { id, job } = await runIn(context, params);
      const file = {
        name: `${stemOf(context, job)}-run-${id}.${format}`,
        type: TABLES[format].type,
      };
      const where = query.get('where')?.trim() || undefined;
      try {
        return await makeFile(context, visit, file, (store, standardOutput) => {
          const excel = query.has('excel') && { excel: true };
          return exportRun(store, id, { out: '-', format, ...excel, standardOutput, where });
        });
      } catch (error) {
        const isOfForm = error instanceof SluiceError && error.facts['where'] === where;
        if (where === undefined || !isOfForm) throw error;
        return showRun(context, visit, { where, trouble: error.message });
      }
    },
  }),
);

/** The page that `sluice report` writes. */
export const reportDownload: UiDownload = {
  path: PATHS.report,
  open: async (context, visit) => {
    const { id, job } = await runIn(context, visit.params);
    const { clock, environment, state } = context;
    const file = {
      name: `${stemOf(context, job)}-run-${id}.html`,
      type: 'text/html; charset=utf-8',
    };
    return makeFile(context, visit, file, async (store, body) => {
      const figures = await reportRun(store, id, { clock, environment, state });
      const run = { ...figures.run, job: called(context, job) };
      body.write(String(reportPage({ ...figures, run })));
    });
  },
};
