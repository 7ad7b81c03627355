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
  /** The leads that have all wished values. */
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

export type LeadIndex = ReturnType<typeof createLeadIndex>;

/** An index without leads; they are added in the order of their positions. */
export function createLeadIndex() {
  const columns = FACETS.map((facet) => createColumn(VALUES[facet]));
  const places = createNumbers();

  const wishedIn = (wish: FacetWish) =>
    FACETS.map((facet, n) => {
      const value = wish[facet];
      return value === undefined ? null : (columns[n]?.codesWith(value) ?? null);
    });

  /** The facet whose wish a lead fails; -1 for none, -2 for several. */
  const failedBy = (lead: number, wished: ReturnType<typeof wishedIn>): number => {
    let failed = -1;
    for (const [n, codes] of wished.entries()) {
      if (codes === null || codes[columns[n]?.codes.at(lead) ?? 0] === 1) continue;
      if (failed !== -1) return -2;
      failed = n;
    }
    return failed;
  };

  return {
    add(leads: readonly LeadAnswer[]): void {
      for (const lead of leads) {
        places.push(lead.position);
        for (const column of columns) column.add(lead);
      }
    },

    count(wish: FacetWish): ChosenCounts {
      const wished = wishedIn(wish);
      const counts = columns.map(({ sets }) => new Uint32Array(sets.length));
      let leads = 0;
      for (let lead = 0; lead < places.length(); lead += 1) {
        const failed = failedBy(lead, wished);
        if (failed === -2) continue;
        if (failed === -1) leads += 1;
        for (const [n, column] of columns.entries()) {
          if (failed !== -1 && failed !== n) continue;
          const own = counts[n];
          const code = column.codes.at(lead);
          if (own !== undefined) own[code] = (own[code] ?? 0) + 1;
        }
      }
      const facets = FACETS.map((facet, n) => [facet, columns[n]?.sum(counts[n]) ?? []] as const);
      return { leads, facets: Object.fromEntries(facets) as unknown as ChosenCounts['facets'] };
    },

    /** The place of a lead among those with the wished values, from 1; null if it is none of them. */
    placeOf(
      wish: FacetWish,
      position: number,
    ): { readonly at: number; readonly of: number } | null {
      const wished = wishedIn(wish);
      const own = places.countUpTo(position) - 1;
      if (places.at(own) !== position || failedBy(own, wished) !== -1) return null;
      let [at, of] = [0, 0];
      for (let lead = 0; lead < places.length(); lead += 1) {
        if (failedBy(lead, wished) !== -1) continue;
        of += 1;
        if (lead <= own) at += 1;
      }
      return { at, of };
    },

    /** The positions of up to `limit` leads with the wished values, the nearest to the cursor first. */
    positions(wish: FacetWish, { direction, position }: LeadCursor, limit: number): number[] {
      const wished = wishedIn(wish);
      const found: number[] = [];
      const step = direction === 'after' ? 1 : -1;
      const first = places.countUpTo(direction === 'after' ? position : position - 1);
      for (
        let lead = direction === 'after' ? first : first - 1;
        lead >= 0 && lead < places.length() && found.length < limit;
        lead += step
      ) {
        if (failedBy(lead, wished) === -1) found.push(places.at(lead));
      }
      return found;
    },
  };
}

/** A facet of each lead, as the number of the set of its values. */
function createColumn(valuesOf: (lead: LeadAnswer) => readonly (string | undefined)[]) {
  const sets: (readonly string[])[] = [[OTHER]];
  const known = new Map<string, number>();
  const codes = createNumbers();

  const codeOf = (values: readonly string[]): number => {
    const key = values.join('\n');
    const code = known.get(key);
    if (code !== undefined) return code;
    if (sets.length > VALUES_MAX) return 0;
    known.set(key, sets.length);
    return sets.push(values) - 1;
  };

  return {
    sets,
    codes,
    add(lead: LeadAnswer): void {
      const values = valuesOf(lead).filter((value) => value !== undefined);
      codes.push(codeOf([...new Set(values)]));
    },
    /** 1 at each set with the value. */
    codesWith: (value: string) => Uint8Array.from(sets, (set) => Number(set.includes(value))),
    sum(counts: Uint32Array = new Uint32Array()): FacetCount[] {
      const sums = new Map<string, number>();
      for (const [code, set] of sets.entries()) {
        const leads = counts[code] ?? 0;
        for (const value of leads === 0 ? [] : set) sums.set(value, (sums.get(value) ?? 0) + leads);
      }
      const all = Array.from(sums, ([value, leads]) => ({ value, leads }));
      return all.toSorted((a, b) => b.leads - a.leads || (a.value < b.value ? -1 : 1));
    },
  };
}

/** A growing list of whole numbers, of 4 bytes each. */
function createNumbers() {
  let kept = new Uint32Array(1_024);
  let length = 0;
  return {
    length: () => length,
    at: (n: number): number => kept[n] ?? 0,
    push(value: number): void {
      if (length === kept.length) {
        const more = new Uint32Array(length * 2);
        more.set(kept);
        kept = more;
      }
      kept[length] = value;
      length += 1;
    },
    /** The number of values up to `most`, of a list that rises. */
    countUpTo(most: number): number {
      let [low, high] = [0, length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((kept[middle] ?? 0) <= most) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
