// sluice dialect: lists ready-made dialects, shows a complete one, and checks a dialect file by itself and against a
// transcript.
import { checkTranscript, serveTranscript } from '../../../app/platform/check-transcript.js';
import { listDialects } from '../../../app/platform/list-dialects.js';
import { dialectJsonSchema, loadDialect } from '../../../config/load-dialect.js';
import { isStated } from '../../../config/stated-keys.js';
import { writeYaml } from '../../../config/write-job.js';
import { changedFile, isDocumented, NEUTRAL_DIALECT, wholeFile } from '../../../dialect/dialect.js';
import type { ExchangeCheck, TranscriptCheck } from '../../../model/resources/transcript-check.js';
import type { JsonValue } from '../../../model/text/json.js';
import { printable } from '../../../model/text/printable.js';
import type { Page, Step } from '../../../tell/page.js';
import { factsOf, notes } from '../../../tell/shared.js';
import { tellDialects } from '../../../tell/tell-lists.js';
import { command, say } from '../../command.js';
import { EXIT } from '../../exit-codes.js';
import {
  JSON_OPTION,
  LIST_OPTIONS,
  needed,
  number,
  PLATFORM_OPTIONS,
  text,
  toggle,
} from '../../options.js';
import { untilStopped } from '../../signals.js';

const listCommand = command({
  command: 'list',
  describe: 'List the ready-made dialects, and what each can do',
  options: { ...LIST_OPTIONS },
  handler: async () => tellDialects(await listDialects()),
});

const showCommand = command({
  command: 'show',
  describe:
    'Print the dialect, every default filled in, as a dialect file; what is our guess is marked as assumed',
  options: {
    dialect: PLATFORM_OPTIONS.dialect,
    changed: toggle('Only what differs from the neutral dialect'),
    schema: toggle('Print the JSON Schema of a dialect file, for an editor'),
    ...JSON_OPTION,
  },
  examples: { 'sluice dialect show --dialect acme.yaml --changed': 'The changes of the file' },
  handler: async (args) => {
    if (args.schema) {
      console.log(JSON.stringify(dialectJsonSchema(), null, 2));
      return;
    }
    const dialect = await loadDialect(args.dialect);
    const file = args.changed ? changedFile(dialect, NEUTRAL_DIALECT) : wholeFile(dialect);
    // Both are dialect files, since JSON is YAML.
    const assumed = (key: string) =>
      isDocumented(key) || isStated(dialect, key) ? undefined : 'assumed';
    process.stdout.write(args.json ? `${JSON.stringify(file)}\n` : writeYaml(file, assumed));
  },
});

/** Exit code 1 if a recorded question or answer is another. */
const checkCommand = command({
  command: 'check <file>',
  describe: 'Check a dialect file, also against recorded calls, which are then served to a run',
  args: { file: needed('Dialect file') },
  options: {
    transcript: text('File of recorded questions and answers to hold it against; sends nothing'),
    serve: number('Port at which the recorded answers are given to a run; 0 for any', {
      implies: 'transcript',
    }),
    ...JSON_OPTION,
  },
  examples: {
    'sluice dialect check acme.yaml --transcript calls.http':
      'The calls that it would send, and how it reads their answers',
    'sluice dialect check acme.yaml --transcript calls.http --serve 8630':
      'A platform at http://127.0.0.1:8630, for enrich --url',
  },
  handler: async ({ file, json, serve, transcript: recorded }) => {
    if (recorded === undefined) {
      await loadDialect(file);
      const nothing = `${file} is a dialect. Nothing was sent; --transcript holds it against recorded calls.`;
      return { data: { file, isRight: true, transcript: null }, lines: nothing };
    }
    const transcript = await checkTranscript(file, recorded);
    const isRight = transcript.exchanges.every(({ verdict }) => verdict !== 'wrong');
    if (!isRight) process.exitCode = EXIT.unanswered;
    const page = tellTranscript(file, transcript, isRight);
    if (serve === undefined) return page;
    say(page, json);
    const server = await serveTranscript(file, recorded, { port: serve, onCall: tell });
    const stopped = untilStopped();
    console.log(`The transcript is served at ${server.url}. Ctrl+C stops it.`);
    await stopped;
    await server.close();
    return undefined;
  },
});

function tell(text: string): void {
  console.log(printable(text));
}

export const dialectCommand = command({ commands: [listCommand, showCommand, checkCommand] });

/** Each exchange with its flaws below it, then the parts of the dialect that no exchange shows, and the guesses. */
export function tellTranscript(file: string, transcript: TranscriptCheck, isRight: boolean): Page {
  const { exchanges, guessed, unmet } = transcript;
  return {
    title: `The transcript of ${file}`,
    parts: [
      { kind: 'steps', title: '', steps: exchanges.map(stepOf) },
      ...notes(
        ...unmet.map(({ key, values }) => {
          const which = values.length === 0 ? '' : ` (${values.join(', ')})`;
          return `warning: ${key}: no exchange of the transcript shows it${which}`;
        }),
        ...guessed.map(
          ({ key, name }) =>
            `warning: ${key}: sent as "${name}", which neither the file nor the transcript says; null, if it is not sent`,
        ),
      ),
    ],
    data: { file, isRight, transcript: new Map(Object.entries(transcript)) },
  };
}

function stepOf(check: ExchangeCheck): Step {
  const { line, call, verdict, sends, differences, reads, unread, problems, notes } = check;
  const read = reads.length === 0 ? 'nothing' : reads.join(' | ');
  const what = sends === null ? `reads ${read}` : `sends ${sends}, reads ${read}`;
  return {
    name: `line ${line}`,
    at: null,
    tone: verdict === 'wrong' ? 'bad' : 'good',
    text: `${verdict}: ${call ?? 'no call'}: ${what}`,
    facts: factsOf(
      ...differences.map(({ place, sent, recorded }) => {
        return [place, `sends ${textOf(sent)}, recorded is ${textOf(recorded)}`] as const;
      }),
      ...problems.map((problem) => ['problem', `${problem}.`] as const),
      ['left unread', unread.length === 0 ? null : unread.join(', ')],
      ...notes.map((note) => ['note', `${note}.`] as const),
    ),
  };
}

function textOf(value: JsonValue): string {
  return value === null ? 'nothing' : JSON.stringify(value);
}
