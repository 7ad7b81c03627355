// Four minutes that show whether a lead has become dearer (npm run bench -- quick [COMMIT]): its processor time is
// compared with that of an earlier commit, which is built beside this one, in pairs. Ratios to a plain script are told
// too, and judge nothing: those of one commit were 2.5 on one machine and 3.1 on another.
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BULK, inFolder, record, round, runPlain, runSluice, SINGLE, writeLeads } from './kit.mjs';

const HERE = fileURLToPath(new URL('..', import.meta.url));
const LEADS = Number(process.env.LEADS ?? 5_000);
const ROUNDS = 3;
/** A lead may take this many times the processor time that it took. */
const WORSE_MAX = 1.15;
const CASES = {
  'single, e-mail': { ...SINGLE, asks: 'find_email' },
  'single, profiles': { ...SINGLE, asks: 'find_email,social_enrichment' },
  'bulk, e-mail': { ...BULK, asks: 'find_email' },
  'bulk, profiles': { ...BULK, asks: 'find_email,social_enrichment' },
};

/**
 * Measures all cases against a commit; without one, against that of results/quick.json.
 * @returns the exit code: 1 if the median of one is more than 15 % worse
 */
export async function compareQuickly(commit = lastCommit()) {
  const cases = {};
  await inFolder(async (folder) => {
    const before = await build(commit, join(folder, 'before'));
    try {
      const input = await writeLeads(join(folder, 'leads.csv'), LEADS, { isFound: true });
      for (const [name, one] of Object.entries(CASES)) {
        cases[name] = await medianOf(one, { before, folder, input });
        const { ratio, plain_ratio: plain } = cases[name];
        console.log(
          `${name}: ${ratio} x the processor time at ${commit}; ${plain} x a plain script`,
        );
      }
    } finally {
      execFileSync('git', ['worktree', 'remove', '--force', join(folder, 'before')], { cwd: HERE });
    }
  });
  record('quick', { leads: LEADS, against: commit, cases });
  const worse = Object.keys(cases).filter((name) => cases[name].ratio > WORSE_MAX);
  if (worse.length > 0) console.log(`More than 15 % worse: ${worse.join('; ')}.`);
  return worse.length > 0 ? 1 : 0;
}

/** Builds the commit in a folder of its own, with the packages that are installed here. */
async function build(commit, folder) {
  console.log(`Building ${commit} ...`);
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', folder, commit], { cwd: HERE });
  symlinkSync(join(HERE, 'node_modules'), join(folder, 'node_modules'));
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: 'inherit' });
  return join(folder, 'dist/bundle/sluice.js');
}

async function medianOf(one, { before, folder, input }) {
  const rounds = [];
  for (let i = 0; i < ROUNDS; i += 1) {
    const cost = async (name, main) =>
      costOf(await runSluice(input, join(folder, `${name}-${i}`), one, one.asks, main));
    const plain = costOf(await runPlain(input, folder, one.asks));
    const earlier = await cost(`${one.flags[1]}-${one.asks}-before`, before);
    const ours = await cost(`${one.flags[1]}-${one.asks}`);
    rounds.push({ ours, earlier, plain });
  }
  const middle = (value) => round(rounds.map(value).toSorted((a, b) => a - b)[ROUNDS >> 1]);
  return {
    ratio: middle(({ earlier, ours }) => ours / earlier),
    plain_ratio: middle(({ ours, plain }) => ours / plain),
    us: Math.round(middle(({ ours }) => ours)),
  };
}

/** Microseconds of processor time for each lead. */
function costOf({ cpuSeconds }) {
  return (cpuSeconds * 1e6) / LEADS;
}

function lastCommit() {
  const file = new URL('results/quick.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).commit;
}
