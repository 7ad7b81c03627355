// A dialect held against recorded calls: each flaw of a dialect is found, by its line and its place.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import { readTranscript } from '../../../src/dialect/transcript/read-transcript.js';
import { checkTranscript } from '../../../src/platform/replay/check-transcript.js';

/** No transcript here has one. */
const noSecret = () => undefined;

const check = (dialect: unknown, transcript: string) =>
  checkTranscript(dialectSchema.parse(dialect), readTranscript(transcript, 'calls.http'), noSecret);

const DIALECT = {
  prefix: '/v2',
  auth: { header: 'X-API-Key' },
  headers: { 'x-version': '7' },
  enrich: {
    path: '/find',
    in: 'body',
    inputs: { firstName: 'person.first', lastName: 'person.last', companyDomain: 'domain' },
    ask: { as: 'list', at: 'want', names: { find_email: 'mail', find_phone: 'tel' } },
    webhookUrl: 'hook.url',
    metadata: 'ref',
    constants: { lang: 'en' },
    ticket: ['job', 'id'],
  },
  bulk: { path: null },
  result: { path: '/jobs/{id}' },
  answer: {
    read: {
      entries: '.',
      blocks: 'out',
      pending: [{ at: 'state', values: ['queued', 'working'] }],
    },
  },
  blocks: { find_email: 'mail', find_phone: '.' },
  fields: { find_email: { email: 'address', status: 'verdict' }, find_phone: { phone: 'tel' } },
};

const ASKED = `# lead: firstName=Ada, lastName=Lovelace, companyDomain=engines.example
# ask: find_email
# expect: accepted j-1
POST /v2/find
> X-API-Key: …
> X-Version: 7
> {"person": {"first": "Ada", "last": "Lovelace"}, "domain": "engines.example", "want": ["mail"],
>  "hook": {"url": "https://us.example/hook"}, "ref": "key-1", "lang": "en"}
< 202 {"job": "j-1"}
`;
const READ = `
# expect: pending
GET /v2/jobs/j-1
< {"state": "queued"}

# expect: found {"email": "ada@engines.example", "emailStatus": "deliverable"}
GET /v2/jobs/j-1
< {"state": "done", "out": {"mail": {"address": "ada@engines.example", "verdict": "valid", "score": 9}}}
`;

describe('a dialect that fits its transcript', () => {
  it('sends what was sent and reads what is expected', async () => {
    const { exchanges } = await check(DIALECT, ASKED + READ);
    expect(
      exchanges.map(({ line, call, verdict, reads }) => [line, call, verdict, ...reads]),
    ).toEqual([
      [4, 'enrich', 'ok', 'accepted j-1'],
      [12, 'result', 'ok', 'pending'],
      [16, 'result', 'ok', 'found {"email":"ada@engines.example","emailStatus":"deliverable"}'],
    ]);
    expect(exchanges[0]?.sends).toBe('POST /v2/find');
    expect(exchanges[2]?.unread).toEqual(['out.mail.score']);
  });

  it('reads one ticket as often as it is recorded, whatever the least time between two reads', async () => {
    const patient = { ...DIALECT, result: { ...DIALECT.result, every: '5m' } };
    const { exchanges } = await check(patient, ASKED + READ + READ);
    const reads = ['pending', 'found {"email":"ada@engines.example","emailStatus":"deliverable"}'];
    expect(exchanges.slice(1).flatMap((one) => one.reads)).toEqual([...reads, ...reads]);
  });

  it('is told which of its parts are never met', async () => {
    const { unmet } = await check(DIALECT, ASKED + READ);
    expect(unmet).toEqual([
      { key: 'enrich.ask.names.find_phone', values: ['tel'] },
      { key: 'enrich.ticket', values: ['id'] },
      { key: 'fields.find_phone.phone', values: ['tel'] },
    ]);
  });

  it('is told of calls that are not in the transcript', async () => {
    const { unmet } = await check({ ...DIALECT, account: { path: '/me', credits: 'left' } }, ASKED);
    expect(unmet.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['result', 'account', 'answer.read']),
    );
  });
});

