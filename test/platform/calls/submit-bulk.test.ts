import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import type { HttpPlatformOptions } from '../../../src/platform/http-platform.js';
import type { BulkAnswer, BulkItem, SubmitOptions } from '../../../src/ports/platform.js';
import {
  answer,
  CREDENTIALS,
  openTestPlatform,
  openTestServer,
  permitOf,
  type Respond,
  silence,
} from '../test-server.js';

const ADA: BulkItem = {
  request: {
    ask: ['find_email', 'social_enrichment'],
    inputs: { firstName: 'Ada', lastName: 'Lovelace', companyDomain: 'engines.example' },
  },
  key: 'e.1.key-of-ada',
};
const BOB: BulkItem = {
  request: { ask: ['verify_email'], inputs: { email: 'bob@bolts.example' } },
  key: 'e.2.key-of-bob',
};
const CY: BulkItem = {
  request: { ask: ['find_phone'], inputs: { socialUrl: 'https://s.example/in/cyan' } },
  key: 'e.3.key-of-cy',
};
const THREE = [ADA, BOB, CY];
const SECRETS = /ada|lovelace|engines|bob|bolts|cyan|key-of|me\.example|pa:ß/i;

async function sendTo(
  responds: Respond | Respond[],
  items: readonly BulkItem[] = THREE,
  options: Partial<HttpPlatformOptions> = {},
  how?: SubmitOptions,
) {
  const server = await openTestServer(...[responds].flat());
  const platform = openTestPlatform(server.url, options);
  const outcome = await platform.submitMany(items, await permitOf(platform), how);
  return { server, platform, outcome };
}

/** What became of each item, in a word: its ticket, its reason, or `uncertain`. */
function fates(outcome: BulkAnswer): string[] {
  if (outcome.kind !== 'answered') return [outcome.kind];
  return outcome.items.map((item) => {
    if (item.kind === 'accepted') return item.ticket;
    return item.kind === 'refused' ? item.reason : item.kind;
  });
}

const accepted = (...items: BulkItem[]) =>
  items.map(({ key }) => ({ id: `enr_${key.slice(8)}`, metadata: key }));

