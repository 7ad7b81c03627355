// The words of a platform that a strict client insists on: each by a key of the dialect, as a transcript shows it, and
// said by the sandbox.
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import { readTranscript } from '../../../src/dialect/transcript/read-transcript.js';
import { parseWait, RESET_FORMATS } from '../../../src/model/text/time.js';
import { checkTranscript } from '../../../src/platform/replay/check-transcript.js';
import type { SandboxOptions } from '../../../src/sandbox/open-sandbox.js';
import { startSandbox } from '../start-sandbox.js';

const DIALECT: unknown = parse(`
enrich:
  path: /searches
  in: body
  inputs: { socialUrl: profile, firstName: first_name, lastName: last_name, companyDomain: site }
  ask: { names: { find_email: want_mail, verify_email: null, social_enrichment: null } }
  webhookUrl: null
  metadata: own.ref
  ownKeys: true
  ticket: key
  accepted:
    - { status: 201, in: body, at: success, values: [true] }
    - { in: body, at: state, values: [queued] }
bulk: { path: null }
result: { path: "/searches/{id}" }
answer:
  read:
    entries: rows
    ticket: key
    metadata: own[name=ref].text
    blocks: .
    pending:
      - { status: 202, at: ., values: [null] }
    done:
      - { in: body, at: state, values: [done, ended] }
      - { in: entry, at: is_ready, values: [true] }
    notFound: [{ in: entry, at: hit, values: [false] }]
    failed: [{ in: entry, at: hit, values: [broken] }]
    nulls: true
  webhook: { type: [] }
blocks: { find_email: ., find_phone: phone }
fields: { find_email: { email: mail, status: verdict } }
errors: { reason: . }
limits:
  reset: epoch-ms
  throttled:
    - { status: 429, at: ., values: [Slow down] }
`);

const TRANSCRIPT = `
# lead: firstName=Ada, lastName=Lovelace, companyDomain=engines.example
# ask: find_email
# expect: accepted s-1
POST /searches
> {"first_name": "Ada", "last_name": "Lovelace", "site": "engines.example", "want_mail": true, "own": {"ref": "key-1"}}
< 201 {"success": true, "key": "s-1", "state": "queued"}

# expect: pending
GET /searches/s-1
< 202 {}

# expect: found {"email": "ada@engines.example", "emailStatus": "deliverable"}
GET /searches/s-1
< {"state": "done", "rows": [{"key": "s-1", "is_ready": true, "own": [{"name": "ref", "text": "key-1"}], "mail": "ada@engines.example", "verdict": "deliverable", "phone": null}]}

# expect: not_found
GET /searches/s-1
< {"state": "ended", "rows": [{"key": "s-1", "is_ready": true, "hit": false, "mail": null, "verdict": null, "phone": null}]}

# expect: failed
GET /searches/s-1
< {"state": "done", "rows": [{"key": "s-1", "is_ready": true, "hit": "broken"}]}

# expect: found {"email": "ada@engines.example"}
WEBHOOK
> {"state": "done", "rows": [{"key": "s-1", "is_ready": true, "mail": "ada@engines.example"}]}

# expect: throttled
GET /searches/s-1
< 429
< Retry-After: Wed, 01 Jan 2025 00:00:02 GMT
< Slow down

# lead: socialUrl=nowhere
# expect: refused The value of profile is no address.
POST /searches
> {"profile": "nowhere", "want_mail": true, "own": {"ref": "key-1"}}
< 400 The value of profile is no address.
`;

const ADA = { first_name: 'Ada', last_name: 'Lovelace', site: 'engines.example', want_mail: true };

async function start(changes: object = {}, options: SandboxOptions = {}) {
  const dialect = dialectSchema.parse({ ...(DIALECT as object), ...changes });
  const sandbox = await startSandbox({ dialect, ...options });
  return {
    ...sandbox,
    read: (key: string) => sandbox.call(`/searches/${key}`),
    submit: (more: object = {}) => sandbox.send('POST', '/searches', { ...ADA, ...more }),
  };
}

async function told(answer: Response): Promise<unknown> {
  return { status: answer.status, body: await answer.json() };
}

async function textOf(answer: Response): Promise<string> {
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  return answer.text();
}

describe("a platform's own words", () => {
  it('are shown by a transcript, every one of them', async () => {
    const dialect = dialectSchema.parse(DIALECT);
    const parts = readTranscript(TRANSCRIPT, 'calls.http');
    const { exchanges, unmet } = await checkTranscript(dialect, parts, () => undefined);
    expect(exchanges.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect(unmet).toEqual([]);
  });

  it('are missed by a transcript that has others', async () => {
    const dialect = dialectSchema.parse(DIALECT);
    const others = TRANSCRIPT.replace('201 {"success": true', '{"success": "yes"')
      .replaceAll('"state": "ended"', '"state": "over"')
      .replace('429\n', '420\n');
    const parts = readTranscript(others, 'calls.http');
    const { exchanges, unmet } = await checkTranscript(dialect, parts, () => undefined);
    expect(exchanges.map(({ call, verdict }) => [call, verdict])).toContainEqual([
      'result',
      'wrong',
    ]);
    expect(unmet.map(({ key }) => key)).toEqual(['enrich.accepted', 'limits.throttled']);
  });

  it('are said of what is accepted, in progress and done, with the keys of the client', async () => {
    const { clock, read, submit } = await start({}, { latency: { medianMs: 1_000, sigma: 0 } });
    const accepted = await told(await submit({ own: { ref: 'key-1', 'a.b': { c: 7 } } }));
    expect(accepted).toEqual({
      status: 201,
      body: { success: true, key: expect.stringMatching(/^enr_/), state: 'queued' },
    });
    const { key } = (accepted as { body: { key: string } }).body;
    expect(await told(await read(key))).toEqual({ status: 202, body: {} });
    clock.now += 1_000;
    expect(await told(await read(key))).toEqual({
      status: 200,
      body: {
        state: 'done',
        rows: [
          {
            key,
            is_ready: true,
            own: [
              { name: 'ref', text: 'key-1' },
              { name: 'a.b', text: { c: 7 } },
            ],
            mail: expect.stringContaining('@'),
            verdict: expect.any(String),
            phone: null,
          },
        ],
      },
    });
  });

  it('are said of errors, which may be plain text and have the names of the platform', async () => {
    const { read, submit } = await start({}, { rate: { requests: 4, perMs: 2_000 } });
    expect(await textOf(await submit({ site: 'no site' }))).toBe(
      'The value of site is not a domain.',
    );
    expect(await textOf(await submit({ site: undefined }))).toBe(
      'The inputs do not suffice for want_mail: it needs profile, or email, or first_name + last_name + site, or first_name + last_name + companyName.',
    );
    expect(await textOf(await submit({ strange: 1 }))).toBe('The body has no place strange.');
    expect(await textOf(await read('nobody'))).toMatch(/^There is no enrichment/);
    const held = await submit();
    expect(held.headers.get('retry-after')).toBe('2');
    expect([held.status, await textOf(held)]).toEqual([429, 'Slow down']);
  });

  it.each(RESET_FORMATS)('say in the form %s when one may ask again', async (form) => {
    const limits = { rate: '1/30s', reset: form };
    const { clock, submit } = await start({ limits }, { rate: { requests: 1, perMs: 30_000 } });
    await submit();
    const { headers, status } = await submit();
    expect(status).toBe(429);
    const text = headers.get('x-ratelimit-reset') ?? '';
    expect(parseWait(text, form, clock.now), text).toBe(30_000);
    expect(parseWait(text, 'auto', clock.now), text).toBe(30_000);
  });
});
