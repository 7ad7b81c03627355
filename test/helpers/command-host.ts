// Commands in processes that stay, for test files in which the process is not the point: most of the time of a short
// command is its start. Each host performs one command at a time, and fails one that would keep a process from ending.
// A command that another one has to end needs a process of its own: `dir.start`.
import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { COMMAND_MS } from './patience.js';

interface Performed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What it has left open. */
  readonly left: readonly string[];
}

/** Each new one takes a second of the processor before it is as quick as the others: a third one is seldom worth it. */
const ENOUGH = 2;

/** They serve every test file of this process, and end with it. The one that was last at work is the next. */
const idle: ChildProcess[] = [];
const waiting: ((host: ChildProcess) => void)[] = [];
let count = 0;

interface Setting {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string | Uint8Array;
}

/** `sluice ARGS` with that environment and nothing of ours but the PATH. */
export async function performHosted(args: readonly string[], { cwd, env, stdin = '' }: Setting) {
  const host = await takeHost();
  const order = {
    args,
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdin: Buffer.from(stdin as string).toString('base64'),
  };
  let isFine = false;
  try {
    const { left, ...end } = await askHost<Performed>(host, order, args);
    if (left.length > 0) {
      throw new Error(`It would not end, for ${left.join(', ')}: sluice ${args.join(' ')}`);
    }
    isFine = true;
    return { ...end, signal: null };
  } finally {
    if (isFine) giveBack(host);
    else count -= 1;
  }
}

function takeHost(): ChildProcess | Promise<ChildProcess> {
  const host = idle.pop();
  if (host !== undefined) return host;
  if (count < ENOUGH) return addHost();
  return new Promise((resolve) => waiting.push(resolve));
}

function addHost(): ChildProcess {
  count += 1;
  return startHost('command-host.mjs');
}

function giveBack(host: ChildProcess): void {
  const next = waiting.shift();
  if (next === undefined) idle.push(host);
  else next(host);
}

/** A process that runs a file of this folder, and ends with ours. */
export function startHost(file: string): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] });
}

/**
 * What it answers to an order for `sluice ARGS`.
 * @throws Error where it ends instead, or has to be ended because it took too long
 */
export async function askHost<T>(
  host: ChildProcess,
  order: Serializable,
  args: readonly string[],
): Promise<T> {
  const ended = new AbortController();
  let why = '';
  const died = once(host, 'exit', { signal: ended.signal }).then(([code, signal]) => {
    const how = why || `by ${String(signal ?? code)}`;
    throw new Error(`The host has ended, ${how}: sluice ${args.join(' ')}`);
  });
  const timer = setTimeout(() => {
    why = `for it took more than ${COMMAND_MS / 1_000} s`;
    host.kill('SIGKILL');
  }, COMMAND_MS);
  try {
    host.send(order);
    const [answer] = (await Promise.race([once(host, 'message'), died])) as [T];
    return answer;
  } finally {
    clearTimeout(timer);
    died.catch(() => undefined);
    ended.abort();
  }
}
