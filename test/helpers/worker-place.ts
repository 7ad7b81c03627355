// A state in a database, a queue, a sandbox and a folder of one test, and the workers that it starts: all gone with the
// test, also where it fails, because a worker that is left would take the runs of others.
import { expect, type TestContext } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.js';
import type { Ended, Running } from './command-line.js';
import { newState, type TestState } from './postgres.js';
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.js';
import { openWorkdir, type Workdir } from './workdir.js';

export interface WorkerPlace {
  readonly dir: Workdir;
  readonly sandbox: SandboxProcess;
  readonly state: TestState;
  /** Of the queue; states have one each. */
  readonly queue: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command to its end. */
  readonly sluice: (words: string) => Promise<Ended>;
  /** Starts `sluice worker`, in `dir` unless told otherwise. */
  readonly worker: (words?: string, where?: Workdir) => Running;
  /** Of all runs, as `sluice runs` tells them. */
  readonly states: () => Promise<string[]>;
  /** As if the schedules, kept in the database, had been due so long ago. A worker that is there learns it now. */
  readonly passTime: (ms: number) => Promise<void>;
}

/** The state is in a file, and the queue alone in the database. */
const IN_FILE = 'state.db';

/**
 * `addressOf` leads to the state where something stands between it and the workers; with `isInFile` the state is a file
 * of the folder.
 */
export async function openWorkerPlace(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  addressOf: (address: string) => string = (address) => address,
  isInFile = false,
): Promise<WorkerPlace> {
  const [state, sandbox] = await Promise.all([newState(), startSandboxProcess('--latency 300ms')]);
  const dir = openWorkdir(sandbox.url);
  const address = addressOf(state.address);
  const env: Readonly<Record<string, string>> = isInFile
    ? { SLUICE_STATE: dir.at(IN_FILE), SLUICE_QUEUE: address }
    : { SLUICE_STATE: address };
  const started: Running[] = [];
  onTestFinished(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ ended }) => ended));
    await state.drop();
  });
  const sluice = (words: string): Promise<Ended> => dir.start(words, { env }).ended;
  return {
    dir,
    sandbox,
    state,
    queue: state.schema,
    env,
    sluice,
    worker: (words = '', where = dir) => {
      const running = where.start(`worker ${words}`.trim(), { env, isService: true });
      started.push(running);
      return running;
    },
    passTime: async (ms) => {
      const store = await openPostgresStore(state.address);
      for (const one of await store.schedules()) {
        await store.keepSchedule(one.job, { ...one, nextAt: Date.now() - ms });
      }
      await store.close();
      expect(await sluice('schedule apply')).toMatchObject({ code: 0 });
    },
    states: async () => {
      const { stdout } = await sluice('runs --ndjson');
      const lines = stdout.trim().split('\n');
      return lines.map((line) => (JSON.parse(line) as { state: string }).state);
    },
  };
}
