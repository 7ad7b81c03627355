// sluice audit INVOICE: compares the platform's own list of charges with what the state knows was sent and charged.
import { type AuditReport, auditInvoice } from '../../../app/audit/audit-invoice.js';
import type { TicketAudit } from '../../../app/audit/audit-tickets.js';
import { accountNamed } from '../../../app/platform/known-account.js';
import { INVOICE_PARTS } from '../../../model/audit/invoice.js';
import type { Finding } from '../../../model/audit/judge-tickets.js';
import { FORCE_OPTION, PLATFORM_OPTIONS, TEXT } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { EXIT } from '../../exit-codes.js';
import { parseInputs } from '../../job-flags.js';
import { stateCommand } from '../../open-state.js';
import { formatCount, formatNumber, formatTable, formatTime } from '../../print/format.js';

const { url, dialect, account } = PLATFORM_OPTIONS;

export const auditCommand = stateCommand({
  builder: (yargs) =>
    yargs
      .positional('invoice', {
        type: 'string',
        demandOption: true,
        describe: 'The list of charges: CSV, NDJSON or XLSX, with tickets',
      })
      .nargs('invoice', 1) // so that - is a file
      .options({
        map: {
          ...TEXT,
          array: true,
          describe: `Which column is which, as ${INVOICE_PARTS.join(', ')}=COLUMN; = alone for none`,
        },
        sheet: { ...TEXT, describe: 'Sheet of a workbook' },
        claims: {
          ...TEXT,
          describe:
            'Write what nothing explains: .csv, .tsv or .ndjson, also with .gz, .xlsx or .parquet; - for standard output',
        },
        url,
        dialect,
        account,
        ...FORCE_OPTION,
      })
      .example('$0 audit invoice.csv --account acme --claims claims.csv', ''),
  prepare: (args) =>
    parseInputs('--map', { inputs: INVOICE_PARTS, value: 'COLUMN' }, args.map ?? []),
  handler: async (args, store, _path, map) => {
    const { claims, force, invoice: file, sheet } = args;
    const { stdin: standardInput, stdout: standardOutput } = process;
    const report = await auditInvoice(store, {
      file,
      map,
      claims,
      force,
      standardOutput,
      account: await accountNamed(args, commandEnvironment(), store),
      options: { standardInput, sheet },
    });
    if (report.isUnexplained) process.exitCode = EXIT.unanswered;
    return {
      json: auditJson(report, file),
      lines: auditLines(report, file),
      table: claims ?? '',
    };
  },
});

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
  const notes: string[] = [];
  if (unnamed > 0) {
    notes.push(
      `${formatCount(unnamed, 'send')} of that time stayed uncertain or got no ticket: as many charges under unknown tickets may be theirs. No date tells which.`,
    );
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
