// Compares two answers for a person. A value that is not known in one of them is told apart from one that is gone:
// nothing is lost because a request failed.
import type { LeadAnswer, LeadStatus } from '../answer.js';
import { ASKS, type Ask, asksOf } from '../ask.js';
import { type CompanyRules, companyOfPerson, isSameBy, type Marks } from '../columns/companies.js';
import { isCurrent, orderPositions } from '../columns/positions.js';
import { foldedText } from '../normalise.js';
import type { JsonValue } from '../text/json.js';

export const COMPARED_FIELDS = ['email', 'phone', 'company', 'title'] as const;
export type ComparedField = (typeof COMPARED_FIELDS)[number];

/** `new`: only in the later answer. `none`: in neither. `not_known`: one of them does not say, or was not asked. */
export const FIELD_OUTCOMES = ['new', 'lost', 'changed', 'same', 'none', 'not_known'] as const;
export type FieldOutcome = (typeof FIELD_OUTCOMES)[number];

export type Change =
  | `${'new' | 'lost' | 'changed'}_${ComparedField}`
  /** The same address has another status. */
  | 'changed_email_status'
  /** Whether the enrichment found anything has changed, and both runs asked for the same. */
  | 'now_found'
  | 'no_longer_found';

const ASKS_OF: Readonly<Record<ComparedField, readonly Ask[]>> = {
  email: asksOf('find_email'),
  phone: asksOf('find_phone'),
  company: asksOf('social_enrichment'),
  title: asksOf('social_enrichment'),
};

interface Value {
  /** The marks of the value; two values are the same by the first mark that both have. */
  readonly marks: Marks;
  readonly shown: string;
}

/** The facts of a lead that are kept, as JSON, until it is compared with that of the other run. */
export interface LeadFacts {
  /** The identity of the person: the cells of the key, or the inputs in the order of `INPUTS`. */
  readonly who: readonly JsonValue[];
  readonly name: string | null;
  readonly file: number;
  readonly line: number;
  readonly status: LeadStatus;
  /** The state that prevents a comparison: the status, or that of the newer request; null if there is an answer. */
  readonly unanswered: LeadStatus | null;
  readonly ask: readonly Ask[];
  readonly ticket: string | null;
  readonly enrichedAt: number | null;
  readonly emailStatus: string | null;
  readonly companyDomain: string | null;
  readonly socialUrl: string | null;
  readonly values: Readonly<Record<ComparedField, Value | null>>;
}

export function factsOf(
  answer: LeadAnswer,
  who: readonly JsonValue[],
  rules: CompanyRules,
): LeadFacts {
  const { askedAgain, ask, enrichedAt, file, inputs, line, result, status, ticket } = answer;
  const isAnswered = (status === 'found' || status === 'not_found') && askedAgain === undefined;
  const profile = result?.social_enrichment;
  const { email, status: emailStatus } = result?.find_email ?? {};
  const company = companyOfPerson(answer, rules);
  const whole = [profile?.firstName ?? inputs.firstName, profile?.lastName ?? inputs.lastName];
  const shown = company?.name ?? company?.domain ?? company?.marks.find((mark) => mark !== null);
  return {
    who,
    name: whole.join(' ').trim() || null,
    file,
    line,
    status,
    unanswered: isAnswered ? null : (askedAgain ?? status),
    ask: ASKS.filter((one) => ask.includes(one)),
    ticket,
    enrichedAt,
    emailStatus: emailStatus ?? null,
    companyDomain: company?.domain ?? null,
    socialUrl: profile?.socialUrl ?? null,
    values: {
      email: valueOf([email]),
      phone: phoneOf(result?.find_phone?.phone),
      company: company && { marks: company.marks, shown: shown ?? '' },
      title: titleOf(answer),
    },
  };
}

export interface Comparison {
  readonly fields: Readonly<Record<ComparedField, FieldOutcome>>;
  readonly changes: readonly Change[];
  /** Whether anything at all is known in both. */
  readonly isKnown: boolean;
  /** Whether both runs show one answer, which was asked for once, so that nothing can differ. */
  readonly isShared: boolean;
}

export function compareFacts(before: LeadFacts, after: LeadFacts): Comparison {
  const areAnswered = before.unanswered === null && after.unanswered === null;
  const outcomes = COMPARED_FIELDS.map((field): [ComparedField, FieldOutcome] => {
    const isKnown = areAnswered && isAsked(before, field) && isAsked(after, field);
    return [field, isKnown ? outcomeOf(before.values[field], after.values[field]) : 'not_known'];
  });
  const fields = Object.fromEntries(outcomes) as Comparison['fields'];
  const asksTheSame = areAnswered && before.ask.join() === after.ask.join();
  const changes = outcomes.flatMap(([field, outcome]): Change[] =>
    outcome === 'new' || outcome === 'lost' || outcome === 'changed' ? [`${outcome}_${field}`] : [],
  );
  if (fields.email === 'same' && isOtherStatus(before.emailStatus, after.emailStatus)) {
    changes.push('changed_email_status');
  }
  if (asksTheSame && before.status !== after.status) {
    changes.push(after.status === 'found' ? 'now_found' : 'no_longer_found');
  }
  const { enrichedAt, ticket } = before;
  return {
    fields,
    changes,
    isKnown: outcomes.some(([, outcome]) => outcome !== 'not_known'),
    isShared:
      areAnswered && ticket !== null && ticket === after.ticket && enrichedAt === after.enrichedAt,
  };
}

function isAsked({ ask }: LeadFacts, field: ComparedField): boolean {
  return ASKS_OF[field].some((one) => ask.includes(one));
}

function outcomeOf(before: Value | null, after: Value | null): FieldOutcome {
  if (before === null) return after === null ? 'none' : 'new';
  if (after === null) return 'lost';
  // Without a mark in common nothing shows that it is another one.
  return isSameBy(before.marks, after.marks) === false ? 'changed' : 'same';
}

function isOtherStatus(before: string | null, after: string | null): boolean {
  return before !== after && before !== null && after !== null;
}

/** A value known by several texts, the best first. */
function valueOf(texts: readonly (string | undefined)[]): Value | null {
  const marks = texts.map((text) => foldedText(text ?? '') || null);
  const best = marks.findIndex((mark) => mark !== null);
  return best === -1 ? null : { marks, shown: texts[best] ?? '' };
}

/** The value of a phone number, without spaces and signs: platforms group the digits in many ways. */
function phoneOf(phone: string | undefined): Value | null {
  const value = valueOf([phone]);
  const digits = phone?.normalize('NFKC').replaceAll(/\D/g, '') ?? '';
  return value === null || digits === '' ? value : { ...value, marks: [digits] };
}

/** The title of the current position; else the occupation, which is often title and company in one. */
function titleOf({ result }: LeadAnswer): Value | null {
  const profile = result?.social_enrichment;
  const [latest] = orderPositions(profile?.positionGroups ?? []);
  const current = latest !== undefined && isCurrent(latest.date) ? latest.position : null;
  return valueOf([current?.title, profile?.occupation]);
}
