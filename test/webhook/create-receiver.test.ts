import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { JSON_VALUES_MAX } from '../../src/webhook/open-body.js';
import {
  KEYS,
  memory,
  NOW,
  openConnection,
  RECEIVED,
  rawPost,
  SCOPE,
  SECRET,
  startListener,
  type TestListener,
} from './start-listener.js';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

async function statusOf(listener: TestListener, body: string | Uint8Array, path?: string) {
  return (await listener.post(body, path)).status;
}

describe('a body', () => {
  it.each([
    '',
    ' ',
    'x',
    '{"a":1',
    '{"a":1}}',
    '{"a":NaN}',
    "{'a':1}",
    'null',
    'true',
    '1',
    '"text"',
    'a=b&c=d',
  ])('that is no JSON object or array is refused: %j', async (body) => {
    const listener = await startListener();
    const answer = await listener.post(body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      error: 'The body is neither a JSON object nor a JSON array.',
    });
    expect(listener.kept).toEqual([]);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('that is packed is taken, and counts by what it becomes: %s', async (encoding, pack) => {
    const listener = await startListener({ bodyBytesMax: 1_000_000 });
    const headers = { 'content-encoding': encoding };
    const bomb = pack(`{"x":"${'x'.repeat(1_000_000)}"}`);
    const tooLarge = await listener.post(bomb, undefined, { headers });
    expect(tooLarge.status).toBe(413);
    const text = `{"x":"${'x'.repeat(900_000)}"}`;
    expect((await listener.post(pack(text), undefined, { headers })).status).toBe(200);
    expect(listener.bodies()).toEqual([text]);
  });

  it('that is packed takes the room of what it becomes', async () => {
    const listener = await startListener({ waitingBytesMax: 500_000 });
    const headers = { 'content-encoding': 'gzip' };
    for (const [length, status] of [
      [600_000, 503],
      [400_000, 200],
      [400_000, 200],
    ] as const) {
      const packed = gzipSync(`{"x":"${'x'.repeat(length)}"}`);
      expect((await listener.post(packed, undefined, { headers })).status).toBe(status);
    }
  });

  it.each([
    ['zstd', 'application/json', 415, 'the body is packed as "zstd", which is not known here'],
    ['gzip', 'application/json', 400, 'the body is packed as "gzip", and cannot be unpacked'],
    ['identity', 'application/json;charset=ascii-art', 400, 'the body is no text in "ascii-art"'],
  ])('in a form that cannot be read is refused: %s, %s', async (encoding, type, status, why) => {
    const listener = await startListener();
    const headers = { 'content-encoding': encoding, 'content-type': type };
    const refused = await listener.post('{"a":1}', undefined, { headers });
    expect(refused.status).toBe(status);
    expect(await refused.json()).toEqual({ error: `The delivery cannot be read: ${why}.` });
    expect(listener.kept).toEqual([]);
  });

  it('is read in the charset that it states, else in UTF-8', async () => {
    const listener = await startListener();
    const bytes = Buffer.from('{"name":"Zo\xEB"}', 'latin1');
    const headers = { 'content-type': 'application/json; charset=ISO-8859-1' };
    expect((await listener.post(bytes, undefined, { headers })).status).toBe(200);
    expect(listener.bodies()).toEqual(['{"name":"Zoë"}']);
    const refused = await listener.post(bytes);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({
      error: 'The delivery cannot be read: the body is no text in "utf-8".',
    });
  });

  it('may be missing, which is no JSON either', async () => {
    const listener = await startListener();
    const connection = openConnection(listener.port);
    connection.send(`POST /${KEYS.hook} HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect(await connection.answers(1)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it.each([
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'image/png',
    'no media type;;;',
    '',
    '/',
  ])('is JSON also where it is called %j', async (type) => {
    const listener = await startListener();
    const connection = openConnection(listener.port);
    connection.send(rawPost('{"a":1}').replace('host: x', `host: x\r\ncontent-type: ${type}`));
    expect(await connection.answers(1)).toMatch(/^HTTP\/1\.1 200 /);
    expect(listener.bodies()).toEqual(['{"a":1}']);
  });

  it('has a largest size, told beforehand or not', async () => {
    const listener = await startListener({ bodyBytesMax: 1000 });
    const body = JSON.stringify({ a: 'x'.repeat(2000) });
    const answer = await listener.post(body);
    expect(answer.status).toBe(413);
    expect(await answer.json()).toEqual({
      error: 'The body is too large; send fewer results at once.',
    });
    const connection = openConnection(listener.port);
    connection.send(
      `POST /${KEYS.hook} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n400\r\n${'x'.repeat(1024)}\r\n`,
    );
    expect(await connection.ended).toMatch(/^HTTP\/1\.1 413 /);
    expect(listener.kept).toEqual([]);
  });

  it('of 8 MiB is taken unless told otherwise, and no larger one', async () => {
    const listener = await startListener();
    const text = 'x'.repeat(8 * 2 ** 20 - 8);
    expect(await statusOf(listener, `{"a":"${text}"}`)).toBe(200);
    const connection = openConnection(listener.port);
    connection.send(
      `POST /${KEYS.hook} HTTP/1.1\r\nhost: x\r\ncontent-length: ${8 * 2 ** 20 + 1}\r\n\r\n`,
    );
    expect(await connection.ended).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('may be nested to 64 levels, and no deeper', async () => {
    const listener = await startListener();
    expect(await statusOf(listener, nested(64))).toBe(200);
    for (const levels of [65, 100_000, 4_000_000]) {
      expect(await statusOf(listener, nested(levels))).toBe(400);
    }
    expect(listener.bodies()).toEqual([nested(64)]);
  });

  it('may hold 500,000 values, whatever they are, and no more', async () => {
    const listener = await startListener({ secret: SECRET });
    // The first one brings an array, whose empty ones count as one.
    const largest = `[${'{},'.repeat(JSON_VALUES_MAX / 2 - 1)}0]`;
    expect(await statusOf(listener, largest)).toBe(200);
    for (const value of ['{}', '[]', '0', '""']) {
      const body = `[${`${value},`.repeat(JSON_VALUES_MAX)}${value}]`;
      const answer = await listener.post(body, `/${KEYS.hook}`);
      expect(answer.status).toBe(413);
      expect(await answer.json()).toEqual({
        error: 'The body holds too many values; send fewer results at once.',
      });
    }
    expect(listener.bodies()).toEqual([largest]);
  });

  it('with the results of a full bulk call fits, however much is known of each lead', async () => {
    const listener = await startListener({ secret: SECRET });
    const date = { start: { month: 3, year: 2001 }, end: { month: 2, year: 2002 } };
    // All that a profile tells of one, without a word of its descriptions.
    const position = {
      company: {
        id: 1001,
        name: 'Company 1',
        socialUrl: 'https://social.example/company/1',
        domain: 'company1.example',
        website: 'https://www.company1.example',
        industry: 'Computer software',
        employeesOnSocial: 250,
        foundedOn: 1990,
        size: '201-500',
      },
      date,
      profilePositions: [{ title: 'Head of programs', companyName: 'Company 1', date }],
    };
    const data = Array.from({ length: 500 }, (_, at) => ({
      id: `enr_${at}`,
      data: { social_enrichment: { positionGroups: Array.from({ length: 32 }, () => position) } },
    }));
    const body = JSON.stringify({ type: 'enrichmentDone', data });
    // So much that the size is what bounds it.
    expect(body.length).toBeGreaterThan(7 * 2 ** 20);
    const post = `{"secret":"${SECRET}",${body.slice(1)}`;
    expect(await statusOf(listener, post, `/${KEYS.hook}`)).toBe(200);
    expect(listener.bodies()).toEqual([body]);
  });

  it('that breaks off is not stored', async () => {
    const listener = await startListener();
    const connection = openConnection(listener.port);
    connection.send(rawPost('{"a":1}').slice(0, -1));
    // The server has read it once it has answered a later request.
    await fetch(`${listener.url}/healthz`);
    connection.drop();
    await connection.ended;
    expect(await statusOf(listener, '{"b":2}')).toBe(200);
    expect(listener.bodies()).toEqual(['{"b":2}']);
  });

  it('with names of the prototype is a body like any other', async () => {
    const listener = await startListener({ secret: SECRET });
    const body = '{"__proto__":{"secret":"x","a":1},"constructor":{"prototype":{"b":2}}}';
    expect(await statusOf(listener, body)).toBe(200);
    expect(await statusOf(listener, body, `/${KEYS.hook}`)).toBe(401);
    const secret = `{"secret":"${SECRET}",${body.slice(1)}`;
    expect(await statusOf(listener, secret, `/${KEYS.hook}`)).toBe(200);
    expect(listener.bodies()).toEqual([body, body]);
    expect(({} as { a?: number; b?: number }).a).toBeUndefined();
    expect(({} as { a?: number; b?: number }).b).toBeUndefined();
  });
});

describe('the secret', () => {
  const configured = { secret: SECRET };
  const right = JSON.stringify({ a: 1, secret: SECRET });

  it.each([
    ['hook', right, 200],
    ['hook', '{"a":1}', 401],
    ['hook', '{"a":1,"secret":"correct horsf"}', 401],
    ['hook', '{"a":1,"secret":""}', 401],
    ['hook', '{"a":1,"secret":null}', 401],
    ['hook', '{"a":1,"secret":["correct horse"]}', 401],
    ['hook', `{"a":1,"data":{"secret":"${SECRET}"}}`, 401],
    ['hook', `[{"a":1,"secret":"${SECRET}"},{"secret":"wrong"}]`, 401],
    ['hook', '{"data":[{"a":1,"secret":"wrong"}]}', 401],
    ['enrichment', right, 200],
    ['enrichment', '{"a":1}', 200],
    ['enrichment', '{"a":1,"secret":"wrong"}', 401],
    ['enrichment', '{"a":1,"secret":7}', 401],
    ['batch', right, 200],
    ['batch', '{"a":1}', 200],
    ['batch', '{"a":1,"secret":"wrong"}', 401],
  ] as const)('to a %s, with %s: %d', async (kind, body, status) => {
    const listener = await startListener(configured);
    expect(await statusOf(listener, body, `/${KEYS[kind]}`)).toBe(status);
    expect(listener.bodies()).toEqual(status === 200 ? ['{"a":1}'] : []);
  });

  it('is not told by the refusal', async () => {
    const listener = await startListener(configured);
    const answer = await listener.post('{"secret":"wrong"}');
    expect(await answer.json()).toEqual({
      error: 'The secret is missing or wrong; register the webhook again.',
    });
  });

  it.each(['hook', 'enrichment', 'batch'] as const)(
    'is dropped without a look where none is configured: %s',
    async (kind) => {
      const listener = await startListener();
      for (const body of ['{"a":1,"secret":"x"}', '{"secret":3,"a":1}', '{"a":1}']) {
        expect(await statusOf(listener, body, `/${KEYS[kind]}`)).toBe(200);
      }
      expect(listener.bodies()).toEqual(['{"a":1}', '{"a":1}', '{"a":1}']);
    },
  );

  it.each([
    [`[{"a":1,"secret":"${SECRET}"},{"b":2}]`, '[{"a":1},{"b":2}]'],
    [`{"data":[{"a":1,"secret":"${SECRET}"}],"b":[3]}`, '{"data":[{"a":1}],"b":[3]}'],
  ])('may stand in each of several records, and is stored with none: %s', async (body, kept) => {
    const listener = await startListener(configured);
    expect(await statusOf(listener, body, `/${KEYS.hook}`)).toBe(200);
    expect(listener.bodies()).toEqual([kept]);
  });

  it('is looked for in the records of a body and nowhere else: what has none there is kept', async () => {
    const listener = await startListener(configured);
    const body = '{"a":["secret"],"data":{"secret":"inner"}}';
    expect(await statusOf(listener, body)).toBe(200);
    expect(await statusOf(listener, '{"s\\u0065cret":"wrong"}')).toBe(401);
    expect(listener.bodies()).toEqual([body]);
  });

  it.each([
    [`{"a":1,"x":{"secret":"${SECRET}"}}`, '{"a":1,"x":{"secret":"[…]"}}'],
    [`{"a":"see https://x.example/?s=${SECRET}&n=1"}`, '{"a":"see https://x.example/?s=[…]&n=1"}'],
    [`{"a":{"${SECRET}":["corr\\u0065ct\\u0020horse"]}}`, '{"a":{"[…]":["[…]"]}}'],
    ['{"a":["Correct HORSE","?s=correct%20horse&n=1"]}', '{"a":["[…]","?s=[…]&n=1"]}'],
    [`{"a":"Basic ${btoa(SECRET)}"}`, '{"a":"Basic […]=="}'],
  ])('is kept nowhere, wherever it stands: %s', async (body, kept) => {
    const listener = await startListener(configured);
    expect(await statusOf(listener, body)).toBe(200);
    expect(listener.bodies()).toEqual([kept]);
  });

  it('is found however it is written, and gone in each of its spellings', async () => {
    const listener = await startListener(configured);
    const body = `{"secret":"other","data":{"secret":"stays"},"s\\u0065cret":"${SECRET}"}`;
    expect(await statusOf(listener, body, `/${KEYS.hook}`)).toBe(200);
    expect(listener.bodies()).toEqual(['{"data":{"secret":"stays"}}']);
  });
});

describe('large bodies', () => {
  it('are held once while they are stored', async () => {
    let free = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      free = resolve;
    });
    let isKept = (): void => undefined;
    const kept = new Promise<void>((resolve) => {
      isKept = resolve;
    });
    const listener = await startListener({
      keep: () => {
        isKept();
        return held;
      },
    });
    // Otherwise the listener would never close.
    onTestFinished(() => free());
    const connection = openConnection(listener.port);
    const before = await memory();
    connection.send(rawPost(`{"a":"${'x'.repeat(8 * 2 ** 20 - 8)}"}`));
    await kept;
    // What is stored is a text; the bytes that it came in are gone.
    expect((await memory()).buffersMb - before.buffersMb).toBeLessThan(4);
    free();
    expect(await connection.answers(1)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('all bodies together', () => {
  it('have a largest size: what comes on top is to be sent again', async () => {
    const waits: (() => void)[] = [];
    const kept: string[] = [];
    let isHeld = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    const listener = await startListener({
      waitingBytesMax: 20_000,
      keep: (group) => {
        kept.push(...group.map(({ body }) => body));
        isHeld();
        return new Promise((resolve) => waits.push(resolve));
      },
    });
    const large = JSON.stringify({ a: 'x'.repeat(15_000) });
    const first = listener.post(large);
    await held;
    const answer = await listener.post(large);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toEqual({
      error: 'Too much is waiting to be stored; send it again later.',
    });
    waits[0]?.();
    expect((await first).status).toBe(200);

    const again = listener.post(large);
    while (waits.length < 2) await fetch(`${listener.url}/healthz`);
    waits[1]?.();
    expect((await again).status).toBe(200);
    expect(kept).toEqual([large, large]);
  });

  it('give their room back, also those that broke off or were refused', async () => {
    const listener = await startListener({ waitingBytesMax: 20_000, bodyBytesMax: 15_000 });
    for (let i = 0; i < 5; i += 1) {
      const broken = openConnection(listener.port);
      broken.send(rawPost(`{"a":"${'x'.repeat(12_000)}`).replace(/length: \d+/, 'length: 14000'));
      await fetch(`${listener.url}/healthz`);
      broken.drop();
      await broken.ended;
      await fetch(`${listener.url}/healthz`);
      expect(await statusOf(listener, 'x'.repeat(12_000))).toBe(400);
      expect(await statusOf(listener, 'x'.repeat(16_000))).toBe(413);
      expect(await statusOf(listener, `{"a":"${'x'.repeat(12_000)}"}`)).toBe(200);
    }
    expect(listener.kept).toHaveLength(5);
  });

  it('count by what they tell of their length, and as the largest where they tell nothing', async () => {
    const listener = await startListener({ waitingBytesMax: 20_000, bodyBytesMax: 15_000 });
    const connection = openConnection(listener.port);
    connection.send(
      `POST /${KEYS.hook} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n`,
    );
    await expect.poll(() => statusOf(listener, `{"a":"${'x'.repeat(5_000)}"}`)).toBe(503);
    expect(await statusOf(listener, '{}')).toBe(200);
    connection.send('1\r\n}\r\n0\r\n\r\n');
    expect(await connection.answers(1)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it('a body that comes in tens of thousands of pieces is cut off', async () => {
  const listener = await startListener();
  const connection = openConnection(listener.port);
  connection.send(
    `POST /${KEYS.hook} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(20_001)}`,
  );
  expect(await connection.ended).toBe('');
  expect(await (await listener.post('{}')).text()).toBe(RECEIVED);
});

describe('an event', () => {
  const EVENT = { _id: 'act_1', type: 'emailsOpened', createdAt: '2025-01-01T00:00:00Z' };

  it('is kept as one at the address of a hook, without the secret', async () => {
    const listener = await startListener({ secret: SECRET });
    const body = JSON.stringify({ ...EVENT, secret: SECRET });
    expect(await statusOf(listener, body, `/${KEYS.hook}`)).toBe(200);
    const event = { id: 'act_1', type: 'emailsOpened', at: NOW };
    const kept = { scope: SCOPE, receivedAt: NOW, event, body: JSON.stringify(EVENT) };
    expect(listener.kept).toEqual([kept]);
  });

  it.each(['enrichment', 'batch'] as const)(
    'is none at the address of a %s, with or without the secret',
    async (kind) => {
      const listener = await startListener({ secret: SECRET });
      for (const body of [EVENT, { ...EVENT, secret: SECRET }, [EVENT]]) {
        expect(await statusOf(listener, JSON.stringify(body), `/${KEYS[kind]}`)).toBe(200);
      }
      expect(listener.kept.filter((arrival) => 'event' in arrival)).toEqual([]);
      expect(listener.kept).toHaveLength(3);
    },
  );

  it('comes with 10,000 at most', async () => {
    const listener = await startListener();
    const events = Array.from({ length: 10_001 }, (_, n) => ({ ...EVENT, _id: `act_${n}` }));
    const path = `/${KEYS.hook}`;
    expect(await statusOf(listener, JSON.stringify(events), path)).toBe(413);
    expect(await statusOf(listener, JSON.stringify(events.slice(1)), path)).toBe(200);
    expect(listener.kept).toHaveLength(10_000);
  });

  it('of an unknown type is kept as a delivery as well: it may be a result in other words', async () => {
    const listener = await startListener();
    const body = JSON.stringify({ _id: 'act_1', type: 'lookup.done', out: {} });
    expect(await statusOf(listener, body, `/${KEYS.hook}`)).toBe(200);
    expect(listener.kept).toMatchObject([
      { event: { type: 'lookup.done' }, body },
      { enrichmentId: null, body },
    ]);
  });

  it('may come with others in an array, and each is kept as one', async () => {
    const listener = await startListener({ secret: SECRET });
    const other = { ...EVENT, _id: 'act_2' };
    const records = [EVENT, other].map((record) => ({ ...record, secret: SECRET }));
    expect(await statusOf(listener, JSON.stringify(records), `/${KEYS.hook}`)).toBe(200);
    expect(listener.bodies()).toEqual([EVENT, other].map((record) => JSON.stringify(record)));
    expect(listener.kept).toMatchObject([{ event: { id: 'act_1' } }, { event: { id: 'act_2' } }]);
    const broken = JSON.stringify([{ type: 'emailsOpened' }]);
    expect(await statusOf(await startListener(), broken, `/${KEYS.hook}`)).toBe(400);
  });

  it('is none where it is the result of an enrichment, whatever its id', async () => {
    const listener = await startListener();
    const body = JSON.stringify({ ...EVENT, type: 'enrichmentDone', data: [] });
    expect(await statusOf(listener, body)).toBe(200);
    expect(listener.kept).toMatchObject([{ enrichmentId: 71, body }]);
  });

  it.each([
    ['without an id', { type: 'emailsOpened' }, '_id'],
    ['with an id that is no text', { ...EVENT, _id: 7 }, '_id'],
    ['without a type', { _id: 'act_1' }, 'type'],
  ])('is refused %s, in one sentence', async (_, body, field) => {
    const listener = await startListener();
    const answer = await listener.post(JSON.stringify(body), `/${KEYS.hook}`);
    expect(answer.status).toBe(400);
    const { error } = (await answer.json()) as { error: string };
    expect(error).toMatch(new RegExp(`^An event carries its .* in ${field}, a text of .*\\.$`));
    expect(listener.kept).toEqual([]);
  });

  it('is refused with a wrong secret, and without one', async () => {
    const listener = await startListener({ secret: SECRET });
    const wrong = JSON.stringify({ ...EVENT, secret: 'wrong' });
    expect(await statusOf(listener, wrong, `/${KEYS.hook}`)).toBe(401);
    expect(await statusOf(listener, JSON.stringify(EVENT), `/${KEYS.hook}`)).toBe(401);
    expect(listener.kept).toEqual([]);
  });
});
