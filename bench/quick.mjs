// node bench/quick.mjs [--keep]: two minutes that show whether a lead has become dearer. It compares the processor time of
// a lead with that of a plain script, in pairs, and ends with 1 if the median is more than 15 % above the one in
// results/quick.json; --keep replaces that. Processor time also grows where other programs use the same cores: on a busy
// machine it says so, and judges nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  AT_ONCE,
  inFolder,
  measured,
  record,
  round,
  sluice,
  withSandbox,
  writeLeads,
} from './kit.mjs';

const LEADS = 5_000;
const ROUNDS = 3;
const WORSE_MAX = 1.15;
const CONCURRENCY = '100';
const PLAIN = fileURLToPath(new URL('peers/plain.mjs', import.meta.url));
const RESULTS = new URL('results/quick.json', import.meta.url);

const SINGLE = { flags: ['--submit', 'single'], sandbox: [] };
const BULK = {
  flags: ['--submit', 'bulk', '--collect', 'webhook', '--listen', '127.0.0.1:0'],
  sandbox: ['--webhook-batch', '100'],
};
const CASES = {
  'single, e-mail': { ...SINGLE, asks: 'find_email' },
  'single, profiles': { ...SINGLE, asks: 'find_email,social_enrichment' },
  'bulk, e-mail': { ...BULK, asks: 'find_email' },
  'bulk, profiles': { ...BULK, asks: 'find_email,social_enrichment' },
};

if (loadavg()[0] > availableParallelism()) {
  console.log(
    `Other programs use this machine (load ${round(loadavg()[0], 1)}): nothing was measured.`,
  );
} else {
  await inFolder(compare);
}

async function compare(folder) {
  const input = await writeLeads(join(folder, 'leads.csv'), LEADS, { isFound: true });
  const kept = process.argv.includes('--keep')
    ? {}
    : JSON.parse(readFileSync(RESULTS, 'utf8')).cases;
  const cases = {};
  for (const [name, one] of Object.entries(CASES)) {
    const rounds = [];
    for (let i = 0; i < ROUNDS; i += 1) {
      const plain = await runPlain(input, folder, one);
      const ours = await runSluice(input, join(folder, `${name}-${i}`), one);
      rounds.push({ plain, ours, ratio: ours / plain });
    }
    const { ours, plain, ratio } = rounds.toSorted((a, b) => a.ratio - b.ratio)[ROUNDS >> 1];
    const before = kept[name]?.ratio;
    cases[name] = { ratio: round(ratio), us: round(ours, 0), plain_us: round(plain, 0) };
    const isWorse = before !== undefined && ratio > before * WORSE_MAX;
    if (isWorse) process.exitCode = 1;
    const told =
      before === undefined
        ? ''
        : `, ${before} at ${JSON.parse(readFileSync(RESULTS, 'utf8')).commit}`;
    console.log(
      `${name}: ${round(ratio, 2)} x the processor time of a plain script${told}${isWorse ? ': WORSE' : ''}`,
    );
  }
  if (process.argv.includes('--keep')) {
    const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
    }).trim();
    record('quick', { leads: LEADS, commit, cases });
  }
}

async function runPlain(input, folder, { asks }) {
  const what = asks.includes('social') ? ['profiles'] : [];
  const { cpuSeconds } = await withSandbox(AT_ONCE, ({ url }) =>
    measured([PLAIN, input, url, join(folder, 'plain.csv'), CONCURRENCY, ...what]),
  );
  return (cpuSeconds * 1e6) / LEADS;
}

/** Microseconds of processor time for each lead. */
async function runSluice(input, name, { asks, flags, sandbox }) {
  const { cpuSeconds } = await withSandbox([...AT_ONCE, ...sandbox], ({ url }) => {
    const files = ['--out', `${name}.csv`, '--state', `${name}.db`];
    const free = ['--rate', 'off', '--concurrency', CONCURRENCY, '--first-batch', '1000000'];
    return sluice(
      'enrich',
      input,
      ...files,
      '--url',
      url,
      '--ask',
      asks,
      ...free,
      ...flags,
      '--json',
    );
  });
  return (cpuSeconds * 1e6) / LEADS;
}
