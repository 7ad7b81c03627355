// The experience with an account's answers: which values the dialect has read, which it could not read, and what second
// looks at empty answers have shown. While the dialect has read no value for an ask, an answer with values that it
// cannot read is not a miss.
import type { Ask, EnrichmentRequest } from '../../model/ask.js';
import type { SluiceError } from '../../model/errors.js';
import { hitsOf } from '../../model/verdict.js';
import type { Odd, ReadAnswer } from '../../ports/platform.js';
import type { Trusts } from '../../ports/store/accounts.js';
import type { LookKind } from '../../ports/store/enrichments.js';
import type { Store } from '../../ports/store/store.js';

/** Paths of unread values that are remembered, to be reported at the end of a run. */
const PATHS_MAX = 100;
/** The number of second looks in a row without a value after which first looks of their kind are believed. */
const CONFIRMED_ENOUGH = 50;

/**
 * Whether the dialect says that an empty answer is read twice, or once; null if that has to be shown
 * (empty-answers.ts).
 */
export type SecondLookRule = 'always' | 'never' | null;

const NO_TRUSTS: Trusts = {
  early: { id: 0, confirmed: 0 },
  late: { id: 0, confirmed: 0 },
};

/**
 * If first looks are believed, one in 20 gets a second look all the same, to show whether the belief still holds.
 */
const SAMPLED_EVERY = 20;

/** Whether an empty first look at this enrichment gets a second one, whatever has been shown. */
export function isSampled(id: number): boolean {
  return id % SAMPLED_EVERY === 0;
}

export class Readings {
  /** The last answer that could not be read; undefined if all could. */
  problem: SluiceError | undefined;
  /** How often each path held a value that no path of the dialect reads, in answers that count. */
  readonly passedOver = new Map<string, number>();
  /** The number of misses among the answers that count without the dialect's place for results. */
  placeless = 0;
  /** The number of empty answers that counted after the only possible look. */
  onlyLooks = 0;
  readonly #known: Set<string>;
  #unsaved: string[] = [];

  /** `dialect` is a digest of how it reads answers. */
  constructor(
    readonly dialect: string,
    known: Iterable<string> = [],
    /** The results of second looks, as far as this process knows them. */
    public trusts: Trusts = NO_TRUSTS,
    readonly secondLook: SecondLookRule = null,
  ) {
    this.#known = new Set(known);
  }

  /** How many second looks must still be without a value before a first look of the kind is believed. */
  lacksLooks(kind: LookKind): number {
    return Math.max(0, CONFIRMED_ENOUGH - this.trusts[kind].confirmed);
  }

  /**
   * The number of asks for which this dialect has read a value, here or in an earlier run. A miss may be a value that
   * it overlooks.
   */
  get size(): number {
    return this.#known.size;
  }

  /** Whether an answer holds unread values that may be what was asked for. */
  isUnread({ ask, inputs }: EnrichmentRequest, answer: ReadAnswer): boolean {
    if (answer.kind !== 'done' || answer.odd === undefined) return false;
    const hits = hitsOf({ ask, inputs }, answer.result);
    return ask.some((one) => !hits.includes(one) && !this.#known.has(one));
  }

  /** Notes that an answer that counts was read. */
  note(hits: readonly Ask[], odd: Odd | undefined): void {
    for (const one of hits) {
      if (this.#known.has(one)) continue;
      this.#known.add(one);
      this.#unsaved.push(one);
    }
    if (odd?.lack === 'missing' && hits.length === 0) this.placeless += 1;
    for (const path of odd?.unread ?? []) {
      if (this.passedOver.size >= PATHS_MAX && !this.passedOver.has(path)) continue;
      this.passedOver.set(path, (this.passedOver.get(path) ?? 0) + 1);
    }
  }

  /** The asks that were first read since the last call. */
  takeUnsaved(): readonly string[] {
    const unsaved = this.#unsaved;
    this.#unsaved = [];
    return unsaved;
  }
}

export async function openReadings(
  store: Store,
  account: string,
  dialect: string,
  secondLook: SecondLookRule = null,
): Promise<Readings> {
  const [known, trusts] = await Promise.all([
    store.readings(account, dialect),
    store.trusts(account, dialect),
  ]);
  return new Readings(dialect, known, trusts, secondLook);
}
