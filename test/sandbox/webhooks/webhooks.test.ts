import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../helpers/temp-folder.js';
import { idsOf, startReceiver } from '../start-receiver.js';
import { JANE, realTime, startSandbox } from '../start-sandbox.js';

/** Longer than any test may take. */
const HOUR_MS = 3_600_000;

function newLedgerFile(): string {
  return join(tempFolder(), 'ledger.ndjson');
}

describe('a delivery that fails', () => {
  it('is repeated, the same bytes with growing delays, until a 2xx', async () => {
    const sandbox = await startSandbox({ ...realTime, webhookRetryMs: 20 });
    const receiver = await startReceiver((response, number) => {
      response.statusCode = [500, 301, 404, 204][number - 1] ?? 200;
      response.setHeader('location', '/elsewhere').end();
    });
    await sandbox.enrich({ ...JANE, webhookUrl: receiver.url });
    const posts = await receiver.received(4);
    await sandbox.until(({ delivered }) => delivered === 1);
    expect(new Set(posts.map(({ text, path }) => path + text)).size).toBe(1);
    const gaps = posts.slice(1).map(({ at }, index) => at - (posts[index]?.at ?? 0));
    for (const [index, least] of [20, 60, 180].entries()) {
      expect(gaps[index]).toBeGreaterThan(least - 2);
    }
    expect(sandbox.ledger.summary()).toMatchObject({ deliveries: 4, delivered: 1, lost: 0 });
  });

  it('is given up after five repeats', async () => {
    const sandbox = await startSandbox({ ...realTime, webhookRetryMs: 1 });
    const receiver = await startReceiver((response) => response.destroy());
    const { id } = await sandbox.enrich({ ...JANE, webhookUrl: receiver.url });
    expect(await sandbox.until(({ lost }) => lost > 0)).toMatchObject({
      deliveries: 6,
      delivered: 0,
      lost: 1,
    });
    expect(receiver.posts).toHaveLength(6);
    expect(sandbox.ledger.entries()).toMatchObject([{ id, deliveries: 6 }]);
  });

  it('has failed when the target is silent for too long', async () => {
    const sandbox = await startSandbox({ ...realTime, webhookRetryMs: 1, webhookTimeoutMs: 400 });
    const receiver = await startReceiver((response, number) => {
      if (number >= 2) response.end();
    });
    await sandbox.enrich({ ...JANE, webhookUrl: receiver.url });
    await receiver.received(2);
    await sandbox.until(({ delivered }) => delivered === 1);
  });

  it('counts by its status, however long the answer is', async () => {
    const sandbox = await startSandbox({ ...realTime, webhookTimeoutMs: HOUR_MS });
    const receiver = await startReceiver((response) => {
      // Endless: only who cuts it off gets on.
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    });
    await sandbox.enrich({ ...JANE, webhookUrl: receiver.url });
    await sandbox.until(({ delivered }) => delivered === 1);
  });

  it('does not hold up the end of the sandbox', async () => {
    const sandbox = await startSandbox({ ...realTime, webhookTimeoutMs: HOUR_MS });
    const receiver = await startReceiver(() => undefined);
    await sandbox.enrich({ ...JANE, webhookUrl: receiver.url });
    await receiver.received(1);
    await sandbox.close();
  });
});

describe('deliveries and restarts', () => {
  it('delivers afterwards what was not delivered, and nothing else', async () => {
    const ledgerFile = newLedgerFile();
    const options = { ledgerFile, latency: { medianMs: 1000, sigma: 0 } };
    const receiver = await startReceiver();
    const silent = await startReceiver(() => undefined);
    const first = await startSandbox(options);
    const { id: delivered } = await first.enrich({ ...JANE, webhookUrl: receiver.url });
    first.clock.now += 1000;
    await first.until((summary) => summary.delivered === 1);
    const { id: underWay } = await first.enrich({ ...JANE, webhookUrl: silent.url });
    first.clock.now += 1000;
    await silent.received(1);
    const { id: unready } = await first.enrich({ ...JANE, webhookUrl: receiver.url });
    await first.close();

    const second = await startSandbox(options);
    second.clock.now = first.clock.now + 1000;
    await Promise.all([receiver.received(2), silent.received(2)]);
    expect(idsOf(receiver.posts)).toEqual([delivered, unready]);
    expect(idsOf(silent.posts)).toEqual([underWay, underWay]);
    await second.until((summary) => summary.delivered === 1);
    await second.close();
    expect(readFileSync(ledgerFile, 'utf8').match(/"kind":"delivered"/g)).toHaveLength(2);
  });

  it('tries nothing again that it has given up', async () => {
    const ledgerFile = newLedgerFile();
    const receiver = await startReceiver((response) => response.destroy());
    const options = { ...realTime, ledgerFile, webhookRetryMs: 1 };
    const first = await startSandbox(options);
    await first.enrich({ ...JANE, webhookUrl: receiver.url });
    await first.until(({ lost }) => lost === 1);
    await first.close();

    const good = await startReceiver();
    const second = await startSandbox(options);
    await second.enrich({ ...JANE, webhookUrl: good.url });
    await second.until(({ delivered }) => delivered === 1);
    expect(receiver.posts).toHaveLength(6);
  });
});

describe('batches', () => {
  const batching = { webhookBatch: { max: 3, withinMs: 1000 } };

  it('gather what becomes ready within the time, up to the maximum', async () => {
    const [sandbox, receiver] = [await startSandbox(batching), await startReceiver()];
    const ids: string[] = [];
    const emails = ['p1@acme.com', 'p2@acme.com', 'p3@acme.com', 'p4@acme.com'];
    for (const email of emails) {
      const query = { verifyEmail: 'true', email, webhookUrl: receiver.url };
      ids.push((await sandbox.enrich(query)).id);
    }
    await receiver.received(1);
    expect(idsOf(receiver.posts)).toEqual(ids.slice(0, 3));
    sandbox.clock.now += 999;
    await sandbox.until(({ delivered }) => delivered === 1);
    expect(receiver.posts).toHaveLength(1);
    sandbox.clock.now += 1;
    await receiver.received(2);
    expect(idsOf(receiver.posts)).toEqual(ids);
  });

  it('hold results of one target only', async () => {
    const [sandbox, receiver] = [await startSandbox(batching), await startReceiver()];
    for (const key of 'abab') {
      const query = { verifyEmail: 'true', email: `${key}@acme.com` };
      await sandbox.enrich({ ...query, webhookUrl: `${receiver.url}?${key}` });
    }
    sandbox.clock.now += 1000;
    const posts = await receiver.received(2);
    expect(posts.map(({ path, body }) => `${path}: ${body.data.length}`).toSorted()).toEqual([
      '/hook?a: 2',
      '/hook?b: 2',
    ]);
  });
});
