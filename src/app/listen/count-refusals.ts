// Counts the deliveries that the listener refuses at genuine addresses, in the state: at most once a second, however many
// come. What comes at any other address is only measured.
import { encodingOf, REFUSED_FOR, tellReason } from '../../model/report/refused-deliveries.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import { type Clock, wallOf } from '../../ports/clock.js';
import type { RefusedDeliveries } from '../../ports/store/deliveries.js';
import type { Store } from '../../ports/store/store.js';
import type { Refused } from '../../webhook/refusals.js';

const GATHER_MS = 1_000;

/** The first delivery that is refused for a reason is told at once. `close` writes what is not written yet. */
export function countRefusals(
  store: Pick<Store, 'addRefused'>,
  clock: Clock,
  observe: RunObserver,
) {
  const told = new Set<string>();
  const closing = new AbortController();
  let counts = new Map<string, RefusedDeliveries>();
  let writing: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    const written = counts;
    counts = new Map();
    try {
      if (written.size > 0) await store.addRefused([...written.values()]);
    } catch {
      // Whoever writes what matters reports why. These are counted with the next ones.
      for (const one of written.values()) count(one);
    }
  };
  const count = (one: RefusedDeliveries): void => {
    const key = [one.scope, one.reason, one.encoding].join(' ');
    const before = counts.get(key) ?? { ...one, count: 0 };
    counts.set(key, {
      ...one,
      count: before.count + one.count,
      firstAt: Math.min(before.firstAt, one.firstAt),
      lastAt: Math.max(before.lastAt, one.lastAt),
    });
    if (told.has(key)) return;
    told.add(key);
    const message = `A delivery with a genuine key was refused: ${tellReason(one)}. More of them are counted: "sluice status --deliveries" shows how many.`;
    observe({ kind: 'run.warned', warning: 'deliveries_refused', message });
  };
  const writeSoon = async (): Promise<void> => {
    await clock.sleep(GATHER_MS, closing.signal);
    writing = undefined;
    await write();
  };

  return {
    add: ({ encoding, reason, scope }: Refused): void => {
      if (scope === undefined || !Object.hasOwn(REFUSED_FOR, reason)) return;
      const at = wallOf(clock);
      const encoded = encodingOf(encoding);
      count({ scope, reason, encoding: encoded, count: 1, firstAt: at, lastAt: at });
      writing ??= writeSoon();
    },
    close: async (): Promise<void> => {
      closing.abort();
      await writing;
      await write();
    },
  };
}
