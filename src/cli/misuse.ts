// Wrong command lines: the errors of yargs as one sentence with advice, and mistakes that yargs accepts.
import { jobKeys } from '../config/job-schema.js';
import { wrongUse } from '../model/errors.js';
import { didYouMean } from '../model/text/nearest.js';
import { shellWord } from '../model/text/printable.js';

/** Commands that one may look for: what there is in their place. */
const GONE: Readonly<Record<string, string>> = {
  backup: 'Did you mean "sluice state backup"?',
  prune: 'Did you mean "sluice state prune"?',
  forget: 'Did you mean "sluice state forget"?',
  deliveries: 'Did you mean "sluice status --deliveries"?',
  compare: 'Two runs are compared by "sluice report --compare A B", the earlier one first.',
};

/** Flags that went and do not have the name of a key: the part of a key that each stated. */
const PARTS: Readonly<Record<string, string>> = {
  list: 'list.name',
  'list-where': 'list.where',
  'out-companies': 'out.companies',
  'out-positions': 'out.positions',
};

/** The message about a command of commands with a word behind it that is none of them. */
export const NO_SUBCOMMAND = 'Not enough non-option arguments: a subcommand';

export interface KnownWords {
  /** The form of each command, like `explain <run> <line>`. */
  readonly commands: readonly string[];
  /** The options of the command that was typed. */
  readonly options: readonly string[];
}

/** `message` is the message of yargs; `argv` is the typed command line. */
export function describeMisuse(
  message: string,
  argv: readonly string[],
  { commands: forms, options }: KnownWords,
): string {
  const commands = forms.map((form) => form.replace(/ .*/, ''));
  const command = argv.find((word) => commands.includes(word));
  const called = command === undefined ? 'sluice' : `sluice ${command}`;
  const help = `"${called} --help"`;
  const [, what = '', list = ''] =
    /^(Missing required argument|Unknown command|Unknown argument|Not enough arguments following)s?: (.*)$/.exec(
      message,
    ) ?? [];
  const names = list.split(', ');
  const [first = ''] = names;
  switch (what) {
    case 'Missing required argument': {
      const flags = names.map((name) => `--${name}`).join(' and ');
      return `"${called}" needs ${flags}. ${help} says what it takes.`;
    }
    case 'Unknown command':
      if (command !== undefined) {
        return `"${called}" does not know what to do with "${first}". ${help} says what it takes.`;
      }
      return (
        GONE[first] ??
        `There is no command "${first}".${didYouMean(first, commands)} ${help} lists them.`
      );
    case 'Unknown argument': {
      const ways = options.includes('set') ? names.flatMap((name) => wayBySet(name, argv)) : [];
      const [way] = ways;
      if (way !== undefined) return way;
      const typed = names.map((name) => asTyped(name, argv)).join(', ');
      const hint = didYouMean(
        first,
        options.map((option) => `--${option}`),
      );
      return `"${called}" does not know ${typed}.${hint} ${help} lists what it knows.`;
    }
    case 'Not enough arguments following':
      return `--${list} needs a value after it. ${help} says which.`;
    default: {
      const choice = /Argument: (\S+), Given: (.*), Choices: (.*)/.exec(message);
      if (choice !== null) {
        const [, name = '', given = '', choices = ''] = choice;
        return `${name} cannot be ${given}: it is one of ${choices}. ${help} says more.`;
      }
      const form = forms.find((one) => one.split(' ')[0] === command);
      return message.startsWith('Not enough non-option') ? needsMore(message, argv, form) : message;
    }
  }
}

/** `form` is the form of the command; it is unknown for a subcommand. */
function needsMore(message: string, argv: readonly string[], form = ''): string {
  const [name = ''] = form.split(' ');
  const next = argv[argv.indexOf(name) + 1];
  if (message === NO_SUBCOMMAND)
    return `"sluice ${name}" has no command "${next}". "sluice ${name} --help" lists them.`;
  // Below a command of commands the form is not known.
  const isBelow = form.includes('<command>') && next !== undefined;
  const places = isBelow ? [] : [...form.matchAll(/<[^>]+>/g)].map(([place]) => place);
  const [, given = '0'] = /got (\d+)/.exec(message) ?? [];
  const lacking = places.slice(Number(given));
  if (lacking.length > 0) {
    return `"sluice ${name}" needs ${lacking.join(' and ')}: write it "sluice ${form}". "sluice ${name} --help" says more.`;
  }
  const words = argv.filter((word) => !word.startsWith('-')).slice(0, 2);
  const called = ['sluice', ...words].join(' ');
  return `"${called}" needs one more argument. "${called} --help" says what.`;
}

