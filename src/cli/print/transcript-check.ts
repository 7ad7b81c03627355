// The results of a transcript's check against a dialect, for people.
import type {
  ExchangeCheck,
  GuessedInput,
  TranscriptCheck,
  UnmetPart,
} from '../../model/resources/transcript-check.js';
import type { JsonValue } from '../../model/text/json.js';

/** Each exchange with its flaws below it, then the parts of the dialect that no exchange shows, and the guesses. */
export function transcriptLines({ exchanges, unmet, guessed }: TranscriptCheck): string[] {
  return [...exchanges.flatMap(exchangeLines), ...unmet.map(unmetLine), ...guessed.map(guessLine)];
}

function exchangeLines(check: ExchangeCheck): string[] {
  const { line, call, verdict, sends, differences, reads, unread, problems, notes } = check;
  const read = reads.length === 0 ? 'nothing' : reads.join(' | ');
  const what = sends === null ? `reads ${read}` : `sends ${sends}, reads ${read}`;
  return [
    `line ${line}: ${verdict}: ${call ?? 'no call'}: ${what}`,
    ...differences.map(
      ({ place, sent, recorded }) =>
        `  ${place}: sends ${textOf(sent)}, recorded is ${textOf(recorded)}`,
    ),
    ...problems.map((problem) => `  ${problem}.`),
    ...(unread.length === 0 ? [] : [`  left unread: ${unread.join(', ')}`]),
    ...notes.map((note) => `  note: ${note}.`),
  ];
}

function textOf(value: JsonValue): string {
  return value === null ? 'nothing' : JSON.stringify(value);
}

function unmetLine({ key, values }: UnmetPart): string {
  const which = values.length === 0 ? '' : ` (${values.join(', ')})`;
  return `warning: ${key}: no exchange of the transcript shows it${which}`;
}

function guessLine({ key, name }: GuessedInput): string {
  return `warning: ${key}: sent as "${name}", which neither the file nor the transcript says; null, if it is not sent`;
}
