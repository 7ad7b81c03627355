// The meaning of a recorded answer for our client, in the words of a transcript, and its comparison with the expected
// one.
import type { Dialect } from '../../dialect/dialect.js';
import type {
  Expectation,
  RecordedAnswer,
  RecordedLead,
} from '../../dialect/transcript/recorded.js';
import type { SluiceError } from '../../model/errors.js';
import type { Result } from '../../model/result.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/text/json.js';
import { judgeResult } from '../../model/verdict.js';
import type { ReadAnswer, SubmitAnswer } from '../../ports/platform.js';
import { statusKind } from '../answers/status-kind.js';
import { openTicket } from '../answers/ticket.js';

interface Told {
  readonly kind: Expectation['kind'] | 'done' | 'wrong credentials' | 'unreadable';
  /** The words for what was done, for `done`. */
  readonly text?: string;
  readonly ticket?: string | undefined;
  readonly reason?: string | undefined;
  readonly values?: JsonObject | undefined;
}

export interface Meaning extends Told {
  readonly unread?: readonly string[];
  readonly problem?: SluiceError;
}

export interface Came {
  readonly answer: RecordedAnswer;
  readonly dialect: Dialect;
  readonly isThrottled: boolean;
  readonly lead: RecordedLead | undefined;
}

export function meaningOfSubmit(answer: SubmitAnswer, came: Came): Meaning {
  switch (answer.kind) {
    case 'accepted':
      if (answer.result !== undefined) return meaningOfRead(answer.result, came);
      return { kind: 'accepted', ticket: openTicket(answer.ticket, came.dialect).ticket };
    case 'refused':
      return { kind: 'refused', reason: answer.reason };
    case 'throttled':
      return { kind: 'throttled' };
    case 'uncertain':
      return { kind: 'uncertain', problem: answer.problem };
    case 'unsent':
      return meaningOfError(answer.problem, came);
  }
}

export function meaningOfRead(answer: ReadAnswer, came: Came): Meaning {
  switch (answer.kind) {
    case 'pending':
      return { kind: answer.outOfCredits === undefined ? 'pending' : 'out of credits' };
    case 'unknown':
      return { kind: 'unknown' };
    case 'failed':
      return { kind: 'failed', reason: answer.reason };
    case 'unavailable':
      return meaningOfError(answer.problem, came);
    case 'done': {
      const { result, odd, isMiss = false } = answer;
      const unread = odd?.unread ?? [];
      if (isFound(result, came)) return { kind: 'found', values: valuesOf(result), unread };
      // An answer that cannot be read is not a miss, unless the platform says that it is one.
      if (odd === undefined || isMiss) return { kind: 'not_found', unread };
      return { kind: 'unreadable', problem: odd.problem, unread };
    }
  }
}

function isFound(result: Result, { dialect, lead }: Came): boolean {
  if (lead === undefined) return Object.keys(valuesOf(result)).length > 0;
  return judgeResult(lead, result, dialect.prices).outcome === 'found';
}

export function meaningOfError(
  problem: SluiceError,
  { answer, dialect, isThrottled }: Came,
): Meaning {
  if (isThrottled) return { kind: 'throttled' };
  const { status, headers, body: text } = answer;
  const kind = statusKind({ kind: 'answered', status, headers, text }, dialect);
  if (kind === 'out_of_credits') return { kind: 'out of credits' };
  if (kind === 'credentials') return { kind: 'wrong credentials', problem };
  return { kind: 'unreadable', problem };
}

/** The values of a result by short names, those of the profile among them; of custom asks by the asks. */
function valuesOf({ custom = {}, find_email, find_phone, social_enrichment }: Result): JsonObject {
  const { positionGroups = [], ...profile } = social_enrichment ?? {};
  const groups = positionGroups.length === 0 ? {} : { positionGroups: positionGroups.length };
  const email = { email: find_email?.email, emailStatus: find_email?.status };
  const all = { ...email, phone: find_phone?.phone, ...profile, ...groups, ...custom };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as JsonObject;
}

/** `found {"email": "a@b.example"}`, `failed: no such person`. */
export function describe({ kind, text, ticket, reason, values }: Told): string {
  if (text !== undefined) return text;
  if (values !== undefined) return `${kind} ${JSON.stringify(values)}`;
  if (reason !== undefined) return `${kind}: ${reason}`;
  return ticket === undefined ? kind : `${kind} ${ticket}`;
}

export function mismatch(meaning: Meaning, expected: Expectation): string | undefined {
  const told = `expected ${expectationText(expected)}, read ${describe(meaning)}`;
  if (meaning.kind !== expected.kind) return told;
  return isAsExpected(meaning, expected) ? undefined : told;
}

function isAsExpected({ ticket, values, reason }: Meaning, expected: Expectation): boolean {
  const { kind } = expected;
  if (kind === 'accepted') return expected.ticket === undefined || expected.ticket === ticket;
  if (kind === 'found') return holds(values ?? {}, expected.values ?? {});
  if (kind !== 'failed' && kind !== 'refused') return true;
  return expected.reason === undefined || isReason(reason ?? '', expected.reason);
}

/** Only named values count. */
function holds(values: JsonObject, expected: JsonObject): boolean {
  return Object.entries(expected).every(([key, wanted]) => {
    const value = values[key];
    // A list of texts is read as one text.
    const isJoined = Array.isArray(wanted) && typeof value === 'string';
    return plain(isJoined ? value.split(', ') : value) === plain(wanted);
  });
}

/** The plain form of a value: a number is the same as its text, and the order of a list, or of keys, does not count. */
function plain(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(plain).toSorted().join(', ')}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([key, inner]) => `${key}: ${plain(inner)}`);
    return `{${members.toSorted().join(', ')}}`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** Whether a reason fits: it may have been shortened, and the persons in it are left out. */
function isReason(reason: string, expected: string): boolean {
  return reason.includes(expected) || expected.includes(reason.replace(/[….]+$/, ''));
}

function expectationText(expected: Expectation): string {
  const { kind } = expected;
  if (kind === 'accepted') return describe({ kind, ticket: expected.ticket });
  if (kind === 'found') return describe({ kind, values: expected.values });
  if (kind === 'failed' || kind === 'refused') {
    return describe({ kind, reason: expected.reason });
  }
  return kind;
}
