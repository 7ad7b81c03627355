// How long an enrichment takes: log-normal, as such platforms are (most answers soon, a long tail), and derived
// from the inputs, so that a run can be repeated to the millisecond.
import { SluiceError } from '../../model/errors.js';
import { openDraw } from '../answers/open-draw.js';

export interface Latency {
  /** Half of all enrichments are ready by then; 0 makes every one ready at once. */
  readonly medianMs: number;
  /** The spread: the standard deviation of the logarithm. 0 gives every enrichment the median. */
  readonly sigma: number;
}

/** @throws SluiceError `usage` for a negative or endless latency */
export function checkLatency(latency: Latency): Latency {
  const { medianMs, sigma } = latency;
  if (Number.isFinite(medianMs) && medianMs >= 0 && Number.isFinite(sigma) && sigma >= 0) {
    return latency;
  }
  const message = `The sandbox latency (median ${medianMs} ms, sigma ${sigma}) is not possible; give two numbers of at least 0.`;
  throw new SluiceError('usage', message, { medianMs, sigma });
}

/** Whole milliseconds for these inputs (as `identifyInputs` writes them). */
export function drawLatencyMs(latency: Latency, seed: number, identity: string): number {
  if (latency.medianMs === 0) return 0;
  const draw = openDraw(seed, 'latency', identity);
  // Box-Muller; 1 - x because the logarithm of 0 would be endless.
  const normal = Math.sqrt(-2 * Math.log(1 - draw.next())) * Math.cos(2 * Math.PI * draw.next());
  return Math.round(latency.medianMs * Math.exp(latency.sigma * normal));
}
