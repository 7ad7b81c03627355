// sluice audit INVOICE: compares the platform's own list of charges with what the state knows was sent and charged.
import { auditInvoice } from '../../../app/audit/audit-invoice.js';
import { accountNamed } from '../../../app/platform/known-account.js';
import { INVOICE_PARTS } from '../../../model/audit/invoice.js';
import { tellAudit } from '../../../tell/tell-audit.js';
import { commandEnvironment } from '../../command-environment.js';
import { EXIT } from '../../exit-codes.js';
import { parseInputs } from '../../job-flags.js';
import { stateCommand } from '../../open-state.js';
import { FORCE_OPTION, needed, PLATFORM_OPTIONS, text, texts } from '../../options.js';

const { url, dialect, account } = PLATFORM_OPTIONS;

export const auditCommand = stateCommand({
  args: { invoice: needed('The list of charges: CSV, NDJSON or XLSX, with tickets') },
  options: {
    map: texts(`Which column is which, as ${INVOICE_PARTS.join(', ')}=COLUMN; = alone for none`),
    dates: text('What comes first in 11/12/2026 (default: a day above 12 decides)', {
      choices: ['dmy', 'mdy'] as const,
    }),
    sheet: text('Sheet of a workbook'),
    claims: text(
      'Write what nothing explains: .csv, .tsv or .ndjson, also with .gz, .xlsx or .parquet; - for standard output',
    ),
    url,
    dialect,
    account,
    ...FORCE_OPTION,
  },
  examples: { 'sluice audit invoice.csv --account acme --claims claims.csv': '' },
  prepare: (args) =>
    parseInputs('--map', { inputs: INVOICE_PARTS, value: 'COLUMN' }, args.map ?? []),
  handler: async (args, store, _path, map) => {
    const { claims, force, invoice: file, sheet } = args;
    const { stdin: standardInput, stdout: standardOutput } = process;
    const report = await auditInvoice(store, {
      file,
      map,
      dates: args.dates,
      claims,
      force,
      standardOutput,
      account: await accountNamed(args, commandEnvironment(), store),
      options: { standardInput, sheet },
    });
    if (report.isUnexplained) process.exitCode = EXIT.unanswered;
    return { ...tellAudit(report, file), table: claims ?? '' };
  },
});
