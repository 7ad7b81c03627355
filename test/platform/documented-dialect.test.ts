// The example of docs/dialects.md, in samples/dialect: its file, its transcript, and what its words about limits and prices
// promise, played through against a server.
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { dialectSchema } from '../../src/dialect/dialect.js';
import type { BulkItem } from '../../src/ports/platform.js';
import { answer, openTestPlatform, openTestServer, permitOf, type Respond } from './test-server.js';
import { createVirtualClock } from './virtual-clock.js';

const sample = (name: string) =>
  readFileSync(new URL(`../../samples/dialect/${name}`, import.meta.url), 'utf8');
const dialect = dialectSchema.parse(parse(sample('my-platform.yaml')));

const TRANSCRIPT = sample('calls.http')
  .split('\n\n')
  .slice(1)
  .map((exchange) => {
    const all = exchange.trim().split('\n');
    const lines = all.filter((line) => !line.startsWith('#'));
    const after = (mark: string) => lines.find((line) => line.startsWith(mark))?.slice(2);
    return { asked: lines[0], sent: after('> '), answered: after('< ') ?? '' };
  });

const ADA: BulkItem = {
  request: {
    ask: ['find_email'],
    inputs: { firstName: 'Ada', lastName: 'Lovelace', companyDomain: 'engines.example' },
  },
  key: 'key-1',
};
const BOB: BulkItem = {
  request: { ask: ['verify_email'], inputs: { email: 'bob@bolts.example' } },
  key: 'key-2',
};
const FOUND = {
  kind: 'done',
  result: { find_email: { email: 'ada@engines.example', status: 'deliverable' } },
};

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

async function openAt(responds: Respond[]) {
  const server = await openTestServer(...responds);
  const clock = createVirtualClock({ isAuto: true });
  const platform = openTestPlatform(server.url, { dialect, clock, limit: dialect.limits.rate });
  open.push(server, platform);
  return { server, clock, platform };
}

describe('the example of docs/dialects.md', () => {
  it('sends and understands every line of its transcript', async () => {
    const { server, platform } = await openAt(
      TRANSCRIPT.map(({ answered }) => answer(200, answered)),
    );
    const read = async (ticket: string) => platform.read(ticket, await permitOf(platform));

    await platform.check();
    const single = await platform.submit(ADA.request, await permitOf(platform), {
      callbackUrl: 'https://me.example/in/1',
    });
    expect(single).toEqual({ kind: 'accepted', ticket: 'j-1' });
    expect(await read('j-1')).toEqual({ kind: 'pending' });
    expect(await read('j-1')).toEqual(FOUND);

    const bulk = await platform.submitMany([ADA, BOB], await permitOf(platform));
    if (bulk.kind !== 'answered') throw new Error(bulk.kind);
    const [ada] = bulk.items;
    if (ada?.kind !== 'accepted') throw new Error(ada?.kind);
    expect(await read(ada.ticket)).toEqual(FOUND);

    const list = await platform.createList('Q3', await permitOf(platform));
    expect(list).toEqual({ kind: 'created', list: { id: 's-1', name: 'Q3' } });
    const members = [{ email: 'ada@engines.example', lastName: 'L' }, BOB.request.inputs, {}];
    expect(await platform.addToList('s-1', members)).toEqual({ added: 1, alreadyIn: 1 });

    expect(server.asked).toEqual(TRANSCRIPT.map(({ asked }) => asked));
    const json = (body: string): unknown => JSON.parse(body);
    const sent = TRANSCRIPT.flatMap((exchange) => exchange.sent ?? []);
    const bodies = server.bodies.filter((body) => body.text !== '');
    expect(bodies.map((body) => json(body.text))).toEqual(sent.map(json));
  });

  it('gives each item of a bulk call its own result', async () => {
    const [call, result] = TRANSCRIPT.slice(4).map(({ answered }) => answer(200, answered));
    if (call === undefined || result === undefined) throw new Error('no bulk call');
    const { platform } = await openAt([call, result]);
    const bulk = await platform.submitMany([ADA, BOB], await permitOf(platform));
    const bob = bulk.kind === 'answered' ? bulk.items[1] : undefined;
    if (bob?.kind !== 'accepted') throw new Error(bulk.kind);
    const told = await platform.read(bob.ticket, await permitOf(platform));
    expect(told).toEqual({ kind: 'failed', reason: 'no such mailbox' });
  });

  it('understands what it says of limits, credits and prices', async () => {
    const startMs = createVirtualClock().now();
    const resetAt = startMs / 1_000 + 7;
    const slow = answer(
      403,
      { text: 'Slow down!' },
      {
        date: new Date(startMs).toUTCString(),
        'x-rate-reset': String(resetAt),
      },
    );
    const empty = answer(400, { error: 'No credits left' });
    const { clock, platform } = await openAt([slow, empty, answer(403, 'who are you?')]);
    const submit = async () => platform.submit(ADA.request, await permitOf(platform));
    expect(await submit()).toMatchObject({ kind: 'throttled' });
    const afterwards = await submit();
    expect(clock.now()).toBe(resetAt * 1_000);
    expect(afterwards).toMatchObject({ kind: 'unsent', isFinal: true });
    if (afterwards.kind === 'unsent')
      expect(afterwards.problem.message).toContain('out of credits');
    expect(await submit()).toMatchObject({
      kind: 'unsent',
      problem: { message: expect.stringContaining('refused the credentials') },
    });
    expect(dialect.prices).toMatchObject({ find_email: 2, find_phone: 9 });
    expect(dialect.requires['find_phone']).toEqual([['email'], ['socialUrl']]);
    expect(dialect.limits.rate).toEqual({ requests: 5, perMs: 1_000 });
  });
});
