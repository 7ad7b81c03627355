// Faults on the way to a platform route and back. An answer instead of the route is given before the route runs; an
// answer is spoiled when it leaves: by then the route has accepted the request.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { onAbort } from '../model/schedule/on-abort.js';
import type { Faults, RequestFault } from './faults.js';
import type { Traffic } from './traffic.js';

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

  constructor(private readonly options: FaultGateOptions) {}

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
    if (fault.isSlow) hold(send, this.options.slowMs, this.#closing.signal);
    else send();
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

/** The answer leaves at once where the sandbox closes. */
function hold(send: () => void, ms: number, signal: AbortSignal): void {
  const leave = (): void => {
    clearTimeout(timer);
    stopListening();
    send();
  };
  const timer = setTimeout(leave, ms).unref();
  const stopListening = onAbort(signal, leave);
}
