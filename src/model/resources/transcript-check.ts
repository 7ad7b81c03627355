// The result of checking a dialect against a transcript, exchange by exchange.
import type { JsonValue } from '../text/json.js';

/** A place at which our request differs from the recorded one; null if one of the two has nothing there. */
export interface Difference {
  /** `method`, `path`, `query NAME`, `header NAME`, or a path such as `body.people[0].mail`. */
  readonly place: string;
  readonly sent: JsonValue;
  readonly recorded: JsonValue;
}

export interface ExchangeCheck {
  readonly line: number;
  /** The key of the dialect that describes the call, or `webhook`; null if there is none. */
  readonly call: string | null;
  readonly verdict: 'ok' | 'wrong';
  /** Method and path of our request; null if none was written. */
  readonly sends: string | null;
  readonly differences: readonly Difference[];
  /** The reading of each entry of the answer: `found {"email": "a@b.example"}`. */
  readonly reads: readonly string[];
  /** The dotted paths of values, below the entry, that no path of the dialect reads. */
  readonly unread: readonly string[];
  /** The problems besides the differences; sentences without a full stop. */
  readonly problems: readonly string[];
  /** The facts that could not be verified, with the reasons; sentences without a full stop. */
  readonly notes: readonly string[];
}

/** A part of the dialect file that makes no difference to any exchange. */
export interface UnmetPart {
  /** `answer.read.blocks`. */
  readonly key: string;
  /** The values of it that are not needed; none if the whole part is not. */
  readonly values: readonly string[];
}

/** An input that would be sent under a name that neither the dialect file nor the transcript states. */
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
