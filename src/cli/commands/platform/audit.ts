// sluice audit INVOICE: compares the platform's own list of charges with what the state knows was sent and charged.
import { auditInvoice } from '../../../app/audit/audit-invoice.js';
import { accountNamed } from '../../../app/platform/known-account.js';
import { INVOICE_PARTS } from '../../../model/audit/invoice.js';
import { tellAudit } from '../../../tell/tell-audit.js';
import { FORCE_OPTION, PLATFORM_OPTIONS, sayPage, TEXT } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { EXIT } from '../../exit-codes.js';
import { parseInputs } from '../../job-flags.js';
import { stateCommand } from '../../open-state.js';

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
    return { ...sayPage(tellAudit(report, file)), table: claims ?? '' };
  },
});
