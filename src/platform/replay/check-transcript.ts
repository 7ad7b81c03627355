// Checks a dialect against a transcript: plays each exchange with our own client, and takes away in turn each part of
// the dialect file that nothing in the transcript shows, to see whether the transcript needs it.
import type { Dialect } from '../../dialect/dialect.js';
import type { TranscriptPart } from '../../dialect/transcript/recorded.js';
import type { ExchangeCheck, TranscriptCheck } from '../../model/resources/transcript-check.js';
import { judgePart } from './judge-exchange.js';
import type { ProveWebhook } from './replay.js';
import { whatIsShown } from './shown-parts.js';
import { openStage } from './stage.js';
import { unmetParts } from './unmet-parts.js';

/** Nothing is sent. */
export async function checkTranscript(
  dialect: Dialect,
  parts: readonly TranscriptPart[],
  prove: ProveWebhook,
): Promise<Omit<TranscriptCheck, 'guessed'>> {
  const judge = (other: Dialect) => judgeAll(other, parts, prove);
  const exchanges = await judge(dialect);
  const isShown = whatIsShown(dialect, parts, exchanges);
  return { exchanges, unmet: await unmetParts(dialect, exchanges, isShown, judge) };
}

async function judgeAll(
  dialect: Dialect,
  parts: readonly TranscriptPart[],
  prove: ProveWebhook,
): Promise<ExchangeCheck[]> {
  const stage = openStage(dialect);
  try {
    const replay = { dialect, stage, prove, accepted: new Map() };
    const checks: ExchangeCheck[] = [];
    // The exchanges are judged in order: a read needs the ticket that an earlier exchange accepted.
    for (const part of parts) checks.push(await judgePart(part, replay));
    return checks;
  } finally {
    await stage.close();
  }
}
