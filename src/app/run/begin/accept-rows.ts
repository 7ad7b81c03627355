import { nameSource } from '../../../input/sources/source-name.js';
import { SluiceError } from '../../../model/errors.js';
import { formatCount } from '../../../model/text/count.js';
import type { LeadReader, RejectReason, RowsRead } from '../../../ports/lead-reader.js';
import type { JobSettings } from '../../settings/job-settings.js';

/** The rows that are accepted whatever their share is: few of them are soon corrected. */
const FEW = 10;
const REASONS_TOLD = 3;

/** The reader, which of a pipe throws the error as soon as too many of the rows so far are rejected. */
export function acceptRows(reader: LeadReader, settings: JobSettings): LeadReader {
  return {
    ...reader,
    async *batches() {
      for await (const batch of reader.batches()) {
        refuseRows(reader, settings);
        yield batch;
      }
    },
  };
}

/** @throws SluiceError `input` if too many of the rows that were read so far are rejected */
export function refuseRows(reader: LeadReader, settings: JobSettings): void {
  const refusal = refusalOfRows(reader, settings);
  if (refusal !== undefined) throw refusal;
}

export function refusalOfRows(
  { rows = [], sources }: LeadReader,
  { acceptRejects }: JobSettings,
): SluiceError | undefined {
  const at = rows.findIndex(
    (source) => source.rejected > Math.max(FEW, source.rows * acceptRejects),
  );
  return rows[at] && refusal(sources[at] ?? '', rows[at]);
}

function refusal(path: string, { reasons, rejected, rows }: RowsRead): SluiceError {
  const enough = Math.ceil((rejected / rows) * 10) * 10;
  return new SluiceError(
    'input',
    `${nameSource(path)} has ${formatCount(rows, 'row')}, and ${rejected} of them cannot be leads as they are written. Correct them, or accept them with --set accept-rejects=${enough}%, or that key of the job: a run goes on where at most this share of the rows is rejected.`,
    {},
    // The reasons quote names of columns: if the header is missing, those may be a lead.
    { aside: `Why: ${reasons.slice(0, REASONS_TOLD).map(tellReason).join('. ')}.` },
  );
}

function tellReason({ line, reason, rows }: RejectReason): string {
  return rows === 1 ? `line ${line}: ${reason}` : `${rows} from line ${line} on: ${reason}`;
}
