// What is known of the account's answers: which values the dialect has read, what it could not read, and whether an empty
// one is meant. While it has read no value for an ask, an answer with values that it cannot read is no miss.
import type { Ask, EnrichmentRequest } from '../../model/ask.js';
import type { SluiceError } from '../../model/errors.js';
import { hitsOf } from '../../model/verdict.js';
import type { Odd, ReadAnswer } from '../../ports/platform.js';
import type { Store } from '../../ports/store/store.js';

/** Paths of unread values that are remembered, to be reported at the end of a run. */
const PATHS_MAX = 100;
/** After so many empty answers in a row that were still empty at a second look, the others are taken at once … */
const CONFIRMED_ENOUGH = 50;
/** … but for one in so many, which shows whether that still holds. */
const SAMPLED_EVERY = 20;

export class Readings {
  /** What could not be read last; undefined where all was. */
  problem: SluiceError | undefined;
  /** How often each path held a value that the dialect reads nowhere, in answers that count. */
  readonly passedOver = new Map<string, number>();
  /** Misses among the answers that count without the dialect's place for results. */
  placeless = 0;
  /** Empty answers in a row that were still empty at their second look. */
  confirmed: number;
  /** Empty answers that were taken at once since a second look has brought something. */
  takenAtOnce = 0;
  readonly #known: Set<string>;
  #unsaved: string[] = [];

  /** `dialect` is a digest of how it reads answers. */
  constructor(
    readonly dialect: string,
    known: Iterable<string> = [],
    confirmed = 0,
  ) {
    this.#known = new Set(known);
    this.confirmed = confirmed;
  }

  /** Whether the platform has always meant its empty answers. */
  get isTrusted(): boolean {
    return this.confirmed >= CONFIRMED_ENOUGH;
  }

  /** Whether the empty answer of this enrichment counts without a second look; then it is counted. */
  takeAtOnce(id: number): boolean {
    const isTaken = this.isTrusted && id % SAMPLED_EVERY !== 0;
    if (isTaken) this.takenAtOnce += 1;
    return isTaken;
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
): Promise<Readings> {
  const [known, confirmed] = await Promise.all([
    store.readings(account, dialect),
    store.confirmedEmpties(account, dialect),
  ]);
  return new Readings(dialect, known, confirmed);
}
