// Transcripts that are served to a run. Each ready-made dialect asks, waits and reads at a platform that answers with
// its documented calls; a transcript of one's own shows a limit, refusals, an empty account and signed webhooks.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { serveTranscript } from '../../src/app/platform/check-transcript.js';
import { asksOf } from '../../src/dialect/custom-asks.js';
import { dialectSchema } from '../../src/dialect/dialect.js';
import { readTranscript } from '../../src/dialect/transcript/read-transcript.js';
import type { RecordedLead, TranscriptPart } from '../../src/dialect/transcript/recorded.js';
import { INPUTS } from '../../src/model/ask.js';
import { isJsonObject, type JsonObject } from '../../src/model/text/json.js';
import { freePort } from '../helpers/free-port.js';
import { inBrief, isLong } from '../helpers/long.js';
import { openWorkdir } from '../helpers/workdir.js';

const ALL = readdirSync(new URL('../../dialects/', import.meta.url))
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.replace('.yaml', ''));
/** In `npm test`: one that answers at once, one that is asked again, and one with a signed webhook. */
const NAMES = isLong ? ALL : ['apollo', 'fullenrich'];

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

/** The dialect and the transcript. */
function filesOf(name: string): { readonly dialect: string; readonly transcript: string } {
  const isSample = name === 'the sample';
  const paths = isSample
    ? ['../../samples/dialect/my-platform.yaml', '../../samples/dialect/calls.http']
    : [`../../dialects/${name}.yaml`, `../dialects/${name}.http`];
  const [dialect = '', transcript = ''] = paths.map(read);
  // Here no time passes between two reads.
  return { dialect: dialect.replace(/^ {2}every: .*$/m, '  every: 0s'), transcript };
}

const RUN = 'enrich leads.csv --out out.csv --state state.db --dialect my.yaml --set rate=off';

/** The first lead that is found, and what is read of it; and what a webhook says that comes before another submission. */
function storyOf(parts: readonly TranscriptPart[]) {
  const first = parts.findIndex(
    ({ expected, kind }) => kind === 'exchange' && expected[0]?.kind === 'found',
  );
  const lead = parts[first]?.leads[0];
  if (lead === undefined) throw new Error('nobody is found');
  const webhook = parts.find(({ expected, kind, leads }) => {
    const isOwn = leads.length === 1 && leads[0]?.inputs === lead.inputs;
    return kind === 'webhook' && isOwn && expected[0]?.kind === 'found';
  });
  return { lead, read: valuesOf(parts[first]), webhook: webhook && valuesOf(webhook) };
}

function valuesOf(part: TranscriptPart | undefined): JsonObject {
  const [first] = part?.expected ?? [];
  return (first?.kind === 'found' && first.values) || {};
}

/** The cells that the values of a transcript become; those of a custom ask have its name before theirs. */
function cellsOf(values: JsonObject): Record<string, string> {
  const cells = Object.entries(values).flatMap(([name, value]): [string, string][] => {
    if (isJsonObject(value)) {
      return Object.entries(cellsOf(value)).map(([field, text]) => [`${name}_${field}`, text]);
    }
    const isKnown = ['email', 'emailStatus', 'phone'].includes(name) || name in COMPANY;
    if (!isKnown || value === null) return [];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [[name === 'emailStatus' ? 'email_status' : name, text]];
  });
  return Object.fromEntries(cells);
}
const COMPANY = { name: '', domain: '', employees: '' };

function leadsOf({ ask, inputs }: RecordedLead) {
  const names = INPUTS.filter((name) => inputs[name] !== undefined);
  const csv = `${names.join(',')}\n${names.map((name) => inputs[name]).join(',')}\n`;
  return {
    csv,
    flags: ['--ask', ask.join(), ...names.flatMap((name) => ['--map', `${name}=${name}`])],
  };
}

describe.concurrent('a dialect', () => {
  test.each([...NAMES, 'the sample'])('finds what its transcript has: %s', async (name) => {
    const { dialect, transcript } = filesOf(name);
    const own = dialectSchema.parse(parse(dialect));
    const parts = readTranscript(transcript, name, asksOf(own));
    const submit = own.enrich === null ? 'bulk' : 'single';
    const story = storyOf(parts);
    const { csv, flags } = leadsOf(story.lead);
    const [secret = 'any'] = parts.flatMap(
      (part) => (part.kind === 'webhook' && part.secret) || [],
    );
    const env = {
      SLUICE_API_KEY: secret,
      SLUICE_USERNAME: 'any',
      SLUICE_PASSWORD: secret,
      SLUICE_WEBHOOK_SECRET: secret,
    };
    for (const [collect, values] of [
      ['poll', story.read],
      ['webhook', story.webhook],
    ] as const) {
      if (values === undefined) continue;
      const dir = openWorkdir().write('leads.csv', csv).write('calls.http', transcript);
      dir.write('my.yaml', dialect);
      const told: string[] = [];
      const served = { port: 0, onCall: (call: string) => void told.push(call) };
      const server = await serveTranscript(dir.at('my.yaml'), dir.at('calls.http'), served);
      const way = ['--submit', submit, '--collect', collect, '--set', `listen=${await freePort()}`];
      const line = [...RUN.split(' '), '--url', server.url, ...flags, ...way];
      const { stderr } = await dir.sluice(line, { env });
      await server.close();
      const [row] = dir.rows('out.csv');
      expect(row, `${stderr}\n${told.join('\n')}`).toMatchObject({
        sluice_status: 'found',
        ...cellsOf(values),
      });
    }
  });
});

