// The experience with an account's answers: which values the dialect has read, and which it could not read. While it has
// read no value for an ask, an answer with values that it cannot read is not a miss.
import type { Ask, EnrichmentRequest } from '../../model/ask.js';
import type { SluiceError } from '../../model/errors.js';
import { hitsOf } from '../../model/verdict.js';
import type { Odd, ReadAnswer } from '../../ports/platform.js';

const PATHS_MAX = 100;
export class Readings {
  /** The last answer that could not be read; undefined if all could. */
  problem: SluiceError | undefined;
  /** How often each path had a value that no path of the dialect reads, in answers that count. */
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
    readonly looksTwice = true,
  ) {
    this.#known = new Set(known);
  }

  /** The asks with a value that it has read, here or in an earlier run. A miss may be one that it overlooks. */
  get size(): number {
    return this.#known.size;
  }

  /** Whether an answer holds unread values that may be what was asked for. */
  isUnread({ ask, inputs }: EnrichmentRequest, answer: ReadAnswer): boolean {
    if (answer.kind !== 'done' || answer.odd === undefined) return false;
    const hits = hitsOf({ ask, inputs }, answer.result);
    return ask.some((one) => !hits.includes(one) && !this.#known.has(one));
  }

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

  takeUnsaved(): readonly string[] {
    const unsaved = this.#unsaved;
    this.#unsaved = [];
    return unsaved;
  }
}