describe('a part that another part stands in for', () => {
  const SHARED = {
    ...DIALECT,
    enrich: { ...DIALECT.enrich, ticket: 'job' },
    answer: {
      read: {
        ...DIALECT.answer.read,
        ticket: 'ref',
        metadata: 'own',
        notFound: [{ at: 'state', values: ['none'] }],
        failed: [{ at: 'state', values: ['broken'] }],
        reason: 'why',
      },
      webhook: { entries: 'body', type: 'event', types: ['job.done'] },
    },
    events: { enrichmentDone: 'job.done' },
    blocks: { find_email: 'mail', verify_email: 'mail' },
    fields: { find_email: { email: 'address', status: 'verdict' } },
    errors: { reason: 'message', refused: [{ at: 'ok', values: [false] }] },
  };
  const ASK = { as: 'list', at: 'want', names: { find_email: 'mail' } };
  const dialect = { ...SHARED, enrich: { ...SHARED.enrich, ask: ASK } };
  const ENDS = `
# expect: not_found
GET /v2/jobs/j-1
< {"state": "none", "ref": "j-1", "own": "key-1", "out": {}}

# expect: failed too many
GET /v2/jobs/j-1
< {"state": "broken", "why": "too many"}

# expect: found {"email": "ada@engines.example"}
WEBHOOK
> {"event": "job.done", "body": {"ref": "j-1", "own": "key-1", "out": {"mail": {"address": "ada@engines.example", "verdict": "valid"}}}}

# lead: firstName=Ada, lastName=Lovelace, companyDomain=engines.example
# expect: refused no such person
POST /v2/find
> {"person": {"first": "Ada", "last": "Lovelace"}, "domain": "engines.example", "want": ["mail"],
>  "hook": {"url": "https://us.example/hook"}, "ref": "key-1", "lang": "en"}
< 400 {"ok": false, "message": "no such person"}
`;

  it('is not told as one that nothing shows', async () => {
    const { exchanges, unmet } = await check(dialect, ASKED + READ + ENDS);
    expect(exchanges.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect(unmet).toEqual([]);
  });

  it('is told where it is wrong, or is in no exchange', async () => {
    const wrong = {
      ...dialect,
      answer: {
        ...dialect.answer,
        read: {
          ...dialect.answer.read,
          metadata: 'mine',
          failed: [{ at: 'state', values: ['dead'] }],
        },
      },
    };
    const { unmet } = await check(wrong, ASKED + READ + ENDS);
    expect(unmet).toEqual([
      { key: 'answer.read.metadata', values: ['mine'] },
      { key: 'answer.read.failed', values: ['{"at":["state"],"values":["dead"]}'] },
    ]);
    const bare = ASKED.replaceAll(/> X-.*\n/g, '');
    expect(
      (await check({ ...DIALECT, auth: 'basic' }, bare + READ)).unmet.map(({ key }) => key),
    ).not.toContain('headers.x-version');
  });
});

const FLAWS: readonly [string, object, string, string][] = [
  ['a path', { enrich: { ...DIALECT.enrich, path: '/finds' } }, ASKED, 'path'],
  ['a method', { enrich: { ...DIALECT.enrich, method: 'PUT' } }, ASKED, 'method'],
  [
    'a place in the body',
    {
      enrich: { ...DIALECT.enrich, inputs: { ...DIALECT.enrich.inputs, lastName: 'person.name' } },
    },
    ASKED,
    'body.person.name body.person.last',
  ],
  ['a constant', { enrich: { ...DIALECT.enrich, constants: {} } }, ASKED, 'body.lang'],
  ['a header', { headers: {} }, ASKED, 'header x-version'],
  ['the header of the key', { auth: { header: 'X-Key' } }, ASKED, 'header x-key header x-api-key'],
];

describe('a dialect that does not fit', () => {
  it.each(FLAWS)('in %s is told the place', async (_, flaw, transcript, places) => {
    const { exchanges } = await check({ ...DIALECT, ...flaw }, transcript);
    expect(exchanges[0]?.verdict).toBe('wrong');
    expect(exchanges[0]?.differences.map(({ place }) => place).join(' ')).toBe(places);
  });

  it('in what it reads is told what was expected', async () => {
    const flawed = { ...DIALECT, enrich: { ...DIALECT.enrich, ticket: 'nowhere' } };
    const { exchanges } = await check(flawed, ASKED);
    expect(exchanges[0]).toMatchObject({ verdict: 'wrong', differences: [] });
    expect(exchanges[0]?.problems.join()).toMatch(/expected accepted j-1, read uncertain/);
    const other = { ...DIALECT, blocks: { find_email: 'post' } };
    const read = await check(other, READ);
    expect(read.exchanges[1]?.problems.join()).toContain('expected found {"email"');
    expect(read.exchanges[1]?.unread).toContain('out.mail.address');
    expect(read.exchanges[1]?.problems.join()).not.toContain('https://');
  });

  it('is told of an exchange that is no call of it', async () => {
    const { exchanges } = await check(DIALECT, 'GET /v2/other\n< {}\n');
    expect(exchanges[0]).toMatchObject({ call: null, verdict: 'wrong' });
    expect(exchanges[0]?.problems.join()).toContain('no call GET /v2/other; it has POST /v2/find');
    const asking = ASKED.replace('/v2/find', '/v2/bulk');
    const meant = await check(DIALECT, asking);
    expect(meant.exchanges[0]).toMatchObject({ call: 'enrich', verdict: 'wrong' });
    expect(meant.exchanges[0]?.problems.join()).toContain('no call POST /v2/bulk; it has');
  });
});

describe('the order of a list', () => {
  const bulk = {
    enrich: null,
    bulk: {
      items: 'people',
      input: '.',
      inputs: { email: 'mail' },
      ask: { at: 'want', names: { find_phone: 'tel', social_enrichment: 'who' } },
      webhookUrl: null,
      metadata: 'ref',
    },
    fields: { profile: { languages: 'speaks' } },
  };
  const [ada, bob] = [
    '{"mail": "ada@engines.example", "want": ["who", "tel"], "ref": "key-1"}',
    '{"mail": "bob@bolts.example", "want": ["who", "tel"], "ref": "key-2"}',
  ];
  const asked = (...people: string[]) => `# lead: email=ada@engines.example
# lead: email=bob@bolts.example
# ask: find_phone, social_enrichment
POST /enrich/bulk
> {"people": [${people.join(', ')}]}
< [{"id": "e-1", "metadata": "key-1"}, {"id": "e-2", "metadata": "key-2"}]
`;

  it('is no difference: of words, of items, and of values that are expected', async () => {
    const read = `
# expect: found {"languages": ["French", "English"]}
GET /enrich/e-1
< {"data": [{"id": "e-1", "data": {"social_enrichment": {"speaks": ["English", "French"]}}}]}
`;
    for (const people of [
      [ada, bob],
      [bob, ada],
    ]) {
      const { exchanges } = await check(bulk, asked(...people) + read);
      expect(exchanges.flatMap(({ differences, problems }) => [differences, problems])).toEqual([
        [],
        [],
        [],
        [],
      ]);
    }
  });

  it('hides nothing that is another value, missing or too much', async () => {
    const other = bob.replace('bob@', 'rob@');
    const { exchanges } = await check(bulk, asked(other, ada));
    expect(exchanges[0]?.differences).toEqual([
      { place: 'body.people[1].mail', sent: 'bob@bolts.example', recorded: 'rob@bolts.example' },
    ]);
    const third = '{"mail": "eve@x.example"}';
    const more = await check(bulk, asked(third, ada, bob.replace('"tel"', '"tel", "all"')));
    expect(more.exchanges[0]?.differences.map(({ place }) => place)).toEqual([
      'body.people[1].want[2]',
      'body.people[2]',
    ]);
  });
});

describe('the example of the documentation', () => {
  const sample = (name: string) =>
    readFileSync(new URL(`../../../samples/dialect/${name}`, import.meta.url), 'utf8');

  it('fits its transcript', async () => {
    const { exchanges } = await check(parse(sample('my-platform.yaml')), sample('calls.http'));
    expect(exchanges.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
    expect(exchanges.length).toBeGreaterThan(6);
  });
});
