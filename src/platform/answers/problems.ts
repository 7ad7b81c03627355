// The sentences for everything that can go wrong with a call. Every message says what failed, where, and what to do;
// none carries a query, a person or a credential.
import { secretVariables } from '../../dialect/auth.js';
import type { Dialect } from '../../dialect/dialect.js';
import { errnoOf, SluiceError } from '../../model/errors.js';
import { parseJson } from '../../model/text/json.js';
import type { Hidden } from '../redact/find-hidden.js';
import { quoteBody, quoteText } from '../redact/quote.js';
import { isPage, reasonIn, reasonOf } from '../redact/reason.js';
import type { Answer, AnswerHead } from '../wire/exchange.js';
import { headerOf } from '../wire/headers.js';
import { ProxyRefusal } from '../wire/proxy.js';
import type { Sent } from '../wire/sender.js';
import type { StatusKind } from './status-kind.js';

/** The question, as far as an error text may know it. */
export interface Asked {
  /** Origin and path, without the query. */
  readonly url: string;
  readonly dialect: Dialect;
  /** The place of the credentials, for a sentence. Default: the variables of the environment. */
  readonly credentialsPlace?: string | undefined;
  readonly hidden: Hidden;
}

const LOCATION_LENGTH_MAX = 120;
const PROXY_ADVICE = 'Check the user name and password in HTTPS_PROXY or HTTP_PROXY.';

export function silenceProblem(sent: Exclude<Sent, Answer>, { url }: Asked): SluiceError {
  if (sent.kind === 'barred') return sent.problem;
  if (sent.kind === 'stopped') {
    return problem(`The request to ${url} was not sent: the run is stopping.`);
  }
  if (sent.kind === 'must_wait') {
    const message = `The request to ${url} was not sent: the platform asked for a pause a moment before. Try again after it.`;
    return problem(message);
  }
  if (sent.kind === 'throttled') {
    const { status, attempts } = sent;
    const often = attempts === 1 ? '' : ` on attempt ${attempts} as well`;
    const message = `The platform at ${url} throttled the request (${status})${often}. Run again later, or lower the rate.`;
    return problem(message);
  }
  const { kind, cause } = sent;
  const what = describeFailure(cause);
  const message =
    kind === 'unsent'
      ? `The platform at ${url} could not be reached: ${what}. ${adviceFor(cause)}`
      : `The platform at ${url} did not answer: ${what}.`;
  return problem(message, cause);
}

export function answerProblem(
  kind: Exclude<StatusKind, 'ok'>,
  asked: Asked,
  answer: Answer,
): SluiceError {
  return problem(messageOf(kind, asked, answer));
}

function messageOf(kind: Exclude<StatusKind, 'ok'>, asked: Asked, answer: Answer): string {
  const { url } = asked;
  const what = said(asked, answer);
  switch (kind) {
    case 'credentials':
      if (answer.status === 407) {
        return `A proxy on the way to ${url} refused its credentials (${what}). ${PROXY_ADVICE}`;
      }
      if (answer.status === 403 && isPage(answer.text)) {
        return `Something before the platform at ${url}, such as a proxy, a firewall or a check for bots, refused the request with a page (${what}). Ask whoever runs it to let this machine through; the credentials were not looked at.`;
      }
      return `The platform at ${url} refused ${answer.status === 403 ? 'the credentials, or the account may not make this call' : 'the credentials'} (${what}). Check ${asked.credentialsPlace ?? secretVariables(asked.dialect.auth)}.`;
    case 'out_of_credits':
      return `The platform's account is out of credits (${what}). Add credits and run again.`;
    case 'missing':
    case 'misplaced':
      return `The platform does not offer ${url} (${what}). Check the base address and the dialect's paths and methods.`;
    case 'redirect':
      // Only a 303 to the same origin is followed, because the credentials go along.
      return `The platform at ${url} redirects to ${redirectTarget(asked, answer)} (${answer.status}), and redirects are not followed. If that is the right place, give its address.`;
    case 'refused':
    case 'broken':
      return `The platform at ${url} answered with an error: ${what}.`;
  }
}

