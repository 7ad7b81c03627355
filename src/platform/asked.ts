// What was asked of the platform, as far as an error text may know it, and the problems that can come of it.
// Every message says what failed, where, and what to do; none carries a query, a person or a credential.
import type { Dialect } from '../dialect/dialect.js';
import { type ErrorFacts, SluiceError } from '../model/errors.js';
import { headerOf } from './limit/rate-headers.js';
import type { Hidden } from './redact/find-hidden.js';
import { quoteBody, quoteText } from './redact/quote.js';
import { reasonOf } from './redact/reason.js';
import { type Answer, type AnswerHead } from './wire/exchange.js';
import { describeFailure, failureCode } from './wire/failure-words.js';
import type { Sent } from './wire/sender.js';

/** One question: where it goes, and what its answer must not make us repeat. */
export interface Asked {
  /** Origin and path, without the query. */
  readonly url: string;
  readonly dialect: Dialect;
  readonly hidden: Hidden;
}

const LOCATION_LENGTH_MAX = 120;

/** Why there is no answer at all. */
export function silenceProblem(sent: Exclude<Sent, Answer>, { url }: Asked): SluiceError {
  if (sent.kind === 'stopped') {
    return problem(`The request to ${url} was not sent: the run is stopping.`, { url });
  }
  if (sent.kind === 'held') {
    const message = `The request to ${url} was not sent: the platform asked for a pause a moment before. Try again after it.`;
    return problem(message, { url });
  }
  if (sent.kind === 'throttled') {
    const { status, attempts } = sent;
    const often = attempts === 1 ? '' : ` on attempt ${attempts} as well`;
    const message = `The platform at ${url} throttled the request (${status})${often}. Run again later, or lower the rate.`;
    return problem(message, { url, status, attempts });
  }
  const { kind, cause } = sent;
  const what = describeFailure(cause);
  const message =
    kind === 'unsent'
      ? `The platform at ${url} could not be reached: ${what}. Check the address and the network.`
      : `The platform at ${url} did not answer: ${what}.`;
  return problem(message, { url, code: failureCode(cause) }, cause);
}

/** 401 and 403. */
export function credentialsProblem(asked: Asked, answer: Answer): SluiceError {
  const message = `The platform at ${asked.url} refused the credentials (${said(asked, answer)}). Check SLUICE_USERNAME and SLUICE_PASSWORD.`;
  return problem(message, { url: asked.url, status: answer.status });
}

/** 402, or what the dialect calls out of credits. */
export function creditsProblem(asked: Asked, answer: Answer): SluiceError {
  const message = `The platform's account is out of credits (${said(asked, answer)}). Add credits and run again.`;
  return problem(message, { url: asked.url, status: answer.status });
}

/** 404, 405 and 410 to a call that must exist. */
export function misplacedProblem(asked: Asked, answer: Answer): SluiceError {
  const message = `The platform does not offer ${asked.url} (${said(asked, answer)}). Check the base address and the dialect's paths and methods.`;
  return problem(message, { url: asked.url, status: answer.status });
}

/** 3xx: never followed, because the credentials would go along. */
export function redirectProblem(asked: Asked, head: AnswerHead): SluiceError {
  const { url } = asked;
  const { status } = head;
  const message = `The platform at ${url} redirects to ${redirectTarget(asked, head)} (${status}), and redirects are not followed. If that is the right place, give its address.`;
  return problem(message, { url, status });
}

/** Where a 3xx leads, without its query. */
export function redirectTarget({ hidden }: Asked, { headers }: AnswerHead): string {
  const [target = ''] = (headerOf(headers, 'location') ?? '').split(/[?#]/);
  return target === '' ? 'nowhere' : quoteText(target, hidden, LOCATION_LENGTH_MAX);
}

/** Any other answer that is an error. */
export function errorProblem(asked: Asked, answer: Answer): SluiceError {
  const message = `The platform at ${asked.url} answered with an error: ${said(asked, answer)}.`;
  return problem(message, { url: asked.url, status: answer.status });
}

/** A success whose body is not what was expected; `lack` says what it should have been. */
export function unreadableProblem(asked: Asked, answer: Answer, lack: string): SluiceError {
  const message = `The platform at ${asked.url} answered ${unreadable(asked, answer, lack)}. Check the base address and the dialect.`;
  return problem(message, { url: asked.url, status: answer.status }, answer.flaw);
}

/** `200 without an enrichment id: "<!DOCTYPE html>…"`. */
export function unreadable(asked: Asked, answer: Answer, lack: string): string {
  const flaw = answer.flaw === undefined ? '' : `, ${describeFailure(answer.flaw)}`;
  return `${answer.status} ${lack}: ${quoteBody(answer.text, asked.hidden)}${flaw}`;
}

/** `503`, or `503: too many workers` where the platform gives a reason; without a full stop, for a sentence goes on. */
export function said({ dialect, hidden }: Asked, { status, text }: Answer): string {
  const reason = reasonOf(text, dialect, hidden)?.replace(/\.+$/, '') ?? '';
  return reason === '' ? String(status) : `${status}: ${reason}`;
}

export function problem(message: string, facts: ErrorFacts, cause?: Error): SluiceError {
  return new SluiceError('platform', message, facts, cause === undefined ? {} : { cause });
}
