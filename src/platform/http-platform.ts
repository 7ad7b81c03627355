// The platform over HTTP: which call each verb is, and in what order things happen around it. How a
// request is sent is in sender.ts, what its answer means in judge-*.ts, what the limit allows in limiter.ts.
import { Pool } from 'undici';
import { ASKS, type EnrichmentRequest, INPUTS, type Inputs } from '../domain/ask.js';
import type { Dialect } from '../domain/dialect.js';
import type { Clock } from '../domain/ports/clock.js';
import type { Permit, Platform, ReadAnswer, SubmitAnswer } from '../domain/ports/platform.js';
import type { Rate } from '../domain/rate.js';
import { parseAddress, pathOf, withQuery } from './address.js';
import type { Asked } from './asked.js';
import type { Answer, Call } from './exchange.js';
import { type Check, isPeopleSchema, judgeCheck } from './judge-check.js';
import { isResult, judgeRead } from './judge-read.js';
import { judgeSubmit, ticketIn } from './judge-submit.js';
import { openLimiter } from './limiter.js';
import { createSender } from './sender.js';

export interface HttpPlatformOptions {
  /** `https://host`, with a path before it where the platform has one. */
  readonly baseUrl: string;
  readonly credentials: { readonly username: string; readonly password: string };
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly limit: Rate;
  /** Requests, and connections, at the same time. */
  readonly concurrency: number;
  /** From the request's start to the end of its answer; default 30 s. */
  readonly timeoutMs?: number;
  readonly userAgent?: string;
  /** Slots of the limit that requests of an earlier process still hold: when each comes free, epoch ms. */
  readonly busyUntilMs?: readonly number[];
}

const CONNECT_TIMEOUT_MS_MAX = 10_000;
/** Waits before the repeats of a check that a passing trouble ended. */
const CHECK_PAUSES_MS = [1_000, 2_000, 4_000];

/**
 * Opens the platform; connects with the first request.
 * @throws SluiceError `usage` for a base address that is none
 */
export function openHttpPlatform(options: HttpPlatformOptions): Platform {
  const { credentials, dialect, clock, limit, concurrency, timeoutMs = 30_000 } = options;
  const address = parseAddress(options.baseUrl, dialect);
  const { busyUntilMs = [] } = options;
  const limiter = openLimiter({ limit, clock, inFlightMax: concurrency, busyUntilMs });
  const dispatcher = openPool(address.origin, concurrency, timeoutMs);
  const send = createSender({ dispatcher, limiter, limit, dialect, clock, timeoutMs });

  const token = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
  const headers = {
    // platform-api.md, Authentication
    authorization: `Basic ${token}`,
    accept: 'application/json',
    'user-agent': options.userAgent ?? 'sluice',
  };
  const call = (method: Call['method'], path: string): Call => ({ method, path, headers });
  const asked = (path: string, persons: readonly string[] = []): Asked => ({
    url: address.origin + path.replace(/\?.*/s, ''),
    dialect,
    hidden: [credentials.password, token, ...persons],
  });
  let closing: Promise<void> | undefined;

  return {
    check,
    reserve: (kind, max, signal) => limiter.reserve(kind, max, signal),
    submit,
    read,
    isScarce: () => limiter.isScarce(),
    takenUntilMs: () => limiter.takenUntilMs(),
    close: () => {
      limiter.close();
      // Requests that are on their way are waited for: each has a time-out, and a paid one an answer.
      closing ??= dispatcher.close();
      return closing;
    },
  };

  async function check(signal?: AbortSignal): Promise<void> {
    for (const pauseMs of [...CHECK_PAUSES_MS, undefined]) {
      const outcome = await checkOnce(signal);
      if (outcome.kind === 'fine') return;
      if (!outcome.isPassing || pauseMs === undefined) throw outcome.problem;
      await clock.sleep(pauseMs, signal);
    }
  }

  async function checkOnce(signal: AbortSignal | undefined): Promise<Check> {
    const path = pathOf(address, dialect.peopleSchema.path);
    const [permit] = await limiter.reserve('poll', 1, signal);
    if (permit === undefined) return judgeCheck({ kind: 'stopped' }, asked(path));
    const options = { kind: 'poll', permit, signal, isSuccess: isPeopleSchema } as const;
    return judgeCheck(await send(call('GET', path), options), asked(path));
  }

  async function submit(
    request: EnrichmentRequest,
    permit: Permit,
    signal?: AbortSignal,
  ): Promise<SubmitAnswer> {
    const path = pathOf(address, dialect.enrich.path);
    const question = asked(path, Object.values(request.inputs));
    const isSuccess = (answer: Answer) => ticketIn(answer, question) !== undefined;
    const options = { kind: 'submit', permit, signal, isSuccess } as const;
    const query = queryOf(request, dialect);
    return judgeSubmit(
      await send(call(dialect.enrich.method, withQuery(path, query)), options),
      question,
    );
  }

  async function read(
    ticket: string,
    permit: Permit,
    signal?: AbortSignal,
    inputs: Inputs = {},
  ): Promise<ReadAnswer> {
    const path = pathOf(address, dialect.result.path, ticket);
    const question = asked(path, Object.values(inputs));
    const isSuccess = (answer: Answer) => isResult(answer, question);
    const options = { kind: 'poll', permit, signal, isSuccess } as const;
    return judgeRead(await send(call(dialect.result.method, path), options), ticket, question);
  }
}

/** The query parameters of POST /enrich: a flag for each ask, then the inputs (design.md, neutral dialect). */
function queryOf(
  { ask, inputs }: EnrichmentRequest,
  { enrich }: Dialect,
): (readonly [string, string])[] {
  const { parameters, flag } = enrich;
  const flags = ASKS.filter((name) => ask.includes(name)).map(
    (name) => [parameters[name], flag] as const,
  );
  const values = INPUTS.flatMap((name) => {
    const value = inputs[name];
    return value === undefined ? [] : [[parameters[name], value] as const];
  });
  return [...flags, ...values];
}

function openPool(origin: string, connections: number, timeoutMs: number): Pool {
  return new Pool(origin, {
    connections,
    // One request at a time on a connection: a broken one then leaves one fate unknown, not several.
    pipelining: 1,
    allowH2: false,
    connectTimeout: Math.min(CONNECT_TIMEOUT_MS_MAX, timeoutMs),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
}