/** The target of a 3xx, without its query. */
function redirectTarget({ hidden }: Asked, { headers }: AnswerHead): string {
  const [target = ''] = (headerOf(headers, 'location') ?? '').split(/[?#]/);
  return target === '' ? 'nowhere' : quoteText(target, hidden, LOCATION_LENGTH_MAX);
}

export function unreadableProblem(asked: Asked, answer: Answer, lack: string): SluiceError {
  const message = `The platform at ${asked.url} answered ${unreadable(asked, answer, lack)}. Check the base address and the dialect.`;
  return problem(message, answer.flaw);
}

/** `200 without an enrichment id: "<!DOCTYPE html>…"`, or the reason that it gives. */
export function unreadable({ dialect, hidden }: Asked, answer: Answer, lack: string): string {
  const { flaw, status, text } = answer;
  const reason = reasonIn(parseJson(text), dialect.errors.reason, hidden);
  const quote = flaw !== undefined && text === '' ? [] : [reason ?? quoteBody(text, hidden)];
  const says = [...quote, ...(flaw === undefined ? [] : [describeFailure(flaw)])];
  return `${status} ${lack}: ${says.join(', ')}`;
}

/** `503`, or `503: too many workers`; without a full stop, because the sentence goes on. */
export function said({ dialect, hidden }: Asked, { status, text }: Answer): string {
  const reason = reasonOf(text, dialect, hidden)?.replace(/\.+$/, '') ?? '';
  return reason === '' ? String(status) : `${status}: ${reason}`;
}

export function problem(message: string, cause?: Error): SluiceError {
  return new SluiceError('platform', message, {}, cause === undefined ? {} : { cause });
}

const FAILURES: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ENOTFOUND', 'the host name is unknown'],
  ['EAI_AGAIN', 'the host name could not be looked up'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['ENETUNREACH', 'the network cannot be reached'],
  ['ETIMEDOUT', 'the connection timed out'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the connection timed out'],
  ['UND_ERR_HEADERS_TIMEOUT', 'no answer came in time'],
  ['UND_ERR_BODY_TIMEOUT', 'the answer stopped half-way'],
  ['UND_ERR_SOCKET', 'the connection broke off'],
  ['ECONNRESET', 'the connection broke off'],
  ['EPIPE', 'the connection broke off'],
  ['UND_ERR_HEADERS_OVERFLOW', 'the headers of the answer are too long'],
  ['UND_ERR_CLOSED', 'the connection was already closed'],
  ['UND_ERR_DESTROYED', 'the connection was already closed'],
]);

/** The certificate's issuer is not known. */
const ISSUER =
  /^(CERT_UNTRUSTED|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF))/;
const TLS = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH)/;

/** The code of a connection's failure; if several addresses were tried, that of the first attempt. */
function failureCode(error: Error): string {
  const code = errnoOf(error);
  if (code !== undefined) return code;
  const [first]: unknown[] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? failureCode(first) : '';
}

function adviceFor(cause: Error): string {
  if (cause instanceof ProxyRefusal) return PROXY_ADVICE;
  return ISSUER.test(failureCode(cause))
    ? "Node trusts no one who has signed the certificate. If it is your company's own, set NODE_EXTRA_CA_CERTS to the file of its authority."
    : 'Check the address and the network.';
}

/** A clause such as `the connection was refused (ECONNREFUSED)`. Our own errors are clauses already. */
export function describeFailure(error: Error): string {
  const code = failureCode(error);
  if (code === '') return error.message;
  // undici's word for an interim answer that no request has asked for.
  if (error.message === 'bad response')
    return `"100 Continue" came, which was not asked for: let the platform, or the proxy before it, leave it out (${code})`;
  if (TLS.test(code)) return `no secure connection could be made (${code})`;
  return `${FAILURES.get(code) ?? 'the connection failed'} (${code})`;
}
