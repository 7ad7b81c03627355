// Sends a notice to a command of the user: the summary is on its standard input.
import { type ChildProcess, spawn } from 'node:child_process';

const COMMAND_MS_MAX = 60_000;
/** Only the end of the output is kept: it says why the command failed. */
const SAID_CHARS_MAX = 2_000;
const LAST_WORDS_MS = 500;

export interface CommandTrouble {
  readonly trouble: string;
  /** The end of its output; may be empty. */
  readonly said: string;
}

/** @returns undefined if the command ended with 0 */
export function runNoticeCommand(
  [program = '', ...args]: readonly string[],
  body: string,
  env: Readonly<Record<string, string>>,
  timeoutMs = COMMAND_MS_MAX,
): Promise<CommandTrouble | undefined> {
  return new Promise((resolve) => {
    // In a process group of its own, so that its child processes end with it.
    const child = spawn(program, args, { env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text: string) => {
        said = (said + text).slice(-SAID_CHARS_MAX);
      });
    }
    let isLate = false;
    let timer = setTimeout(() => {
      isLate = true;
      end(child);
    }, timeoutMs);
    const settle = (trouble: string | undefined): void => {
      clearTimeout(timer);
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      resolve(trouble === undefined ? undefined : { trouble, said: said.trim() });
    };
    child.on('error', (error: NodeJS.ErrnoException) =>
      settle(`${program} cannot be started (${error.code ?? 'unknown error'})`),
    );
    const conclude = (code: number | null, signal: string | null): void => {
      if (isLate) settle(`${program} was still running after ${timeoutMs / 1000} s`);
      else if (code === 0) settle(undefined);
      else settle(`${program} ended with ${code === null ? signal : `exit code ${code}`}`);
    };
    child.on('close', conclude);
    // A background process of the command may hold the pipes open for ever.
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      timer = setTimeout(() => conclude(code, signal), LAST_WORDS_MS);
    });
    // The command may not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(body);
  });
}

function end(child: ChildProcess): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}
