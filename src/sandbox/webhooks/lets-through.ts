// Which events a hook is limited to by `campaignId` and `isFirst` (docs/platform-api.md, POST /hooks).
// docs/decisions/0008-sandbox.md says how the sandbox reads them.
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
