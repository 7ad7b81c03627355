// What is known of the account's answers: which values the dialect has read, what it could not read, and what second looks
// at empty ones have shown. While it has read no value for an ask, an answer with values that it cannot read is no miss.
import type { Ask, EnrichmentRequest } from '../../model/ask.js';
import type { SluiceError } from '../../model/errors.js';
import { hitsOf } from '../../model/verdict.js';
import type { Odd, ReadAnswer } from '../../ports/platform.js';
import type { Trusts } from '../../ports/store/accounts.js';
import type { LookKind } from '../../ports/store/enrichments.js';
import type { Store } from '../../ports/store/store.js';

/** Paths of unread values that are remembered, to be reported at the end of a run. */
const PATHS_MAX = 100;
/** After so many second looks in a row that brought nothing, first looks of their kind are believed. */
const CONFIRMED_ENOUGH = 50;

/** Whether the dialect says that an empty answer is read twice, or once; null: where it has to be shown (empty-answers.ts). */
export type SecondLookRule = 'always' | 'never' | null;

const NO_TRUSTS: Trusts = {
  early: { id: 0, confirmed: 0 },
  late: { id: 0, confirmed: 0 },
};

export class Readings {
  /** What could not be read last; undefined where all was. */
  problem: SluiceError | undefined;
  /** How often each path held a value that the dialect reads nowhere, in answers that count. */
  readonly passedOver = new Map<string, number>();
  /** Misses among the answers that count without the dialect's place for results. */
  placeless = 0;
  /** Empty answers that counted at the only look that there could be. */
  onlyLooks = 0;
  /** Second looks that this process has planned, by the kind of the first look. */
  readonly planned: Record<LookKind, number> = { early: 0, late: 0 };
  readonly #known: Set<string>;
  #unsaved: string[] = [];

  /** `dialect` is a digest of how it reads answers. */
  constructor(
    readonly dialect: string,
    known: Iterable<string> = [],
    /** What second looks have shown, as far as this process knows. */
    public trusts: Trusts = NO_TRUSTS,
    readonly secondLook: SecondLookRule = null,
  ) {
    this.#known = new Set(known);
  }

  /** Whether a second look that is planned now shows soon what can be believed; then it is counted. */
  plansProof(kind: LookKind): boolean {
    this.planned[kind] += 1;
    return this.planned[kind] <= CONFIRMED_ENOUGH || this.lacksLooks(kind) === 0;
  }

  /** How many second looks must still bring nothing before a first look of the kind is believed. */
  lacksLooks(kind: LookKind): number {
    return Math.max(0, CONFIRMED_ENOUGH - this.trusts[kind].confirmed);
  }

  /** For how many asks this dialect has read a value, here or in an earlier run. A miss may be a value it overlooks. */
  get size(): number {
    return this.#known.size;
  }

  /** Whether an answer holds values that may be what was asked for. */
  isUnread({ ask, inputs }: EnrichmentRequest, answer: ReadAnswer): boolean {
    if (answer.kind !== 'done' || answer.odd === undefined) return false;
    const hits = hitsOf({ ask, inputs }, answer.result);
    return ask.some((one) => !hits.includes(one) && !this.#known.has(one));
  }

  /** An answer that counts was read. */
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

  /** What was read for the first time since this was asked last. */
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
