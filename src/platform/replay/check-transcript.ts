// Checks a dialect against a transcript: plays each exchange with our own client, and looks for the parts of the dialect
// file that nothing in the transcript shows.
import type { Dialect } from '../../dialect/dialect.js';
import type { TranscriptPart } from '../../dialect/transcript/recorded.js';
import type { ExchangeCheck, TranscriptCheck } from '../../model/resources/transcript-check.js';
import { judgePart } from './judge-exchange.js';
import type { ProveWebhook } from './replay.js';
import { openStage } from './stage.js';
import { unmetParts } from './unmet-parts.js';

/** Nothing is sent. */
export async function checkTranscript(
  dialect: Dialect,
  parts: readonly TranscriptPart[],
  prove: ProveWebhook,
): Promise<Omit<TranscriptCheck, 'guessed'>> {
  const stage = openStage(dialect);
  try {
    const replay = { dialect, stage, prove, accepted: new Map() };
    const exchanges: ExchangeCheck[] = [];
    // The exchanges are judged in order: a read needs the ticket that an earlier exchange accepted.
    for (const part of parts) exchanges.push(await judgePart(part, replay));
    return { exchanges, unmet: unmetParts(dialect, parts, exchanges) };
  } finally {
    await stage.close();
  }
}
