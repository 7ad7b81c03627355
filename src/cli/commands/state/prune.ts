// sluice state prune: removes old runs from the state file.
import { formatCounts, pruneState } from '../../../app/state/prune-state.js';
import { formatCount, formatNumber } from '../../../model/text/count.js';
import type { PruneReport } from '../../../ports/store/maintenance.js';
import { demandYes } from '../../ask.js';
import type { Said } from '../../command.js';
import { stateCommand } from '../../open-state.js';
import { durationOf, needed, text, toggle } from '../../options.js';

export const pruneCommand = stateCommand({
  command: 'prune',
  describe: 'Remove old runs; never what would have to be paid for again',
  options: {
    'older-than': needed('Runs that ended, and webhooks that came, longer ago than that: 90d, 12h'),
    'fresh-for': text(
      'Keep results at least this long (default: the longest fresh-for of the jobs)',
    ),
    'dry-run': toggle('Only print what would be removed'),
    yes: toggle('Do it without asking'),
  },
  examples: {
    'sluice state prune --older-than 90d': 'Show what there is, and ask',
    'sluice state prune --older-than 90d --yes': '',
  },
  prepare: ({ 'older-than': olderThan, 'fresh-for': freshFor }) => ({
    olderThanMs: durationOf('older-than', olderThan),
    freshForMs: freshFor === undefined ? undefined : durationOf('fresh-for', freshFor),
  }),
  handler: async ({ 'dry-run': isDryRun, yes }, store, path, wish) => {
    if (isDryRun || !yes) {
      const known = await pruneState(store, wish, false);
      if (isDryRun) return said(known, pruneLines(known, path));
      const what = formatCounts(known).join(', ');
      const question = `Remove ${what} permanently from ${path}?`;
      const refusal = `Nothing was removed. ${path} holds ${what}. To remove them, repeat this with --yes.`;
      if (what !== '' && !(await demandYes(question, refusal))) {
        return said(known, 'Nothing was removed.');
      }
    }
    const report = await pruneState(store, wish, true);
    return said(report, pruneLines(report, path));
  },
});

function said(report: PruneReport, lines: string | string[]): Said {
  return { data: { removed: report.bytesAfter !== null, ...report }, lines };
}

function pruneLines(report: PruneReport, path: string): string[] {
  const { bytesBefore, bytesAfter, keptFresh, keptUnsettled } = report;
  const counts = formatCounts(report).join(', ') || 'nothing';
  const lines = [`${bytesAfter === null ? 'Would remove' : 'Removed'}: ${counts}.`];
  if (keptFresh > 0) {
    lines.push(
      `Kept of those runs: ${formatCount(keptFresh, 'enrichment')} with a fresh answer, which would be paid for again.`,
    );
  }
  if (keptUnsettled > 0) {
    lines.push(
      `Kept of those runs: ${formatCount(keptUnsettled, 'enrichment')} that may have been paid for and have no answer.`,
    );
  }
  const after = bytesAfter === null ? '' : `, now ${formatNumber(bytesAfter)}`;
  lines.push(`${path}: ${formatNumber(bytesBefore)} bytes${after}.`);
  return lines;
}
