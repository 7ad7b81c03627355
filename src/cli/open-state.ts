// The state of a command, which must exist, and the runs and jobs in it that a command line names.
import { basename, extname } from 'node:path';
import { runOf } from '../app/results/run-of.js';
import { stateOf } from '../app/settings/command-settings.js';
import { SluiceError, wrongUse } from '../model/errors.js';
import type { Run } from '../model/run.js';
import { printable } from '../model/text/printable.js';
import { whileOpen } from '../model/while-open.js';
import type { Store } from '../ports/store/store.js';
import { isStateFolderThere, isStateThere, nameState, openStore } from '../store/open-store.js';
import {
  command,
  type Form,
  type MaybeSaid,
  type None,
  type Parsed,
  type Taken,
} from './command.js';
import { commandEnvironment } from './command-environment.js';
import { JSON_OPTION, LIST_OPTIONS, STATE_OPTION } from './options.js';

/** Opens the state of `--state`, SLUICE_STATE or the default, and closes it after `work`. */
export async function withState<R>(
  flag: string | undefined,
  work: (store: Store, path: string) => Promise<R>,
): Promise<R> {
  const path = stateOf(flag, commandEnvironment());
  if (isStateThere(path)) return withStateAt(path, work);
  const lacks = isStateFolderThere(path) ? ' yet' : ', nor its folder';
  throw new SluiceError(
    'store',
    `There is no state file ${path}${lacks}: nothing has run with it. Name another with --state.`,
  );
}

/**
 * For commands that a new user calls first: `whenNew` replaces `work` if no state was named and there is none yet. A
 * folder that SLUICE_STATE names and that is not there may be a disk that is not mounted.
 */
export async function withStateOrNew<R>(
  flag: string | undefined,
  work: (store: Store, path: string) => Promise<R>,
  whenNew: (path: string) => R | Promise<R>,
): Promise<R> {
  const environment = commandEnvironment();
  const path = stateOf(flag, environment);
  const isNamed =
    flag !== undefined || (environment.state !== undefined && !isStateFolderThere(path));
  return isNamed || isStateThere(path) ? withState(flag, work) : whenNew(path);
}

/** The advice on how to begin, for a state with which nothing has run. */
export function nothingYet(path: string): string {
  return `Nothing has run with ${nameState(path)} yet. "sluice init leads.csv" writes a job from a file of leads; "sluice ui" takes a file in the browser. Both cost nothing.`;
}

/** Creates the state file if there is none. */
export async function withStateAt<R>(
  path: string,
  work: (store: Store, path: string) => Promise<R>,
): Promise<R> {
  return whileOpen(await openStore(path), (store) => {
    if (store.movedTo !== null) {
      console.error(
        printable(
          `${path} was moved to ${store.movedTo}: this is what was known when it was. --state names the other one.`,
        ),
      );
    }
    return work(store, path);
  });
}

interface StateArguments {
  readonly state?: string | undefined;
  readonly json: boolean;
}

interface StateDefinition<P extends Taken, O extends Taken, R> extends Form<P, O> {
  /** It prints a list, and takes `--ndjson`. */
  readonly lists?: true;
  /** It makes the state file if there is none. */
  readonly creates?: true;
  /** Checks the arguments before the state file is opened; its return value is passed to the handler. */
  readonly prepare?: (args: Parsed<P, O> & StateArguments) => R | Promise<R>;
  /** Its output in a new folder, if no state is named and there is none yet. Without it the command is refused. */
  readonly whenNew?: (path: string, args: Parsed<P, O>) => MaybeSaid;
  readonly handler: (
    args: Parsed<P, O> & StateArguments,
    store: Store,
    path: string,
    prepared: R,
  ) => Promise<MaybeSaid>;
}

/** A command that works on a state file: `--state` and `--json` are added to its options. */
export function stateCommand<P extends Taken = None, O extends Taken = None, R = undefined>(
  definition: StateDefinition<P, O, R>,
) {
  const { creates, handler, lists, options, prepare, whenNew, ...form } = definition;
  return command({
    ...form,
    options: { ...options, ...STATE_OPTION, ...(lists === true ? LIST_OPTIONS : JSON_OPTION) },
    handler: async (args) => {
      const given = args as Parsed<P, O> & StateArguments;
      const prepared = (await prepare?.(given)) as R;
      const work = (store: Store, path: string) => handler(given, store, path, prepared);
      if (creates === true) return withStateAt(stateOf(given.state, commandEnvironment()), work);
      return whenNew === undefined
        ? withState(given.state, work)
        : withStateOrNew(given.state, work, (path) => whenNew(path, given));
    },
  });
}

/** The run of that number, or the newest if no number is given. */
export async function findRun(store: Store, path: string, id: number | undefined): Promise<Run> {
  if (id !== undefined && !Number.isSafeInteger(id)) {
    throw wrongUse('A run is named by its number; "sluice runs" lists them.');
  }
  if (id !== undefined) return runOf(store, id);
  const [newest] = await store.listRuns(1);
  if (newest !== undefined) return newest;
  throw wrongUse(`Nothing has run with ${nameState(path)} yet.`);
}

/**
 * The job of the run with that number, or the job of that name, which must have run.
 * @throws SluiceError `usage` if there is no such run, and nothing has run under that name
 */
export async function findJob(store: Store, path: string, text: string): Promise<string> {
  if (/^\d+$/.test(text)) return (await findRun(store, path, Number(text))).job;
  // `text` may be the path of a job file.
  const names = [text, basename(text, extname(text))];
  for (const name of names) if ((await store.jobNow(name)).hasRun) return name;
  throw wrongUse(
    `No job ${text} has run with ${nameState(path)} yet. "sluice runs" lists the jobs that have.`,
  );
}