/** The sentence about a flag that is typed for a key of a job without one; none for any other flag. */
function wayBySet(name: string, argv: readonly string[]): string[] {
  const { [name]: path = name } = PARTS;
  if (!jobKeys.some(([key]) => key === path.split('.')[0])) return [];
  const typed = asTyped(name, argv);
  const at = argv.findIndex((word) => word === typed || word.startsWith(`${typed}=`));
  const [, inWord] = /=(.*)$/s.exec(argv[at] ?? '') ?? [];
  const next = argv[at + 1];
  const behind = inWord ?? (next === undefined || next.startsWith('-') ? 'true' : next);
  const value = typed.startsWith('--no-') ? 'false' : shellWord(behind);
  // `find_email=5,find_phone=10`
  const isPairs = name === 'prices' && behind.includes('=');
  const ways = isPairs
    ? behind.split(',').map((pair) => `prices.${pair.trim()}`)
    : [`${path}=${value}`];
  const written = ways.map((way) => `--set ${way}`).join(' ');
  return [`There is no flag ${typed}: write ${written}. "sluice keys" lists all keys of a job.`];
}

/** Adds the dashes, which yargs removes. */
function asTyped(name: string, argv: readonly string[]): string {
  const flags = [`--${name}`, `--no-${name}`, `-${name}`];
  return (
    flags.find((flag) => argv.some((typed) => typed === flag || typed.startsWith(`${flag}=`))) ??
    name
  );
}

/** The names of a command's options, by the kind of value that they take. */
export interface OptionKinds {
  readonly array: readonly string[];
  readonly boolean: readonly string[];
  /** Every name there is. */
  readonly key?: Readonly<Record<string, unknown>>;
}

/** Empty values that the sandbox accepts: a platform may know an account by a password or by a user name alone. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['username', 'password']);

/**
 * Refuses an option that is given twice, an option or argument that is blank, and a value that an option does not take,
 * as happens if a script builds the command line: an unset variable leaves an empty word. `values` are the parsed options, `words` the command line itself.
 * @throws SluiceError `usage` naming the option
 */
export function refuseSlips(
  values: Readonly<Record<string, unknown>>,
  kinds: OptionKinds,
  words: readonly string[],
): void {
  for (const [name, value] of Object.entries(values)) {
    // Skips `_`, the name of the program and aliases of one letter, whose long name is checked.
    if (name.length < 2) continue;
    if (Array.isArray(value) && !kinds.array.includes(name)) {
      const form = name === 'ask' ? ', with commas: --ask find_email,find_phone' : '';
      throw wrongUse(`--${name} is given twice. Give it once${form}.`);
    }
    const isEmpty = [value].flat().some((one) => typeof one === 'string' && one.trim() === '');
    if (isEmpty && !MAY_BE_EMPTY.has(name)) {
      const isFlag = words.some((word) => word === `--${name}` || word.startsWith(`--${name}=`));
      if (isFlag) throw wrongUse(`--${name} is empty. Give it a value, or leave it out.`);
      if (words.some((word) => word.trim() === '')) {
        throw wrongUse('An argument is empty. Give it a value, or leave it out.');
      }
    }
    const given = words.find((word) => word.startsWith(`--${name}=`));
    if (!kinds.boolean.includes(name) || given === undefined) continue;
    if (!/=(true|false)$/.test(given)) {
      throw wrongUse(`--${name} takes no value. Write --${name}, or --no-${name}.`);
    }
  }
}

/**
 * Checks `--last N`.
 * @throws SluiceError `usage` for anything but a whole number from 1 on
 */
export function checkLast(last: number, what: string): void {
  if (Number.isSafeInteger(last) && last >= 1) return;
  throw wrongUse(`--last: a whole number from 1 on says how many ${what}.`);
}
