// One job in real time: `sluice enrich` against `sluice sandbox`, each a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { decideHits } from '../../dist/sandbox/answers/decide-hits.js';
import { answersOf } from './simulate.mjs';

const MAIN = new URL('../../dist/cli/main.js', import.meta.url).pathname;
const CREDENTIALS = { SLUICE_USERNAME: 'sandbox', SLUICE_PASSWORD: 'sandbox' };

/** As `simulate`. The clock runs from the start of the command to its end, the start of Node.js included. */
export async function enrichForReal({ leads, collect, rate, seed }) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-schedule-'));
  const limit = `${rate.requests}/${rate.perMs}ms`;
  const sandbox = await startSandbox([
    '--latency',
    '10s',
    '--sigma',
    '0.6',
    '--rate',
    limit,
    '--seed',
    `${seed}`,
  ]);
  try {
    const input = join(folder, 'leads.csv');
    const state = join(folder, 'state.db');
    const lines = Array.from({ length: leads }, (_, i) => `Ada${i},Doe${i},company${i}.com`);
    writeFileSync(input, ['first_name,last_name,website', ...lines, ''].join('\n'));
    const flags = ['--state', state, '--out', join(folder, 'out.csv'), '--url', sandbox.url];
    const how = ['--rate', limit, '--submit', 'single', '--collect', collect, '--json'];
    const listen = collect === 'poll' ? [] : ['--listen', '127.0.0.1:0'];
    const startedAt = performance.now();
    await run(['enrich', input, ...flags, '--ask', 'find_email', ...how, ...listen]);
    const tookMs = performance.now() - startedAt;
    const ledger = await read(`${sandbox.url}/sandbox/ledger`);
    const { entries } = await read(`${sandbox.url}/sandbox/ledger/entries?limit=1000`);
    const answered = answersOf(state);
    const tickets = entries.map(({ id, acceptedAt, readyAt, polls, ask, inputs }) => ({
      id,
      readyAt,
      latencyMs: readyAt - acceptedAt,
      polls,
      isMiss: isMiss({ ask, inputs }, seed),
      answeredAt: answered.get(id),
    }));
    return { tookMs, tickets, ...ledger };
  } finally {
    sandbox.process.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An empty success: the rules ask for a second reading. */
function isMiss(request, seed) {
  const decision = decideHits(request, seed);
  return decision.kind === 'done' && decision.hits.length === 0;
}

async function startSandbox(flags) {
  const args = [MAIN, 'sandbox', '--port', '0', ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { process: child, url: /http:\/\/[\d.:]+/.exec(line)[0] };
}

async function run(args) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...CREDENTIALS },
  });
  const [code] = await once(child, 'close');
  // 1: the sandbox fails about 2 % on purpose.
  if (code !== 0 && code !== 1) throw new Error(`sluice ended with ${code}`);
}

async function read(url) {
  return (await fetch(url)).json();
}
