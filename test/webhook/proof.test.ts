// What a stranger may try who knows the address of a lead's webhook, where the dialect says that deliveries are signed.
import { createHash, createHmac } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../src/dialect/dialect.js';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { KEYS, NOW, startListener, type TestListener } from './start-listener.js';

const BODY = '{ "id": "enr_1" , "note": "ä" }';
const KEY = 'sk-live-0123456789';
const SECRET = 'an agreed word';
const TIME = String(NOW / 1_000);
const PLAIN = { header: 'X-Signature', hash: 'sha256' };
const TIMED = { ...PLAIN, timestamp: { header: 'X-Time' }, signed: 'timestamp.body' };

function start(webhooks: object, keep?: Parameters<typeof startListener>[0]) {
  const proof = { webhooks: dialectSchema.parse({ webhooks }).webhooks, secret: SECRET, key: KEY };
  return startListener({ proof, ...keep });
}

const hmac = (hash: string, secret: string, text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac(hash, secret).update(text).digest(encoding);

/** The status, and the reason of what is refused. */
async function post(listener: TestListener, headers: Record<string, string>, body = BODY) {
  const answer = await listener.post(body, `/${KEYS.enrichment}`, { headers });
  return { status: answer.status, said: await answer.text() };
}

describe('a signature', () => {
  it.each([
    [{ ...PLAIN, hash: 'sha1', secret: 'key' }, hmac('sha1', KEY, BODY)],
    [{ ...PLAIN, encoding: 'base64' }, hmac('sha256', SECRET, BODY, 'base64')],
    [{ ...PLAIN, hash: 'sha512', prefix: 'sha512=' }, `sha512=${hmac('sha512', SECRET, BODY)}`],
    [PLAIN, hmac('sha256', SECRET, BODY).toUpperCase()],
  ])('as the dialect has it, %j, lets a body in', async (signature, value) => {
    const listener = await start({ signature });
    expect((await post(listener, { 'x-signature': value })).status).toBe(200);
    expect(listener.bodies()).toEqual([JSON.stringify(JSON.parse(BODY))]);
  });

  const right = hmac('sha256', SECRET, BODY);
  it.each<[string, Record<string, string>, string?]>([
    ['is missing', {}],
    ['is empty', { 'x-signature': '' }],
    ['is cut short', { 'x-signature': right.slice(0, -2) }],
    ['is longer', { 'x-signature': `${right}00` }],
    [
      'has one digit changed',
      { 'x-signature': right.replace(/.$/, (d) => (d === '0' ? '1' : '0')) },
    ],
    ['was made with another secret', { 'x-signature': hmac('sha256', KEY, BODY) }],
    ['was made with another hash', { 'x-signature': hmac('sha1', SECRET, BODY) }],
    ['is of another body', { 'x-signature': right }, BODY.replace('enr_1', 'enr_2')],
    ['is of a body with other blanks', { 'x-signature': right }, JSON.stringify(JSON.parse(BODY))],
    ['stands in the body', {}, BODY.replace('{', `{"X-Signature":"${right}",`)],
  ])('that %s keeps a body out', async (_, headers, body) => {
    const listener = await start({ signature: PLAIN });
    const { status, said } = await post(listener, headers, body);
    expect([status, said]).toEqual([401, expect.stringContaining('signature')]);
    expect(listener.kept).toEqual([]);
  });

  it('is asked for at a hook too, and no secret in the body stands for it', async () => {
    const listener = await start({ secret: null, signature: PLAIN });
    const send = async (headers: Record<string, string>, body: string) =>
      (await listener.post(body, `/${KEYS.hook}`, { headers })).status;
    expect(await send({}, JSON.stringify({ secret: SECRET }))).toBe(401);
    expect(await send({ 'x-signature': right }, BODY)).toBe(200);
  });
});

describe('a signed time', () => {
  const signed = (time: string, body = BODY) => ({
    'x-time': time,
    'x-signature': hmac('sha256', SECRET, `${time}.${body}`),
  });

  it.each([
    ['now, in seconds', TIME],
    ['in milliseconds', String(NOW)],
    ['as a date', new Date(NOW).toISOString()],
    ['almost too old', String(NOW / 1_000 - 299)],
    ['a little ahead', String(NOW / 1_000 + 299)],
  ])('%s, lets a body in', async (_, time) => {
    const listener = await start({ signature: TIMED });
    expect((await post(listener, signed(time))).status).toBe(200);
  });

  it.each([
    ['too old', String(NOW / 1_000 - 301)],
    ['too far ahead', String(NOW / 1_000 + 301)],
    ['no time', 'yesterday'],
    ['no number of this world', '9'.repeat(15)],
  ])('that is %s keeps a body out', async (_, time) => {
    const listener = await start({ signature: TIMED });
    const { status, said } = await post(listener, signed(time));
    expect([status, said]).toEqual([401, expect.stringContaining('time')]);
    expect(listener.kept).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ['is missing', { 'x-signature': hmac('sha256', SECRET, `${TIME}.${BODY}`) }],
    ['was changed', { ...signed(String(NOW / 1_000 - 400)), 'x-time': TIME }],
    ['is not signed', { 'x-time': TIME, 'x-signature': hmac('sha256', SECRET, BODY) }],
  ])('whose time %s keeps a body out', async (_, headers) => {
    const listener = await start({ signature: TIMED });
    expect((await post(listener, headers)).status).toBe(401);
    expect(listener.kept).toEqual([]);
  });

  it('lets a delivery that is played again in, and it counts once', async () => {
    const store = openSqliteStore(join(tempFolder(), 'state.db'));
    const counts: number[] = [];
    const listener = await start(
      { signature: TIMED },
      {
        keep: async (arrivals) => {
          const { kept, repeated } = await store.keepArrivals(arrivals);
          counts.push(kept, repeated);
        },
      },
    );
    for (let times = 0; times < 2; times += 1) {
      expect((await post(listener, signed(TIME))).status).toBe(200);
    }
    expect(counts).toEqual([1, 0, 0, 1]);
    await store.close();
  });
});

describe('a secret', () => {
  const ofKey = createHash('sha256').update(KEY).digest('hex');

  it.each<[string, object, Record<string, string>, string]>([
    ['in a header', { header: 'X-Auth-Key' }, { 'x-auth-key': SECRET }, BODY],
    ['of the key', { header: 'X-Auth-Key', of: 'key' }, { 'x-auth-key': ofKey }, BODY],
    ['at a path', { at: 'meta.token' }, {}, `{"meta":{"token":"${SECRET}"},"a":1}`],
  ])('%s lets a body in, and is not kept', async (_, secret, headers, body) => {
    const listener = await start({ secret });
    expect((await post(listener, headers, body)).status).toBe(200);
    expect(listener.bodies().join()).not.toMatch(/agreed|[0-9a-f]{64}/);
  });

  it.each<[string, object, Record<string, string>, string]>([
    ['in a header is wrong', { header: 'X-Auth-Key' }, { 'x-auth-key': 'guess' }, BODY],
    ['of the key is missing', { header: 'X-Auth-Key', of: 'key' }, {}, BODY],
    ['of the key is the key', { header: 'X-Auth-Key', of: 'key' }, { 'x-auth-key': KEY }, BODY],
    ['at a path is wrong', { at: 'meta.token' }, {}, '{"meta":{"token":"guess"}}'],
  ])('that %s is refused', async (_, secret, headers, body) => {
    const listener = await start({ secret });
    expect((await post(listener, headers, body)).status).toBe(401);
    expect(listener.kept).toEqual([]);
  });

  it('of a hook has to come in its header, and one in the body does not count', async () => {
    const listener = await start({ secret: { header: 'X-Auth-Key' } });
    const send = async (headers: Record<string, string>) =>
      (await listener.post(JSON.stringify({ secret: SECRET }), `/${KEYS.hook}`, { headers }))
        .status;
    expect(await send({})).toBe(401);
    expect(await send({ 'x-auth-key': SECRET })).toBe(200);
  });
});
