// Commands in processes that stay, for test files in which the process is not the point: most of the time of a short
// command is its start. Each host performs one command at a time, and fails one that would keep a process from ending.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { COMMAND_MS } from './patience.js';

const HOST = fileURLToPath(new URL('command-host.mjs', import.meta.url));

interface Performed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What it has left open. */
  readonly left: readonly string[];
}

const hosts = new Set<ChildProcess>();
const idle: ChildProcess[] = [];
afterAll(() => {
  for (const host of hosts) host.kill('SIGKILL');
});

/** `sluice ARGS` with that environment and nothing of ours but the PATH; standard input is empty. */
export async function performHosted(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
) {
  const host = idle.pop() ?? startHost();
  const ended = new AbortController();
  const died = once(host, 'exit', { signal: ended.signal }).then(() => {
    throw new Error(`The host has ended: sluice ${args.join(' ')}`);
  });
  const timer = setTimeout(() => host.kill('SIGKILL'), COMMAND_MS);
  try {
    host.send({ args, cwd, env: { PATH: process.env['PATH'], ...env } });
    const [performed] = (await Promise.race([once(host, 'message'), died])) as [Performed];
    const { left, ...end } = performed;
    if (left.length > 0) {
      throw new Error(`It would not end, for ${left.join(', ')}: sluice ${args.join(' ')}`);
    }
    idle.push(host);
    return { ...end, signal: null };
  } finally {
    clearTimeout(timer);
    died.catch(() => undefined);
    ended.abort();
  }
}

function startHost(): ChildProcess {
  const host = fork(HOST, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] });
  hosts.add(host);
  return host;
}
