// The report of an audit: for people and for scripts.
import type { AuditReport } from '../../../app/audit/audit-invoice.js';
import type { TicketAudit } from '../../../app/audit/audit-tickets.js';
import type { Finding } from '../../../model/audit/judge-tickets.js';
import type { JudgedTotal } from '../../../model/audit/judge-totals.js';
import { formatCount, formatNumber, formatTable, formatTime } from '../../print/format.js';

export interface Audited {
  readonly file: string;
  readonly timeZone: string;
}

const TOTALS_SHOWN = 40;

const WORDS: Readonly<Record<Finding, string>> = {
  agreed: 'agreed',
  never_asked: 'charged and never asked',
  unknown_ticket: 'charged under an unknown ticket',
  charged_twice: 'charged twice',
  nothing_found: 'charged though nothing was found',
  other_price: 'charged at another price (the difference)',
  other_date: 'charged at another date',
  not_charged: 'asked, found and not charged',
  unanswered: 'charged, and no answer is known here',
  refunded: 'charged and taken back',
};
const FINDING_OF_TOTAL: Readonly<Record<JudgedTotal['finding'], string>> = {
  agreed: 'agreed',
  more: 'more than is known',
  less: 'less than is known',
  open: 'more; sends without an answer may explain it',
};

const NO_TICKETS =
  'No column of tickets was found, so sums are compared. --map ticket=COLUMN names one.';

export function auditLines(report: AuditReport, { file, timeZone }: Audited): string[] {
  const { claims, credits, isUnexplained, rows, tickets, totals, unreadable } = report;
  const columns = Object.entries(report.columns).map(([part, name]) => `${part} from ${name}`);
  return [
    `${file}: ${formatCount(rows, 'row')}, ${formatCount(credits, 'credit')}; ${columns.join(', ')}.`,
    ...unreadableLines(unreadable),
    ...(tickets === null ? [] : ticketLines(tickets)),
    ...(totals === null ? [] : [NO_TICKETS, ...totalLines(totals, timeZone)]),
    ...(claims === null ? [] : [`${claims.out}: ${formatCount(claims.rows, 'row')}`]),
    isUnexplained
      ? `Something is unexplained.${claims === null ? ' --claims FILE writes it, row by row.' : ''}`
      : 'Nothing is unexplained.',
  ];
}

function unreadableLines({ count, first }: AuditReport['unreadable']): string[] {
  if (count === 0) return [];
  const shown = first.map(({ line, reason }) => `line ${line} (${reason})`).join(', ');
  const more = count > first.length ? `, and ${formatNumber(count - first.length)} more` : '';
  return [
    `${formatCount(count, 'line')} cannot be read, and counted for nothing: ${shown}${more}.`,
  ];
}

function ticketLines({ findings, looked, unnamed }: TicketAudit): string[] {
  const cells = Object.entries(WORDS).flatMap(([finding, words]) => {
    const { charges, credits } = findings[finding as Finding];
    if (charges === 0 && finding !== 'agreed') return [];
    return [[words, formatNumber(charges), formatNumber(credits)]];
  });
  const table = formatTable(['', 'charges', 'credits'], cells, new Set(['charges', 'credits']));
  return ['', ...table, '', ...notesOf(findings, { looked, unnamed })];
}

function notesOf(
  findings: TicketAudit['findings'],
  { looked, unnamed }: Pick<TicketAudit, 'looked' | 'unnamed'>,
): string[] {
  const unknown = findings.unknown_ticket.charges;
  const notes: string[] = [];
  if (unnamed > 0) {
    const sends = formatCount(unnamed, 'send');
    const both = `${sends} of that time stayed uncertain or got no ticket`;
    if (unknown === 0) notes.push(`${both}. No charge for them proves that they were refused.`);
    else if (unknown <= unnamed) {
      notes.push(
        `${both}: the charges under unknown tickets may be theirs. No date tells whose; --map ticket= compares sums instead.`,
      );
    } else {
      notes.push(
        `${both}: as many charges under unknown tickets may be theirs, and ${formatNumber(unknown - unnamed)} or more were never asked. No date tells which.`,
      );
    }
  }
  if (findings.unanswered.charges > 0) {
    notes.push(
      '"sluice retry RUN --only timed_out" reads answers that are not known yet, for nothing.',
    );
  }
  if (findings.other_price.charges > 0) {
    notes.push('Prices are those by which the runs counted: of the job or the dialect.');
  }
  notes.push(
    looked === null
      ? 'Charges that are not on the list were not looked for: name its month with --period.'
      : `Charges that are not on the list were looked for from ${formatTime(looked.from)} to ${formatTime(looked.until)} (UTC).`,
  );
  if (findings.agreed.charges === 0 && findings.never_asked.charges > 0) {
    notes.push(
      'No ticket is known: another --account or --state may be meant, or another column (--map ticket=COLUMN).',
    );
  }
  return notes;
}

function totalLines(
  { periods, whole }: NonNullable<AuditReport['totals']>,
  timeZone: string,
): string[] {
  const off = periods.filter(({ finding }) => finding !== 'agreed');
  const shown = [...off.slice(0, TOTALS_SHOWN), whole];
  const cells = shown.map((total) => [
    total.label,
    formatNumber(total.credits),
    total.least === total.most
      ? formatNumber(total.least)
      : `${formatNumber(total.least)} to ${formatNumber(total.most)}`,
    formatNumber(total.over),
    FINDING_OF_TOTAL[total.finding],
  ]);
  const header = [timeZone, 'invoice', 'known', 'over', 'finding'];
  return [
    '',
    ...formatTable(header, cells, new Set(['invoice', 'known', 'over'])),
    ...(off.length > TOTALS_SHOWN ? [`… and ${formatNumber(off.length - TOTALS_SHOWN)} more`] : []),
    '',
    `${formatCount(periods.length - off.length, 'sum')} of ${formatNumber(periods.length)} agree. Sums tell how much is wrong, and not which charge; a list with tickets does.`,
    ...(whole.open > 0
      ? [
          `${formatCount(whole.open, 'send')} of that time ${whole.open === 1 ? 'has' : 'have'} no known answer, and may have been charged. No charge for them proves that they were refused.`,
        ]
      : []),
  ];
}

function totalJson({ from, least, most, over, until, ...total }: JudgedTotal): object {
  return { ...total, ...spanJson({ from, until }), known_least: least, known_most: most, over };
}

function spanJson({ from, until }: { readonly from: number; readonly until: number }) {
  return { from: new Date(from).toISOString(), until: new Date(until).toISOString() };
}

export function auditJson(report: AuditReport, { file, timeZone }: Audited): object {
  const { claims, columns, credits, isUnexplained, rows, tickets, totals, unreadable } = report;
  return {
    invoice: file,
    by: tickets === null ? 'period' : 'ticket',
    time_zone: timeZone,
    columns,
    rows,
    credits,
    unreadable,
    findings: tickets?.findings ?? null,
    sends_without_ticket: tickets?.unnamed ?? null,
    looked_for_missing: tickets?.looked ? spanJson(tickets.looked) : null,
    periods: totals?.periods.map(totalJson) ?? null,
    whole: totals === null ? null : totalJson(totals.whole),
    claims,
    unexplained: isUnexplained,
  };
}
