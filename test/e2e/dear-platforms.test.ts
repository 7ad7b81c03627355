// A platform that has too few credits for a bulk call, or charges more than the dialect says: its ledger is the
// witness that nothing is lost and nothing is paid twice. And one that counts each read.
import { describe, expect, test } from 'vitest';
import { startServer } from '../helpers/counting-server.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const ENRICH =
  'enrich leads.csv --out out.csv --ask find_email --set rate=off --state state.db --quiet';

function counted(dir: Workdir): Record<string, number> {
  const statuses = dir.rows('out.csv').map((row) => row['sluice_status'] ?? '');
  return Object.fromEntries(
    [...new Set(statuses)].map((one) => [one, statuses.filter((other) => other === one).length]),
  );
}

async function creditsOf(dir: Workdir): Promise<number> {
  return (await dir.json('status 1 --state state.db')).credits;
}

describe.concurrent('an account', () => {
  test('that covers a part of the bulk calls: the others stay queued, and are sent once it does', async () => {
    // Four calls of 5 leads, each reserved at 25 credits: one fits, or some more once it is known who was not found.
    const sandbox = await startSandboxProcess('--latency 20ms --credits 40');
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(20)));
    dir.write('small.yaml', 'bulk: { max: 5 }\n');
    const line = `${ENRICH} --dialect small.yaml --submit bulk`;
    expect(await dir.refusal(line, { code: 4 })).toContain('out of credits (402');
    const before = await sandbox.ledger();
    expect(before.accepted % 5).toBe(0);
    expect(before.accepted).toBeGreaterThan(0);
    const { queued, ...answered } = counted(dir);
    expect(queued).toBe(20 - before.accepted);
    expect(Object.keys(answered).toSorted()).toEqual(['found', 'not_found']);
    expect(await creditsOf(dir)).toBe(before.charged);

    await sandbox.giveCredits(null);
    expect((await dir.sluice(line)).code).toBe(0);
    const after = await sandbox.ledger();
    expect(after).toMatchObject({ accepted: 20, doubled: [] });
    expect(await creditsOf(dir)).toBe(after.charged);
  });

  test('that runs dry in the middle of a bulk call: what it covered is answered, and the rest is sent later', async () => {
    let covered = 3;
    let accepted = 0;
    const server = await startServer((request, response) => {
      const { method, url = '' } = request;
      const say = (body: unknown): void => void response.end(JSON.stringify(body));
      if (method !== 'POST') {
        const [, id] = /^\/enrich\/(\w+)/.exec(url) ?? [];
        const find_email = { email: `${id}@example.com`, status: 'deliverable' };
        say(
          id === undefined
            ? { schema: {}, properties: [] }
            : { data: [{ id, data: { find_email } }] },
        );
        return;
      }
      let text = '';
      request.on('data', (part) => {
        text += part;
      });
      request.on('end', () => {
        const items = JSON.parse(text) as unknown[];
        const answers = items.map(() => {
          if (accepted === covered) return { error: 'no credits left' };
          accepted += 1;
          return { id: `enr_${accepted}` };
        });
        say(answers);
      });
    });
    const dir = openWorkdir(server.url).write('leads.csv', csv(people(8)));
    dir.write('word.yaml', 'errors: { outOfCredits: [{ status: 200, word: no credits }] }\n');
    const line = `${ENRICH} --dialect word.yaml --submit bulk`;
    expect(await dir.refusal(line, { code: 4 })).toContain('out of credits (200');
    expect(counted(dir)).toEqual({ found: 3, queued: 5 });
    covered = 8;
    expect((await dir.sluice(line)).code).toBe(0);
    expect(counted(dir)).toEqual({ found: 8 });
    expect(accepted).toBe(8);
    expect(await creditsOf(dir)).toBe(40);
  });

  test('that is charged more than the dialect says is dry before the budget is, and every lead is answered for', async () => {
    const terms = openWorkdir().write('dear.yaml', 'prices: { find_email: 50 }\n');
    const sandbox = await startSandboxProcess(
      `--latency 20ms --credits 200 --dialect ${terms.at('dear.yaml')}`,
    );
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(20)));
    expect(await dir.refusal(`${ENRICH} --budget 100`, { code: 4 })).toContain(
      'out of credits (402',
    );
    const before = await sandbox.ledger();
    expect(before.charged).toBeLessThanOrEqual(200);
    const { queued = 0, found = 0 } = counted(dir);
    expect(queued).toBe(20 - before.accepted);
    // What it says is what the dialect says: ten times less than what was charged.
    expect(await creditsOf(dir)).toBe(5 * found);
    expect(before.charged).toBe(50 * found);

    // And with the right prices the same run is stopped by its budget, of which it knows what is spent by now.
    dir.write('dear.yaml', 'prices: { find_email: 50 }\n');
    await sandbox.giveCredits(null);
    const held = await dir.sluice(`${ENRICH} --budget 90 --dialect dear.yaml`);
    expect(held.code).toBe(6);
    const after = await sandbox.ledger();
    expect(after.doubled).toEqual([]);
    expect(after.charged - before.charged).toBeLessThanOrEqual(90);
    expect(dir.rows('out.csv')).toHaveLength(20);
  });
});

test('a ticket of a whole bulk call is read once for all its leads', async () => {
  const calls = new Map<string, { readonly keys: string[]; reads: number }>();
  const server = await startServer((request, response) => {
    const say = (body: unknown, status = 200): void =>
      void response.writeHead(status).end(JSON.stringify(body));
    const [, id] = /^\/enrich\/(b\d+)/.exec(request.url ?? '') ?? [];
    const call = calls.get(id ?? '');
    if (call !== undefined) {
      call.reads += 1;
      const find_email = { email: 'ada@firm.example', status: 'deliverable' };
      if (call.reads < 3) say({}, 202);
      else say({ data: call.keys.map((metadata) => ({ metadata, data: { find_email } })) });
    } else if (request.method === 'POST') {
      let text = '';
      request.on('data', (part) => {
        text += part;
      });
      request.on('end', () => {
        const items = JSON.parse(text) as { metadata: string }[];
        const batch = `b${calls.size + 1}`;
        calls.set(batch, { keys: items.map(({ metadata }) => metadata), reads: 0 });
        say({ batch });
      });
    } else say({ schema: {}, properties: [] });
  });
  const dir = openWorkdir(server.url).write('leads.csv', csv(people(300)));
  dir.write('batch.yaml', 'bulk: { max: 300, answer: { batchTicket: batch } }\n');
  const line = `${ENRICH} --dialect batch.yaml --submit bulk --set first-batch=300`;
  expect(await dir.sluice(line)).toMatchObject({ code: 0, stderr: '' });
  expect(counted(dir)).toEqual({ found: 300 });
  const reads = [...calls.values()].map((call) => call.reads);
  expect(reads).toEqual(reads.map(() => 3));
});
