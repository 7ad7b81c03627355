// What yargs says of a command line that it does not understand, as one sentence with a way out.
import { nearestNames } from '../domain/nearest.js';

/** What is said of a command that does nothing without the word after it. */
export const SAY_WHAT = {
  hooks: 'Say what to do with hooks: add, list, remove or rotate.',
  lists: 'Say what to do with lists: create, add or adopt.',
  dialect: 'Say what to do with a dialect: show or check.',
  schema: 'Say which schema: people.',
} as const;

/** `message` is yargs' own; `commands` are the names there are, `argv` is what was typed. */
export function describeMisuse(
  message: string,
  argv: readonly string[],
  commands: readonly string[],
): string {
  const command = argv.find((argument) => commands.includes(argument));
  const help = `sluice${command === undefined ? '' : ` ${command}`} --help`;
  const [, what = '', names = ''] =
    /^(Unknown command|Unknown argument|Not enough arguments following)s?: (.*)$/.exec(message) ??
    [];
  const choice = /Argument: (\S+), Given: (.*), Choices: (.*)/.exec(message);
  switch (what) {
    case 'Unknown command': {
      const [unknown = ''] = names.split(', ');
      if (command !== undefined) {
        return `"sluice ${command}" does not know what to do with "${unknown}". "${help}" says what it takes.`;
      }
      const [near] = nearestNames(unknown, commands);
      const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
      return `There is no command "${unknown}".${hint} "${help}" lists them.`;
    }
    case 'Unknown argument': {
      const typed = names.split(', ').map((name) => asTyped(name, argv));
      return `"sluice ${command ?? ''}" does not know ${typed.join(', ')}. "${help}" lists what it knows.`;
    }
    case 'Not enough arguments following':
      return `--${names} needs a value after it. "${help}" says which.`;
    default:
      if (choice !== null) {
        const [, name = '', given = '', choices = ''] = choice;
        return `${name} cannot be ${given}: it is one of ${choices}. "${help}" says more.`;
      }
      if (message.startsWith('Not enough non-option')) {
        const isBare = argv.every((word) => word === command || word.startsWith('-'));
        if (isBare && command !== undefined && command in SAY_WHAT) {
          return SAY_WHAT[command as keyof typeof SAY_WHAT];
        }
        return `"sluice ${command ?? ''}" needs one thing more. "${help}" says what.`;
      }
      return message;
  }
}

/** yargs takes the dashes away. */
function asTyped(name: string, argv: readonly string[]): string {
  const flags = [`--${name}`, `--no-${name}`, `-${name}`];
  return (
    flags.find((flag) => argv.some((typed) => typed === flag || typed.startsWith(`${flag}=`))) ??
    name
  );
}
