// The limits of a hook (platform-api.md, POST /hooks: `campaignId` and `isFirst`). The document says what they
// are in half a sentence each; how we read it stands in docs/decisions/0008-sandbox.md.
import type { Subject } from './delivery.js';
import type { Hook } from './hook-register.js';

/**
 * A hook of one campaign gets what names this campaign, and therefore no enrichment. A hook of first activities
 * gets the first activity of its type for each lead; what is of no lead is always the first.
 */
export function letsThrough(
  { campaignId, isFirst }: Pick<Hook, 'campaignId' | 'isFirst'>,
  subject: Subject,
): boolean {
  const isActivity = subject.kind === 'activity';
  if (campaignId !== undefined && !(isActivity && subject.record['campaignId'] === campaignId)) {
    return false;
  }
  return isFirst !== true || !isActivity || subject.isFirst;
}
