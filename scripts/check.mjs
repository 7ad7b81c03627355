// npm run check, after the build: the tests, and beside them what needs no test run, for tests wait a part of their
// time. Whatever of it finds something is shown at once, and the exit code is 1 in the end.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BESIDE = ['lint', 'format:check', 'dead'];
const PROJECTS = ['alone', 'whole', 'parts'].flatMap((name) => ['--project', name]);

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

async function checkBeside() {
  const failed = [];
  for (const name of BESIDE) {
    const { isFine, said } = await run(
      'npm',
      ['run', '--silent', name],
      ['ignore', 'pipe', 'pipe'],
    );
    if (isFine) continue;
    failed.push(name);
    process.stderr.write(`\n${said}\nnpm run ${name} has failed.\n`);
  }
  return failed;
}

const [tests, failed] = await Promise.all([
  run('npx', ['vitest', 'run', ...PROJECTS], 'inherit'),
  checkBeside(),
]);
// Below the many lines of the tests too.
for (const name of failed) console.error(`npm run ${name} has failed: see above.`);
if (!tests.isFine || failed.length > 0) process.exitCode = 1;
