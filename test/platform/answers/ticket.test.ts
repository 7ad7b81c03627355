// A bulk call that answers one id for all its items: from the call to each item's own result.
import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import { createDeliveryDecoder } from '../../../src/platform/answers/decode-delivery.js';
import type { BulkItem } from '../../../src/ports/platform.js';
import {
  answer,
  openTestPlatform,
  openTestServer,
  permitOf,
  type Respond,
} from '../test-server.js';

const item = (name: string): BulkItem => ({
  request: { ask: ['verify_email'], inputs: { email: `${name}@b.example` } },
  key: `e.1.key-of-${name}`,
});
const [ADA, BOB, CY] = [item('ada'), item('bob'), item('cy')];
const THREE = [ADA, BOB, CY];

const DIALECT = dialectSchema.parse({
  bulk: { answer: { batchTicket: 'batch.id', entries: 'batch.people' } },
  result: { batchPath: '/enrich/bulk/{id}' },
  answer: { read: { pending: [{ status: 202 }, { at: 'state', values: ['running'] }] } },
});
const found = (email: string) => ({ find_email: { email, status: 'deliverable' } });
const entry = ({ key }: BulkItem, rest: object) => ({ metadata: key, ...rest });

async function openAt(responds: Respond | Respond[], dialect = DIALECT) {
  const server = await openTestServer(...[responds].flat());
  const platform = openTestPlatform(server.url, { dialect });
  const submit = async () => platform.submitMany(THREE, await permitOf(platform));
  const read = async (ticket: string, inputs = {}) =>
    platform.read(ticket, await permitOf(platform), undefined, { ask: ['verify_email'], inputs });
  return { server, platform, submit, read };
}

/** The tickets that the three have after a call was answered with the id `bulk_7`. */
async function ticketsOf(body: object = { batch: { id: 'bulk_7' } }): Promise<string[]> {
  const outcome = await (await openAt(answer(200, body))).submit();
  if (outcome.kind !== 'answered') throw new Error(outcome.kind);
  return outcome.items.map((one) => (one.kind === 'accepted' ? one.ticket : one.kind));
}

async function readAt(responds: Respond | Respond[], inputs = {}) {
  const [ticket = ''] = await ticketsOf();
  const { server, read } = await openAt(responds);
  return { server, outcome: await read(ticket, inputs) };
}

describe('one id for a whole bulk call', () => {
  it('gives each item a ticket of its own, the same at every time, that does not tell its key', async () => {
    const tickets = await ticketsOf();
    expect(new Set(tickets).size).toBe(3);
    for (const ticket of tickets) expect(ticket).toMatch(/^bulk_7~[\w-]{16}$/);
    expect(await ticketsOf({ batch: { id: 'bulk_7', people: [] } })).toEqual(tickets);
    expect(tickets.join()).not.toContain('key-of');
  });

  it('still tells which items were refused', async () => {
    const people = [
      entry(BOB, { error: 'no such domain' }),
      entry(ADA, { error: '' }),
      entry(CY, { error: 'slow', id: 'item_3' }),
    ];
    const { submit } = await openAt(answer(200, { batch: { id: 'bulk_7', people } }));
    expect(await submit()).toMatchObject({
      items: [
        { kind: 'accepted' },
        { kind: 'refused', reason: 'no such domain' },
        { kind: 'accepted' },
      ],
    });
  });

  it('that cannot be read leaves the call uncertain', async () => {
    for (const body of [{}, { batch: { id: '' } }, { batch: 'bulk_7' }]) {
      const { submit, server } = await openAt(answer(200, body));
      expect(await submit()).toMatchObject({
        kind: 'uncertain',
        reason: expect.stringContaining('without an enrichment id for the whole call'),
      });
      expect(server.asked).toHaveLength(1);
    }
  });

  it('is a success, whatever words stand beside it', async () => {
    const dialect = dialectSchema.parse({
      bulk: { answer: { batchTicket: 'id' } },
      limits: { throttled: [{ status: 200, word: 'throttled' }] },
    });
    const note = 'will be throttled';
    const { submit } = await openAt(answer(200, { id: 'b', note }), dialect);
    expect((await submit()).kind).toBe('answered');
  });
});

