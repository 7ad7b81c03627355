// Keeps a run within the caps of its account, and those of its job. The claim is what guarantees them, as other
// processes spend from the same; this asks before, so that a run without room waits or ends.

import { amountTeller, type Money } from '../../model/credits.js';
import { SluiceError } from '../../model/errors.js';
import { type CapState, leftOf, metCap, roomIn, tellCap } from '../../model/schedule/caps.js';
import { formatTime } from '../../model/text/format-time.js';
import { highestPrice } from '../../model/verdict.js';
import type { RunContext } from '../run-context.js';
import { tellRoom, watchSpent } from './budget.js';

export async function openCapGate(context: RunContext) {
  const { clock, observe, run, store, terms } = context;
  const dearest = highestPrice(terms.ask, terms.prices);
  let caps: readonly CapState[] = [];
  const spending = new Map<string, ReturnType<typeof watchSpent>>();
  const look = async (): Promise<number> => {
    caps = await store.caps(run.account, clock.now(), run.caps);
    for (const cap of caps) {
      const key = `${cap.of} ${cap.period}`;
      const lookAtSpent =
        spending.get(key) ?? watchSpent(context, () => `the cap of ${tellCap(cap, run.credit)}`);
      spending.set(key, lookAtSpent);
      if (roomIn([cap], dearest) > 0) lookAtSpent((100 * cap.spent) / cap.credits);
    }
    const tightest = caps.toSorted((a, b) => leftOf(a) - leftOf(b))[0];
    if (tightest !== undefined) {
      const { credits, period, reserved, spent } = tightest;
      observe({ kind: 'cap.looked', cap: credits, period, spent, reserved });
    }
    return roomIn(caps, dearest);
  };
  await look();
  return {
    /** As `room`, also if there was no cap before. */
    look,
    /** The number of further enrichments that fit into all caps, whatever they find. Free if there is no cap. */
    room: async () => (caps.length === 0 ? Number.POSITIVE_INFINITY : look()),
    problem: () => isMet(metCap(caps, dearest), dearest, terms.arePricesAssumed, run.credit),
  };
}

function isMet(
  cap: CapState | undefined,
  dearest: number,
  isAssumed: boolean,
  price: Money | undefined,
): SluiceError {
  if (cap === undefined) throw new Error('a run without a cap has room');
  const { reserved, of, spent, until } = cap;
  const room = { left: Math.max(0, leftOf(cap)), dearest, spent, open: reserved };
  const met = tellRoom(`cap of ${tellCap(cap, price)}`, room, amountTeller(price), isAssumed);
  const raise = of === 'account' ? 'raise it with "sluice caps set"' : 'raise caps in the job';
  return new SluiceError(
    'cap',
    `${met} The next period begins at ${formatTime(until)} (UTC): run again then, or ${raise}; it continues.`,
    { of, until },
  );
}
