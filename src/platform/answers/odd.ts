// Makes the answer that a caller gets of an entry, with the values of a success that could not be placed, for the
// report and for keeping.
import type { Said } from '../../dialect/signal.js';
import { firstValueAt } from '../../dialect/wire-path.js';
import type { SluiceError } from '../../model/errors.js';
import type { Odd, ReadAnswer } from '../../ports/platform.js';
import { quoteBody, quoteText } from '../redact/quote.js';
import type { EntryAnswer, Oddity, Reading } from './decode-answer.js';
import { type Asked, problem } from './problems.js';

/** The terms by which an answer was read, and the question; a webhook has none. */
export interface OddContext extends Reading {
  readonly asked?: Asked;
}

/** The limit for a kept body, in UTF-16 units. */
const BODY_LENGTH_MAX = 256 * 1_024;
const QUOTE_LENGTH_MAX = 200;

export function toAnswer(
  answer: EntryAnswer,
  said: Said,
  context: OddContext,
): Exclude<ReadAnswer, { kind: 'unavailable' }> {
  switch (answer.kind) {
    case 'pending':
      return answer.isDry === true
        ? { kind: 'pending', outOfCredits: dryProblem(context) }
        : { kind: 'pending' };
    case 'done': {
      const { oddity, ...done } = answer;
      return oddity === undefined ? done : { ...done, odd: describeOdd(oddity, said, context) };
    }
    case 'failed':
    case 'unknown':
      return answer;
  }
}

export function missingEntries(said: Said, context: OddContext): ReadAnswer & { kind: 'done' } {
  const odd = describeOdd({ lack: 'missing', at: 'entries' }, said, context);
  return { kind: 'done', result: {}, odd };
}

function dryProblem({ asked }: OddContext): SluiceError {
  const by = asked === undefined ? 'a webhook' : `the result at ${asked.url}`;
  return problem(
    `The platform's account is out of credits (${by} says so). Add credits and run again.`,
  );
}

/** Body and problem are made on demand: most results with an unread value have everything that was wanted. */
function describeOdd(oddity: Oddity, said: Said, context: OddContext): Odd {
  const { asked, dialect, hidden, part } = context;
  const { lack } = oddity;
  // A key may be anything, also a person's address.
  const unread = (oddity.lack === 'unread' ? oddity.paths : []).map((path) =>
    quoteText(path, hidden, QUOTE_LENGTH_MAX),
  );
  const what =
    oddity.lack === 'unread'
      ? `with values that no path of the dialect reads (${unread.join(', ')})`
      : `without results at ${dialect.answer[part][oddity.at].join(' or ')} (answer.${part}.${oddity.at})`;
  return {
    lack,
    unread,
    get body() {
      return ownPart(said, context).slice(0, BODY_LENGTH_MAX);
    },
    get problem() {
      const quoted = quoteBody(this.body, hidden, QUOTE_LENGTH_MAX);
      const who = asked === undefined ? 'A webhook came' : `The platform at ${asked.url} answered`;
      return problem(`${who} ${what}: ${quoted}. ${adviceFor(lack, part)}`);
    },
  };
}

function adviceFor(lack: Oddity['lack'], part: string): string {
  const section = `answer.${part}`;
  return lack === 'missing'
    ? `Correct ${section}.entries and ${section}.blocks of the dialect, or ${section}.pending where this says that there is no result yet.`
    : `Correct ${section}.blocks, blocks and fields of the dialect, name in ${section}.ignored what is no result, and list a word for a state in one of the signals of ${section}.`;
}

/** The body with our entry alone: the other entries are other leads', and a body that is cut can never be read. */
function ownPart({ text, body, entry }: Said, { dialect, part }: Reading): string {
  const entries =
    entry === undefined ? undefined : firstValueAt(body, dialect.answer[part].entries);
  if (!Array.isArray(entries) || entries.length < 2) return text;
  try {
    return JSON.stringify(body, (_, value: unknown) => (value === entries ? [entry] : value));
  } catch {
    // The body is nested too deeply to be written.
    return text;
  }
}
