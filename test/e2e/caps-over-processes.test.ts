// A cap of an account over several processes, with kills in between: never one credit above it, and at it where there
// was work.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inBrief, isLong } from '../helpers/long.js';
import { newState } from '../helpers/postgres.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const PRICE = 5;
const JOBS = isLong ? ['a', 'b', 'c', 'd'] : ['a', 'b'];
const LEADS = isLong ? 150 : 12;
const CAP = isLong ? 803 : 63;
const KILLS = isLong ? 16 : 2;

const commandOf = (job: string, state: string) =>
  `enrich ${job}.csv --out ${job}-out.csv --ask find_email --set rate=off --quiet --state ${state}`;

async function useOf(dir: Workdir, state: string): Promise<number> {
  const { stdout } = await dir.sluice(`caps --ndjson --state ${state}`);
  const [{ caps }] = [JSON.parse(stdout)] as [{ caps: { spent: number; reserved: number }[] }];
  const [{ reserved, spent } = { reserved: 0, spent: 0 }] = caps;
  return spent + reserved;
}

test.each(inBrief([['a state file', false]], [['PostgreSQL', true]]))(
  'processes on one account keep to its cap, whatever dies (%s)',
  async (_, isDatabase) => {
    const database = isDatabase ? await newState() : undefined;
    const state = database?.address ?? 'state.db';
    const sandbox = await startSandboxProcess('--latency 30ms');
    const dir = openWorkdir(sandbox.url).write('first.csv', csv(people(1)));
    await dir.sluice(commandOf('first', state));
    expect((await dir.sluice(`caps set --month ${CAP} --state ${state}`)).code).toBe(0);
    for (const [i, job] of JOBS.entries()) {
      dir.write(`${job}.csv`, csv(people(LEADS, 1_000 * (i + 1))));
    }
    const start = (job: string) => dir.start(commandOf(job, state));
    const running = new Map(JOBS.map((job) => [job, start(job)]));
    const seen: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const job = JOBS[kill % JOBS.length] as string;
      await pause(200 + 50 * (kill % 5));
      running.get(job)?.child.kill('SIGKILL');
      await running.get(job)?.ended;
      seen.push(await useOf(dir, state), (await sandbox.ledger()).charged);
      running.set(job, start(job));
    }
    const codes = await Promise.all(
      [...running.values()].map(async ({ ended }) => (await ended).code),
    );
    // One that ended because others held all that was left goes on, as it would on the next night.
    for (let before = -1; before !== (await useOf(dir, state)); ) {
      before = await useOf(dir, state);
      for (const job of JOBS) codes.push((await dir.sluice(commandOf(job, state))).code);
    }
    const { charged, doubled } = await sandbox.ledger();
    const use = await useOf(dir, state);
    expect(codes).toContain(9);
    expect(Math.max(use, charged, ...seen)).toBeLessThanOrEqual(CAP);
    expect(use).toBeGreaterThan(CAP - PRICE);
    expect(charged).toBeLessThanOrEqual(use);
    expect(doubled).toEqual([]);
    await database?.drop();
  },
);
