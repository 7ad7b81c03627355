// sluice audit INVOICE: compares the platform's own list of charges with what the state knows was sent and charged.
import { auditInvoice } from '../../../app/audit/audit-invoice.js';
import { accountNamed } from '../../../app/platform/known-account.js';
import { INVOICE_PARTS } from '../../../model/audit/invoice.js';
import { openZone, readWhen, type Zone } from '../../../model/audit/zoned-time.js';
import { ClosedPipe } from '../../../output/standard-output.js';
import { FORCE_OPTION, PLATFORM_OPTIONS, TEXT } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { EXIT } from '../../exit-codes.js';
import { parseInputs } from '../../job-flags.js';
import { wrongFlag } from '../../misuse.js';
import { stateCommand } from '../../open-state.js';
import { auditJson, auditLines } from './audit-report.js';

const { url, dialect, account } = PLATFORM_OPTIONS;

export const auditCommand = stateCommand({
  builder: (yargs) =>
    yargs
      .positional('invoice', {
        type: 'string',
        demandOption: true,
        describe: 'The list of charges: CSV, NDJSON or XLSX, with tickets, or dates and credits',
      })
      .nargs('invoice', 1) // so that - is a file
      .options({
        map: {
          ...TEXT,
          array: true,
          describe: `Which column is which, as ${INVOICE_PARTS.join(', ')}=COLUMN; = alone for none`,
        },
        'time-zone': {
          ...TEXT,
          default: 'UTC',
          describe: 'Time zone of its days and of times without one, like Europe/Vienna',
        },
        period: {
          ...TEXT,
          describe: 'The month or day that it covers: 2026-11 or 2026-11-21 (default: its dates)',
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
      .example('$0 audit invoice.csv --account acme --claims claims.csv', 'Tickets and credits')
      .example('$0 audit days.xlsx --time-zone Europe/Vienna', 'Sums for days'),
  prepare: (args) => {
    const zone = zoneOf(args['time-zone']);
    const map = parseInputs('--map', { inputs: INVOICE_PARTS, value: 'COLUMN' }, args.map ?? []);
    return { zone, map, stated: periodOf(args.period, zone) };
  },
  handler: async (args, store, _path, { map, stated, zone }) => {
    const { claims, force, invoice: file, sheet } = args;
    const { stdin: standardInput, stdout: standardOutput } = process;
    try {
      const report = await auditInvoice(store, {
        file,
        map,
        zone,
        stated,
        claims,
        force,
        standardOutput,
        account: await accountNamed(args, commandEnvironment(), store),
        options: { standardInput, sheet },
      });
      if (report.isUnexplained) process.exitCode = EXIT.unanswered;
      const shown = { file, timeZone: args['time-zone'] };
      return {
        json: auditJson(report, shown),
        lines: auditLines(report, shown),
        table: claims ?? '',
      };
    } catch (error) {
      if (!(error instanceof ClosedPipe)) throw error;
      return undefined;
    }
  },
});

function zoneOf(name: string): Zone {
  try {
    return openZone(name);
  } catch {
    throw wrongFlag('time-zone', '--time-zone wants a name like UTC or Europe/Vienna.');
  }
}

function periodOf(text: string | undefined, zone: Zone) {
  if (text === undefined) return null;
  const when = readWhen(text, zone);
  if (when !== undefined && when.kind !== 'moment') return when;
  throw wrongFlag('period', '--period wants a month or a day, like 2026-11 or 2026-11-21.');
}
