// A run's table as it is now, for the browser to keep. It is written from the state, and no file changes.
import { PassThrough } from 'node:stream';
import { exportRun } from '../../results/export-run.js';
import type { UiDownload } from '../page.js';
import { runIn } from './action.js';

/** With `?excel` as Excel opens it by a double click. */
export const tableDownload: UiDownload = {
  path: '/runs/:run/table.csv',
  open: async (context, { params, query }) => {
    const { id, job } = await runIn(context, params);
    const body = new PassThrough();
    // Who reads it learns of it; until then it must not end the process.
    body.on('error', () => undefined);
    const wish = { out: '-', ...(query.has('excel') && { excel: true }), standardOutput: body };
    exportRun(context.store, id, wish).then(
      () => body.end(),
      (error: Error) => body.destroy(error),
    );
    return { name: `${job}-run-${id}.csv`, type: 'text/csv; charset=utf-8', body };
  },
};
