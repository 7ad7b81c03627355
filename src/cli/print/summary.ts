// The summary of a run, for people and for scripts.

import type { ExportReport, WrittenTable } from '../../app/results/export-run.js';
import type { SeenBeside } from '../../app/results/look-beside.js';
import type { BalanceReport, RunReport } from '../../app/run/run-options.js';
import type { LeadStatus } from '../../model/answer.js';
import { subtractCredits, tellMoney } from '../../model/credits.js';
import { type OpenCharges, tellOpenCharges, tellShared } from '../../model/report/open-charges.js';
import { type Run, wordsOfState } from '../../model/run.js';
import { type InPart, type RunTally } from '../../model/tally.js';
import { printable } from '../../model/text/printable.js';
import { STEP_HEADER, STEP_LEGEND, stepRows } from '../../model/waterfall/tell-steps.js';
import type { StoredList } from '../../ports/store/contact-lists.js';
import { asJson } from '../../tell/as-json.js';
import { runData, stateOf } from '../../tell/run-data.js';
import {
  changedLines,
  formatCount,
  formatDuration,
  formatNumber,
  formatTable,
  formatTime,
  IN_PART,
  keyLines,
  PRICES_ASSUMED,
} from './format.js';

/** The summary of a run as an object with constant keys; a value that was not looked up is null. */
export function summaryJson(
  run: Run,
  tally: RunTally,
  report?: RunReport,
  seen?: SeenBeside,
  charges: OpenCharges | null = report?.charges ?? null,
): object {
  return asJson(runData({ run, tally, report, seen, charges })) as object;
}

/** The most reasons shown for each status; `--json` and the table have more. */
const REASONS_MAX = 5;

/** The same as lines of text. */
export function summaryLines(
  run: Run,
  tally: RunTally,
  report?: RunReport,
  seen?: SeenBeside,
  charges: OpenCharges | null = report?.charges ?? null,
): string[] {
  const took =
    report === undefined ? '' : ` in ${formatDuration(report.endedAt - report.startedAt)}`;
  const lines = [
    `Run ${run.id} of ${run.job}: ${formatCount(tally.leads, 'lead')}${took}, ${wordsOfState(stateOf({ run, tally, report, seen }))}`,
  ];
  for (const [status, leads] of Object.entries(tally.byStatus) as [LeadStatus, number][]) {
    if (leads === 0) continue;
    lines.push(row(status, leads));
    const reasons = tally.reasons.filter((one) => one.status === status).slice(0, REASONS_MAX);
    lines.push(...reasons.map(reasonLine));
  }
  for (const [state, leads] of Object.entries(tally.askedAgain)) {
    lines.push(row('older', leads, `show an older answer; asked again: ${state}`));
  }
  if (tally.inPart.leads > 0) lines.push(row('in part', tally.inPart.leads, IN_PART));
  lines.push(...tally.inPart.reasons.slice(0, REASONS_MAX).map(reasonLine));
  if (tally.rejects > 0) {
    const where = report?.exported?.rejects ?? null;
    lines.push(
      row('rejects', tally.rejects, where === null ? '' : `not readable as leads: ${where}`),
    );
  }
  const assumed = run.arePricesAssumed ? PRICES_ASSUMED : '';
  const money = run.credit === undefined ? '' : tellMoney(tally.credits, run.credit);
  const about = [money, tellOpenCharges(charges, run, tally), tellShared(tally), assumed].filter(
    Boolean,
  );
  lines.push(row('credits', tally.credits, about.join('; ')));
  if (tally.steps !== undefined) {
    const cells = stepRows(tally.steps).map((one) => [one.step, ...one.cells]);
    const table = formatTable(['', ...STEP_HEADER], cells, new Set(STEP_HEADER));
    lines.push(...[...table, STEP_LEGEND].map((line) => `    ${line}`));
  }
  if (report?.balance !== undefined) lines.push(balanceLine(report.balance));
  if (report === undefined) {
    const ended = run.endedAt === null ? '' : `, ended ${formatTime(run.endedAt)}`;
    lines.push(
      `  started     ${formatTime(run.startedAt)}${ended} (UTC)`,
      `  table       ${run.output.out}`,
    );
  } else if (report.exported !== null) {
    lines.push(
      ...writtenTables(report.exported).map(
        ({ out, rows }) => `  table       ${out} (${formatCount(rows, 'row')})`,
      ),
      ...keyOf(report.exported).map((line) => `  key         ${line}`),
      ...changedLines(report.exported.changed),
    );
  }
  const page = report?.reportFile ?? null;
  if (page !== null) lines.push(`  report      ${page}`);
  const listed = report?.listed ?? null;
  if (listed !== null) {
    const before =
      listed.alreadyIn === 0
        ? ''
        : `, ${formatCount(listed.alreadyIn, 'was', 'were')} already in it`;
    lines.push(
      listed.listId === null
        ? `  list        ${listed.name}: not created, since no lead was chosen`
        : `  list        ${listed.name} (${listed.listId}): ${formatCount(listed.added, 'lead')} added${before}`,
    );
  }
  return lines.map(printable);
}

/** Each table that was written, and its number of rows. */
export function writtenTables({ out, rows, further }: ExportReport): WrittenTable[] {
  return [...(out === null ? [] : [{ out, rows }]), ...Object.values(further)];
}

function keyOf({ key }: ExportReport): string[] {
  return key === null ? [] : keyLines(key);
}

/** The charge by the balances of the platform, beside the counted credits. */
function balanceLine({ before, after, counted }: BalanceReport): string {
  const charged = subtractCredits(before, after);
  const said = `  balance     ${formatNumber(before)} before, ${formatNumber(after)} after: ${formatNumber(charged)} charged`;
  if (charged === counted) return `${said}, as counted`;
  return `${said}, and ${formatNumber(counted)} counted: prices may be others, answers still to come, or others use the account`;
}

/** The contact list that the run fills, and its progress; undefined if it fills no list. */
export function listLine(run: Run, list: StoredList | null): string | undefined {
  if (list === null) return undefined;
  const head = `  list        ${printable(list.name)}`;
  switch (list.state) {
    case 'wanted':
      return `${head}: not created yet`;
    case 'creating':
      return `${head}: being created`;
    case 'uncertain':
      return `${head}: it may have been created, and its id is not known. Look on the platform, then "sluice lists adopt ${run.id} ID"`;
    case 'created':
      return `${head} (${list.listId}): ${formatCount(list.added, 'lead')} added, ${formatCount(list.alreadyIn, 'was', 'were')} already in it`;
  }
}

function reasonLine({ leads, reason }: InPart['reasons'][number]): string {
  return `${' '.repeat(15)}${formatNumber(leads)} ${reason}`;
}

function row(name: string, value: number, about = ''): string {
  return `  ${name.padEnd(10)} ${formatNumber(value).padStart(9)}${about === '' ? '' : `  ${about}`}`;
}
