// Performs commands as `sluice ARGS` would, one after the other in one process. Started by command-host.ts.
import { Readable } from 'node:stream';
import { performCommand } from '../../dist/bundle/perform-command.js';
import { secondLook } from '../../dist/bundle/second-look.js';

// The sandbox has its values at the second look, whenever that is.
secondLook.waitMs = 50;

/** Longer than anything needs to close that a command has left to itself, on a busy machine. */
const CLOSED_WITHIN_MS = 20_000;

const PIPE_BYTES = 64 * 1024;

let said = { stdout: [], stderr: [] };
for (const name of ['stdout', 'stderr']) {
  process[name].write = (chunk, encoding, done = encoding) => {
    said[name].push(Buffer.from(chunk));
    if (typeof done === 'function') setImmediate(() => done());
    return true;
  };
}

// Commands are to find no parent to tell.
const answer = process.send.bind(process);
process.send = undefined;
process.on('disconnect', () => process.exit());
process.on('message', (command) => void perform(command));

async function perform({ args, cwd, env, stdin }) {
  process.chdir(cwd);
  const input = Readable.from(chunksOf(Buffer.from(stdin, 'base64')), { objectMode: false });
  Object.defineProperty(process, 'stdin', { configurable: true, value: input });
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = undefined;
  said = { stdout: [], stderr: [] };
  const before = keepingAlive();
  await performCommand(args);
  const code = process.exitCode ?? 0;
  process.exitCode = undefined;
  const left = await leftBehind(before);
  const [stdout, stderr] = [said.stdout, said.stderr].map((all) => String(Buffer.concat(all)));
  answer({ code, stdout, stderr, left });
}

/** In pieces as a pipe has them. */
function* chunksOf(bytes) {
  for (let at = 0; at < bytes.length; at += PIPE_BYTES) yield bytes.subarray(at, at + PIPE_BYTES);
}

/** What would keep a process of its own from ending. */
function keepingAlive() {
  return process.getActiveResourcesInfo().filter((name) => name !== 'Immediate');
}

async function leftBehind(before) {
  const until = performance.now() + CLOSED_WITHIN_MS;
  for (;;) {
    const left = keepingAlive();
    for (const name of before) if (left.includes(name)) left.splice(left.indexOf(name), 1);
    if (left.length === 0 || performance.now() > until) return left;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