describe('the result by such a ticket', () => {
  it('is asked for by the id of the call, at its own path where there is one', async () => {
    const { server } = await readAt(answer(404, ''));
    expect(server.asked).toEqual(['GET /enrich/bulk/bulk_7']);
    const [ticket = ''] = await ticketsOf();
    const same = dialectSchema.parse({ bulk: { answer: { batchTicket: 'id' } } });
    const { server: other, read } = await openAt(answer(404, ''), same);
    await read(ticket);
    expect(other.asked).toEqual(['GET /enrich/bulk_7']);
  });

  it('is the entry with the key of the item, and no other', async () => {
    const data = [
      entry(BOB, { id: 'bulk_7', data: found('bob@b.example') }),
      entry(ADA, { id: 'item_1', data: found('ada@b.example') }),
      { id: 'bulk_7', data: found('nobody@b.example') },
    ];
    const { outcome } = await readAt(answer(200, { state: 'ready', data }));
    expect(outcome).toEqual({ kind: 'done', result: found('ada@b.example') });
    const [, bob = '', cy = ''] = await ticketsOf();
    const { read } = await openAt(answer(200, { data }));
    expect(await read(bob)).toEqual({ kind: 'done', result: found('bob@b.example') });
    expect(await read(cy)).toEqual({ kind: 'pending' });
  });

  it('tells why the item failed, without the person', async () => {
    const data = [entry(ADA, { error: 'nothing known of Grace' })];
    const { outcome } = await readAt(answer(200, { data }), { firstName: 'Grace' });
    expect(outcome).toEqual({ kind: 'failed', reason: 'nothing known of […]' });
  });

  const bobs = { id: 'bulk_7', data: found('bob@b.example') };
  const broken = { type: 'enrichmentError', error: 'too many', data: [] };
  const broke = { type: 'enrichmentError', data: [entry(BOB, { error: 'x' })] };
  const message = expect.stringMatching(/200 without metadata in any entry.*Check .*the dialect/);
  it.each<[string, Respond, object]>([
    ['202', answer(202, ''), { kind: 'pending' }],
    ['404', answer(404, ''), { kind: 'unknown' }],
    ['401', answer(401, ''), { kind: 'unavailable', isFinal: true }],
    [
      'a call in progress',
      answer(200, { state: 'running', data: [entry(ADA, { data: {} })] }),
      { kind: 'pending' },
    ],
    ['no entries yet', answer(200, { data: [] }), { kind: 'pending' }],
    ['an error of the whole call', answer(200, broken), { kind: 'failed', reason: 'too many' }],
    ['errors of other items', answer(200, broke), { kind: 'pending' }],
    ['an entry of another item', answer(200, { data: [entry(BOB, bobs)] }), { kind: 'pending' }],
    [
      'no metadata',
      answer(200, { data: [bobs] }),
      { kind: 'unavailable', isFinal: false, problem: { message } },
    ],
  ])('with %s', async (_, respond, expected) => {
    expect((await readAt(respond)).outcome).toMatchObject(expected);
  });
});

describe('other tickets', () => {
  it('of a single request are read as ever', async () => {
    const { server, read } = await openAt(answer(200, { data: [{ id: 'enr_1', data: {} }] }));
    expect(await read('enr_1')).toEqual({ kind: 'done', result: {} });
    expect(server.asked).toEqual(['GET /enrich/enr_1']);
  });

  it('are left whole by a dialect without such calls', async () => {
    const ticket = 'bulk_7~abcdefghijklmnop';
    const neutral = dialectSchema.parse({});
    const { server, read } = await openAt(answer(404, ''), neutral);
    await read(ticket);
    expect(server.asked).toEqual([`GET /enrich/${ticket}`]);
  });
});

describe('the webhook of such a call', () => {
  const decode = (body: object, dialect = DIALECT) =>
    createDeliveryDecoder(dialect)(JSON.stringify(body));

  it('names each item by its key and by its own ticket', async () => {
    const data = THREE.map((one) => entry(one, { id: 'bulk_7', data: {} }));
    const told = decode({ type: 'enrichmentDone', data });
    expect(told?.map(({ key }) => key)).toEqual(THREE.map(({ key }) => key));
    expect(told?.map(({ ticket }) => ticket)).toEqual(await ticketsOf());
  });

  it('names each item by the id that stands beside the entries', async () => {
    const dialect = dialectSchema.parse({
      bulk: { answer: { batchTicket: 'batch.id', entries: 'batch.people' } },
      answer: { webhook: { entries: '[0].data.people', ticket: '[0].data.call' } },
    });
    const people = THREE.map((one) => entry(one, { data: {} }));
    const told = decode([{ data: { call: 'bulk_7', people } }], dialect);
    expect(told?.map(({ ticket }) => ticket)).toEqual(await ticketsOf());
  });

  it('leaves a ticket alone where no key or no shared id goes with it', () => {
    expect(decode({ data: [{ id: 'enr_1', data: {} }] })).toMatchObject([{ ticket: 'enr_1' }]);
    expect(decode({ data: [entry(ADA, { data: {} })] })?.[0]?.ticket).toBeUndefined();
    const data = [entry(ADA, { id: 'enr_1', data: {} })];
    expect(decode({ data }, dialectSchema.parse({}))).toMatchObject([{ ticket: 'enr_1' }]);
  });
});
