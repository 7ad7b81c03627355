// The wire to one platform: one pool of connections, one limiter and one set of headers for all calls. The calls have a
// file each in ../calls; http-platform.ts lists them.
import { rootCertificates } from 'node:tls';
import { type buildConnector, Pool } from 'undici';
import type { Dialect } from '../../dialect/dialect.js';
import { SluiceError } from '../../model/errors.js';
import { QUARTER_MS } from '../../model/schedule/caps.js';
import { isLongWindow, type LimitState } from '../../model/schedule/limit.js';
import type { ToldPause } from '../../model/schedule/limit-words.js';
import {
  formatWindow,
  parseTimeout,
  type Rate,
  type RateLimit,
} from '../../model/schedule/rate.js';
import type { Route } from '../../model/telemetry/event-fields.js';
import { type RunEvent, UNWATCHED, type Watch } from '../../model/telemetry/observe.js';
import { formatTime } from '../../model/text/format-time.js';
import type { Clock } from '../../ports/clock.js';
import type { Asked } from '../answers/problems.js';
import { type Limiter, openLimiter } from '../limit/limiter.js';
import type { Holding, SharedLimit } from '../limit/rights.js';
import type { Hidden } from '../redact/find-hidden.js';
import { credentialForms, secretForms } from '../redact/secret-forms.js';
import { type Carrying, carriedBy } from './carry.js';
import { type Credentials, credentialHeader } from './credentials.js';
import {
  type Answer,
  type Call,
  type Carry,
  exchange,
  type StartTimer,
  startSystemTimer,
} from './exchange.js';
import { proxyAddress, proxyHeaders, tunnelThrough } from './proxy.js';
import { type PathValues, parseAddress, pathOf } from './request.js';
import { createSender, type RoutedCall, type Send, type Sent } from './sender.js';

export type StatedCertificates = string | readonly string[];

export interface HttpPlatformOptions {
  /** `https://host`, with a path after it if the platform has one. */
  readonly baseUrl: string;
  /** Credentials of the kind that the dialect's `auth` asks for. */
  readonly credentials: Credentials;
  /** The place of the credentials, for a sentence. Default: the variables of the environment. */
  readonly credentialsPlace?: string | undefined;
  readonly dialect: Dialect;
  readonly clock: Clock;
  /** The proxy on the way; its address may hold a user name and a password. Default: none. */
  readonly proxy?: URL | undefined;
  readonly limit: Rate;
  /** The number of requests, and of connections, at the same time. */
  readonly concurrency: number;
  /** The time from a request's start to the end of its answer; the dialect's by default. */
  readonly timeoutMs?: number | undefined;
  /** Measures the time of an answer; the system's timer by default. */
  readonly startTimer?: StartTimer;
  /** The part of the limit that earlier requests hold, if it is not shared. */
  readonly before?: LimitState;
  /** The place where the limit is kept if other processes send at the same time. */
  readonly shared?: SharedLimit | undefined;
  readonly watch?: Watch;
  /** Carries each request: to record it, or to answer in the platform's place. */
  readonly carrying?: Carrying | undefined;
  /** Certificates in PEM that may have signed the platform's, beside those that Node knows. */
  readonly ca?: StatedCertificates | undefined;
}

