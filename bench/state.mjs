// npm run build && node bench/state.mjs: bytes of the state file for each lead, after real runs against a sandbox, and
// the time that it takes to write and to read a result in the form in which it is kept.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { answerEnrichment } from '../dist/sandbox/answers/answer-enrichment.js';
import { readResult, writeResult } from '../dist/store/enrichments/result-format.js';
import Database from '../dist/store/sqlite/database/better-sqlite3.js';
import {
  AT_ONCE,
  inFolder,
  record,
  round,
  SANDBOX_SEED,
  sluice,
  withSandbox,
  writeLeads,
} from './kit.mjs';

const LEADS = Number(process.env.LEADS ?? 10_000);
const ROUNDS = 5;
/** A part of the file that takes less of each lead is not told. */
const BYTES_MIN = 5;
/** As where the dialect has read a value before. */
const COMMON = [
  '--set',
  'rate=off',
  '--set',
  'concurrency=100',
  '--set',
  'first-batch=1000000',
  '--json',
];
const WEBHOOK = ['--collect', 'webhook', '--set', 'listen=127.0.0.1:0'];
const EMAIL = ['find_email'];
const PROFILE = ['find_email', 'social_enrichment'];

const WAYS = {
  email_poll: [EMAIL, '--submit', 'single'],
  email_webhook: [EMAIL, '--submit', 'single', ...WEBHOOK],
  profile_poll: [PROFILE, '--submit', 'single'],
  profile_webhook: [PROFILE, '--submit', 'single', ...WEBHOOK],
  profile_bulk_webhook: [PROFILE, '--submit', 'bulk', ...WEBHOOK],
};

await inFolder(async (folder) => {
  const figures = {};
  for (const [name, [ask, ...how]] of Object.entries(WAYS)) {
    const state = join(folder, `${name}.db`);
    // One in twenty has such a profile.
    const input = join(folder, `${ask.length}.csv`);
    if (!existsSync(input)) {
      await writeLeads(input, LEADS, { isWanted: (inputs) => answerTo(ask, inputs) !== undefined });
    }
    const files = ['--out', join(folder, `${name}-out.csv`), '--state', state];
    const ours = await withSandbox([...AT_ONCE, '--webhook-batch', '100'], ({ url }) =>
      sluice('enrich', input, ...files, '--url', url, '--ask', ask.join(','), ...COMMON, ...how),
    );
    figures[name] = {
      ...sizesOf(state),
      cpu_us_per_lead: Math.round((ours.cpuSeconds * 1e6) / LEADS),
    };
  }
  record('state', {
    leads: LEADS,
    ...figures,
    email_result: formOf(EMAIL),
    profile_result: formOf(PROFILE),
  });
});

/** Of a lead that the sandbox finds: its e-mail and, where that is asked for, three positions. */
function answerTo(ask, inputs) {
  const [{ data: blocks }] = answerEnrichment({ id: '', ask, inputs }, { seed: SANDBOX_SEED }).data;
  if (blocks?.find_email?.email === undefined) return undefined;
  if (!ask.includes('social_enrichment')) return blocks;
  const groups = blocks.social_enrichment?.positionGroups;
  const positions = groups?.flatMap(({ profilePositions: some }) => some);
  return positions?.length === 3 ? blocks : undefined;
}

/** The whole file after a checkpoint, and its tables and indexes. */
function sizesOf(state) {
  const db = new Database(state);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const { n: found } = db
    .prepare("SELECT count(*) AS n FROM enrichments WHERE state = 'found'")
    .get();
  if (found !== LEADS) throw new Error(`${found} of ${LEADS} leads were found.`);
  const parts = db
    .prepare('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name ORDER BY 2 DESC')
    .all()
    .map(({ name, bytes }) => [name, Math.round(bytes / LEADS)]);
  db.close();
  return {
    bytes_per_lead: Math.round(statSync(state).size / LEADS),
    parts: Object.fromEntries(parts.filter(([, bytes]) => bytes >= BYTES_MIN)),
  };
}

function formOf(ask) {
  const results = [];
  for (let i = 0; results.length < 1_000; i += 1) {
    const inputs = { firstName: `First${i}`, lastName: 'Last', companyDomain: `company${i}.com` };
    const answer = answerTo(ask, inputs);
    // As it comes over the wire: what is undefined is left out.
    if (answer !== undefined) results.push(JSON.parse(JSON.stringify(answer)));
  }
  const kept = results.map(writeResult);
  return {
    json_bytes: mean(results.map((result) => Buffer.byteLength(JSON.stringify(result)))),
    bytes: mean(kept.map((one) => Buffer.byteLength(one))),
    write_us: leastTime(writeResult, results),
    read_us: leastTime(readResult, kept),
  };
}

function mean(numbers) {
  return Math.round(numbers.reduce((sum, one) => sum + one, 0) / numbers.length);
}

/** Processor time of each call, in microseconds: the least of some rounds. */
function leastTime(work, items) {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    for (const item of items) work(item);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / items.length;
  });
  return round(Math.min(...rounds), 1);
}
