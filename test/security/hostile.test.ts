// A sweep: thousands of hostile requests from all sides, and among them a good sender, whose deliveries all
// have to arrive. SLUICE_HOSTILE_REQUESTS makes it longer; SLUICE_SWEEP_RESULT is where its figures go.
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Arrival } from '../../src/ports/store/deliveries.js';
import { TEST_MS } from '../helpers/patience.js';
import { KEYS, memory, SCOPE, SECRET, startListener } from '../webhook/start-listener.js';
import { ATTACKS, BODY_BYTES_MAX, type Chance, createChance, JUNK, strike } from './attacks.js';

const REQUESTS = Number(process.env['SLUICE_HOSTILE_REQUESTS'] ?? 1000);
const LANES = 16;
/** A connection that stalls is cut off after this long. */
const PATIENCE_MS = 8000;
const GROWTH_MB_MAX = 8;

it(`stands ${REQUESTS} hostile requests, and loses no delivery among them`, {
  timeout: TEST_MS + REQUESTS * 80,
}, async () => {
  const good = createGoodSender();
  const listener = await startListener({
    secret: SECRET,
    bodyBytesMax: BODY_BYTES_MAX,
    patienceMs: PATIENCE_MS,
    keep: async (deliveries) => good.check(deliveries),
  });
  const counts = { kinds: {} as Record<string, number>, statuses: {} as Record<string, number> };
  const chance = createChance(20_250_101);

  const first = await sweep(listener.port, good, REQUESTS / 4, chance, counts);
  const before = await memory();
  const second = await sweep(listener.port, good, REQUESTS, chance, counts);
  await Promise.all([...first, ...second]);
  const after = await memory();

  const { sent, stored, wrong, junk } = good;
  const result = {
    requests: REQUESTS * 1.25,
    ...counts,
    sent,
    stored: stored.size,
    wrong,
    junk,
    before,
    after,
  };
  const path = process.env['SLUICE_SWEEP_RESULT'];
  if (path !== undefined) writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`);

  expect(stored.size).toBe(sent);
  expect(wrong).toBe(0);
  expect(junk).toBeGreaterThan(0);
  expect(Object.keys(counts.statuses).filter((status) => status.startsWith('5'))).toEqual([]);
  expect(counts.statuses).toMatchObject({
    200: expect.any(Number),
    400: expect.any(Number),
    401: expect.any(Number),
    404: expect.any(Number),
    405: expect.any(Number),
    408: expect.any(Number),
    413: expect.any(Number),
    431: expect.any(Number),
  });
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
  expect(after.heapMb - before.heapMb).toBeLessThan(GROWTH_MB_MAX);
  expect(after.buffersMb - before.buffersMb).toBeLessThan(GROWTH_MB_MAX);
});

type GoodSender = ReturnType<typeof createGoodSender>;

interface Counts {
  readonly kinds: Record<string, number>;
  readonly statuses: Record<string, number>;
}

/** Every tenth request is a delivery; every 250th stalls: returns their ends, which take as long as the patience. */
async function sweep(
  port: number,
  good: GoodSender,
  requests: number,
  chance: Chance,
  { kinds, statuses }: Counts,
): Promise<readonly Promise<void>[]> {
  const names = Object.keys(ATTACKS);
  const stalled: Promise<void>[] = [];
  let next = 0;

  const attack = async (kind: string, bytes: Parameters<typeof strike>[1]): Promise<void> => {
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    const text = await strike(port, bytes);
    for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  const lane = async (): Promise<void> => {
    while (next < requests) {
      const n = next;
      next += 1;
      if (n % 10 === 0) await good.deliver(`http://127.0.0.1:${port}`);
      if (n % 250 === 3) stalled.push(attack('stalled', { bytes: stall(chance) }));
      const kind = names[n % names.length] ?? '';
      const draw = ATTACKS[kind];
      if (draw !== undefined) await attack(kind, draw(chance, { keys: KEYS, secret: SECRET }));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return stalled;
}

/** The beginning of a request whose end never comes. */
function stall(chance: Chance): string {
  const whole = `POST /${KEYS.hook} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"a":`;
  return whole.slice(0, 1 + Math.floor(chance() * whole.length));
}

/** Sends deliveries with a number each, and knows each of them again when it is stored. */
function createGoodSender() {
  const stored = new Set<number>();
  const totals = { sent: 0, wrong: 0, junk: 0 };
  const isHook = (n: number): boolean => n % 3 === 0;
  const bodyOf = (n: number): string =>
    JSON.stringify({
      n,
      type: 'enrichmentDone',
      data: [{ id: `enr_${n}`, data: { text: 'é中😀 '.repeat(n % 500) } }],
    });
  return {
    stored,
    get sent() {
      return totals.sent;
    },
    /** Stored otherwise than sent, or more than once. */
    get wrong() {
      return totals.wrong;
    },
    get junk() {
      return totals.junk;
    },
    deliver: async (url: string): Promise<void> => {
      const n = totals.sent;
      totals.sent += 1;
      const body = bodyOf(n);
      const answer = await fetch(`${url}/${isHook(n) ? KEYS.hook : KEYS.enrichment}`, {
        method: 'POST',
        body: isHook(n) ? `{"secret":"${SECRET}",${body.slice(1)}` : body,
      });
      expect([answer.status, await answer.text()]).toEqual([200, '{"received":true}']);
    },
    check: (arrivals: readonly Arrival[]): void => {
      for (const arrival of arrivals) {
        if ('event' in arrival) throw new Error('No event was sent.');
        const { scope, enrichmentId, body } = arrival;
        if (body.includes(JUNK)) {
          totals.junk += 1;
          continue;
        }
        const n = Number(/"n": *(\d+)/.exec(body)?.[1]);
        const isRight =
          body === bodyOf(n) && scope === SCOPE && enrichmentId === (isHook(n) ? null : 71);
        if (!isRight || stored.has(n)) totals.wrong += 1;
        stored.add(n);
      }
    },
  };
}