describe('the bulk call', () => {
  it('is one POST of a JSON array, with the callback URL in its query', async () => {
    const how = { callbackUrl: 'https://me.example/in/b.1' };
    const { server, outcome } = await sendTo(answer(200, accepted(...THREE)), THREE, {}, how);
    expect(server.asked).toEqual([
      'POST /enrich/bulk?webhookUrl=https%3A%2F%2Fme.example%2Fin%2Fb.1',
    ]);
    expect(server.authorizations[0]).toMatch(/^Basic /);
    expect(server.bodies.map(({ type }) => type)).toEqual(['application/json']);
    expect(JSON.parse(server.bodies[0]?.text ?? '')).toEqual([
      {
        input: { firstName: 'Ada', lastName: 'Lovelace', companyDomain: 'engines.example' },
        enrichmentRequests: ['find_email', 'social_enrichment'],
        metadata: ADA.key,
      },
      {
        input: { email: 'bob@bolts.example' },
        enrichmentRequests: ['verify_email'],
        metadata: BOB.key,
      },
      {
        input: { socialUrl: 'https://s.example/in/cyan' },
        enrichmentRequests: ['find_phone'],
        metadata: CY.key,
      },
    ]);
    expect(outcome).toEqual({
      kind: 'answered',
      items: [
        { kind: 'accepted', ticket: 'enr_of-ada' },
        { kind: 'accepted', ticket: 'enr_of-bob' },
        { kind: 'accepted', ticket: 'enr_of-cy' },
      ],
    });
  });

  it('writes half a character as one that every encoding has, and counts bytes, not characters', async () => {
    const item = {
      request: { ask: ADA.request.ask, inputs: { firstName: 'Zoë\ud83d' } },
      key: 'k',
    };
    const { server } = await sendTo(answer(200, []), [item]);
    expect(JSON.parse(server.bodies[0]?.text ?? '')).toMatchObject([
      { input: { firstName: 'Zoë\ufffd' } },
    ]);
  });

  it('follows the dialect: path, names and places', async () => {
    const dialect = dialectSchema.parse({
      prefix: '/v2',
      enrich: { inputs: { companyDomain: 'domain' } },
      bulk: {
        path: '/batches?v=1',
        webhookUrl: { query: 'notify' },
        items: 'batch.people',
        input: '.',
        ask: { at: 'want.what', names: { find_email: 'email' } },
        metadata: '__proto__.key',
        inputs: { firstName: 'first_name' },
        answer: { entries: 'people', ticket: ['ref.id'], metadata: 'custom.key', error: 'why' },
      },
    });
    const people = [
      { ref: { id: 'b-1' }, custom: { key: BOB.key } },
      { why: 'unknown domain', custom: { key: ADA.key } },
    ];
    const how = { callbackUrl: 'x' };
    const { server, outcome } = await sendTo(answer(200, { people }), [ADA, BOB], { dialect }, how);
    expect(server.asked).toEqual(['POST /v2/batches?v=1&notify=x']);
    expect(JSON.parse(server.bodies[0]?.text ?? '')).toEqual({
      batch: {
        people: [
          {
            first_name: 'Ada',
            lastName: 'Lovelace',
            domain: 'engines.example',
            want: { what: ['email', 'social_enrichment'] },
            ['__proto__']: { key: ADA.key },
          },
          {
            email: 'bob@bolts.example',
            want: { what: ['verify_email'] },
            ['__proto__']: { key: BOB.key },
          },
        ],
      },
    });
    expect(fates(outcome)).toEqual(['unknown domain', 'b-1']);
  });

  it('leaves out what the dialect has no place for', async () => {
    const dialect = dialectSchema.parse({ bulk: { webhookUrl: null, metadata: null } });
    const how = { callbackUrl: 'https://me.example/in/b.1' };
    const { server, platform } = await sendTo(answer(200, []), [BOB], { dialect }, how);
    expect(server.asked).toEqual(['POST /enrich/bulk']);
    expect(server.bodies[0]?.text).not.toMatch(/metadata|key-of/);
    expect(platform.takesCallback).toEqual({ single: true, bulk: false });
  });

  it('tells how much it takes, and refuses more without sending it or losing its permit', async () => {
    const of = (bulk: object) =>
      openTestPlatform('http://127.0.0.1:9', {
        dialect: dialectSchema.parse({ bulk }),
        concurrency: 1,
      });
    expect(of({}).bulkMax).toBe(500);
    const small = of({ max: 2 });
    expect(small.bulkMax).toBe(2);
    const tooMany = small.submitMany(THREE, await permitOf(small));
    await expect(tooMany).rejects.toThrow('takes at most 2 items, not 3');
    expect(await small.submitMany([], await permitOf(small))).toEqual({
      kind: 'answered',
      items: [],
    });
    const none = of({ path: null });
    expect(none).toMatchObject({ bulkMax: 0, takesCallback: { single: true, bulk: false } });
    const unknown = none.submitMany([ADA], await permitOf(none));
    await expect(unknown).rejects.toThrow('takes at most 0 items');
    expect(await none.reserve('submit', 1)).toHaveLength(1);
  });
});

