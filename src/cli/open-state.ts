// The state of a command, which must exist, and the runs and jobs in it that a command line names.
import { basename, extname } from 'node:path';
import type { Argv } from 'yargs';
import { stateOf } from '../app/settings/job-settings.js';
import { SluiceError } from '../model/errors.js';
import type { Run } from '../model/run.js';
import { printable } from '../model/text/printable.js';
import type { Store } from '../ports/store/store.js';
import { isStateThere, nameState, openStore } from '../store/open-store.js';
import { command, JSON_OPTION, type MaybeSaid, STATE_OPTION } from './command.js';
import { commandEnvironment } from './command-environment.js';

/** Opens the state of `--state`, SLUICE_STATE or the default, and closes it after `work`. */
export async function withState<R>(
  flag: string | undefined,
  work: (store: Store, path: string) => Promise<R>,
): Promise<R> {
  const path = stateOf(flag, commandEnvironment());
  if (!isStateThere(path)) {
    throw new SluiceError(
      'store',
      `There is no state file ${path} yet: nothing has run with it. Name another with --state.`,
      { path },
    );
  }
  const store = await openStore(path);
  try {
    const movedTo = await store.movedTo();
    if (movedTo !== null) {
      console.error(
        printable(
          `${path} was moved to ${movedTo}: this is what was known when it was. --state names the other one.`,
        ),
      );
    }
    return await work(store, path);
  } finally {
    await store.close();
  }
}

interface StateArguments {
  readonly state?: string | undefined;
  readonly json: boolean;
}

interface StateDefinition<A, P> {
  readonly command?: string;
  readonly describe?: string;
  readonly builder: (yargs: Argv) => Argv<A>;
  /** Checks the arguments before the state file is opened; its return value is passed to the handler. */
  readonly prepare?: (args: A) => P;
  readonly handler: (
    args: A & StateArguments,
    store: Store,
    path: string,
    prepared: P,
  ) => Promise<MaybeSaid>;
}

/** A command that works on a state file: `--state` and `--json` are added to its options. */
export function stateCommand<A, P = undefined>(definition: StateDefinition<A, P>) {
  const { builder, prepare, handler, ...words } = definition;
  return command({
    ...words,
    builder: (yargs) => builder(yargs).options({ ...STATE_OPTION, ...JSON_OPTION }),
    handler: (args) => {
      const given = args as A & StateArguments;
      const prepared = prepare?.(given) as P;
      return withState(given.state, (store, path) => handler(given, store, path, prepared));
    },
  });
}

/** The run of that number, or the newest if no number is given. */
export async function findRun(store: Store, path: string, id: number | undefined): Promise<Run> {
  if (id !== undefined && !Number.isSafeInteger(id)) {
    throw new SluiceError('usage', 'A run is named by its number; "sluice runs" lists them.');
  }
  const run = id === undefined ? (await store.listRuns(1))[0] : await store.findRun(id);
  if (run !== undefined && run !== null) return run;
  throw new SluiceError(
    'usage',
    id === undefined
      ? `Nothing has run with ${nameState(path)} yet.`
      : `There is no run ${id} in ${path}. "sluice runs" lists the existing ones.`,
    { path, run: id ?? null },
  );
}

/**
 * The job of the run with that number, or the job of that name, which must have run.
 * @throws SluiceError `usage` where there is no such run, and nothing has run under that name
 */
export async function findJob(store: Store, path: string, text: string): Promise<string> {
  if (/^\d+$/.test(text)) return (await findRun(store, path, Number(text))).job;
  // `text` may be the path of a job file.
  const names = [text, basename(text, extname(text))];
  for (const name of names) if (await store.hasRun(name)) return name;
  throw new SluiceError(
    'usage',
    `No job ${text} has run with ${nameState(path)} yet. "sluice runs" lists the jobs that have.`,
    { path },
  );
}
