// The help of the commands, as text and as JSON. Both are read from the definitions of the commands.
import type { Options } from 'yargs';
import type { Command, Taken } from './command.js';
import { COMMANDS, FIRST, nameIn, TOPICS } from './command-list.js';
import { EXIT, MEANINGS } from './exit-codes.js';

/** An argument or a flag of a command. */
interface Part {
  readonly name: string;
  readonly alias: string | null;
  readonly about: string;
  readonly type: 'switch' | 'number' | 'text';
  /** Whether it may be given several times. */
  readonly repeated: boolean;
  readonly required: boolean;
  readonly default: unknown;
  readonly choices: readonly string[] | null;
  readonly group: string;
}

export interface CommandHelp {
  /** `lists create <name>` */
  readonly usage: string;
  readonly about: string;
  readonly arguments: readonly Part[];
  readonly flags: readonly Part[];
  readonly commands: readonly CommandHelp[];
  readonly examples: readonly (readonly [string, string])[];
  readonly notes: string | null;
}

/** The command that the words begin with, and those below it; undefined if there is none. */
export async function helpOfCommand(words: readonly string[]): Promise<CommandHelp | undefined> {
  const listed = COMMANDS.find(({ words: form }) => nameIn(form) === words[0]);
  if (listed === undefined) return undefined;
  let help = read(listed.words, listed.describe, await listed.load());
  for (const word of words.slice(1)) {
    const below = help.commands.find(
      ({ usage }) => nameIn(usage.slice(nameOf(help).length)) === word,
    );
    if (below === undefined) break;
    help = below;
  }
  return help;
}

function read(usage: string, about: string, form: Command): CommandHelp {
  const partsOf = (taken: Taken = {}) =>
    Object.entries(taken).map(([name, option]) => partOf(name, option, usage));
  return {
    usage,
    about,
    arguments: partsOf(form.args),
    flags: partsOf(form.options),
    commands: (form.commands ?? []).map((one) =>
      read(`${nameOf({ usage })} ${[one.command].flat()[0]}`, one.describe ?? '', one),
    ),
    examples: Object.entries(form.examples ?? {}),
    notes: form.notes ?? null,
  };
}

function partOf(name: string, option: Options, usage: string): Part {
  const { alias, array, choices, default: stated, demandOption, describe, group, type } = option;
  const [, about = '', told] = /^(.*?)(?: \(default: (.*)\))?$/s.exec(describe ?? '') ?? [];
  return {
    name,
    alias: [alias ?? null].flat()[0] ?? null,
    about,
    type: type === 'boolean' ? 'switch' : type === 'number' ? 'number' : 'text',
    repeated: array === true || type === 'array',
    required: demandOption === true || usage.includes(`<${name}`),
    default: told ?? stated ?? null,
    choices: (choices as readonly string[] | undefined) ?? null,
    group: group ?? 'Options:',
  };
}

