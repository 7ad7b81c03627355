// Starts commands of our own as separate processes, so that the end of the pages ends no run, and remembers how they
// ended. A command's payments are safe whichever process dies: it is the same command that a terminal would start.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { variablesToHandOn } from '../../app/settings/environment.js';
import { SluiceError } from '../../model/errors.js';
import { printable } from '../../model/text/printable.js';
import type { Clock } from '../../ports/clock.js';

export interface StartedCommand {
  readonly id: number;
  readonly job: string;
  readonly startedAt: number;
  /** The arguments that a user would type after `sluice`. */
  readonly args: readonly string[];
  /** The number of the run that it works on, as it has told; null before that. */
  readonly run: number | null;
  /** Null while it is at work; code null if a signal ended it, or it could not be started. */
  readonly end: { readonly at: number; readonly code: number | null } | null;
  /** The last lines of its output; none if all is well. */
  readonly said: readonly string[];
}

export interface Starter {
  /**
   * Starts a command; `prepare` makes the files that it reads.
   * @throws SluiceError `busy` if a command for the job that was started here is still at work
   */
  start(job: string, args: readonly string[], prepare?: () => void): StartedCommand;
  find(id: number): StartedCommand | undefined;
}

/** The number of commands that are remembered; older ones that have ended are forgotten. */
const REMEMBERED_MAX = 50;
const SAID_BYTES_MAX = 2_000;

interface Entry extends Omit<StartedCommand, 'said'> {
  /** The descriptor of an open file without a name, which ends with both processes. */
  readonly log: number;
}

/** Makes the starter; `command` starts `sluice`: the program and its first arguments. */
export function createStarter(command: readonly string[], clock: Clock): Starter {
  const entries = new Map<number, Entry>();
  let last = 0;
  return {
    start: (job, args, prepare) => {
      const busy = [...entries.values()].find((one) => one.job === job && one.end === null);
      if (busy !== undefined) {
        throw new SluiceError('busy', 'It was started here already, and is still at work.');
      }
      // The files are made only now: the command at work may not have read its own yet.
      prepare?.();
      last += 1;
      const log = openLog();
      const entry: Entry = {
        id: last,
        job,
        startedAt: clock.now(),
        args,
        run: null,
        end: null,
        log,
      };
      entries.set(entry.id, entry);
      const child = launch([...command, ...args], log);
      const note = (change: Partial<Entry>): void => {
        const known = entries.get(entry.id);
        if (known?.end === null) entries.set(entry.id, { ...known, ...change });
      };
      const end = (code: number | null): void => note({ end: { at: clock.now(), code } });
      child.on('message', ({ run }: { run: number }) => note({ run }));
      child.once('exit', end);
      child.once('error', () => end(null));
      forget(entries);
      return shown(entry);
    },
    find: (id) => {
      const entry = entries.get(id);
      return entry === undefined ? undefined : shown(entry);
    },
  };
}

function openLog(): number {
  const path = join(tmpdir(), `sluice-ui-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  rmSync(path);
  return file;
}

/** Launches a process in a group of its own: Ctrl+C in the terminal of the pages is not meant for it. */
function launch([program = '', ...args]: readonly string[], log: number): ChildProcess {
  const options = {
    detached: true,
    env: variablesToHandOn(),
    stdio: ['ignore', log, log, 'ipc'] as StdioOptions,
  };
  const child = spawn(program, args, options);
  child.unref();
  child.channel?.unref();
  return child;
}

function shown({ log, ...entry }: Entry): StartedCommand {
  const bytes = Buffer.alloc(SAID_BYTES_MAX);
  const from = Math.max(0, fstatSync(log).size - SAID_BYTES_MAX);
  const text = bytes.subarray(0, readSync(log, bytes, 0, SAID_BYTES_MAX, from)).toString('utf8');
  const said = text
    .split('\n')
    .map(printable)
    .filter((line) => line !== '');
  return { ...entry, said };
}

function forget(entries: Map<number, Entry>): void {
  for (const [id, { end, log }] of entries) {
    if (entries.size <= REMEMBERED_MAX) return;
    if (end === null) continue;
    entries.delete(id);
    closeSync(log);
  }
}
