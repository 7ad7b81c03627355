// The built command line as a real process. Whatever a test file leaves running ends with the file.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { atFileEnd } from './file-end.js';
import { COMMAND_MS } from './patience.js';

export const MAIN = fileURLToPath(new URL('../../dist/bundle/sluice.js', import.meta.url));
const UNBUNDLED = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const NOBODY = 65_534;

if (!existsSync(MAIN)) {
  throw new Error(`There is no built command line at ${MAIN}: run "npm run build" first.`);
}

const running = new Set<ChildProcess>();
atFileEnd(() => {
  for (const child of running) child.kill('SIGKILL');
});

export interface Ended {
  /** The exit code; null where a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** @throws where the process had to be ended because it took too long */
  readonly ended: Promise<Ended>;
  /** Resolves once standard output or standard error holds the text. */
  says(text: string | RegExp): Promise<void>;
}

export interface StartOptions {
  readonly cwd: string;
  /** A variable that is undefined is not set. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What stands on standard input; nothing by default. */
  readonly stdin?: string | Uint8Array;
  /** Standard input stays open until the test ends it. */
  readonly holdsStdin?: boolean;
  /** An open file for standard output instead of a pipe. */
  readonly stdout?: number;
  /** The same for standard error. */
  readonly stderr?: number;
  /** Without the rights of root, who may read and write everything. */
  readonly isUnprivileged?: boolean;
  /** In many files: a module that is loaded before it can change only libraries that are not in the bundle. */
  readonly isUnbundled?: boolean;
  /** It runs until the test file ends, so no time is too long. */
  readonly isService?: boolean;
}

/** Starts `sluice ARGS` with an environment that holds `env` and nothing of ours but the PATH. */
export function startCommand(args: readonly string[], options: StartOptions): Running {
  const main = options.isUnbundled === true ? UNBUNDLED : MAIN;
  const child = spawn(process.execPath, [main, ...args], {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'], ...options.env },
    stdio: ['pipe', options.stdout ?? 'pipe', options.stderr ?? 'pipe'],
    ...(options.isUnprivileged === true ? unprivileged() : {}),
  });
  running.add(child);
  // A command that ends before it has read its input closes the pipe.
  child.stdin?.on('error', () => undefined);
  if (options.holdsStdin === true) child.stdin?.write(options.stdin ?? '');
  else child.stdin?.end(options.stdin ?? '');

  const said = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8');
    child[name]?.on('data', (text: string) => {
      said[name] += text;
      for (const look of waiting) look();
    });
  }

  const told = () => `sluice ${args.join(' ')}\n${said.stdout}\n${said.stderr}`;
  const ended = new Promise<Ended>((resolve, reject) => {
    let isLate = false;
    const end = () => {
      isLate = true;
      child.kill('SIGKILL');
    };
    const timer = options.isService === true ? undefined : setTimeout(end, COMMAND_MS);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      running.delete(child);
      if (isLate) reject(new Error(`Still running after ${COMMAND_MS} ms: ${told()}`));
      else resolve({ code, signal, ...said });
    });
  });

  return {
    child,
    ended,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const all = said.stdout + said.stderr;
          if (typeof text === 'string' ? !all.includes(text) : !text.test(all)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        const give = () => reject(new Error(`Ended without saying ${String(text)}: ${told()}`));
        ended.then(give, reject);
      }),
  };
}

/** False only for a root who cannot let go of his rights, or whose checkout others may not read. */
export const canBeUnprivileged =
  process.getuid?.() !== 0 ||
  spawnSync(process.execPath, [MAIN, '--version'], { cwd: '/', ...unprivileged() }).status === 0;

function unprivileged() {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
}
