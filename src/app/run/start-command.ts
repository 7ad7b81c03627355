// Starts commands of our own as separate processes, so that the end of the pages ends no run, and remembers how they
// ended. A command's payments are safe whichever process dies: it is the same command that a terminal would start.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SluiceError } from '../../model/errors.js';
import { printable } from '../../model/text/printable.js';
import type { Clock } from '../../ports/clock.js';
import { variablesToHandOn } from '../settings/environment.js';

export interface StartedCommand {
  readonly id: number;
  readonly job: string;
  readonly startedAt: number;
  readonly args: readonly string[];
  /** The number of the run that it works on, as it has told; null before that. */
  readonly run: number | null;
  /** Null while it is at work; code null if a signal ended it, or it could not be started. */
  readonly end: { readonly at: number; readonly code: number | null } | null;
  /** The last lines of its output once it has ended; none if all is well. */
  readonly said: readonly string[];
}

export type Starter = ReturnType<typeof createStarter>;

/** The number of commands that are remembered. */
const REMEMBERED_MAX = 50;
const SAID_BYTES_MAX = 2_000;

/** Makes the starter; `command` starts `sluice`: the program and its first arguments. */
export function createStarter(command: readonly string[], clock: Clock) {
  const started = new Map<number, StartedCommand>();
  let last = 0;
  const isAtWork = (job: string): boolean =>
    [...started.values()].some((one) => one.job === job && one.end === null);
  return {
    /**
     * Starts a command; `prepare` makes the files that it reads.
     * @throws SluiceError `busy` if a command for the job that was started here is still at work
     */
    start: (job: string, args: readonly string[], prepare?: () => void): StartedCommand => {
      if (isAtWork(job)) {
        throw new SluiceError('busy', 'It was started here already, and is still at work.');
      }
      // The files are made only now: the command at work may not have read its own yet.
      prepare?.();
      const id = (last += 1);
      const entry = { id, job, startedAt: clock.now(), args, run: null, end: null, said: [] };
      started.set(id, entry);
      started.delete(id - REMEMBERED_MAX);
      launch([...command, ...args], clock, (news) => {
        const known = started.get(id);
        if (known?.end === null) started.set(id, { ...known, ...news });
      });
      return entry;
    },
    /** Whether a command for the job that was started here is at work, which may not have begun yet. */
    isAtWork,
    find: (id: number): StartedCommand | undefined => started.get(id),
  };
}

/**
 * Launches a process in a group of its own: Ctrl+C in the terminal of the pages is not meant for it. Its output is kept in
 * a file without a name, since it may outlive this process.
 */
function launch(
  [program = '', ...args]: readonly string[],
  clock: Clock,
  onNews: (news: Partial<StartedCommand>) => void,
): void {
  const path = join(tmpdir(), `sluice-ui-${randomUUID()}`);
  const log = openSync(path, 'wx+', 0o600);
  rmSync(path);
  const child = spawn(program, args, {
    detached: true,
    env: variablesToHandOn(),
    stdio: ['ignore', log, log, 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  child.on('message', ({ run }: { run: number }) => onNews({ run }));
  const end = (code: number | null): void => {
    onNews({ end: { at: clock.now(), code }, said: lastLines(log) });
    closeSync(log);
  };
  child.once('exit', end);
  // It could not be started, and has no exit.
  child.once('error', () => end(null));
}

function lastLines(log: number): readonly string[] {
  const bytes = Buffer.alloc(SAID_BYTES_MAX);
  const from = Math.max(0, fstatSync(log).size - SAID_BYTES_MAX);
  const text = bytes.subarray(0, readSync(log, bytes, 0, SAID_BYTES_MAX, from)).toString('utf8');
  return text
    .split('\n')
    .map(printable)
    .filter((line) => line !== '');
}
