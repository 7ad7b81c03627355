// A transcript held against a dialect in files: what a recorded webhook shows is verified as the listener does it.
import { createHash, createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkTranscript } from '../../../src/app/platform/check-transcript.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const folder = tempFolder();
const BODY = '{"type": "enrichmentDone", "data": [{"id": "e-1", "data": {}}]}';
const SECRET = 'an invented secret';

const mac = (text: string, hash = 'sha256', encoding: 'hex' | 'base64' = 'hex') =>
  createHmac(hash, SECRET).update(text).digest(encoding);
const signed = (more = '') => `webhooks: { signature: { header: X-Sign, hash: sha256${more} } }`;
const OF_KEY = 'webhooks: { secret: { header: X-Key, of: key } }';

async function webhook(dialect: string, headers: readonly string[], body = BODY, secret = SECRET) {
  const note = secret === '' ? [] : [`# secret: ${secret}`];
  const lines = [...note, 'WEBHOOK', ...headers.map((header) => `> ${header}`), `> ${body}`, ''];
  const [file, transcript] = [join(folder, 'acme.yaml'), join(folder, 'calls.http')];
  writeFileSync(file, `${dialect}\n`);
  writeFileSync(transcript, lines.join('\n'));
  const { exchanges } = await checkTranscript(file, transcript);
  const [{ verdict, problems, notes } = {}] = exchanges;
  return { verdict, told: [...(problems ?? []), ...(notes ?? [])].join(' | ') };
}

const RIGHT: readonly [string, string, string[], string?][] = [
  ['a signature', signed(), [`X-Sign: ${mac(BODY)}`]],
  [
    'another hash and encoding',
    signed().replace('sha256', 'sha1, encoding: base64'),
    [`X-Sign: ${mac(BODY, 'sha1', 'base64')}`],
  ],
  ['a secret in a header', 'webhooks: { secret: { header: X-Word } }', [`X-Word: ${SECRET}`]],
  ['the digest of a key', OF_KEY, [`X-Key: ${createHash('sha256').update(SECRET).digest('hex')}`]],
  ['a secret in the body', '', [], BODY.replace('{', `{"secret": "${SECRET}", `)],
];

it.each(RIGHT)('%s is verified by the secret above it', async (_, dialect, headers, body) => {
  expect(await webhook(dialect, headers, body)).toEqual({ verdict: 'ok', told: '' });
  const wrong = await webhook(dialect, headers, body, 'another secret');
  expect(wrong.verdict).toBe('wrong');
  expect(wrong.told).toMatch(/secret above it$/);
});

it.each([
  ['its header', signed(), ['X-Other: 1'], 'the signature in the header X-Sign'],
  ['the secret of a key', OF_KEY, ['X-Other: 1'], 'the secret in the header X-Key'],
])(
  'what has to be there is missed without a secret as well: %s',
  async (_, dialect, headers, told) => {
    const found = await webhook(dialect, headers, BODY, '');
    expect(found.verdict).toBe('wrong');
    expect(found.told).toContain(`a webhook has to show ${told}`);
  },
);

it('says what it could not verify', async () => {
  const there = await webhook(signed(), ['X-Sign: abc'], BODY, '');
  expect(there).toEqual({
    verdict: 'ok',
    told: 'the signature in the header X-Sign is there, and not verified, for there is no "# secret:" above it',
  });
  const hidden = await webhook(signed(), ['X-Sign: …']);
  expect(hidden).toMatchObject({ verdict: 'ok', told: expect.stringContaining('is left out') });
  const without = await webhook(signed(), []);
  expect(without.told).toContain('no headers are recorded, so the signature in the header X-Sign');
});

it('tells the names of inputs that neither the file nor the transcript says', async () => {
  const [file, transcript] = [join(folder, 'guess.yaml'), join(folder, 'guess.http')];
  writeFileSync(
    file,
    'enrich: { inputs: { email: mail, firstName: firstName, socialUrl: null } }\n',
  );
  writeFileSync(transcript, '# lead: companyName=Engines\nPOST /enrich\n< {}\n');
  const { guessed } = await checkTranscript(file, transcript);
  expect(guessed).toEqual([
    { key: 'enrich.inputs.lastName', name: 'lastName' },
    { key: 'enrich.inputs.companyDomain', name: 'companyDomain' },
  ]);
  writeFileSync(file, 'prefix: /v2\n');
  expect((await checkTranscript(file, transcript)).guessed).toEqual([]);
});
