// npm run check, after the build: the tests, and beside them `npm run lint:all`, for tests wait a part of their time. What
// that finds is printed below the many lines of the tests, and the exit code is 1 then.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROJECTS = ['alone', 'short'].flatMap((name) => ['--project', name]);

function run(command, args, stdio) {
  const child = spawn(command, args, { cwd: ROOT, stdio, shell: process.platform === 'win32' });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ isFine: code === 0, said }));
  });
}

const [tests, lint] = await Promise.all([
  run('npx', ['vitest', 'run', ...PROJECTS], 'inherit'),
  run('npm', ['run', '--silent', 'lint:all'], ['ignore', 'pipe', 'pipe']),
]);
if (!lint.isFine) console.error(`${lint.said}\nnpm run lint:all has failed: see above.`);
if (!tests.isFine || !lint.isFine) process.exitCode = 1;
