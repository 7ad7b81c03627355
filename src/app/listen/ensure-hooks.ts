// Registers the account's hooks for results, or finds those that an earlier run registered. One hook for
// each type of result, for all runs: never one for each enrichment.
import type { Dialect } from '../../dialect/dialect.js';
import type { RunObserver } from '../../model/telemetry/run-event.js';
import type { Platform } from '../../ports/platform.js';

/**
 * Makes sure that results of both types are delivered to `targetUrl`. The address holds a key that depends
 * on the secret: one that was registered with another secret is another address.
 * @throws SluiceError `platform`
 */
export async function ensureHooks(
  platform: Pick<Platform, 'addHook' | 'listHooks'>,
  dialect: Dialect,
  wish: { readonly targetUrl: string; readonly secret: string; readonly observe: RunObserver },
  signal: AbortSignal,
): Promise<void> {
  const { observe, secret, targetUrl } = wish;
  const { hooks } = await platform.listHooks(signal);
  const there = hooks.filter((hook) => hook.targetUrl === targetUrl);
  const { doneTypes, errorTypes } = dialect.answer;
  for (const type of [doneTypes[0], errorTypes[0]]) {
    if (type === undefined) continue;
    const isThere = there.some((hook) => hook.type === undefined || hook.type === type);
    if (isThere) continue;
    const { id } = await platform.addHook({ targetUrl, type, secret }, signal);
    observe({ kind: 'hook.added', hook: id, type });
  }
}
