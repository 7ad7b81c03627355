// What a stranger may try who knows the address of a lead's webhook, where the dialect says that deliveries are signed.
import { createHash, createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../src/dialect/dialect.js';
import { KEYS, startListener, type TestListener } from './start-listener.js';

const BODY = '{ "id": "enr_1" , "note": "ä" }';
const KEY = 'sk-live-0123456789';
const SECRET = 'an agreed word';
const PLAIN = { header: 'X-Signature', hash: 'sha256' };

function start(webhooks: object) {
  const proof = { webhooks: dialectSchema.parse({ webhooks }).webhooks, secret: SECRET, key: KEY };
  return startListener({ proof });
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
    [PLAIN, hmac('sha256', SECRET, BODY).toUpperCase()],
  ])('as the dialect has it, %j, lets a body in', async (signature, value) => {
    const listener = await start({ signature });
    expect((await post(listener, { 'x-signature': value })).status).toBe(200);
    expect(listener.bodies()).toEqual([JSON.stringify(JSON.parse(BODY))]);
  });

  it('is over the body as it came, packed or not', async () => {
    const listener = await start({ signature: PLAIN });
    const packed = gzipSync(BODY);
    const statusWith = async (signed: string | Uint8Array): Promise<number> => {
      const signature = createHmac('sha256', SECRET).update(signed).digest('hex');
      const headers = { 'content-encoding': 'gzip', 'x-signature': signature };
      return (await listener.post(packed, undefined, { headers })).status;
    };
    expect(await statusWith(packed)).toBe(200);
    expect(await statusWith(BODY)).toBe(401);
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
