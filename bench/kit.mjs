// What the benches share: leads, a sandbox, a process whose time and memory are measured, and results as files.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { decideHits } from '../dist/sandbox/answers/decide-outcome.js';

export const MAIN = fileURLToPath(new URL('../dist/bundle/sluice.js', import.meta.url));
/** `sluice sandbox --seed`, as it is by default. */
export const SANDBOX_SEED = 1;
export const CREDENTIALS = { SLUICE_USERNAME: 'sandbox', SLUICE_PASSWORD: 'sandbox' };

/** A folder for one bench, gone when it ends. */
export async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A CSV file of so many different persons. Whom a sandbox does not find costs a run one more request than a plain
 * script, which takes the first empty answer for the last: `isFound` leaves those out.
 */
export async function writeLeads(path, count, { isFound = false, isWanted = () => true } = {}) {
  const stream = createWriteStream(path);
  stream.write('first_name,last_name,website,city\n');
  let written = 0;
  for (let i = 0; written < count; i += 1) {
    const [first, last, domain] = [
      `First${i}`,
      `Last${(i * 7) % 99_991}`,
      `company${i % 5_000}.com`,
    ];
    if (isFound && !isHit(first, last, domain)) continue;
    if (!isWanted({ firstName: first, lastName: last, companyDomain: domain })) continue;
    written += 1;
    const line = `${first},${last},https://www.${domain}/about,Paris\n`;
    if (!stream.write(line)) await once(stream, 'drain');
  }
  stream.end();
  await finished(stream);
  return path;
}

function isHit(firstName, lastName, companyDomain) {
  const request = { ask: ['find_email'], inputs: { firstName, lastName, companyDomain } };
  return countHits(request, SANDBOX_SEED) > 0;
}

/** What a sandbox of that seed finds of it; undefined where it fails. */
export function countHits(request, seed) {
  const decision = decideHits(request, { seed });
  return decision.kind === 'done' ? decision.hits.length : undefined;
}

/** Of a sandbox without a limit that answers at once. */
export const AT_ONCE = ['--latency', '0ms', '--rate', 'off'];

/** `sluice sandbox FLAGS`, a process of its own; `ledger()` is what it counted, `entries()` each enrichment. */
export async function withSandbox(flags, work) {
  const args = [MAIN, 'sandbox', '--port', '0', ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const url = /http:\/\/[\d.:]+/.exec(line)[0];
    const read = async (path) => (await fetch(`${url}/sandbox/ledger${path}`)).json();
    const entries = async () => (await read('/entries?limit=1000')).entries;
    return await work({ url, ledger: () => read(''), entries });
  } finally {
    child.kill();
  }
}

/**
 * Runs `node ARGS` to its end. Seconds are those of the whole process, its start included; processor seconds those of all
 * its threads; memory is the largest resident set (getrusage).
 * @throws Error where it ends otherwise than with one of `codes`
 */
export async function measured(args, { codes = [0], env = {} } = {}) {
  const usageFile = join(mkdtempSync(join(tmpdir(), 'sluice-usage-')), 'usage.json');
  const probe = `import { writeFileSync } from 'node:fs';
    process.on('exit', () => writeFileSync(${JSON.stringify(usageFile)}, JSON.stringify(process.resourceUsage())));`;
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(probe)}`, ...args],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...CREDENTIALS, ...env } },
  );
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (chunk) => {
      output[name] += chunk;
    });
  }
  const [code] = await once(child, 'close');
  const seconds = (performance.now() - startedAt) / 1_000;
  if (!codes.includes(code))
    throw new Error(`${args.join(' ')} ended with ${code}: ${output.stderr}`);
  const usage = JSON.parse(readFileSync(usageFile, 'utf8'));
  rmSync(join(usageFile, '..'), { recursive: true });
  return {
    seconds,
    cpuSeconds: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
    peakMb: usage.maxRSS / 1_024,
    ...output,
  };
}

/** As `measured`, for the command. 1: the sandbox fails about 2 % on purpose. */
export const sluice = (...args) => sluiceAt(MAIN, ...args);
const sluiceAt = (main, ...args) => measured([main, ...args], { codes: [0, 1] });

export const CONCURRENCY = '100';
const PLAIN = fileURLToPath(new URL('peers/plain.mjs', import.meta.url));

/** The flags of a way to send and collect, and those of a sandbox that fits it. */
export const SINGLE = { flags: ['--submit', 'single'], sandbox: [] };
export const BULK = {
  flags: ['--submit', 'bulk', '--collect', 'webhook', '--set', 'listen=127.0.0.1:0'],
  sandbox: ['--webhook-batch', '100'],
};

/** The plain script over these leads, without a limit. */
export function runPlain(input, folder, asks = 'find_email') {
  const what = asks.includes('social_enrichment') ? ['profiles'] : [];
  return withSandbox(AT_ONCE, ({ url }) =>
    measured([PLAIN, input, url, join(folder, 'plain.csv'), CONCURRENCY, ...what]),
  );
}

/** Sluice over the same; each measurement begins with a new state file, as if the dialect had read a value before. */
export function runSluice(input, name, { flags, sandbox }, asks = 'find_email', main = MAIN) {
  return withSandbox([...AT_ONCE, ...sandbox], async ({ url, ledger }) => {
    const files = ['--out', `${name}-out.csv`, '--state', `${name}.db`];
    const free = [
      '--set',
      'rate=off',
      '--set',
      `concurrency=${CONCURRENCY}`,
      '--set',
      'first-batch=1000000',
    ];
    const how = ['--url', url, '--ask', asks, ...free, ...flags, '--json'];
    const ours = await sluiceAt(main, 'enrich', input, ...files, ...how);
    return { ...ours, ledger: await ledger() };
  });
}

/** Writes a bench's figures to results/NAME.json, with the commit and the machine, and prints them. */
export function record(name, figures) {
  const machine = {
    commit: commitNow(),
    cores: availableParallelism(),
    load_before: LOAD_BEFORE,
    node: process.version,
  };
  const folder = new URL('results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    new URL(`${name}.json`, folder),
    `${JSON.stringify({ ...figures, ...machine }, null, 2)}\n`,
  );
  console.log(`\n${name}`);
  for (const [key, value] of Object.entries(figures)) {
    const shown = typeof value === 'object' ? JSON.stringify(value) : value;
    console.log(`  ${key.padEnd(34)} ${shown}`);
  }
}

/** The commit that is measured; changes that are not committed count as the last one. */
export function commitNow() {
  return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim();
}

const LOAD_BEFORE = round(loadavg()[0], 2);

export function round(value, digits = 3) {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
