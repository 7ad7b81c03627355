// One recorded exchange, played over HTTP: what a dialect sends is held against what was recorded, and what it reads in
// the recorded answer against what the transcript expects.
import type { Dialect } from '../../src/dialect/dialect.js';
import type { Exchange, Expectation, RecordedWebhook } from '../../src/dialect/transcript.js';
import type { Result } from '../../src/model/result.js';
import { parseJson } from '../../src/model/text/json.js';
import { createDeliveryDecoder } from '../../src/platform/answers/decode-delivery.js';
import { openTicket, sealBatchTicket } from '../../src/platform/answers/ticket.js';
import type { BulkAnswer, Platform, ReadAnswer, SubmitAnswer } from '../../src/ports/platform.js';
import {
  CREDENTIALS,
  openTestPlatform,
  openTestServer,
  permitOf,
} from '../platform/test-server.js';

/** What was sent, as far as the order of its parts says nothing. */
interface Question {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  /** Those that were recorded; a credential hidden as there. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What an answer says of one enrichment, in the words of a transcript. */
interface Told {
  readonly kind: string;
  readonly ticket?: string | undefined;
  readonly reason?: string | undefined;
  readonly values?: Readonly<Record<string, unknown>>;
}

interface Side {
  readonly question?: Question;
  readonly told: readonly Told[];
}

export interface Played {
  readonly is: Side;
  readonly should: Side;
}

const KEYS = /key-\d+/g;
const CALLBACK = /https:\/\/hooks\.example[^"\s]*/;
const HIDDEN = '…';

export async function playExchange(dialect: Dialect, part: Exchange): Promise<Played> {
  const { answer, expected, question: recorded } = part;
  let headers: Readonly<Record<string, unknown>> = {};
  const server = await openTestServer((request, response) => {
    ({ headers } = request);
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  });
  const credentials = dialect.auth === 'basic' ? CREDENTIALS : { apiKey: 'an invented key' };
  const platform = openTestPlatform(server.url, { credentials, dialect });
  const told = await ask(platform, dialect, part);
  await platform.close();
  await server.close();
  const [method = '', target = ''] = server.asked.at(-1)?.split(' ') ?? [];
  const sent = questionOf(
    { method, target, headers, body: server.bodies.at(-1)?.text ?? '' },
    recorded,
  );
  return {
    is: { question: sent, told: told.map((one, i) => fitTo(one, expected[i])) },
    should: { question: questionOf(recorded, recorded), told: expected.map(expectedOf) },
  };
}

export function readWebhook(dialect: Dialect, { body, expected }: RecordedWebhook): Played {
  const entries = createDeliveryDecoder(dialect)(body);
  const told = entries?.map(({ answer }) => tellRead(answer)) ?? [{ kind: 'other event' }];
  return {
    is: { told: told.map((one, i) => fitTo(one, expected[i])) },
    should: { told: expected.map(expectedOf) },
  };
}

function questionOf(
  {
    method,
    target,
    headers,
    body,
  }: Record<'method' | 'target' | 'body', string> & {
    readonly headers: Readonly<Record<string, unknown>>;
  },
  recorded: Exchange['question'],
): Question {
  const { pathname, searchParams } = new URL(target, 'http://any.example');
  return {
    method,
    path: pathname,
    query: [...searchParams].toSorted(([a], [b]) => a.localeCompare(b)),
    headers: Object.fromEntries(
      Object.entries(recorded.headers).map(([name, value]) => {
        const own = String(headers[name]);
        return [name, value.endsWith(HIDDEN) ? own.replace(/\S+$|an invented key$/, HIDDEN) : own];
      }),
    ),
    body: body === '' ? undefined : parseJson(body),
  };
}

/** Asks what was recorded, and tells of each enrichment in it what the answer says. */
async function ask(platform: Platform, dialect: Dialect, part: Exchange): Promise<Told[]> {
  const { question, leads } = part;
  const text = question.target + question.body;
  const callbackUrl = CALLBACK.exec(decodeURIComponent(question.target) + question.body)?.[0];
  const keys = text.match(KEYS) ?? [];
  const { account, bulk, enrich, prefix } = dialect;
  const isAt = (paths: unknown) =>
    pathsOf(paths).some((path) => isSame(question.target, prefix + path));
  if (account !== null && isAt(account.path)) {
    await platform.check();
    return [];
  }
  const permit = await permitOf(platform);
  const [lead] = leads;
  const isBy = (method: string | undefined) => question.method === method;
  if (lead !== undefined && enrich !== null && isBy(enrich.method) && isAt(enrich.path)) {
    const options = { callbackUrl, key: keys[0] };
    return [tellSubmit(await platform.submit(lead, permit, options), dialect)];
  }
  if (bulk.path !== null && isBy(bulk.method) && isAt(bulk.path)) {
    const items = leads.map((request, i) => ({ request, key: keys[i] ?? `key-${i}` }));
    return tellBulk(await platform.submitMany(items, permit, { callbackUrl }), dialect);
  }
  permit.release();
  return readAll(platform, dialect, part);
}

/** Reads a ticket, or those of all leads in a recorded batch. */
async function readAll(platform: Platform, dialect: Dialect, part: Exchange): Promise<Told[]> {
  const { answer, expected, leads, question } = part;
  const [id, isBatch] = ticketIn(dialect, question);
  if (id === undefined) return [{ kind: `no call of the dialect: ${question.target}` }];
  const named = new Set(answer.body.match(KEYS) ?? ['key-1']);
  const keys = isBatch ? [...named].slice(0, expected.length) : [];
  const tickets = isBatch ? keys.map((key) => sealBatchTicket(id, key)) : [id];
  const told: Told[] = [];
  for (const ticket of tickets) {
    const permit = await permitOf(platform);
    // What was asked says which path is read.
    told.push(tellRead(await platform.read(ticket, permit, undefined, leads[0])));
  }
  return told;
}

/** The platform's ticket in a recorded read, and whether it is one for a whole bulk call. */
function ticketIn(
  { bulk, prefix, result }: Dialect,
  { body, target }: Exchange['question'],
): [string | undefined, boolean] {
  const isShared = bulk.path !== null && bulk.answer.batchTicket.length > 0;
  if (result === null) return [undefined, false];
  const calls = [
    { paths: pathsOf(result.batchPath), isBatch: true },
    { paths: pathsOf(result.path), isBatch: isShared && result.batchPath === null },
  ];
  for (const { paths, isBatch } of calls) {
    for (const path of paths) {
      if (result.id !== null && isSame(target, prefix + path)) {
        const value = (parseJson(body) as Record<string, unknown> | undefined)?.[result.id];
        return [String(value), isBatch];
      }
      const [before = '', after = ''] = (prefix + path).split('{id}');
      if (target.startsWith(before) && target.endsWith(after) && path.includes('{id}')) {
        return [target.slice(before.length, target.length - after.length), isBatch];
      }
    }
  }
  return [undefined, false];
}

/** One path for all asks, or one for each. */
function pathsOf(paths: unknown): string[] {
  if (typeof paths === 'string') return [paths];
  return Object.values(paths ?? {}).filter((path) => typeof path === 'string');
}

function isSame(target: string, path: string): boolean {
  return target.replace(/\?.*/, '') === path.replace(/\?.*/, '');
}

function tellBulk(answer: BulkAnswer, dialect: Dialect): Told[] {
  return answer.kind === 'answered'
    ? answer.items.map((one) => tellSubmit(one, dialect))
    : [tellSubmit(answer, dialect)];
}

function tellSubmit(
  answer: SubmitAnswer | Extract<BulkAnswer, { kind: 'absent' }>,
  dialect: Dialect,
): Told {
  switch (answer.kind) {
    case 'accepted':
      if (answer.result !== undefined) return tellRead(answer.result);
      return { kind: 'accepted', ticket: openTicket(answer.ticket, dialect).ticket };
    case 'refused':
    case 'uncertain':
      return { kind: answer.kind, reason: answer.reason };
    case 'throttled':
      return { kind: 'throttled' };
    case 'absent':
    case 'unsent':
      return tellProblem(answer.problem.message);
  }
}

function tellRead(answer: ReadAnswer): Told {
  switch (answer.kind) {
    case 'failed':
      return { kind: 'failed', reason: answer.reason };
    case 'unavailable':
      return tellProblem(answer.problem.message);
    case 'pending':
      return { kind: answer.outOfCredits === undefined ? 'pending' : 'out of credits' };
    case 'done': {
      const values = valuesOf(answer.result);
      if (Object.keys(values).length > 0) return { kind: 'found', values };
      return answer.odd === undefined
        ? { kind: 'not_found' }
        : { kind: 'odd', reason: answer.odd.problem.message };
    }
    case 'unknown':
      return { kind: 'unknown' };
  }
}

function tellProblem(message: string): Told {
  return message.includes('out of credits')
    ? { kind: 'out of credits' }
    : { kind: 'problem', reason: message };
}

/** E-mail address and phone number: what the transcripts ask for. */
function valuesOf({ find_email, find_phone }: Result): Record<string, unknown> {
  const { email, status } = find_email ?? {};
  return {
    ...(email === undefined ? {} : { email }),
    ...(email === undefined || status === undefined ? {} : { emailStatus: status }),
    ...(find_phone?.phone === undefined ? {} : { phone: find_phone.phone }),
  };
}

/** What was told, as exactly as the transcript says what it expects. */
function fitTo(
  { kind, reason, ticket, values = {} }: Told,
  expected: Expectation | undefined,
): Told {
  if (expected === undefined || kind !== expected.kind) return { kind, reason, ticket, values };
  const { ticket: hasTicket, reason: part, values: named } = expectedOf(expected);
  return {
    kind,
    ...(hasTicket === undefined ? {} : { ticket }),
    ...(part === undefined ? {} : { reason: reason?.includes(part) === true ? part : reason }),
    ...(named === undefined
      ? {}
      : { values: Object.fromEntries(Object.keys(named).map((name) => [name, values[name]])) }),
  };
}

function expectedOf(expected: Expectation): Told {
  const { kind } = expected;
  if (kind === 'accepted')
    return expected.ticket === undefined ? { kind } : { kind, ticket: expected.ticket };
  if (kind === 'found')
    return expected.values === undefined ? { kind } : { kind, values: expected.values };
  if (kind !== 'failed' && kind !== 'refused') return { kind };
  return expected.reason === undefined ? { kind } : { kind, reason: expected.reason };
}
