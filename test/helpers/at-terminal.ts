// A command at a terminal, and a person who types there.
import { spawn, spawnSync } from 'node:child_process';

/** `script` of util-linux gives a command a terminal. */
export const hasTerminal = spawnSync('script', ['--version'], {
  encoding: 'utf8',
}).stdout?.includes('util-linux');

/** Types each answer once the text before it has been shown. `line` is one of a shell. */
export async function talk(
  cwd: string,
  line: string,
  turns: readonly (readonly [string, string])[],
): Promise<{ readonly code: number; readonly said: string }> {
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd,
    env: { PATH: process.env['PATH'], TERM: 'dumb' },
  });
  let [said, seen, turn] = ['', 0, 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    const [question, answer] = turns[turn] ?? [];
    const at = question === undefined ? -1 : said.indexOf(question, seen);
    if (at === -1) return;
    seen = at + (question?.length ?? 0);
    turn += 1;
    child.stdin.write(answer ?? '');
  });
  const code = await new Promise<number>((resolve) => {
    child.on('close', resolve);
  });
  return { code, said };
}
