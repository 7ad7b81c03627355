// What was forgotten, by counts: whom it was about is not told.
import { existsSync } from 'node:fs';
import { sandboxLedgerOf } from '../../../app/state/state-file.js';
import type { ForgetReport } from '../../../ports/store/maintenance.js';
import { formatCount } from '../format.js';

export function isNothing(report: ForgetReport): boolean {
  return countsOf(report).length === 0;
}

/** `3 leads, 1 enrichment, 1 result`. */
export function whatThereIs(report: ForgetReport): string {
  return countsOf(report).join(', ');
}

export function forgetJson(report: ForgetReport): string {
  const { leads, enrichments, results, deliveries, events, rejects, names, runs, isErased } =
    report;
  const counts = { leads, enrichments, results, deliveries, events, rejects };
  return JSON.stringify({ ...counts, names, runs, removed: isErased });
}

export function forgottenLines(report: ForgetReport, path: string): string[] {
  if (isNothing(report)) {
    const nothing = report.names === 0 ? 'nothing' : 'nothing else';
    return [`${path} knows ${nothing} of them.`, ...nameLines(report)];
  }
  const lines = [
    `Removed from ${path} and from the disk: ${whatThereIs(report)}.`,
    'What they cost and the digests of what was asked stay, so that nobody pays for them twice.',
  ];
  if (report.runs.length > 0) {
    const runs = report.runs.join(', ');
    lines.push(
      `Tables written before still hold them: write them again with "sluice export RUN" for ${report.runs.length === 1 ? 'run' : 'runs'} ${runs}.`,
    );
  }
  const ledger = sandboxLedgerOf(path);
  if (existsSync(ledger)) {
    lines.push(
      `The sandbox has a memory of its own, ${ledger}: remove it, if they were tried there.`,
    );
  }
  lines.push(...nameLines(report), 'Input files, backups and other copies are yours to clean.');
  return lines;
}

function nameLines({ names }: ForgetReport): string[] {
  if (names === 0) return [];
  return [
    `Names of columns or files still hold such an address, in ${formatCount(names, 'place')}: "sluice prune" removes those of columns and input files with their runs, and those of tables stay.`,
  ];
}

function countsOf(report: ForgetReport): string[] {
  const { leads, enrichments, results, deliveries, events, rejects } = report;
  return [
    ...told(leads, 'lead'),
    ...told(enrichments, 'enrichment'),
    ...told(results, 'result'),
    ...told(deliveries, 'delivery', 'deliveries'),
    ...told(events, 'event'),
    ...told(rejects, 'reject'),
  ];
}

function told(count: number, noun: string, plural?: string): string[] {
  return count === 0 ? [] : [formatCount(count, noun, plural)];
}
