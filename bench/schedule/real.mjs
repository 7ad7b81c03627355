// One job in real time: `sluice enrich` against `sluice sandbox`, each a process of its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countHits, inFolder, sluice, withSandbox } from '../kit.mjs';
import { answersOf } from './simulate.mjs';

/** As `simulate`; from the first enrichment accepted to the last answer, and `commandMs` from the command's start to its end. */
export async function enrichForReal({ leads, collect, rate, seed, isFound = false }) {
  const limit = `${rate.requests}/${rate.perMs}ms`;
  const latencies = ['--latency', '10s', '--sigma', '0.6', '--seed', `${seed}`];
  return inFolder((folder) =>
    withSandbox([...latencies, '--rate', limit], async ({ url, ledger, entries }) => {
      const input = join(folder, 'leads.csv');
      const state = join(folder, 'state.db');
      writeFileSync(input, linesOf(leads, isFound ? seed : undefined).join('\n'));
      const flags = ['--state', state, '--out', join(folder, 'out.csv'), '--url', url];
      const how = ['--set', `rate=${limit}`, '--submit', 'single', '--collect', collect, '--json'];
      // As where the dialect has read a value before.
      const known = ['--set', `first-batch=${String(leads)}`];
      const listen = collect === 'poll' ? [] : ['--set', 'listen=127.0.0.1:0'];
      const { seconds } = await sluice(
        'enrich',
        input,
        ...flags,
        '--ask',
        'find_email',
        ...how,
        ...known,
        ...listen,
      );
      const answered = answersOf(state);
      const accepted = await entries();
      const tickets = accepted.map(({ id, acceptedAt, readyAt, polls, ask, inputs }) => ({
        id,
        readyAt,
        latencyMs: readyAt - acceptedAt,
        polls,
        isMiss: countHits({ ask, inputs }, seed) === 0,
        answeredAt: answered.get(id)?.at,
      }));
      // What Node.js needs to start and to end is no part of the schedule; `commandMs` has it.
      const firstAt = Math.min(...accepted.map(({ acceptedAt }) => acceptedAt));
      const tookMs = Math.max(...[...answered.values()].map(({ at }) => at)) - firstAt;
      return { tookMs, commandMs: seconds * 1_000, tickets, ...(await ledger()) };
    }),
  );
}

/** `foundWithSeed` leaves out whoever a sandbox of that seed does not find. */
function linesOf(leads, foundWithSeed) {
  const lines = ['first_name,last_name,website'];
  for (let i = 0; lines.length <= leads; i += 1) {
    const [firstName, lastName, companyDomain] = [`Ada${i}`, `Doe${i}`, `company${i}.com`];
    const request = { ask: ['find_email'], inputs: { firstName, lastName, companyDomain } };
    if (foundWithSeed !== undefined && !countHits(request, foundWithSeed)) continue;
    lines.push([firstName, lastName, companyDomain].join(','));
  }
  return [...lines, ''];
}
