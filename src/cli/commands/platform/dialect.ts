// sluice dialect: shows a complete dialect, checks a dialect file by itself and at its platform, and prints the schema
// of such files.
import { checkDialect } from '../../../app/platform/ask-platform.js';
import { checkTranscript } from '../../../app/platform/check-transcript.js';
import { dialectJsonSchema, loadDialect } from '../../../config/load-dialect.js';
import { isStated } from '../../../config/stated-keys.js';
import { writeYaml } from '../../../config/write-job.js';
import { changedFile, isDocumented, NEUTRAL_DIALECT, wholeFile } from '../../../dialect/dialect.js';
import { type CallCheck, commonCause } from '../../../model/resources/check.js';
import {
  command,
  commandGroup,
  JSON_OPTION,
  PLATFORM_OPTIONS,
  SWITCH,
  TEXT,
} from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { EXIT } from '../../exit-codes.js';
import { formatTable } from '../../print/format.js';
import { transcriptLines } from '../../print/transcript-check.js';
import { tryCommand } from './try-dialect.js';

const { dialect: DIALECT_OPTION, ...OTHER_PLATFORM_OPTIONS } = PLATFORM_OPTIONS;

const showCommand = command({
  command: 'show',
  describe:
    'Print the dialect, every default filled in, as a dialect file; what is our guess is marked as assumed',
  builder: (yargs) =>
    yargs
      .options({
        dialect: DIALECT_OPTION,
        changed: { ...SWITCH, describe: 'Only what differs from the neutral dialect' },
        ...JSON_OPTION,
      })
      .example('$0 dialect show --dialect acme.yaml --changed', 'The changes of the file'),
  handler: async (args) => {
    const dialect = await loadDialect(args.dialect);
    const file = args.changed ? changedFile(dialect, NEUTRAL_DIALECT) : wholeFile(dialect);
    // Both are dialect files, since JSON is YAML.
    const assumed = (key: string) =>
      isDocumented(key) || isStated(dialect, key) ? undefined : 'assumed';
    process.stdout.write(args.json ? `${JSON.stringify(file)}\n` : writeYaml(file, assumed));
  },
});

/** Exit code 1 if a call was not answered as the dialect says, or a recorded question or answer is another. */
const checkCommand = command({
  command: 'check <file>',
  describe:
    'Check a dialect file; also against recorded calls, and at its platform by calls that cost nothing',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'Dialect file' })
      .options({
        ...OTHER_PLATFORM_OPTIONS,
        url: {
          ...TEXT,
          describe: 'Base address of the platform to try it at; without one, nothing is sent',
        },
        transcript: {
          ...TEXT,
          describe: 'File of recorded questions and answers to hold it against; sends nothing',
        },
        ...JSON_OPTION,
      })
      .example(
        '$0 dialect check acme.yaml --transcript calls.http',
        'The calls that it would send, and how it reads their answers',
      )
      .example(
        '$0 dialect check acme.yaml --url https://api.acme.example',
        'Exit code 1: it is wrong',
      ),
  handler: async (args) => {
    const { file, transcript: recorded } = args;
    const transcript = recorded === undefined ? null : await checkTranscript(file, recorded);
    const calls = await checkDialect(args, commandEnvironment());
    const cause = commonCause(calls ?? []);
    const all = [...(transcript?.exchanges ?? []), ...(calls ?? [])];
    const isRight = all.every(({ verdict }) => verdict !== 'wrong');
    if (!isRight) process.exitCode = EXIT.unanswered;
    const lines = [
      ...(transcript === null ? [] : transcriptLines(transcript)),
      ...(calls === null
        ? []
        : formatTable(['part', 'call', 'verdict', 'answer'], calls.map(rowOf))),
      ...(cause === undefined ? [] : [cause]),
    ];
    const nothing = `${file} is a dialect. Nothing was sent; --transcript holds it against recorded calls, and --url tries it at the platform.`;
    return {
      json: { file, is_right: isRight, cause: cause ?? null, calls, transcript },
      lines: lines.length === 0 ? nothing : lines,
    };
  },
});

function rowOf({ key, call, verdict, says, keys }: CallCheck): string[] {
  const advice = keys.length === 0 ? '' : `. Look at ${keys.join(' and ')}`;
  return [key, call, verdict.replace('_', ' '), `${says}${advice}.`];
}

const schemaCommand = command({
  command: 'schema',
  describe: 'Print the JSON Schema of a dialect file',
  builder: (yargs) => yargs,
  handler: () => console.log(JSON.stringify(dialectJsonSchema(), null, 2)),
});

export const dialectCommand = commandGroup('dialect', [
  showCommand,
  checkCommand,
  tryCommand,
  schemaCommand,
]);
