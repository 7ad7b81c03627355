// What was taken out of a state file, and what had to stay.
import type { PruneReport } from '../../../ports/store/maintenance.js';
import { formatCount, formatNumber } from '../format.js';

export function pruneJson(report: PruneReport): string {
  const { bytesBefore, bytesAfter, keptFresh, keptUnsettled, ...removed } = report;
  return JSON.stringify({
    removed: bytesAfter !== null,
    ...removed,
    kept_fresh: keptFresh,
    kept_unsettled: keptUnsettled,
    bytes_before: bytesBefore,
    bytes_after: bytesAfter,
  });
}

export function pruneLines(report: PruneReport, path: string): string[] {
  const { bytesBefore, bytesAfter, keptFresh, keptUnsettled } = report;
  const counts = [
    formatCount(report.runs, 'run'),
    formatCount(report.leads, 'lead'),
    formatCount(report.rejects, 'reject'),
    `${formatCount(report.enrichments, 'enrichment')} (${formatCount(report.results, 'result')})`,
    formatCount(report.deliveries, 'delivery', 'deliveries'),
    formatCount(report.events, 'event'),
  ].join(', ');
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
