// The faults that can be set, which real platforms have now and then, and the requests or enrichments that each one
// strikes: drawn from a seed and the request's number or the enrichment's id, so the same sequence of requests meets
// the same faults.

import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { openDraw } from './answers/decide-outcome.js';
import type { Traffic } from './traffic.js';

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
  'empty-first-read',
  'webhook-lost',
  'webhook-doubled',
  'webhook-early',
  'webhook-reordered',
] as const;

/**
 * - `drop-before`, `drop-after`: the connection ends without an answer, before or after acceptance
 * - `error-before`, `error-after`: 500 or 503, before or after acceptance
 * - `throttle`: this request and the next four are answered 429 with `Retry-After: 1`; not accepted
 * - `slow`: the answer comes late, after acceptance
 * - `truncated`: 200 with its JSON cut in half, after acceptance
 * - `html`: 200 with an HTML page; not accepted
 * - `empty-first`: the first reading of a result, by GET or webhook, has no blocks, if it is done for less than two
 *   seconds; the next reading is whole
 * - `empty-first-read`: the same, however late that first reading comes
 * - `webhook-lost`: a result is never sent to a webhook
 * - `webhook-doubled`: a result that has arrived is sent again
 * - `webhook-early`: a result is ready at once and sent before the answer of its submit
 * - `webhook-reordered`: a result waits for up to two seconds, and others overtake it
 */
export type FaultName = (typeof FAULT_NAMES)[number];

export function isFaultName(text: string): text is FaultName {
  return FAULT_NAMES.some((name) => name === text);
}

/** The probability of every fault; one that is not named never happens. */
export const FAULT_SHARES = z
  .partialRecord(z.enum(FAULT_NAMES), z.number().min(0).max(1))
  .transform((shares): FaultShares => ({ ...NONE, ...shares }));

type FaultShares = Readonly<Record<FaultName, number>>;
const NONE = Object.fromEntries(FAULT_NAMES.map((name) => [name, 0])) as FaultShares;

/** The number of requests that `throttle` refuses, including the one that it struck. */
const BURST = 5;

/** The request is answered like this instead of being handled: nothing is accepted. */
const INSTEAD = ['drop-before', 'error-before', 'throttle', 'html'] as const;
/** The request is handled, and its answer is spoiled like this. */
const SPOILED = ['drop-after', 'error-after', 'truncated'] as const;

const ON_REQUESTS = [...INSTEAD, ...SPOILED, 'slow'] as const;

/** The fault of one request; at most one of `instead` and `spoiled`. */
interface RequestFault {
  readonly instead?: (typeof INSTEAD)[number];
  readonly spoiled?: (typeof SPOILED)[number];
  readonly isSlow: boolean;
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

  /** Sets the shares from now on; a burst that is under way ends. */
  replace(shares: FaultShares): void {
    this.#shares = shares;
    this.#burstLeft = 0;
  }

  /** Call it once for every request, in the order of arrival; undefined when no fault strikes it. */
  strike(): RequestFault | undefined {
    this.#requests += 1;
    const shares = this.#shares;
    if (this.#burstLeft === 0 && ON_REQUESTS.every((name) => shares[name] === 0)) return undefined;
    // A number for each name is drawn even if it is not needed, so that the share of one fault changes no other.
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

  /** Whether a fault of enrichments strikes the enrichment with this id; always the same answer. */
  hits(name: FaultName, id: string): boolean {
    const share = this.#shares[name];
    return share > 0 && openDraw(this.seed, name, id).chance(share);
  }

  /** Whole milliseconds, from 1 to `maxMs`, for the enrichment with this id. */
  drawDelayMs(id: string, maxMs: number): number {
    return openDraw(this.seed, 'delay', id).between(1, maxMs);
  }
}

type Done = (error: null, payload: unknown) => void;

interface FaultGateOptions {
  readonly faults: Faults;
  readonly traffic: Traffic;
  readonly slowMs: number;
}

const ERROR_BODY = { error: 'Something went wrong on our side.' };
const HTML_PAGE =
  '<!doctype html><html><head><title>Outreach</title></head><body>Please sign in.</body></html>';

export class FaultGate {
  readonly #struck = new WeakMap<FastifyRequest, RequestFault>();
  readonly #closing = new AbortController();

  constructor(private readonly options: FaultGateOptions) {
    setMaxListeners(0, this.#closing.signal);
  }

  /** True when the request may go on; false when it has been answered, or its connection is gone. */
  enter(request: FastifyRequest, reply: FastifyReply): boolean {
    const { faults, traffic } = this.options;
    const fault = faults.strike();
    if (fault === undefined) return true;
    this.#struck.set(request, fault);
    if (fault.instead === undefined) return true;
    if (fault.instead === 'throttle') traffic.throttled += 1;
    answerInstead(fault, request, reply);
    return false;
  }

  /** Calls `done` with the answer `payload`, spoiled or not, perhaps later. */
  leave(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
    const fault = this.#struck.get(request);
    if (fault === undefined) return done(null, payload);
    const send = (): void => done(null, spoil(fault, request, reply, payload));
    if (!fault.isSlow) return send();
    // It leaves at once where the sandbox closes.
    const options = { signal: this.#closing.signal, ref: false };
    void setTimeout(this.options.slowMs, undefined, options).then(send, send);
  }

  spoils(request: FastifyRequest): boolean {
    return this.#struck.get(request)?.spoiled !== undefined;
  }

  close(): void {
    this.#closing.abort();
  }
}

function answerInstead(fault: RequestFault, request: FastifyRequest, reply: FastifyReply): void {
  switch (fault.instead) {
    case 'drop-before':
      reply.hijack();
      request.raw.socket.destroy();
      return;
    case 'error-before':
      void reply.code(fault.errorStatus).send(ERROR_BODY);
      return;
    case 'throttle':
      void reply.code(429).header('retry-after', 1).send({ error: 'Too many requests.' });
      return;
    case 'html':
      void reply.code(200).type('text/html; charset=utf-8').send(HTML_PAGE);
      return;
    case undefined:
  }
}

function spoil(
  fault: RequestFault,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): unknown {
  if (fault.spoiled === 'drop-after') request.raw.socket.destroy();
  if (fault.spoiled === 'error-after') {
    reply.code(fault.errorStatus);
    return JSON.stringify(ERROR_BODY);
  }
  const isCut = fault.spoiled === 'truncated' && reply.statusCode < 300;
  if (!isCut || typeof payload !== 'string') return payload;
  reply.code(200);
  return payload.slice(0, Math.ceil(payload.length / 2));
}