test('an answer at once that cannot be read is kept, and read for nothing by a corrected dialect', async () => {
  const dialect =
    'enrich: { ticket: [], result: always, webhookUrl: null }\nresult: null\npeopleSchema: null\n';
  const question = 'findEmail=true&firstName=Ada&lastName=Lovelace&companyDomain=a.example';
  const found = '{"data": [{"data": {"find_email": {"email": "ada@a.example"}}}]}';
  const dir = openWorkdir().write('calls.http', `POST /enrich?${question}\n< ${found}\n`);
  dir.write('leads.csv', 'first_name,last_name,domain\nAda,Lovelace,a.example\n');
  dir.write('my.yaml', `${dialect}fields: { find_email: { email: adress } }\n`);
  const told: string[] = [];
  const served = { port: 0, onCall: (call: string) => void told.push(call) };
  const server = await serveTranscript(dir.at('my.yaml'), dir.at('calls.http'), served);
  const line = `${RUN} --url ${server.url} --ask find_email`;
  const stopped = await dir.sluice(line);
  expect(stopped.code).toBe(4);
  expect(stopped.stderr).toContain('without paying again');
  // Still wrong: nothing is asked again.
  expect((await dir.sluice(line)).code).toBe(4);
  dir.write('my.yaml', dialect);
  await dir.sluice(line);
  await server.close();
  expect(dir.rows('out.csv')).toMatchObject([{ sluice_status: 'found', email: 'ada@a.example' }]);
  expect(told.filter((call) => call.startsWith('POST'))).toHaveLength(1);
});

const DIALECT = `auth: { header: X-API-Key }
enrich: { path: /find, in: body, metadata: ref, webhookUrl: hook, ticket: job }
bulk: { path: null }
result: { path: "/jobs/{id}", every: 0s }
peopleSchema: null
webhooks:
  secret: { header: X-Auth-Key, of: key }
  signature: { header: X-Signature, hash: sha256, secret: key }
answer: { read: { pending: [{ at: state, values: [running] }] } }
`;
const KEY = 'sk-live-0123456789';
const ADA = { findEmail: true, firstName: 'Ada', lastName: 'Lovelace', companyDomain: 'a.example' };
const BOB = { findEmail: true, firstName: 'Bob', lastName: 'Bolt', companyDomain: 'b.example' };
const bodyOf = (person: object, key: string) =>
  JSON.stringify({ ...person, ref: key, hook: 'https://hooks.example/x' });
const foundIn = (email: string, key: string) =>
  JSON.stringify({ ref: key, data: [{ id: 'j-1', data: { find_email: { email } } }] });
const CALLS = `# lead: firstName=Ada, lastName=Lovelace, companyDomain=a.example
POST /find
> ${bodyOf(ADA, 'key-1')}
< 429
< Retry-After: 1
< {"error": "slow down"}

POST /find
> ${bodyOf(ADA, 'key-1')}
< {"job": "j-1"}

GET /jobs/j-1
< {"state": "running"}

GET /jobs/j-1
< ${foundIn('ada@a.example', 'key-1')}

# secret: ${KEY}
WEBHOOK
> X-Auth-Key: ${createHash('sha256').update(KEY).digest('hex')}
> X-Signature: …
> X-Time: 1
> {"data": [{"id": "j-1", "data": {"find_email": {"email": "ada@by-webhook.example"}}}]}

# lead: firstName=Bob, lastName=Bolt, companyDomain=b.example
POST /find
> ${bodyOf(BOB, 'key-2')}
< 400 {"error": "no such company"}

# lead: firstName=Cy, lastName=Young, companyDomain=c.example
POST /find
> ${bodyOf({ ...ADA, firstName: 'Cy', lastName: 'Young', companyDomain: 'c.example' }, 'key-3')}
< 402 {"error": "buy more"}
`;

test.each(inBrief([['webhook', 'ada@by-webhook.example']], [['poll', 'ada@a.example']]))(
  'a transcript is a platform with a limit, refusals and an empty account (%s)',
  async (collect, email) => {
    const dir = openWorkdir().write('my.yaml', DIALECT).write('calls.http', CALLS);
    const port = await freePort();
    const check = `dialect check my.yaml --transcript calls.http --serve ${port}`;
    const server = dir.start(check, { isService: true });
    await server.says('Ctrl+C stops it');
    const url = `http://127.0.0.1:${port}`;
    const env = { SLUICE_API_KEY: KEY };
    const people = ['Ada,Lovelace,a.example', 'Bob,Bolt,b.example'];
    dir.write('leads.csv', ['first_name,last_name,domain', ...people, ''].join('\n'));
    const way = `--collect ${collect} --set listen=${await freePort()} --set concurrency=1`;
    const line = `${RUN} --url ${url} --ask find_email ${way}`;
    await dir.sluice(line, { env });
    expect(dir.rows('out.csv')).toMatchObject([
      { sluice_status: 'found', email },
      { sluice_status: 'failed', sluice_reason: expect.stringContaining('no such company') },
    ]);
    dir.write('leads.csv', 'first_name,last_name,domain\nCy,Young,c.example\n');
    expect(await dir.refusal(line, { code: 4, env })).toContain('out of credits (402');
    const journal = await dir.sluice('status --deliveries --state state.db --last 1000 --ndjson');
    expect(journal.stdout).not.toContain(KEY);
    const strange = await fetch(`${url}/nowhere`);
    expect(strange.status).toBe(404);
    server.child.kill('SIGINT');
    const { stdout } = await server.ended;
    expect(stdout).toContain('POST /find: line 2, 429\n');
    expect(stdout).toContain('GET /nowhere: no exchange, 404\n');
  },
);
