// Which request and which enrichment a fault strikes: drawn from a seed and the request's number or the
// enrichment's id, so that the same sequence of requests meets the same faults.
import { openDraw } from '../answers/open-draw.js';
import type { FaultName, FaultShares } from './fault-names.js';

/** `throttle` refuses this many requests, the one that it struck included. */
const BURST = 5;

/** Instead of being handled, a request is answered like this: nothing is accepted. */
const INSTEAD = ['drop-before', 'error-before', 'throttle', 'html'] as const;
/** A request is handled, and this becomes of its answer. */
const SPOILED = ['drop-after', 'error-after', 'truncated'] as const;

const ON_REQUESTS = [...INSTEAD, ...SPOILED, 'slow'] as const;

/** What befalls one request; at most one of `instead` and `spoiled`. */
export interface RequestFault {
  readonly instead?: (typeof INSTEAD)[number];
  readonly spoiled?: (typeof SPOILED)[number];
  readonly isSlow: boolean;
  /** Of the error that `error-before` and `error-after` answer with. */
  readonly errorStatus: 500 | 503;
}

export class Faults {
  #shares: FaultShares;
  #requests = 0;
  #burstLeft = 0;

  constructor(
    private readonly seed: number,
    shares: FaultShares,
  ) {
    this.#shares = shares;
  }

  get shares(): FaultShares {
    return this.#shares;
  }

  /** From now on these; a burst that is under way ends. */
  replace(shares: FaultShares): void {
    this.#shares = shares;
    this.#burstLeft = 0;
  }

  /** To be called once for every request, in the order of arrival; undefined when nothing befalls it. */
  strike(): RequestFault | undefined {
    this.#requests += 1;
    const shares = this.#shares;
    if (this.#burstLeft === 0 && ON_REQUESTS.every((name) => shares[name] === 0)) return undefined;
    // A number for each name, drawn whether or not it is needed: the share of one fault moves no other.
    const draw = openDraw(this.seed, 'request fault', String(this.#requests));
    const errorStatus = draw.chance(0.5) ? 500 : 503;
    const isSlow = draw.chance(shares.slow);
    const instead = INSTEAD.filter((name) => draw.chance(shares[name]))[0];
    const spoiled = SPOILED.filter((name) => draw.chance(shares[name]))[0];
    const base = { isSlow, errorStatus } as const;
    if (this.#burstLeft > 0) {
      this.#burstLeft -= 1;
      return { ...base, instead: 'throttle' };
    }
    if (instead === 'throttle') this.#burstLeft = BURST - 1;
    if (instead !== undefined) return { ...base, instead };
    if (spoiled !== undefined) return { ...base, spoiled };
    return isSlow ? base : undefined;
  }

  /** Whether a fault that belongs to an enrichment strikes the one with this id; always the same answer. */
  hits(name: FaultName, id: string): boolean {
    const share = this.#shares[name];
    return share > 0 && openDraw(this.seed, name, id).chance(share);
  }

  /** Whole milliseconds, from 1 to `maxMs`, for the enrichment with this id. */
  drawDelayMs(id: string, maxMs: number): number {
    return openDraw(this.seed, 'delay', id).between(1, maxMs);
  }
}
