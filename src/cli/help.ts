// The help of the commands, as text and as JSON. Both are read from the definitions of the commands.
import yargs, { type Argv } from 'yargs';
import { COMMANDS, FIRST, TOPICS } from './command-list.js';
import { EXIT, MEANINGS } from './exit-codes.js';
import { inTwoColumns } from './print/format.js';

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
}

/** What yargs knows of a command; its types leave most of it out. */
interface Program extends Argv {
  getOptions: () => Readonly<Record<'array' | 'boolean' | 'number' | 'hiddenOptions', string[]>> & {
    readonly key: Readonly<Record<string, unknown>>;
    readonly alias: Readonly<Record<string, string[]>>;
    readonly default: Readonly<Record<string, unknown>>;
    readonly defaultDescription: Readonly<Record<string, string>>;
    readonly choices: Readonly<Record<string, string[]>>;
    readonly demandedOptions: Readonly<Record<string, unknown>>;
  };
  getGroups: () => Readonly<Record<string, readonly string[]>>;
  getInternalMethods: () => {
    getUsageInstance: () => { getDescriptions: () => Readonly<Record<string, string>> };
    getCommandInstance: () => { getCommandHandlers: () => Readonly<Record<string, Handler>> };
  };
}

interface Handler {
  /** `create <name>` */
  readonly original: string;
  readonly description: string;
  readonly builder: (program: Argv) => unknown;
}

const ARGUMENTS = 'Positionals:';

/** The command that the words begin with, and those below it; undefined if there is none. */
export async function helpOfCommand(words: readonly string[]): Promise<CommandHelp | undefined> {
  const listed = COMMANDS.find(({ words: form }) => nameIn(form) === words[0]);
  if (listed === undefined) return undefined;
  const { builder } = (await listed.load()) as Handler;
  let help = read(listed.words, listed.describe, builder);
  for (const word of words.slice(1)) {
    const below = help.commands.find(
      ({ usage }) => nameIn(usage.slice(nameOf(help).length)) === word,
    );
    if (below === undefined) break;
    help = below;
  }
  return help;
}

function read(usage: string, about: string, builder: Handler['builder']): CommandHelp {
  const program = yargs([]).help(false).version(false) as Program;
  const examples: [string, string][] = [];
  const example = (line: string, text: string) => {
    examples.push([line.replace('$0', 'sluice'), text]);
    return program;
  };
  Object.assign(program, { example });
  builder(program);
  const name = nameOf({ usage });
  const below = Object.values(
    program.getInternalMethods().getCommandInstance().getCommandHandlers(),
  );
  const parts = partsOf(program, usage);
  return {
    usage,
    about,
    arguments: parts.filter(({ group }) => group === ARGUMENTS),
    flags: parts.filter(({ group }) => group !== ARGUMENTS),
    commands: below.map((one) => read(`${name} ${one.original}`, one.description, one.builder)),
    examples,
  };
}

function partsOf(program: Program, usage: string): Part[] {
  const options = program.getOptions();
  const groups = Object.entries(program.getGroups());
  const abouts = program.getInternalMethods().getUsageInstance().getDescriptions();
  const aliases = new Set(Object.values(options.alias).flat());
  return Object.keys(options.key)
    .filter((name) => !aliases.has(name) && !options.hiddenOptions.includes(name))
    .map((name) => {
      const [, about = '', told] = /^(.*?)(?: \(default: (.*)\))?$/s.exec(abouts[name] ?? '') ?? [];
      const { [name]: stated = null } = options.default;
      return {
        name,
        alias: options.alias[name]?.[0] ?? null,
        about,
        type: typeOf(name, options),
        repeated: options.array.includes(name) || usage.includes(`${name}..`),
        required: Object.hasOwn(options.demandedOptions, name) || usage.includes(`<${name}`),
        default: options.defaultDescription[name] ?? told ?? stated,
        choices: options.choices[name] ?? null,
        group: groups.find(([, names]) => names.includes(name))?.[0] ?? 'Options:',
      };
    });
}

function typeOf(
  name: string,
  { boolean, number }: ReturnType<Program['getOptions']>,
): Part['type'] {
  if (boolean.includes(name)) return 'switch';
  return number.includes(name) ? 'number' : 'text';
}

/** `lists create` of `lists create <name>`. */
function nameOf({ usage }: Pick<CommandHelp, 'usage'>): string {
  return usage.replace(/ ?[<[].*/, '');
}

function nameIn(form: string): string {
  return form.trim().split(' ')[0] ?? '';
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
      help.arguments.map((part) => [part.name, tell(part)]),
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
  ];
}

function section(title: string, rows: readonly (readonly [string, string])[]): string[] {
  return rows.length === 0 ? [] : ['', title, ...inTwoColumns(rows)];
}

function written({ alias, name, type }: Part): string {
  const short = alias === null ? '' : `, -${alias}`;
  return `--${name}${short}${type === 'switch' ? '' : type === 'number' ? ' N' : ' …'}`;
}

function tell({ about, choices, default: usual, group, required, type }: Part): string {
  const also = [
    ...(choices === null ? [] : [choices.join(', ')]),
    ...(required && group !== ARGUMENTS ? ['needed'] : []),
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
  const first = FIRST.map((name) => COMMANDS.find(({ words }) => nameIn(words) === name));
  return [
    'sluice COMMAND',
    '',
    'Enriches leads through an outreach platform: every lead answered for, nothing paid for twice.',
    ...section(
      'Commands:',
      first.flatMap((one) => (one === undefined ? [] : [rowOf(one)])),
    ),
    ...section(
      'More commands, by subject:',
      Object.entries(TOPICS).map(([topic, { about, commands }]) => [
        `sluice help ${topic}`,
        `${about}: ${commands.map(({ words }) => nameIn(words)).join(', ')}`,
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

function rowOf({ describe, words }: (typeof COMMANDS)[number]): readonly [string, string] {
  return [`sluice ${words}`, describe];
}

/** The commands of a subject; undefined if there is none of that name. */
export function topicLines(topic: string): string[] | undefined {
  const { [topic]: found } = TOPICS;
  return found && [`${found.about}:`, ...inTwoColumns(found.commands.map(rowOf))];
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
  const { commands, examples, ...own } = help;
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
