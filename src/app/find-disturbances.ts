// What disturbed a run, told by events of its account while it was under way.
import type { Clock } from '../domain/ports/clock.js';
import type { Disturbance } from '../domain/ports/events.js';
import type { Store } from '../domain/ports/store.js';
import type { Run } from '../domain/run.js';
import { createKeyring } from '../identity/keyring.js';
import { systemClock } from './system-clock.js';

/** From its start to its end, or until now where it has not ended. */
export async function findDisturbances(
  store: Store,
  { account, startedAt, endedAt }: Run,
  clock: Clock = systemClock,
): Promise<Disturbance[]> {
  const found = await store.disturbances(startedAt, endedAt ?? clock.now());
  // Without events there may be no key yet, and looking at a run makes none.
  if (found.length === 0) return [];
  const own = createKeyring(await store.signingKey()).scopeOf(account);
  return found.filter(({ scope }) => scope === own);
}
