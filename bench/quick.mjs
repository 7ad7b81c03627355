// Two minutes that show whether a lead has become dearer (npm run bench -- quick): its processor time is compared with
// that of a lead in a plain script, in pairs. Processor time also grows where other programs use the same cores: on a
// busy machine it says so, and judges nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { BULK, inFolder, record, round, runPlain, runSluice, SINGLE, writeLeads } from './kit.mjs';

const LEADS = 5_000;
const ROUNDS = 3;
/** The ratio may grow by this factor. */
const WORSE_MAX = 1.15;
const CASES = {
  'single, e-mail': { ...SINGLE, asks: 'find_email' },
  'single, profiles': { ...SINGLE, asks: 'find_email,social_enrichment' },
  'bulk, e-mail': { ...BULK, asks: 'find_email' },
  'bulk, profiles': { ...BULK, asks: 'find_email,social_enrichment' },
};

/**
 * Measures all cases. With `keeps` they are written to results/quick.json, else compared with what is there.
 * @returns the exit code: 1 if the median of one is more than 15 % worse than it was
 */
export async function compareQuickly({ keeps }) {
  const load = loadavg()[0];
  if (load > availableParallelism()) {
    console.log(`Other programs use this machine (load ${round(load, 1)}): nothing was measured.`);
    return 0;
  }
  const before = keeps ? undefined : readBefore();
  const cases = {};
  const worse = [];
  await inFolder(async (folder) => {
    const input = await writeLeads(join(folder, 'leads.csv'), LEADS, { isFound: true });
    for (const [name, one] of Object.entries(CASES)) {
      const { ours, plain, ratio } = await middleOf(one, input, folder);
      cases[name] = { ratio: round(ratio), us: Math.round(ours), plain_us: Math.round(plain) };
      const earlier = before?.cases[name].ratio;
      if (ratio > earlier * WORSE_MAX) worse.push(name);
      const told = earlier === undefined ? '' : ` (${earlier} at ${before.commit})`;
      console.log(`${name}: ${round(ratio)} x the processor time of a plain script${told}`);
    }
  });
  if (keeps) record('quick', { leads: LEADS, commit: commitNow(), cases });
  if (worse.length > 0) console.log(`More than 15 % worse: ${worse.join('; ')}.`);
  return worse.length > 0 ? 1 : 0;
}

async function middleOf(one, input, folder) {
  const rounds = [];
  for (let i = 0; i < ROUNDS; i += 1) {
    const plain = costOf(await runPlain(input, folder, one.asks));
    const name = join(folder, `${one.flags[1]}-${one.asks}-${i}`);
    const ours = costOf(await runSluice(input, name, one, one.asks));
    rounds.push({ plain, ours, ratio: ours / plain });
  }
  return rounds.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(ROUNDS / 2)];
}

/** Microseconds of processor time for each lead. */
function costOf({ cpuSeconds }) {
  return (cpuSeconds * 1e6) / LEADS;
}

function readBefore() {
  return JSON.parse(readFileSync(new URL('results/quick.json', import.meta.url), 'utf8'));
}

function commitNow() {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
}
