// The values by which the leads of a run are chosen, read once and kept in memory: how many leads have each, and which.
// About 20 MB for a million leads.
import { reasonAgain } from '../../app/report/read-rows.js';
import type { LeadAnswer } from '../../model/answer.js';
import type { LeadCursor } from '../../ports/store/runs.js';

export const FACETS = ['outcome', 'reason', 'email', 'step'] as const;
export type Facet = (typeof FACETS)[number];

/** A value of each facet that leads must have; any for one that is absent. */
export type FacetWish = Readonly<Partial<Record<Facet, string | undefined>>>;

export interface FacetCount {
  readonly value: string;
  readonly leads: number;
}

export interface ChosenCounts {
  readonly leads: number;
  /** By each value of a facet, the leads that have it and the wished values of the other facets; most first. */
  readonly facets: Readonly<Record<Facet, readonly FacetCount[]>>;
}

/** The values of a facet that are told apart, in order of appearance; all others are `OTHER`. */
const VALUES_MAX = 1_000;
export const OTHER = 'another';

const VALUES: Readonly<Record<Facet, (lead: LeadAnswer) => readonly (string | undefined)[]>> = {
  outcome: ({ askedAgain, status }) => [status, askedAgain],
  reason: ({ askedAgain, reason }) => [
    reason === null || askedAgain === undefined
      ? (reason ?? undefined)
      : reasonAgain(askedAgain, reason),
  ],
  email: ({ result }) => [result?.find_email?.status],
  step: ({ provenance: { email, phone, profile } = { tried: [] } }) => [
    email?.step,
    phone?.step,
    profile?.step,
  ],
};

/** Whether a lead has the wished values. */
export function hasFacets(lead: LeadAnswer, wish: FacetWish): boolean {
  return FACETS.every((facet) => {
    const value = wish[facet];
    return value === undefined || VALUES[facet](lead).includes(value);
  });
}

/** The leads that have the same values of every facet: there are few kinds, however many leads there are. */
interface Kind {
  readonly values: Readonly<Record<Facet, readonly string[]>>;
  leads: number;
}

export type LeadIndex = ReturnType<typeof createLeadIndex>;

/** An index without leads; they are added in the order of their positions. */
export function createLeadIndex() {
  const kinds: Kind[] = [];
  const known = new Map<string, number>();
  const told = new Map(FACETS.map((facet) => [facet, new Set<string>()]));
  const positions: number[] = [];
  const kindOf: number[] = [];

  const valuesIn = (facet: Facet, lead: LeadAnswer): readonly string[] => {
    const seen = told.get(facet) ?? new Set();
    const values = VALUES[facet](lead).filter((value) => value !== undefined);
    return [...new Set(values)].map((value) => {
      if (seen.size < VALUES_MAX) seen.add(value);
      return seen.has(value) ? value : OTHER;
    });
  };

  const addOne = (lead: LeadAnswer): void => {
    const values = FACETS.map((facet) => [facet, valuesIn(facet, lead)] as const);
    const key = JSON.stringify(values);
    const n = known.get(key) ?? kinds.length;
    known.set(key, n);
    kinds[n] ??= { values: Object.fromEntries(values) as unknown as Kind['values'], leads: 0 };
    kinds[n].leads += 1;
    positions.push(lead.position);
    kindOf.push(n);
  };

  const chosen = (wish: FacetWish): ((place: number) => boolean) => {
    const fits = kinds.map((kind) => FACETS.every((facet) => hasValue(kind, facet, wish)));
    return (place) => fits[kindOf[place] ?? -1] === true;
  };

  return {
    add: (leads: readonly LeadAnswer[]): void => leads.forEach(addOne),

    count(wish: FacetWish): ChosenCounts {
      const facets = FACETS.map((facet) => {
        const others = FACETS.filter((other) => other !== facet);
        const alike = kinds.filter((kind) => others.every((other) => hasValue(kind, other, wish)));
        return [facet, sumUp(alike, facet)] as const;
      });
      const all = kinds.filter((kind) => FACETS.every((facet) => hasValue(kind, facet, wish)));
      return {
        leads: all.reduce((sum, { leads }) => sum + leads, 0),
        facets: Object.fromEntries(facets) as unknown as ChosenCounts['facets'],
      };
    },

    /** The place of a lead among those with the wished values, from 1; null if it is none of them. */
    placeOf(wish: FacetWish, position: number) {
      const isChosen = chosen(wish);
      const all = positions.filter((_, place) => isChosen(place));
      const at = all.indexOf(position);
      return at === -1 ? null : { at: at + 1, of: all.length };
    },

    /** The positions of up to `limit` leads with the wished values, the nearest to the cursor first. */
    positions(wish: FacetWish, { direction, position }: LeadCursor, limit: number): number[] {
      const isChosen = chosen(wish);
      const isUp = direction === 'after';
      const found: number[] = [];
      let place = isUp
        ? positions.findIndex((one) => one > position)
        : positions.findLastIndex((one) => one < position);
      for (; place in positions && found.length < limit; place += isUp ? 1 : -1) {
        if (isChosen(place)) found.push(positions[place] ?? 0);
      }
      return found;
    },
  };
}

function hasValue({ values }: Kind, facet: Facet, wish: FacetWish): boolean {
  const value = wish[facet];
  return value === undefined || values[facet].includes(value);
}

function sumUp(kinds: readonly Kind[], facet: Facet): FacetCount[] {
  const sums = new Map<string, number>();
  for (const { leads, values } of kinds) {
    for (const value of values[facet]) sums.set(value, (sums.get(value) ?? 0) + leads);
  }
  const all = Array.from(sums, ([value, leads]) => ({ value, leads }));
  return all.toSorted((a, b) => b.leads - a.leads || (a.value < b.value ? -1 : 1));
}
