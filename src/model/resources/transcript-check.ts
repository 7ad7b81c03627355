// What a transcript shows of a dialect: exchange by exchange what we would send and read, and which parts of the dialect
// nothing in the transcript needs.
import type { JsonValue } from '../text/json.js';

/** A place where our request is not the recorded one; null where one of the two has nothing there. */
export interface Difference {
  /** `method`, `path`, `query NAME`, `header NAME`, or a path such as `body.people[0].mail`. */
  readonly place: string;
  readonly sent: JsonValue;
  readonly recorded: JsonValue;
}

export interface ExchangeCheck {
  /** Of the transcript. */
  readonly line: number;
  /** The key of the dialect that describes the call, or `webhook`; null where there is none. */
  readonly call: string | null;
  readonly verdict: 'ok' | 'wrong';
  /** Method and path of our request; null where none was written. */
  readonly sends: string | null;
  readonly differences: readonly Difference[];
  /** What each entry of the answer is read as: `found {"email": "a@b.example"}`. */
  readonly reads: readonly string[];
  /** The dotted paths of values, below the entry, that nothing of the dialect reads. */
  readonly unread: readonly string[];
  /** What is wrong besides the differences; sentences without a full stop. */
  readonly problems: readonly string[];
  /** What could not be verified, and why; sentences without a full stop. */
  readonly notes: readonly string[];
}

/** A part of the dialect file that makes no difference to any exchange. */
export interface UnmetPart {
  /** `answer.read.blocks`. */
  readonly key: string;
  /** Its values that are not met; none where the whole part is not. */
  readonly values: readonly string[];
}

/** An input that would be sent under a name that neither the dialect file nor the transcript says. */
export interface GuessedInput {
  /** `enrich.inputs.socialUrl`. */
  readonly key: string;
  readonly name: string;
}

export interface TranscriptCheck {
  readonly exchanges: readonly ExchangeCheck[];
  readonly unmet: readonly UnmetPart[];
  readonly guessed: readonly GuessedInput[];
}
