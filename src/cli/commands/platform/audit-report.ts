// The report of an audit: for people and for scripts.
import type { AuditReport } from '../../../app/audit/audit-invoice.js';
import type { TicketAudit } from '../../../app/audit/audit-tickets.js';
import type { Finding } from '../../../model/audit/judge-tickets.js';
import { formatCount, formatNumber, formatTable, formatTime } from '../../print/format.js';

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
export function auditLines(report: AuditReport, file: string): string[] {
  const { claims, credits, isUnexplained, rows, totalLine, unreadable } = report;
  const columns = Object.entries(report.columns).map(([part, name]) => `${part} from ${name}`);
  return [
    `${file}: ${formatCount(rows, 'row')}, ${formatCount(credits, 'credit')}; ${columns.join(', ')}.`,
    ...(totalLine === null
      ? []
      : [`Line ${totalLine} is a line of totals: the sum of those above it.`]),
    ...unreadableLines(unreadable),
    ...ticketLines(report),
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
      notes.push(`${both}: the charges under unknown tickets may be theirs. No date tells whose.`);
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
      ? 'Charges that are not on the list were not looked for: no date on it tells which time it covers.'
      : `Charges that are not on the list were looked for from ${formatTime(looked.from)} to ${formatTime(looked.until)} (UTC).`,
  );
  if (findings.agreed.charges === 0 && findings.never_asked.charges > 0) {
    notes.push(
      'No ticket is known: another --account or --state may be meant, or another column (--map ticket=COLUMN).',
    );
  }
  return notes;
}

function spanJson({ from, until }: { readonly from: number; readonly until: number }) {
  return { from: new Date(from).toISOString(), until: new Date(until).toISOString() };
}

export function auditJson(report: AuditReport, file: string): object {
  const {
    claims,
    columns,
    credits,
    findings,
    isUnexplained,
    looked,
    rows,
    totalLine,
    unnamed,
    unreadable,
  } = report;
  return {
    invoice: file,
    columns,
    rows,
    credits,
    total_line: totalLine,
    unreadable,
    findings,
    sends_without_ticket: unnamed,
    looked_for_missing: looked && spanJson(looked),
    claims,
    unexplained: isUnexplained,
  };
}
