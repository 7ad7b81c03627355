// One job in real time: `sluice enrich` against `sluice sandbox`, each a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { decideHits } from '../../dist/sandbox/answers/decide-hits.js';
import { answersOf } from './simulate.mjs';

const MAIN = new URL('../../dist/bundle/sluice.js', import.meta.url).pathname;
const CREDENTIALS = { SLUICE_USERNAME: 'sandbox', SLUICE_PASSWORD: 'sandbox' };

/** As `simulate`; from the first enrichment accepted to the last answer, and `commandMs` from the command's start to its end. */
export async function enrichForReal({ leads, collect, rate, seed, isFound = false }) {
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
    writeFileSync(input, linesOf(leads, isFound ? seed : undefined).join('\n'));
    const flags = ['--state', state, '--out', join(folder, 'out.csv'), '--url', sandbox.url];
    const how = ['--rate', limit, '--submit', 'single', '--collect', collect, '--json'];
    const listen = collect === 'poll' ? [] : ['--listen', '127.0.0.1:0'];
    const startedAt = performance.now();
    await run(['enrich', input, ...flags, '--ask', 'find_email', ...how, ...listen]);
    const commandMs = performance.now() - startedAt;
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
    // What Node.js needs to start and to end is no part of the schedule; `commandMs` has it.
    const firstAt = Math.min(...entries.map(({ acceptedAt }) => acceptedAt));
    const tookMs = Math.max(...answered.values()) - firstAt;
    return { tookMs, commandMs, tickets, ...ledger };
  } finally {
    sandbox.process.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `foundWithSeed` leaves out whoever a sandbox of that seed does not find. */
function linesOf(leads, foundWithSeed) {
  const lines = ['first_name,last_name,website'];
  for (let i = 0; lines.length <= leads; i += 1) {
    const [firstName, lastName, companyDomain] = [`Ada${i}`, `Doe${i}`, `company${i}.com`];
    const request = { ask: ['find_email'], inputs: { firstName, lastName, companyDomain } };
    if (foundWithSeed !== undefined && !isHit(request, foundWithSeed)) continue;
    lines.push([firstName, lastName, companyDomain].join(','));
  }
  return [...lines, ''];
}

function isHit(request, seed) {
  const decision = decideHits(request, seed);
  return decision.kind === 'done' && decision.hits.length > 0;
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
