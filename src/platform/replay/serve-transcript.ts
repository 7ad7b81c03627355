// A platform that answers as a transcript says: a request gets the recorded answer to the question that is most like it,
// and a submission its webhook. Credentials are not looked at.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { Dialect } from '../../dialect/dialect.js';
import type {
  Exchange,
  RecordedHeaders,
  RecordedWebhook,
  TranscriptPart,
} from '../../dialect/transcript/recorded.js';
import type { Difference } from '../../model/resources/transcript-check.js';
import { isTargetUrl, listenProblem } from '../../model/text/address.js';
import type { Call } from '../wire/exchange.js';
import { compareQuestion } from './compare-question.js';
import { findCall } from './find-call.js';

const HOST = '127.0.0.1';

export interface TranscriptServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly dialect: Dialect;
  /** 0 takes any free one. */
  readonly port: number;
  /** The headers of a webhook with this body, signed now. */
  readonly sign: (webhook: RecordedWebhook, body: string) => RecordedHeaders;
  /** Called with a line about each request and webhook. */
  readonly onCall: (told: string) => void;
}

/** An exchange and those after it, up to the next submission, with the texts that its client has of its own. */
interface Conversation {
  readonly webhooks: RecordedWebhook[];
  /** Such as keys that come back: the client's text by that of the transcript. */
  readonly own: Map<string, string>;
}

/** @throws SluiceError `usage` for a port that is taken */
export async function serveTranscript(
  parts: readonly TranscriptPart[],
  { dialect, port, sign, onCall }: ServeOptions,
): Promise<TranscriptServer> {
  const nameOf = (exchange: Exchange) => findCall(exchange, dialect)?.name;
  const isSubmission = (exchange: Exchange) => /^(enrich|bulk)$/.test(nameOf(exchange) ?? '');
  const conversations = conversationsIn(parts, isSubmission);
  const exchanges = parts.filter((part) => part.kind === 'exchange');
  const given = new Map<TranscriptPart, number>();
  let hookUrl: string | undefined;

  /** The one that was given least often, the first of several. */
  function next<P extends TranscriptPart>(some: readonly P[]): P | undefined {
    const count = (part: P) => given.get(part) ?? 0;
    const [first] = some.toSorted((one, other) => count(one) - count(other));
    if (first !== undefined) given.set(first, count(first) + 1);
    return first;
  }

  async function deliver({ webhooks, own }: Conversation, url: string): Promise<void> {
    const webhook = next(webhooks);
    if (webhook === undefined) return;
    const body = withOwn(webhook.body, own);
    const headers = { 'content-type': 'application/json', ...sign(webhook, body) };
    const status = await fetch(url, { method: 'POST', headers, body }).then(
      (answer) => answer.status,
      () => 'not delivered',
    );
    onCall(`WEBHOOK: line ${webhook.line}, ${status}`);
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await callOf(request);
    const near = exchanges
      .map((exchange) => ({ exchange, differences: compareQuestion(call, exchange.question) }))
      .filter(({ differences: all }) => !all.some(({ place }) => /^(method|path)$/.test(place)));
    const least = Math.min(...near.map(({ differences }) => differences.length));
    const alike = near.filter(({ differences }) => differences.length === least);
    const exchange = next(alike.map((one) => one.exchange));
    if (exchange === undefined) {
      onCall(`${call.method} ${call.path}: no exchange, 404`);
      response.writeHead(404).end('No exchange of the transcript has this call.');
      return;
    }
    const differences = alike.find((one) => one.exchange === exchange)?.differences ?? [];
    const conversation = conversations.get(exchange) ?? { webhooks: [], own: new Map() };
    for (const { sent, recorded } of differences) {
      if (typeof sent === 'string' && typeof recorded === 'string')
        conversation.own.set(recorded, sent);
    }
    const { status, headers, body } = exchange.answer;
    onCall(`${call.method} ${call.path}: line ${exchange.line}, ${status}`);
    const type = /^[[{]/.test(body) ? 'application/json' : 'text/plain';
    response.writeHead(status, { 'content-type': type, ...headers });
    response.end(withOwn(body, conversation.own), () => {
      const url = callbackIn(differences) ?? hookUrl;
      if (nameOf(exchange) === 'addHook') hookUrl = url;
      const isTaken = isSubmission(exchange) && status < 300;
      if (isTaken && url !== undefined) void deliver(conversation, url);
    });
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const what = 'The transcript cannot be served';
      reject(listenProblem({ host: HOST, port }, cause, { what, flag: 'serve' }));
    });
    server.listen(port, HOST, resolve);
  });
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function conversationsIn(
  parts: readonly TranscriptPart[],
  isSubmission: (exchange: Exchange) => boolean,
): Map<Exchange, Conversation> {
  const all = new Map<Exchange, Conversation>();
  let current: Conversation = { webhooks: [], own: new Map() };
  for (const part of parts) {
    if (part.kind === 'webhook') current.webhooks.push(part);
    else {
      if (isSubmission(part)) current = { webhooks: [], own: new Map() };
      all.set(part, current);
    }
  }
  return all;
}

async function callOf(request: IncomingMessage): Promise<Call> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const { method = '', url: path = '' } = request;
  return { method: method as Call['method'], path, headers, body: await textOf(request) };
}

/** The address for webhooks: where the client sends one, the transcript has another, or none. */
function callbackIn(differences: readonly Difference[]): string | undefined {
  for (const { sent, recorded } of differences) {
    if (isUrl(sent) && (recorded === null || isUrl(recorded))) return sent;
  }
  return undefined;
}

function isUrl(value: unknown): value is string {
  return typeof value === 'string' && isTargetUrl(value);
}

function withOwn(body: string, own: ReadonlyMap<string, string>): string {
  return [...own].reduce(
    (text, [recorded, sent]) => text.replaceAll(JSON.stringify(recorded), JSON.stringify(sent)),
    body,
  );
}
