// The numbers of a comparison of two runs, and the functions that count them.
import type { LeadStatus } from '../answer.js';
import type { Run } from '../run.js';
import {
  type Change,
  COMPARED_FIELDS,
  type ComparedField,
  type Comparison,
  FIELD_OUTCOMES,
  type FieldOutcome,
  type LeadFacts,
} from './compare-answers.js';

export interface CompareFigures {
  readonly before: ComparedRun;
  readonly after: ComparedRun;
  /** The key columns of both inputs; null if leads with the same inputs are the same. */
  readonly key: readonly string[] | null;
  readonly leads: ComparedLeads;
  /** Leads in both, by the outcome of each field; the numbers of a field add up to `leads.both`. */
  readonly fields: Readonly<Record<ComparedField, Readonly<Record<FieldOutcome, number>>>>;
  /** Leads in both with the same address and another status. */
  readonly changedEmailStatus: number;
  /** Leads in both that were asked the same, and for which something is found now, or nothing any more. */
  readonly nowFound: number;
  readonly noLongerFound: number;
  /** Leads in both with one answer, which was asked for once: nothing about them can differ. */
  readonly shared: number;
}

export interface ComparedRun {
  readonly id: number;
  readonly job: string;
  readonly state: Run['state'];
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly leads: number;
  /** Leads that cannot be looked up in the other run: a column of the key is empty, or there are no inputs. */
  readonly withoutKey: number;
  /** Leads of suppressed people, and of forgotten ones; they are not compared. */
  readonly suppressed: number;
  readonly forgotten: number;
  /** Leads with the key of an earlier lead of this run; that one is compared. */
  readonly repeated: number;
  /** Leads in both without an answer in this run, by their states. */
  readonly unanswered: Readonly<Partial<Record<LeadStatus, number>>>;
  /** Leads in both whose answer came after the run had ended: the earlier contents of their rows are not kept. */
  readonly late: number;
}

export interface ComparedLeads {
  /** `changed`, `unchanged` and `notKnown` together. */
  readonly both: number;
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Leads of which nothing is known in both runs. */
  readonly notKnown: number;
}

export type Side = 'before' | 'after';

export type LeadPlace = 'first' | 'repeated' | LeftOut;
/** Why a lead has no key. */
export type LeftOut = 'withoutKey' | 'suppressed' | 'forgotten';

export interface ComparisonCount {
  /** Counts a lead when it is read. */
  addLead(side: Side, place: LeadPlace): void;
  addPair(before: LeadFacts, after: LeadFacts, comparison: Comparison): void;
  addAlone(side: Side): void;
  figures(): CompareFigures;
}

export function countComparison(
  runs: Readonly<Record<Side, Run>>,
  key: readonly string[] | null,
): ComparisonCount {
  const sides = { before: beginSide(runs.before), after: beginSide(runs.after) };
  const leads = { both: 0, onlyBefore: 0, onlyAfter: 0, changed: 0, unchanged: 0, notKnown: 0 };
  const fields = Object.fromEntries(
    COMPARED_FIELDS.map((field) => [field, Object.fromEntries(FIELD_OUTCOMES.map((o) => [o, 0]))]),
  ) as Record<ComparedField, Record<FieldOutcome, number>>;
  const of: Partial<Record<Change, number>> = {};
  let shared = 0;

  const addFacts = (side: Side, { enrichedAt, unanswered }: LeadFacts): void => {
    const counts = sides[side];
    const { endedAt } = runs[side];
    if (unanswered !== null) {
      counts.unanswered[unanswered] = (counts.unanswered[unanswered] ?? 0) + 1;
    } else if (endedAt !== null && enrichedAt !== null && enrichedAt > endedAt) {
      counts.late += 1;
    }
  };

  return {
    addLead: (side, place) => {
      const counts = sides[side];
      counts.leads += 1;
      if (place !== 'first') counts[place] += 1;
    },
    addPair: (before, after, comparison) => {
      leads.both += 1;
      addFacts('before', before);
      addFacts('after', after);
      if (comparison.isShared) shared += 1;
      for (const field of COMPARED_FIELDS) fields[field][comparison.fields[field]] += 1;
      for (const change of comparison.changes) of[change] = (of[change] ?? 0) + 1;
      if (comparison.changes.length > 0) leads.changed += 1;
      else if (comparison.isKnown) leads.unchanged += 1;
      else leads.notKnown += 1;
    },
    addAlone: (side) => {
      leads[side === 'before' ? 'onlyBefore' : 'onlyAfter'] += 1;
    },
    figures: () => ({
      before: sides.before,
      after: sides.after,
      key,
      leads,
      fields,
      changedEmailStatus: of.changed_email_status ?? 0,
      nowFound: of.now_found ?? 0,
      noLongerFound: of.no_longer_found ?? 0,
      shared,
    }),
  };
}

type Counted = { -readonly [Name in keyof ComparedRun]: ComparedRun[Name] } & {
  readonly unanswered: Partial<Record<LeadStatus, number>>;
};

function beginSide({ endedAt, id, job, startedAt, state }: Run): Counted {
  const none = {
    leads: 0,
    withoutKey: 0,
    suppressed: 0,
    forgotten: 0,
    repeated: 0,
    unanswered: {},
    late: 0,
  };
  return { id, job, state, startedAt, endedAt, ...none };
}