export interface Wire {
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly limiter: Limiter;
  /** The path of a dialect's call as it is on the request line, without a query of ours. */
  pathOf(path: string, values?: PathValues): string;
  /** A call with its credentials; `body` is sent as JSON. */
  call(route: Route, method: Call['method'], path: string, body?: unknown): RoutedCall;
  /** The part of a call to `path` that an error text may know; it never repeats hidden values, nor the credentials. */
  asked(path: string, hidden?: Hidden): Asked;
  readonly send: Send;
  /** Sends a free request as a poll, with a permit of its own. */
  sendFree(
    call: RoutedCall,
    isSuccess: (answer: Answer) => boolean,
    signal?: AbortSignal,
  ): Promise<Sent>;
  /** Idempotent. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Of an answer. Cookies and policies of proxies may take more than the 16 KB that Node takes. */
const HEAD_BYTES_MAX = 64 * 1_024;

/**
 * Connects with the first request.
 * @throws SluiceError `usage` for a wrong base address, and for credentials of another kind than the dialect's
 */
export function openWire(options: HttpPlatformOptions): Wire {
  const { credentials, dialect, clock, proxy, limit, concurrency } = options;
  const timeoutMs: number = options.timeoutMs ?? (parseTimeout(dialect.limits.timeout) as number);
  const address = parseAddress(options.baseUrl, dialect);
  const { startTimer = startSystemTimer, watch = UNWATCHED } = options;
  const limiter = openLimiter({
    limit,
    clock,
    inFlightMax: concurrency,
    before: options.before,
    shared: options.shared,
    ...(watch.observesRequests ? { observe: watch.observe } : {}),
    onHold: (holding) => watch.observe(tellWait(holding, dialect, clock.now())),
    tooLong: (holding) => refuseDay(holding, clock.now()),
  });
  const ca = options.ca === undefined ? undefined : [...rootCertificates, options.ca].flat();
  const way = wayTo(address.origin, proxy, ca);
  const dispatcher = openPool(way, concurrency, timeoutMs);
  const { carrying } = options;
  const overHttp: Carry = (call, how) => exchange(dispatcher, way.write(call), how);
  const send = createSender({
    origin: address.origin,
    carry: carrying === undefined ? overHttp : carriedBy(carrying, address.origin, overHttp),
    limiter,
    limit,
    dialect,
    clock,
    timeoutMs,
    startTimer,
    watch,
  });

  const secrets = [
    ...credentialForms(credentials),
    ...(proxy === undefined ? [] : secretForms(decodeURIComponent(proxy.password))),
    ...(proxy === undefined ? [] : Object.values(proxyHeaders(proxy)).flatMap(secretForms)),
  ];
  const headers = {
    accept: 'application/json',
    'user-agent': 'sluice',
    ...dialect.headers,
    ...credentialHeader(dialect.auth, credentials),
  };
  let closing: Promise<void> | undefined;

  return {
    dialect,
    clock,
    limiter,
    pathOf: (path, values) => pathOf(address, path, values),
    call: (route, method, path, body) => {
      if (body === undefined) return { route, method, path, headers };
      const typed = { ...headers, 'content-type': 'application/json' };
      return { route, method, path, headers: typed, body: JSON.stringify(body) };
    },
    asked: (path, hidden = []) => ({
      url: address.origin + path.replace(/\?.*/s, ''),
      dialect,
      credentialsPlace: options.credentialsPlace,
      hidden: [...secrets, ...hidden],
    }),
    send,
    sendFree: async (call, isSuccess, signal) => {
      const [permit] = await limiter.reserve('poll', 1, signal);
      if (permit === undefined) return { kind: 'stopped' };
      return send(call, { kind: 'poll', permit, signal, isSuccess });
    },
    close: () => {
      limiter.close();
      // Requests on their way are waited for: each has a time-out, and a paid request has an answer worth waiting for.
      closing ??= dispatcher.close().then(() => limiter.leave());
      return closing;
    },
  };
}

/** A wait that is longer is told by a quiet command as well. */
const QUIET_MS_MAX = 600_000;

function tellWait(
  { pause, untilMs, window }: Holding,
  { limits }: Dialect,
  nowMs: number,
): RunEvent {
  const until = `${formatTime(untilMs)} (UTC)`;
  const kept = window === null ? '' : tellWindow(window, untilMs);
  return {
    kind: 'run.warned',
    warning: untilMs - nowMs > QUIET_MS_MAX ? 'waits_long' : 'waits',
    message: pause === null ? kept : tellPause(pause, until, limits),
  };
}

function tellWindow(window: RateLimit, untilMs: number): string {
  return `The rate limit of ${formatWindow(window)} is used up: the next request goes at ${formatTime(untilMs)} (UTC).`;
}

/** A long window is not waited for, but for less than the quarter of an hour by which it counts. */
function refuseDay({ pause, untilMs, window }: Holding, nowMs: number): SluiceError | undefined {
  if (pause !== null || window === null || !isLongWindow(window)) return undefined;
  if (untilMs - nowMs <= QUARTER_MS) return undefined;
  const message = `${tellWindow(window, untilMs)} Run again then; it continues.`;
  return new SluiceError('cap', message, { of: 'rate', until: untilMs });
}

function tellPause(
  { by, tryInMs }: ToldPause,
  until: string,
  { headers }: Dialect['limits'],
): string {
  const ends =
    tryInMs === null
      ? ''
      : ' One request a minute asks again, and all go on once it is answered otherwise.';
  const wrong = by.startsWith(`${headers.reset}:`)
    ? ' If the wait is wrong, see "limits.reset" in the dialect.'
    : '';
  return `The platform asks to wait until ${until}, by "${by}".${ends}${wrong}`;
}

/** The target of connections, and the form of a request that goes there. */
interface Way {
  readonly to: string;
  readonly connect?: buildConnector.connector | { readonly ca: string[] };
  readonly write: (call: Call) => Call;
}

function wayTo(origin: string, proxy: URL | undefined, ca: string[] | undefined): Way {
  if (proxy === undefined) return { to: origin, ...(ca && { connect: { ca } }), write: asItIs };
  if (origin.startsWith('https:')) {
    return { to: origin, connect: tunnelThrough(proxy, CONNECT_TIMEOUT_MS, ca), write: asItIs };
  }
  const headers = { host: new URL(origin).host, ...proxyHeaders(proxy) };
  const whole = (call: Call): Call => ({
    ...call,
    path: origin + call.path,
    headers: { ...call.headers, ...headers },
  });
  return { to: proxyAddress(proxy), write: whole };
}

function asItIs(call: Call): Call {
  return call;
}

function openPool({ to, connect }: Way, connections: number, timeoutMs: number): Pool {
  return new Pool(to, {
    ...(connect === undefined ? {} : { connect }),
    connections,
    // One request at a time on a connection: after a broken connection one request may have arrived, not several.
    pipelining: 1,
    allowH2: false,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxHeaderSize: HEAD_BYTES_MAX,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
}