/** `lists create` of `lists create <name>`. */
function nameOf({ usage }: Pick<CommandHelp, 'usage'>): string {
  return usage.replace(/ ?[<[].*/, '');
}

/** The help of a command, as lines. */
export function helpLines(help: CommandHelp): string[] {
  const groups = [...new Set(help.flags.map(({ group }) => group))];
  return [
    `sluice ${help.usage}`,
    '',
    help.about,
    ...section(
      'Commands:',
      help.commands.map(({ usage, about }) => [`sluice ${usage}`, about]),
    ),
    ...section(
      'Arguments:',
      help.arguments.map((part) => [part.name, tell({ ...part, required: false })]),
    ),
    ...groups.flatMap((group) =>
      section(
        group,
        help.flags
          .filter((flag) => flag.group === group)
          .map((flag) => [written(flag), tell(flag)]),
      ),
    ),
    ...section(
      'Examples:',
      help.examples.map(([line, about]) => [line, about]),
    ),
    ...(help.notes === null ? [] : ['', help.notes]),
  ];
}

function section(title: string, rows: readonly (readonly [string, string])[]): string[] {
  return rows.length === 0 ? [] : ['', title, ...inTwoColumns(rows)];
}

function written({ alias, name, type }: Part): string {
  const short = alias === null ? '' : `, -${alias}`;
  return `--${name}${short}${type === 'switch' ? '' : type === 'number' ? ' N' : ' …'}`;
}

function tell({ about, choices, default: usual, required, type }: Part): string {
  const also = [
    ...(choices === null ? [] : [choices.join(', ')]),
    ...(required ? ['needed'] : []),
    ...(usual === null || usual === '' || usual === false
      ? []
      : [`default: ${tellDefault(usual, type)}`]),
  ];
  return also.length === 0 ? about : `${about} (${also.join('; ')})`;
}

function tellDefault(usual: unknown, type: Part['type']): string {
  return type === 'switch' ? 'on' : String(usual);
}

/** What a newcomer needs first, and where the rest is. */
export function overviewLines(): string[] {
  return [
    'sluice COMMAND',
    '',
    'Enriches leads through an outreach platform: every lead answered for, nothing paid for twice.',
    ...section(
      'Commands:',
      FIRST.flatMap((name) => COMMANDS.filter(({ words }) => nameIn(words) === name)).map(
        ({ describe, words }) => rowOf([words, describe]),
      ),
    ),
    ...section(
      'More commands, by subject:',
      Object.entries(TOPICS).map(([topic, { about, commands }]) => [
        `sluice help ${topic}`,
        `${about}: ${Object.keys(commands).map(nameIn).join(', ')}`,
      ]),
    ),
    '',
    ...inTwoColumns([
      ['sluice COMMAND --help', 'A command with its arguments and flags'],
      ['sluice help --json', 'All commands, flags, defaults and exit codes, for scripts'],
      ['sluice --version', 'The version'],
    ]),
    '',
    'Credentials come from SLUICE_USERNAME and SLUICE_PASSWORD, also in the file .env',
    'of this folder, or from the files that …_FILE in the environment name.',
    '--env-file FILE sets every variable that is in the file and not in the',
    'environment.',
  ];
}

function rowOf([words, about]: readonly [string, string]): readonly [string, string] {
  return [`sluice ${words}`, about];
}

/** The commands of a subject; undefined if there is none of that name. */
export function topicLines(topic: string): string[] | undefined {
  const { [topic]: found } = TOPICS;
  return found && [`${found.about}:`, ...inTwoColumns(Object.entries(found.commands).map(rowOf))];
}

/** Everything, for scripts: each command and exit code. */
export async function allHelp() {
  const commands = await Promise.all(
    COMMANDS.map(async ({ words }) => helpJson(await helpOfCommand([nameIn(words)]))),
  );
  const exitCodes = Object.entries(EXIT).map(([name, code]) => ({
    code,
    name,
    meaning: MEANINGS[name as keyof typeof EXIT],
  }));
  return { commands: commands.flat(), exit_codes: exitCodes };
}

function strip({ group: _group, ...part }: Part) {
  return part;
}

/** A command and those below it, each as an object of its own. */
export function helpJson(help: CommandHelp | undefined): object[] {
  if (help === undefined) return [];
  const { commands, examples, notes: _notes, ...own } = help;
  return [
    {
      command: nameOf(help),
      ...own,
      arguments: own.arguments.map(strip),
      flags: own.flags.map(strip),
      examples: examples.map(([line, about]) => ({ line, about })),
    },
    ...commands.flatMap(helpJson),
  ];
}

/** Names, and texts about them beside them, broken where the terminal ends. */
export function inTwoColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(NAME_WIDTH_MAX, Math.max(...rows.map(([name]) => name.length)));
  const room = Math.min(100, process.stdout.columns ?? 80) - width - 4;
  return rows.flatMap(([name, text]) => {
    const lines = wrapped(text, Math.max(room, 20));
    const isLong = name.length > width;
    const first = isLong ? '' : (lines.shift() ?? '');
    return [
      `  ${name.padEnd(width)}  ${first}`.trimEnd(),
      ...lines.map((line) => `${' '.repeat(width + 4)}${line}`),
    ];
  });
}

const NAME_WIDTH_MAX = 26;

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
