// The help of the commands, which is read from the definitions of the commands.
import type { Options } from 'yargs';
import type { Page, Part } from '../tell/page.js';
import { factsOf, notes } from '../tell/shared.js';
import type { Command, Taken } from './command.js';
import { COMMANDS, FIRST, nameIn, TOPICS } from './command-list.js';
import { EXIT, MEANINGS } from './exit-codes.js';

/** An argument or a flag of a command. */
interface Flag {
  readonly name: string;
  readonly alias: string | null;
  readonly about: string;
  readonly type: 'switch' | 'number' | 'text';
  /** Whether it may be given several times. */
  readonly repeated: boolean;
  readonly required: boolean;
  readonly default: string | number | boolean | null;
  readonly choices: readonly string[] | null;
  readonly group: string;
}

export interface CommandHelp {
  /** `lists create <name>` */
  readonly usage: string;
  readonly about: string;
  readonly arguments: readonly Flag[];
  readonly flags: readonly Flag[];
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

function partOf(name: string, option: Options, usage: string): Flag {
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

/** A command with its arguments and flags, or that and those below it for a script. */
export function helpPage(help: CommandHelp): Page {
  const groups = [...new Set(help.flags.map(({ group }) => group))];
  const title = `sluice ${help.usage}`;
  return {
    title,
    parts: [
      ...notes(title, '', help.about),
      ...list(
        'Commands:',
        help.commands.map(({ usage, about }) => [`sluice ${usage}`, about]),
      ),
      ...list(
        'Arguments:',
        help.arguments.map((part) => [part.name, tell({ ...part, required: false })]),
      ),
      ...groups.flatMap((group) => {
        const flags = help.flags.filter((flag) => flag.group === group);
        return list(
          group,
          flags.map((flag) => [written(flag), tell(flag)]),
        );
      }),
      ...list('Examples:', help.examples),
      ...(help.notes === null ? [] : notes('', help.notes)),
    ],
    data: helpJson(help),
  };
}

type Rows = readonly (readonly [string, string])[];

/** None without a row; below an empty line. */
export function list(title: string, rows: Rows): Part[] {
  if (rows.length === 0) return [];
  return [...notes(''), { kind: 'facts', shape: 'list', title, facts: factsOf(...rows) }];
}

function written({ alias, name, type }: Flag): string {
  const short = alias === null ? '' : `, -${alias}`;
  return `--${name}${short}${type === 'switch' ? '' : type === 'number' ? ' N' : ' …'}`;
}

function tell({ about, choices, default: usual, required, type }: Flag): string {
  const also = [
    ...(choices === null ? [] : [choices.join(', ')]),
    ...(required ? ['needed'] : []),
    ...(usual === null || usual === '' || usual === false
      ? []
      : [`default: ${type === 'switch' ? 'on' : String(usual)}`]),
  ];
  return also.length === 0 ? about : `${about} (${also.join('; ')})`;
}

/** Where words are explained. */
export const WORDS = 'docs/README.md#words';

/** What a newcomer needs first, and where the rest is. */
export function overviewPage(): Page {
  const first = FIRST.flatMap((name) => COMMANDS.filter(({ words }) => nameIn(words) === name));
  const subjects = Object.entries(TOPICS).map(([topic, { about, commands }]) => {
    return [
      `sluice help ${topic}`,
      `${about}: ${Object.keys(commands).map(nameIn).join(', ')}`,
    ] as const;
  });
  return {
    title: 'Sluice',
    parts: [
      ...notes(
        'sluice COMMAND',
        '',
        'Enriches leads through an outreach platform: every lead answered for, nothing paid for twice.',
      ),
      ...list(
        'Commands:',
        first.map(({ describe, words }) => [`sluice ${words}`, describe]),
      ),
      ...list('More commands, by subject:', subjects),
      ...list('More help:', [
        ['sluice COMMAND --help', 'A command with its arguments and flags'],
        ['sluice help --json', 'All commands, flags, defaults and exit codes, for scripts'],
        ['sluice --version', 'The version'],
        [WORDS, 'What lead, ask, run, state, dialect, waterfall, step and other words mean'],
      ]),
      ...notes(
        '',
        'Credentials come from SLUICE_USERNAME and SLUICE_PASSWORD, also in the file .env',
        'of this folder, or from the files that …_FILE in the environment name.',
        '--env-file FILE sets every variable that is in the file and not in the',
        'environment.',
      ),
    ],
    data: {},
  };
}

/** The commands of a subject; undefined if there is none of that name. */
export function topicPage(topic: string): Page | undefined {
  const { [topic]: found } = TOPICS;
  if (found === undefined) return undefined;
  const rows = Object.entries(found.commands).map(
    ([words, about]) => [`sluice ${words}`, about] as const,
  );
  return { title: found.about, parts: list(`${found.about}:`, rows).slice(1), data: [] };
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
  return { commands: commands.flat(), exitCodes };
}

function strip({ group: _group, ...part }: Flag) {
  return part;
}

/** A command and those below it, each as an object of its own. */
function helpJson(help: CommandHelp | undefined): object[] {
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
