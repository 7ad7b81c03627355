// The faults that can be asked for: what real platforms do now and then.
import { SluiceError } from '../../model/errors.js';

export const FAULT_NAMES = [
  'drop-before',
  'drop-after',
  'error-before',
  'error-after',
  'throttle',
  'slow',
  'truncated',
  'html',
  'empty-first',
  'webhook-lost',
  'webhook-doubled',
  'webhook-early',
  'webhook-reordered',
] as const;

/**
 * - `drop-before`, `drop-after`: the connection ends without an answer, before or after acceptance
 * - `error-before`, `error-after`: 500 or 503, before or after acceptance
 * - `throttle`: this request and the next four are answered 429 with `Retry-After: 1`; not accepted
 * - `slow`: the answer is held back, after acceptance
 * - `truncated`: 200 with its JSON cut in half, after acceptance
 * - `html`: 200 with an HTML page; not accepted
 * - `empty-first`: the first reading of a result, by GET or webhook, has no blocks; the next one is whole
 * - `webhook-lost`: a result is never sent to a webhook
 * - `webhook-doubled`: a result that has arrived is sent once more
 * - `webhook-early`: a result is ready at once and sent before the answer of its submit
 * - `webhook-reordered`: a result is held back for up to two seconds, and others overtake it
 */
export type FaultName = (typeof FAULT_NAMES)[number];

/** For each fault its probability, 0 to 1. */
export type FaultShares = Readonly<Record<FaultName, number>>;

export function isFaultName(text: string): text is FaultName {
  return FAULT_NAMES.some((name) => name === text);
}

/**
 * A name that is not given is 0.
 * @throws SluiceError `usage` for a name that is no fault or a number that is no probability
 */
export function checkFaultShares(shares: Readonly<Record<string, unknown>>): FaultShares {
  for (const [name, share] of Object.entries(shares)) {
    if (!isFaultName(name)) {
      const message = `There is no fault "${name.slice(0, 50)}"; there are ${FAULT_NAMES.join(', ')}.`;
      throw new SluiceError('usage', message);
    }
    if (share !== undefined && !(typeof share === 'number' && share >= 0 && share <= 1)) {
      const message = `The probability of the fault ${name} must be a number from 0 to 1.`;
      throw new SluiceError('usage', message, { fault: name });
    }
  }
  const entries = FAULT_NAMES.map((name) => [name, shares[name] ?? 0]);
  return Object.fromEntries(entries) as FaultShares;
}
