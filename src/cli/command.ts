// The definition of a command, and how what it says is printed.
import type { Argv, InferredOptionTypes, Options } from 'yargs';
import type { Done } from '../app/state/pause-job.js';
import { printable, printableJson } from '../model/text/printable.js';
import { ClosedPipe } from '../output/standard-output.js';
import { asJson } from '../tell/as-json.js';
import { asText } from '../tell/as-text.js';
import type { Page } from '../tell/page.js';
import { NO_SUBCOMMAND } from './misuse.js';

/** The output of a command at its end: a page, or lines for people in place of its parts. */
export interface Said extends Partial<Page> {
  readonly data: Page['data'];
  readonly lines?: string | readonly string[];
  /** The table that was written. If it is on standard output (`-`), only JSON is printed, to standard error. */
  readonly table?: string;
}

/** Prints it. */
export function say(said: Said, isJson: boolean, isByLine = false): void {
  const { table } = said;
  const print = table === '-' ? console.error : console.log;
  const json = asJson(said.data);
  const toJson = (one: unknown): void => print(printableJson(JSON.stringify(one)));
  if (isByLine && Array.isArray(json)) for (const one of json) toJson(one);
  else if (isJson) toJson(json);
  else if (table !== '-') for (const line of linesOf(said)) print(printable(line));
}

/** Lists of a page are broken where the terminal ends. */
export function linesOf({ lines, parts = [] }: Partial<Said>): readonly string[] {
  if (lines !== undefined) return [lines].flat();
  return asText(parts, Math.min(100, process.stdout.columns ?? 80));
}

/** Prints what was done, and data about whatever it was done to. */
export function sayDone({ data, sentences, title }: Done<object>, about: object): Said {
  return { data: { ...about, ...data }, lines: [`${title}.`, ...sentences].join(' ') };
}

// A handler that prints nothing at its end returns nothing.
// oxlint-disable-next-line typescript/no-invalid-void-type
export type MaybeSaid = Said | undefined | void;

/** Arguments or options by their names. */
export type Taken = Readonly<Record<string, Options>>;

/** The form of a command line; `P` are its arguments, in the order of its words, and `O` its options. */
export interface Form<P extends Taken, O extends Taken> {
  /** The words of a subcommand; those of top-level commands are in command-list.ts. */
  readonly command?: string | readonly string[];
  readonly describe?: string;
  readonly args?: P;
  readonly options?: O;
  /** Command lines, and what each does. */
  readonly examples?: Readonly<Record<string, string>>;
  /** Sentences below its options. */
  readonly notes?: string;
  /** Its subcommands, which have no option of its own. */
  readonly commands?: readonly Command[];
}

/** No arguments, or no options. */
export type None = { readonly [Name in never]: Options };

export type Parsed<P extends Taken, O extends Taken> = InferredOptionTypes<P> &
  InferredOptionTypes<O>;

interface Definition<P extends Taken, O extends Taken> extends Form<P, O> {
  /** Its return value is printed. A group of commands has none. */
  readonly handler?: (args: Parsed<P, O>) => MaybeSaid | Promise<MaybeSaid>;
}

/** A command as yargs and the help read it. */
export interface Command extends Form<Taken, Taken> {
  readonly builder: (yargs: Argv) => Argv;
  readonly handler: (args: object) => Promise<void>;
}

export function command<P extends Taken = None, O extends Taken = None>({
  handler,
  ...form
}: Definition<P, O>): Command {
  return {
    ...form,
    builder: (yargs) => {
      const { args = {}, commands = [], options = {} }: Form<Taken, Taken> = form;
      const isGroup = handler === undefined;
      for (const [name, option] of Object.entries(args)) {
        yargs.positional(name, option as object);
        // So that - is a file.
        if (option.type === 'string') yargs.nargs(name, 1);
      }
      const isOwn = { global: commands.length === 0 };
      for (const [name, option] of Object.entries(options))
        yargs.option(name, { ...option, ...isOwn });
      if (commands.length > 0) yargs.command(commands as never);
      return isGroup ? yargs.demandCommand(1, NO_SUBCOMMAND) : yargs;
    },
    handler: async (args) => {
      try {
        const said = await handler?.(args as Parsed<P, O>);
        if (said === undefined) return;
        const { json = false, ndjson = false } = args as { json?: boolean; ndjson?: boolean };
        say(said, json, ndjson);
      } catch (error) {
        // The reader of the table has seen enough.
        if (!(error instanceof ClosedPipe)) throw error;
      }
    },
  };
}
