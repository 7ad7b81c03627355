// What came with a success and could not be placed, as it is reported and kept.
import type { Dialect } from '../../dialect/dialect.js';
import { firstValueAt } from '../../dialect/wire-path.js';
import type { JsonValue } from '../../model/text/json.js';
import type { DeliveredEntry, Odd, ReadAnswer } from '../../ports/platform.js';
import type { Hidden } from '../redact/find-hidden.js';
import { quoteBody, quoteText } from '../redact/quote.js';
import type { EntryAnswer, Oddity } from './decode-answer.js';
import { problem } from './problems.js';

/** Where an odd answer came from. */
export interface OddContext {
  readonly dialect: Dialect;
  /** The address that was asked; a webhook has none. */
  readonly url?: string;
  readonly hidden: Hidden;
}

/** In UTF-16 units. */
const BODY_LENGTH_MAX = 256 * 1_024;
const QUOTE_LENGTH_MAX = 200;

/** A body, and our entry in it where it has entries. */
interface Came {
  readonly text: string;
  readonly body: JsonValue;
  readonly entry?: JsonValue;
}

/** The answer of an entry, as a caller gets it. */
export function withOdd(
  answer: EntryAnswer,
  came: Came,
  context: OddContext,
): DeliveredEntry['answer'] {
  if (answer.kind !== 'done' || answer.oddity === undefined) return answer;
  const { kind, result, oddity } = answer;
  return { kind, result, odd: describeOdd(oddity, came, context) };
}

/** The answer for a body without a place for entries. */
export function missingEntries(came: Came, context: OddContext): ReadAnswer & { kind: 'done' } {
  const odd = describeOdd({ lack: 'missing', at: 'entries' }, came, context);
  return { kind: 'done', result: {}, odd };
}

/** Body and problem are made when they are asked for: most results with an unread value have all that was wanted. */
function describeOdd(oddity: Oddity, came: Came, { dialect, url, hidden }: OddContext): Odd {
  const { lack } = oddity;
  // A key may be anything, a person's address as well.
  const unread = (oddity.lack === 'unread' ? oddity.paths : []).map((path) =>
    quoteText(path, hidden, QUOTE_LENGTH_MAX),
  );
  const what =
    oddity.lack === 'unread'
      ? `with values that no path of the dialect reads (${unread.join(', ')})`
      : `without results at ${dialect.answer[oddity.at].join(' or ')} (answer.${oddity.at})`;
  return {
    lack,
    unread,
    get body() {
      return ownPart(came, dialect).slice(0, BODY_LENGTH_MAX);
    },
    get problem() {
      const quoted = quoteBody(this.body, hidden, QUOTE_LENGTH_MAX);
      const facts = { lack, ...(url === undefined ? {} : { url }) };
      const who = url === undefined ? 'A webhook came' : `The platform at ${url} answered`;
      return problem(`${who} ${what}: ${quoted}. ${ADVICE[lack]}`, facts);
    },
  };
}

const ADVICE = {
  missing:
    'Correct answer.entries and answer.blocks of the dialect, or result.pending where this says that there is no result yet.',
  unread:
    'Correct answer.blocks, blocks and fields of the dialect, or name in answer.ignored what is no result.',
} as const;

/** The body with our entry alone: the others are other leads', and a body that is cut can never be read. */
function ownPart({ text, body, entry }: Came, { answer }: Dialect): string {
  const entries = entry === undefined ? undefined : firstValueAt(body, answer.entries);
  if (!Array.isArray(entries) || entries.length < 2) return text;
  try {
    return JSON.stringify(body, (_, value: unknown) => (value === entries ? [entry] : value));
  } catch {
    // Nested too deeply to be written.
    return text;
  }
}