describe('the answer to a bulk call', () => {
  const [a, b, c] = THREE.map(({ key }) => key);
  const [x, y, z] = ['x', 'y', 'z'].map((id) => ({ id }));
  it.each<[string, unknown, string[]]>([
    ['in another order', accepted(CY, ADA, BOB), ['enr_of-ada', 'enr_of-bob', 'enr_of-cy']],
    ['without metadata', [x, y, z], ['x', 'y', 'z']],
    ['of ids alone, which no path of the dialect finds', ['x', 'y', 'z'], unknown(3)],
    ['with metadata here and there', [x, { ...y, metadata: b }, z], ['x', 'y', 'z']],
    [
      'with metadata not ours',
      [{ ...x, metadata: 'A' }, { ...y, metadata: 7 }, z],
      ['x', 'y', 'z'],
    ],
    ['with one too few', accepted(CY, ADA), ['enr_of-ada', 'uncertain', 'enr_of-cy']],
    ['with one too few and no metadata', [x, y], unknown(3)],
    ['with one too many', [...accepted(...THREE), z], ['enr_of-ada', 'enr_of-bob', 'enr_of-cy']],
    ['that is empty', [], unknown(3)],
    ['with a key told twice, once in its place', keyed(a, a, c), ['x', 'uncertain', 'z']],
    ['with a key told twice, once out of its place', keyed(b, b), ['uncertain', 'y', 'z']],
    ['with errors that are empty', [{ error: {} }, { error: null }, { error: 0 }], unknown(3)],
    ['with one key in the place of another', keyed(undefined, a, c), ['y', 'uncertain', 'z']],
    [
      'with errors',
      [{ error: 'no such domain', metadata: a }, { error: { message: 'nested' } }, { error: true }],
      ['no such domain', 'nested', 'the platform gave no reason'],
    ],
    ['with both', [{ ...x, error: 'slow' }, { id: null, error: 'bad' }, z], ['x', 'bad', 'z']],
    ['with errors that say nothing', [{ error: '' }, { error: false }, { error: [] }], unknown(3)],
    ['with entries that are none', [null, 7, {}], unknown(3)],
    ['with tickets that are none', [{ id: '' }, { id: 'a b' }, { id: {} }], unknown(3)],
    ['with one ticket for two items', [x, x, z], ['uncertain', 'uncertain', 'z']],
  ])('%s', async (_, body, expected) => {
    const { outcome, server } = await sendTo(answer(200, body));
    expect(fates(outcome)).toEqual(expected);
    expect(server.asked).toHaveLength(1);
  });

  it('says for each uncertain item what is missing, and quotes the body once, without persons', async () => {
    const body = [{ name: 'Ada Lovelace', [BOB.key]: 1 }, { id: 'x' }, { id: 'x' }];
    const { outcome } = await sendTo(answer(200, body));
    if (outcome.kind !== 'answered') throw new Error(outcome.kind);
    const [first, second] = outcome.items;
    expect(first).toMatchObject({
      kind: 'uncertain',
      reason: 'the platform answered 200 without an enrichment id for this item',
    });
    expect(second).toMatchObject({
      reason: 'the platform answered 200 with one id for several items',
    });
    if (first?.kind !== 'uncertain') return;
    expect(first.problem.message).toContain('for every item: "[{"name":"…","[…]":1},{"id":"…"}');
    expect(first.problem.message).not.toMatch(SECRETS);
  });

  it('never repeats a person, a key, a credential or the callback URL in a reason', async () => {
    const callbackUrl = 'https://me.example/in/b.9.key-of-batch';
    const said = THREE.map(
      ({ request: { inputs }, key }) =>
        `${Object.values(inputs).join(' ')} ${key} ${callbackUrl} ${CREDENTIALS.password}`,
    );
    const items = await sendTo(
      answer(
        200,
        said.map((error) => ({ error })),
      ),
      THREE,
      {},
      { callbackUrl },
    );
    const reasons = fates(items.outcome);
    expect(reasons).toHaveLength(3);
    for (const reason of reasons) expect(reason).toMatch(/^(\[…\] ?)+$/);
    for (const status of [200, 400, 401, 500, 302]) {
      const { outcome } = await sendTo(
        answer(status, said.join(' '), { location: `/${ADA.key}` }),
        THREE,
        {},
        { callbackUrl },
      );
      const told = `${JSON.stringify(outcome)} ${'problem' in outcome ? outcome.problem.message : ''}`;
      expect(told).toContain('[…]');
      expect(told).not.toMatch(SECRETS);
    }
  });

  const ENDED = { kind: 'unsent', isFinal: true };
  const BAD = 'item 2: email is malformed';
  it.each<[string, Respond, object]>([
    ['400', answer(400, { error: BAD }), { kind: 'refused', reason: BAD }],
    ['413', answer(413, ''), { kind: 'refused', reason: 'the platform answered 413' }],
    ['401', answer(401, ''), { ...ENDED, problem: { message: expect.stringContaining('401') } }],
    [
      '404',
      answer(404, ''),
      { kind: 'absent', problem: { message: expect.stringContaining('404') } },
    ],
    [
      '405',
      answer(405, ''),
      { kind: 'absent', problem: { message: expect.stringContaining('405') } },
    ],
    ['500', answer(500, accepted(...THREE)), { kind: 'uncertain' }],
    ['silence', silence, { kind: 'uncertain' }],
    ['HTML', answer(200, '<html>'), { kind: 'uncertain' }],
    ['an object', answer(200, { id: 'enr_1' }), { kind: 'uncertain' }],
    ['an empty body', answer(202, ''), { kind: 'uncertain' }],
    [
      '429',
      answer(429, ''),
      { kind: 'throttled', problem: { message: expect.stringContaining('429') } },
    ],
  ])('as a whole is judged like that to a single request: %s', async (_, respond, expected) => {
    const { outcome, server } = await sendTo(respond, THREE);
    expect(outcome).toMatchObject(expected);
    expect(server.asked).toHaveLength(1);
  });

  it('is not accepted at a status of which its own documentation says so', async () => {
    const ofSingle = dialectSchema.parse({ enrich: { notAccepted: [503] } });
    const ofBulk = dialectSchema.parse({ bulk: { notAccepted: [503] } });
    for (const [dialect, kind] of [
      [ofSingle, 'uncertain'],
      [ofBulk, 'unsent'],
    ] as const) {
      const { outcome } = await sendTo(answer(503, ''), THREE, { dialect });
      expect(outcome).toMatchObject({ kind });
    }
  });

  it('is throttled, or out of credits, by a word in a 200 only where nothing can have been accepted', async () => {
    const dialect = dialectSchema.parse({
      limits: { throttled: [{ status: 200, word: 'slow down' }] },
      errors: { outOfCredits: [{ status: 200, word: 'no credits' }] },
    });
    const word = async (body: unknown) =>
      fates((await sendTo(answer(200, body), [ADA, BOB], { dialect })).outcome);
    expect(await word({ error: 'slow down' })).toEqual(['throttled']);
    expect(await word([{ error: 'slow down' }, { error: 'slow down' }])).toEqual(['throttled']);
    expect(await word([{ error: 'slow down' }, { id: 'x' }])).toEqual(['slow down', 'x']);
    expect(await word([{ error: 'slow down' }, {}])).toEqual(['slow down', 'uncertain']);
    const both = [{ id: 'x', error: 'slow down' }, { error: 'slow down' }];
    expect(await word(both)).toEqual(['x', 'slow down']);
    expect(await word({ error: 'no credits' })).toEqual(['unsent']);
  });

  it('is out of credits for single items by a word in their errors', async () => {
    const dialect = dialectSchema.parse({
      errors: { outOfCredits: [{ status: 200, word: 'no credits' }] },
    });
    const body = [{ id: 'x' }, { error: 'No credits left' }, { error: 'no such domain' }];
    const { outcome } = await sendTo(answer(200, body), THREE, { dialect });
    expect(fates(outcome)).toEqual(['x', 'unsent', 'no such domain']);
    expect(outcome).toMatchObject({ items: [{}, { isFinal: true }, {}] });
  });
});

/** Three entries with these keys. */
function keyed(...keys: (string | undefined)[]): object[] {
  return ['x', 'y', 'z'].map((id, n) => ({ id, ...(keys[n] && { metadata: keys[n] }) }));
}

function unknown(count: number): string[] {
  return Array.from({ length: count }, () => 'uncertain');
}
