// Wrong command lines: the errors of yargs as one sentence with advice, and mistakes that yargs accepts.
import { jobKeys } from '../config/job-schema.js';
import { SluiceError } from '../model/errors.js';
import { nearestNames } from '../model/text/nearest.js';
import { shellWord } from '../model/text/printable.js';

const ONE_LEAD =
  'A dialect is tried at its platform by "sluice doctor --url URL --dialect FILE", which is free, and by one lead, which is paid for: "sluice enrich leads.csv --limit 1". "sluice dialect check FILE --transcript CALLS" sends nothing.';

function meant(command: string): string {
  return `Did you mean "sluice ${command}"?`;
}

/** Commands and flags that one may look for, each behind its command: what there is in their place. */
const GONE: Readonly<Record<string, string>> = {
  backup: meant('state backup'),
  prune: meant('state prune'),
  forget: meant('state forget'),
  deliveries: meant('status --deliveries'),
  compare: 'Two runs are compared by "sluice report --compare A B", the earlier one first.',
  'dialect try': ONE_LEAD,
  'dialect url': ONE_LEAD,
};

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
  { commands: written, options }: KnownWords,
): string {
  const commands = written.map((form) => form.replace(/ .*/, ''));
  const command = argv.find((argument) => commands.includes(argument));
  const help = `sluice${command === undefined ? '' : ` ${command}`} --help`;
  const [, missing] = /^Missing required arguments?: (.*)$/.exec(message) ?? [];
  if (missing !== undefined) {
    const flags = missing.split(', ').map((name) => `--${name}`);
    return `"sluice ${command ?? ''}" needs ${flags.join(' and ')}. "${help}" says what it takes.`;
  }
  const [, what = '', names = ''] =
    /^(Unknown command|Unknown argument|Not enough arguments following)s?: (.*)$/.exec(message) ??
    [];
  const choice = /Argument: (\S+), Given: (.*), Choices: (.*)/.exec(message);
  switch (what) {
    case 'Unknown command': {
      const [unknown = ''] = names.split(', ');
      const told =
        GONE[command === undefined ? unknown : `${command} ${argv[argv.indexOf(command) + 1]}`];
      if (told !== undefined) return told;
      if (command !== undefined) {
        return `"sluice ${command}" does not know what to do with "${unknown}". "${help}" says what it takes.`;
      }
      const [near] = nearestNames(unknown, commands);
      const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
      return `There is no command "${unknown}".${hint} "${help}" lists them.`;
    }
    case 'Unknown argument': {
      for (const name of names.split(', ')) {
        const told = GONE[`${command} ${name}`] ?? personBy(name, command);
        if (told !== undefined) return told;
        const way = options.includes('set') ? wayBySet(name, argv) : undefined;
        if (way !== undefined) {
          return `There is no flag ${asTyped(name, argv)}: write ${way}. "sluice keys" lists all keys of a job.`;
        }
      }
      const typed = names.split(', ').map((name) => asTyped(name, argv));
      const [near] = nearestNames(names.split(', ')[0] ?? '', options);
      const hint = near === undefined ? '' : ` Did you mean --${near}?`;
      return `"sluice ${command ?? ''}" does not know ${typed.join(', ')}.${hint} "${help}" lists what it knows.`;
    }
    case 'Not enough arguments following':
      return `--${names} needs a value after it. "${help}" says which.`;
    default:
      if (choice !== null) {
        const [, name = '', given = '', choices = ''] = choice;
        return `${name} cannot be ${given}: it is one of ${choices}. "${help}" says more.`;
      }
      if (message.startsWith('Not enough non-option')) {
        const flags = argv.map((word) => personBy(word.replace(/^--|=.*/g, ''), command));
        const told = flags.find((one, i) => one !== undefined && argv[i]?.startsWith('--'));
        if (told !== undefined) return told;
        return needsMore(
          message,
          argv,
          written.find((form) => form.split(' ')[0] === command),
        );
      }
      return message;
  }
}

/** `form` is the form of the command; it is unknown for a subcommand. */
function needsMore(message: string, argv: readonly string[], form = ''): string {
  // Below a command of commands the form is not known.
  const isBelow =
    form.includes('<command>') && argv.indexOf(form.split(' ')[0] ?? '') + 1 < argv.length;
  const places = isBelow ? [] : [...form.matchAll(/<[^>]+>/g)].map(([place]) => place);
  const [, given = '0'] = /got (\d+)/.exec(message) ?? [];
  const lacking = places.slice(Number(given));
  if (lacking.length > 0) {
    const name = form.split(' ')[0];
    return `"sluice ${name}" needs ${lacking.join(' and ')}: write it "sluice ${form}". "sluice ${name} --help" says more.`;
  }
  const words = argv.filter((word) => !word.startsWith('-')).slice(0, 2);
  const called = ['sluice', ...words].join(' ');
  return `"${called}" needs one more argument. "${called} --help" says what.`;
}

/** Flags that named a person, by the words that do. */
const PERSON_WORDS: Readonly<Record<string, string>> = {
  email: 'email=…',
  url: 'socialUrl=…',
  domain: 'companyDomain=…',
  name: 'firstName=… lastName=…, with companyDomain=… or companyName=…',
  company: 'companyDomain=… or companyName=…',
};

function personBy(flag: string, command: string | undefined): string | undefined {
  const { [flag]: words } = PERSON_WORDS;
  if (words === undefined || !['state', 'suppress'].includes(command ?? '')) return undefined;
  return `There is no flag --${flag}: name the person by words, ${words}.`;
}

/** Keys of a job whose flag had another name. */
const RENAMED: Readonly<Record<string, string>> = {
  'out-positions': 'out.positions',
  'out-companies': 'out.companies',
  list: 'list.name',
  'list-where': 'list.where',
};

/** How `--set` states the key of a job for which a flag of its own was typed. */
function wayBySet(name: string, argv: readonly string[]): string | undefined {
  const key = RENAMED[name] ?? jobKeys.find(([one]) => one === name)?.[0];
  if (key === undefined) return undefined;
  const typed = asTyped(name, argv);
  if (typed.startsWith('--no-')) return `--set ${key}=false`;
  const at = argv.findIndex((word) => word === typed || word.startsWith(`${typed}=`));
  const [, inWord] = /=(.*)$/s.exec(argv[at] ?? '') ?? [];
  const next = argv[at + 1];
  const value = inWord ?? (next === undefined || next.startsWith('-') ? 'true' : next);
  // The prices were written without braces, for which YAML has none.
  const yaml = name === 'prices' ? `{${value.replaceAll('=', ': ')}}` : value;
  return `--set ${key}=${shellWord(yaml)}`;
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

/** The error for a command line that is wrong. */
export function wrongUse(message: string): SluiceError {
  return new SluiceError('usage', message);
}

/**
 * Checks `--last N`.
 * @throws SluiceError `usage` for anything but a whole number from 1 on
 */
export function checkLast(last: number, what: string): void {
  if (Number.isSafeInteger(last) && last >= 1) return;
  throw wrongUse(`--last: a whole number from 1 on says how many ${what}.`);
}
