// Writes, with our own client, the paid request that a run would send for a lead, and does not send it.
import type { Dialect } from '../../dialect/dialect.js';
import type { RecordedLead } from '../../dialect/transcript/recorded.js';
import type { Call } from '../wire/exchange.js';
import { openStage } from './stage.js';

/**
 * The request, with a placeholder for the credential.
 * @throws SluiceError `usage` if the dialect cannot ask for this
 */
export async function writeSubmission(dialect: Dialect, lead: RecordedLead): Promise<Call> {
  const stage = openStage(dialect);
  try {
    const answer = { status: 500, headers: {}, body: '' };
    const { sent } = await stage.play<unknown>(answer, (platform, permit) =>
      dialect.enrich === null
        ? platform.submitMany([{ request: lead, key: 'key-1' }], permit)
        : platform.submit(lead, permit),
    );
    if (sent === undefined) throw new Error('no request was written for the lead');
    return sent;
  } finally {
    await stage.close();
  }
}
