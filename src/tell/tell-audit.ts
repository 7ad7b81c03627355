// Tells what an audit of the platform's list of charges has found.
import type { AuditReport } from '../app/audit/audit-invoice.js';
import type { Finding } from '../model/audit/judge-tickets.js';
import { tellBadLines } from '../model/report/bad-lines.js';
import { formatCount } from '../model/text/count.js';
import type { Page } from './page.js';
import { notes, table } from './shared.js';

const WORDS: Readonly<Record<Finding, string>> = {
  agreed: 'agreed',
  never_asked: 'charged and never asked',
  unknown_ticket: 'charged under an unknown ticket',
  charged_twice: 'charged twice',
  nothing_found: 'charged though nothing was found',
  other_price: 'charged at another price',
  other_date: 'charged at another date',
  not_charged: 'asked, found and not charged',
  unanswered: 'charged, and no answer is known here',
  refunded: 'charged and taken back',
};

export function tellAudit(report: AuditReport, file: string): Page {
  const { claims, credits, findings, isUnexplained, looked, rows, totalLine, unnamed, unreadable } =
    report;
  const columns = Object.entries(report.columns);
  const from = columns.map(([part, name]) => `${part} from ${name}`).join(', ');
  const shown = Object.entries(WORDS).flatMap(([finding, words]) => {
    const { charges, credits: listed, over } = findings[finding as Finding];
    return charges === 0 && finding !== 'agreed' ? [] : [[words, charges, listed, over]];
  });
  const result = isUnexplained
    ? `Something is unexplained.${claims === null ? ' --claims FILE writes it, row by row.' : ''}`
    : 'Nothing is unexplained.';
  return {
    title: `Audit of ${file}`,
    parts: [
      ...notes(
        `${file}: ${formatCount(rows, 'row')}, ${formatCount(credits, 'credit')}; ${from}.`,
        totalLine !== null && `Line ${totalLine} is a line of totals: the sum of those above it.`,
        ...tellBadLines(unreadable, 'line', 'cannot be read, and counted for nothing'),
      ),
      table('Findings', ['finding', '*charges', '*credits', '*too many'], shown),
      ...notes(
        unnamed > 0 &&
          `${formatCount(unnamed, 'send')} of that time stayed uncertain or got no ticket: as many charges under unknown tickets may be theirs. No date tells which.`,
        findings.unanswered.charges > 0 &&
          '"sluice retry RUN --only timed_out" reads answers that are not known yet, for nothing.',
        findings.other_price.charges > 0 &&
          'Prices are those by which the runs counted: of the job or the dialect.',
        looked === null
          ? 'Charges that are not on the list were not looked for: no date on it tells which time it covers.'
          : [
              'Charges that are not on the list were looked for from ',
              { at: looked.from },
              ' to ',
              { at: looked.until },
              ': times are known by the quarter of an hour.',
            ],
        findings.agreed.charges === 0 &&
          findings.never_asked.charges > 0 &&
          'No ticket is known: another --account or --state may be meant, or another column (--map ticket=COLUMN).',
        claims !== null && `${claims.out}: ${formatCount(claims.rows, 'row')}`,
        result,
      ),
    ],
    data: {
      invoice: file,
      columns: new Map(columns),
      rows,
      credits,
      totalLine,
      unreadable,
      findings,
      sendsWithoutTicket: unnamed,
      lookedForMissing: looked && { from: isoTime(looked.from), until: isoTime(looked.until) },
      claims,
      unexplained: isUnexplained,
    },
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
