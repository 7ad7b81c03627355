// The comparison of two runs, for the browser to keep: the table of people with changes, and the page of numbers.
import { comparePage } from '../../../html/report/compare-page.js';
import { SluiceError } from '../../../model/errors.js';
import type { Visit } from '../../../ui/routes.js';
import { compareRuns } from '../../report/compare-runs.js';
import type { UiContext, UiDownload } from '../page.js';
import { askedComparison } from '../reading/asked-comparison.js';
import type { ComparisonWish } from '../reading/memory.js';
import { makeFile, stemOf } from './make-file.js';
import { TABLE_FORMATS, TABLE_TYPES } from './table-types.js';

export const changesDownloads: readonly UiDownload[] = TABLE_FORMATS.map(
  (format): UiDownload => ({
    path: `/jobs/:job/compare/changes.${format}`,
    open: async (context, visit) => {
      const { job = '' } = visit.params;
      const { after, before, key } = await wishIn(context, visit);
      const file = {
        name: `${stemOf(context, job)}-changes-${before}-${after}.${format}`,
        type: TABLE_TYPES[format],
      };
      return makeFile(context, visit, file, (store, standardOutput) =>
        compareRuns(store, before, after, { key, changes: '-', format, standardOutput }),
      );
    },
  }),
);

/** The page that `sluice report --compare` writes. */
export const comparisonDownload: UiDownload = {
  path: '/jobs/:job/compare/numbers.html',
  open: async (context, visit) => {
    const { job = '' } = visit.params;
    const { after, before, key } = await wishIn(context, visit);
    const file = {
      name: `${stemOf(context, job)}-compare-${before}-${after}.html`,
      type: 'text/html; charset=utf-8',
    };
    return makeFile(context, visit, file, async (store, body) => {
      const { figures } = await compareRuns(store, before, after, { key });
      body.write(String(comparePage(figures, context.clock.now())));
    });
  },
};

/** @throws SluiceError `usage` if the address does not name two runs of its job */
async function wishIn({ store }: UiContext, visit: Visit): Promise<ComparisonWish> {
  const asked = await askedComparison(store, visit);
  if (asked === null) throw new SluiceError('usage', 'The address does not name two runs.');
  return { before: asked.before.id, after: asked.after.id, key: asked.key };
}
