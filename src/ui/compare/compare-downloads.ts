// The comparison of two runs, for the browser to keep: the table of people with changes.
import { compareRuns } from '../../app/report/compare-runs.js';
import { SluiceError } from '../../model/errors.js';
import { TABLE_FORMATS, TABLES } from '../download-links.js';
import { makeFile, stemOf } from '../make-file.js';
import type { ComparisonWish } from '../memory.js';
import type { UiContext, UiDownload } from '../page.js';
import { changesPath } from '../paths.js';
import type { Visit } from '../server/routes.js';
import { askedComparison } from './asked-comparison.js';

export const changesDownloads: readonly UiDownload[] = TABLE_FORMATS.map(
  (format): UiDownload => ({
    path: changesPath(format),
    open: async (context, visit) => {
      const { job = '' } = visit.params;
      const { after, before, key } = await wishIn(context, visit);
      const file = {
        name: `${stemOf(context, job)}-changes-${before}-${after}.${format}`,
        type: TABLES[format].type,
      };
      return makeFile(context, visit, file, (store, standardOutput) =>
        compareRuns(store, before, after, { key, changes: '-', format, standardOutput }),
      );
    },
  }),
);

/** @throws SluiceError `usage` if the address does not name two runs of its job */
async function wishIn({ store }: UiContext, visit: Visit): Promise<ComparisonWish> {
  const asked = await askedComparison(store, visit);
  if (asked === null) throw new SluiceError('usage', 'The address does not name two runs.');
  return { before: asked.before.id, after: asked.after.id, key: asked.key };
}
