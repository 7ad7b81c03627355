// node bench/throughput.mjs [single|bulk ...]: leads a second against a plain script, with the same sandbox, a process of
// its own. Sluice syncs every commit to disk, as always; the plain script keeps everything in memory.
import { join } from 'node:path';
import {
  BULK,
  CONCURRENCY,
  inFolder,
  record,
  round,
  runPlain,
  runSluice,
  SINGLE,
  writeLeads,
} from './kit.mjs';

const ROUNDS = 3;

const BENCHES = {
  /** The same two requests for each lead: all are found. `as_found` is what the sandbox finds otherwise, 7 of 10. */
  async single() {
    const leads = 100_000;
    await inFolder(async (folder) => {
      const input = await writeLeads(join(folder, 'leads.csv'), leads, { isFound: true });
      const rounds = [];
      for (let i = 0; i < ROUNDS; i += 1) {
        const plain = await runPlain(input, folder);
        const ours = await runSluice(input, join(folder, `${i}`), SINGLE);
        rounds.push({ plain, ours, ratio: plain.seconds / ours.seconds });
      }
      const mixed = await writeLeads(join(folder, 'mixed.csv'), leads);
      const asFound = await runSluice(mixed, join(folder, 'as-found'), SINGLE);
      const { plain, ours, ratio } = middle(rounds);
      record('throughput-single', {
        leads,
        concurrency: Number(CONCURRENCY),
        sync: 'FULL',
        leads_per_second: perSecond(leads, ours),
        plain_leads_per_second: perSecond(leads, plain),
        ratio: round(ratio),
        ratio_worst: round(Math.min(...rounds.map((one) => one.ratio))),
        cpu_ms_per_lead: cpuOf(leads, ours),
        plain_cpu_ms_per_lead: cpuOf(leads, plain),
        peak_mb: Math.round(ours.peakMb),
        plain_peak_mb: Math.round(plain.peakMb),
        as_found_leads_per_second: perSecond(leads, asFound),
        as_found_polls_per_enrichment: round(asFound.ledger.polls / asFound.ledger.accepted),
        polls_per_enrichment: round(ours.ledger.polls / ours.ledger.accepted),
        accepted_twice: ours.ledger.doubled.length,
      });
    });
  },

  /** Bulk calls and webhooks of a hundred results, at three sizes: what grows with the input shows. */
  async bulk() {
    await inFolder(async (folder) => {
      const sizes = {};
      for (const leads of [10_000, 100_000, 1_000_000]) {
        const input = await writeLeads(join(folder, `${leads}.csv`), leads, { isFound: true });
        const ours = await runSluice(input, join(folder, `${leads}`), BULK);
        sizes[leads] = {
          leads_per_second: perSecond(leads, ours),
          seconds: round(ours.seconds, 1),
          cpu_ms_per_lead: cpuOf(leads, ours),
          peak_mb: Math.round(ours.peakMb),
          accepted_twice: ours.ledger.doubled.length,
        };
      }
      const plain = await runPlain(join(folder, '100000.csv'), folder);
      record('throughput-bulk', {
        sync: 'FULL',
        sizes,
        plain_leads_per_second: perSecond(100_000, plain),
        plain_peak_mb: Math.round(plain.peakMb),
        ratio: round(sizes[1_000_000].leads_per_second / perSecond(100_000, plain)),
        cpu_growth: round(sizes[1_000_000].cpu_ms_per_lead / sizes[10_000].cpu_ms_per_lead),
        memory_growth: round(sizes[1_000_000].peak_mb / sizes[100_000].peak_mb),
      });
    });
  },
};

for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BENCHES)) {
  await BENCHES[name]();
}

function middle(rounds) {
  return rounds.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(rounds.length / 2)];
}

function perSecond(leads, { seconds }) {
  return Math.round(leads / seconds);
}

function cpuOf(leads, { cpuSeconds }) {
  return round((cpuSeconds * 1_000) / leads);
}
