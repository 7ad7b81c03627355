// The listener: receives the platform's webhooks under any path that ends in a genuine key, and answers each only once
// it is stored. It does not judge the content of a delivery, so that the platform gets its answer at once; a run
// settles it later.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import type { Keyring } from '../model/correlation-key.js';
import { type GroupedWrites, groupWrites } from '../model/schedule/group-writes.js';
import { hostAndPort, listenProblem } from '../model/text/address.js';
import type { BodyReader } from '../ports/body.js';
import type { Arrival } from '../ports/store/deliveries.js';
import { boundPieces, createGate, createRoom, createRoomGate, isReadiness } from './create-gate.js';
import { createReceiver } from './create-receiver.js';
import { createProof, type ProofTerms } from './proof.js';
import { KEY, ON_REFUSED, type OnRefused, REFUSALS, refusalOf, refuse } from './refusals.js';

/** The number of connections that wait to be accepted; the kernel may allow fewer. */
const BACKLOG_MAX = 2048;
/** The number of open connections; more are closed as they come. */
const CONNECTIONS_MAX = 2048;
/** The time without traffic after which a connection is closed, such as one whose client does not read its answer. */
const STILL_MS = 30_000;
/** A time longer than the 60 s after which reverse proxies close an idle connection, so that they do it first. */
const KEEP_ALIVE_MS = 65_000;
/** The interval for asking the disk whether deliveries can be kept, because every stranger may ask for that. */
const READINESS_MS = 1_000;

export interface ListenerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly keyring: Pick<Keyring, 'open'>;
  /** The proof that a delivery has to bring besides its key. */
  readonly proof: ProofTerms;
  readonly readBody: BodyReader;
  /** Our name of an event, by the platform's name. Default: the same. */
  readonly ourEvent?: (type: string) => string;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /**
   * Makes deliveries durable, all or none; called for one group at a time. If it rejects, the platform is asked to
   * repeat, and the reason goes nowhere else: `keep` itself has to report it.
   */
  readonly keep: (arrivals: readonly Arrival[]) => Promise<void>;
  /** Called after each refusal. Must not throw. */
  readonly onRefused?: OnRefused;
  /** Rejects if nothing can be kept at this moment; called at most once a second, for `/readyz`. */
  readonly checkKeeping: () => Promise<void>;
  /** The answer at `/healthz`; so a process that finds its port taken learns by whom. */
  readonly instance: string;
  /** The limit for the bytes of one body, packed and unpacked. Default 8 MiB. */
  readonly bodyBytesMax?: number;
  /** The limit for all bodies that arrive or wait to be stored at a time. Default 64 MiB. */
  readonly waitingBytesMax?: number;
  /** The time in which a request must arrive. Default 10,000 ms. */
  readonly patienceMs?: number;
}

export interface Listener {
  /** `http://HOST:PORT`, with the host as it was given. */
  readonly url: string;
  readonly port: number;
  /** Stores and answers the deliveries in hand, cuts everything else off, and closes. Idempotent. */
  close(): Promise<void>;
}

/**
 * Resolves once it listens. Wire: `POST <any path>/<key>` with a JSON body → 200 `{"received":true}`; `GET /healthz` → 200 `{status, instance}`; `GET /readyz` → 200 `{status}`, or 503 while deliveries cannot be
 * kept; every refusal, with its status: refusals.ts.
 * @throws SluiceError `usage` if the address cannot be taken
 */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { host, port } = options;
  const deliveries = groupWrites(nextTurn, options.keep);
  let closed: Promise<void> | undefined;
  const app = createApp(options, deliveries, () => closed !== undefined);
  try {
    // Among many strangers a delivery waits in this queue: a full queue costs it seconds.
    await app.listen({ host, port, backlog: BACKLOG_MAX });
  } catch (cause) {
    const what = 'The listener cannot listen';
    throw listenProblem({ host, port }, cause, { what, flag: 'listen' });
  }
  // The address of a listening TCP server is never a string.
  const taken = (app.server.address() as AddressInfo).port;
  return {
    url: `http://${hostAndPort({ host, port: taken })}`,
    port: taken,
    close: () => (closed ??= shut(app, app.server, deliveries)),
  };
}

function createApp(
  options: ListenerOptions,
  deliveries: GroupedWrites<Arrival>,
  isDraining: () => boolean,
): FastifyInstance {
  const { instance, keyring, now, onRefused = () => undefined, patienceMs = 10_000 } = options;
  const { bodyBytesMax = 8 * 2 ** 20, waitingBytesMax = 64 * 2 ** 20 } = options;
  const app = Fastify({
    logger: false,
    bodyLimit: bodyBytesMax,
    requestTimeout: patienceMs,
    connectionTimeout: STILL_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: { headersTimeout: patienceMs, connectionsCheckingInterval: Math.ceil(patienceMs / 10) },
    // An address that cannot be decoded belongs to no hook.
    frameworkErrors: (_error, request, reply) => refuse(request, reply, REFUSALS.unknownAddress),
  });
  app.server.maxConnections = CONNECTIONS_MAX;
  app.decorateRequest(KEY, null);
  app.decorate(ON_REFUSED, onRefused);
  app.addHook('onRequest', createGate(keyring, isDraining));
  const canKeep = createReadiness(options.checkKeeping, now);
  // The gate lets no other GET through than the two questions about the listener's state.
  app.get('*', async (request, reply) => {
    if (!isReadiness(request.raw)) return { status: 'ok', instance };
    if (await canKeep()) return { status: 'ready' };
    refuse(request, reply, REFUSALS.notReady);
    return reply;
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const takeRoom = createRoom(waitingBytesMax);
  const receive = createReceiver({
    readBody: options.readBody,
    bytesMax: bodyBytesMax,
    takeRoom,
    proof: createProof(options.proof),
    ourEvent: options.ourEvent ?? ((same) => same),
    now,
    deliveries,
  });
  const onRequest = createRoomGate(takeRoom, bodyBytesMax);
  app.post('*', { onRequest, preParsing: boundPieces }, receive);
  app.setNotFoundHandler((request, reply) => refuse(request, reply, REFUSALS.unknownAddress));
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    refuse(request, reply, refusalOf(error)),
  );
  return app;
}

async function shut(
  app: FastifyInstance,
  server: Server,
  deliveries: GroupedWrites<Arrival>,
): Promise<void> {
  // The listener still listens, so that a request is answered 503 and not cut off; no new request is taken, so this
  // ends.
  await deliveries.idle();
  const ended = once(server, 'close');
  server.close();
  // Requests that still come over open connections are answered 503, so that the platform repeats them.
  const shed = app.close();
  await deliveries.idle();
  // The answers to the stored deliveries are written in this turn.
  await nextTurn();
  // From now on no connection is cut off by itself, however slow: node stops looking once it closes.
  server.closeAllConnections();
  await Promise.all([ended, shed]);
  await deliveries.idle();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Lets callers within a second share one answer; `check` rejects if nothing can be kept. */
export function createReadiness(
  check: () => Promise<void>,
  now: () => number,
): () => Promise<boolean> {
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  const ask = async (): Promise<boolean> => {
    try {
      await check();
      return true;
    } catch {
      return false;
    }
  };
  return () => {
    const at = now();
    // The answer also counts as old if the clock was set back.
    if (asked === undefined || Math.abs(at - asked.at) >= READINESS_MS)
      asked = { at, answer: ask() };
    return asked.answer;
  };
}
