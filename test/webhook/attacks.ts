// What strangers, broken proxies and a platform on a bad day send. Each attack is bytes on a socket, drawn
// from a seeded source of chance, so that a sweep can be repeated.
import { connect } from 'node:net';
import { KEYS, rawPost, SECRET } from './start-listener.js';

/** A number below 1, and the next one at each call. */
export type Chance = () => number;

/** mulberry32: small, and good enough to shuffle bytes. */
export function createChance(seed: number): Chance {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Attack {
  readonly bytes: string | Uint8Array;
  /** Default: waits until the server has ended the connection. */
  readonly leaves?: boolean;
}

/** The largest body of the listener under attack. */
export const BODY_BYTES_MAX = 2 ** 20;

/** Marks what is genuine JSON under a genuine key, and none of the deliveries that are counted. */
export const JUNK = '"junk":true';

const below = (chance: Chance, limit: number): number => Math.floor(chance() * limit);
const pick = <T>(chance: Chance, from: readonly T[]): T => from[below(chance, from.length)] as T;
const anyKey = (chance: Chance): string => pick(chance, Object.values(KEYS));

function noise(chance: Chance, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => below(chance, 256)));
}

/** With `connection: close`, so that the server ends what it has answered. */
function post(body: string | Uint8Array, key: string, length = Buffer.byteLength(body)): Buffer {
  const head = `POST /${key} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

function chunked(chunks: string, key: string): string {
  return `POST /${key} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`;
}

function forge(chance: Chance): string {
  const key = anyKey(chance);
  const at = below(chance, key.length);
  return `${key.slice(0, at)}${key[at] === 'q' ? 'r' : 'q'}${key.slice(at + 1)}`;
}

export const ATTACKS: Readonly<Record<string, (chance: Chance) => Attack>> = {
  unknownPath: (chance) => ({ bytes: post('{"a":1}', `x/${below(chance, 1e9)}`) }),
  forgedKey: (chance) => ({ bytes: post('{"a":1}', forge(chance)) }),
  forgedKeyWithHugeBody: (chance) => ({
    bytes: post('{}'.padEnd(2 ** 19), forge(chance), 2 ** 40),
  }),
  wrongSecret: (chance) => ({
    bytes: post(`{"secret":"${SECRET}${below(chance, 99)}"}`, anyKey(chance)),
  }),
  noSecretForHook: () => ({ bytes: post('{"a":1}', KEYS.hook) }),
  oddSecret: (chance) => ({
    bytes: post(`{"secret":${pick(chance, ['null', '{}', '[[]]', '1e999'])}}`, anyKey(chance)),
  }),
  garbage: (chance) => ({ bytes: post(noise(chance, below(chance, 5000)), anyKey(chance)) }),
  truncated: (chance) => {
    const body = JSON.stringify({ type: 'enrichmentDone', data: [{ id: 'enr_1', data: {} }] });
    return { bytes: post(body.slice(0, 1 + below(chance, body.length - 2)), anyKey(chance)) };
  },
  deep: (chance) => ({
    bytes: post(
      pick(chance, ['[', '{"a":', '[[{"b":[']).repeat(65 + below(chance, 50_000)),
      KEYS.batch,
    ),
  }),
  huge: () => ({ bytes: post(`{"a":"${'x'.repeat(BODY_BYTES_MAX)}"}`, KEYS.batch) }),
  hugeInChunks: () => ({
    bytes: chunked(`80000\r\n${'x'.repeat(2 ** 19)}\r\n`.repeat(3), KEYS.batch),
  }),
  wide: () => ({ bytes: post(`{${JUNK},"a":[${'[],'.repeat(2 ** 17)}{}]}`, KEYS.batch) }),
  byteByByte: (chance) => ({
    bytes: chunked(`${'1\r\n \r\n'.repeat(below(chance, 2000))}0\r\n\r\n`, KEYS.batch),
  }),
  lengthTooShort: (chance) => ({ bytes: post('{"a":"12345678"}', anyKey(chance), 5) }),
  lengthTooLong: (chance) => ({ bytes: post('{"a":1}', anyKey(chance), 5000), leaves: true }),
  lengthOdd: (chance) => {
    const length = pick(chance, [
      '-1',
      '1e3',
      '0x10',
      '',
      '9'.repeat(400),
      '3\r\ncontent-length: 4',
    ]);
    return {
      bytes: `POST /${KEYS.hook} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n{}`,
    };
  },
  badChunks: (chance) => ({
    bytes: chunked(
      pick(chance, ['zz\r\n', '-1\r\n{}', 'f'.repeat(40), '2\r\n{}}\r\n']),
      KEYS.batch,
    ),
    leaves: true,
  }),
  unknownId: (chance) => ({
    bytes: post(
      `{${JUNK},"type":"enrichmentDone","data":[{"id":"enr_${below(chance, 1e9)}"}]}`,
      KEYS.batch,
    ),
  }),
  prototype: () => ({
    bytes: post(
      `{${JUNK},"__proto__":{"polluted":1,"secret":2},"constructor":{"prototype":{"polluted":1}}}`,
      KEYS.batch,
    ),
  }),
  binary: (chance) => ({
    bytes: Buffer.concat([noise(chance, 1 + below(chance, 2000)), Buffer.from('\r\n\r\n')]),
    leaves: true,
  }),
  tls: () => ({ bytes: Buffer.from('16030100f8010000f40303', 'hex') }),
  hugeHeader: () => ({ bytes: `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(100_000)}\r\n\r\n` }),
  manyHeaders: (chance) => ({
    bytes: `POST /${anyKey(chance)} HTTP/1.1\r\nhost: x\r\n${'a:b\r\n'.repeat(3000)}\r\n`,
    leaves: true,
  }),
  oddMethod: (chance) => ({
    bytes: `${pick(chance, ['GET', 'PUT', 'DELETE', 'TRACE', 'OPTIONS', 'PROPFIND', 'CONNECT', 'BREW'])} /${anyKey(chance)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  }),
  oddPath: (chance) => ({
    bytes: post(
      '{}',
      pick(chance, ['%', '%00', '%zz/', '..', '../../etc/passwd', '?', '#', '\u00ff', '*']),
    ),
  }),
  oddVersion: (chance) => ({
    bytes: `GET / HTTP/${pick(chance, ['0.9', '2.0', '1.11', 'x'])}\r\nhost: x\r\n\r\n`,
  }),
  upgrade: () => ({
    bytes: 'GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
  }),
  pipelined: (chance) => ({
    bytes: Buffer.concat([
      Buffer.from(rawPost('{"a":1', `/${KEYS.batch}`).repeat(1 + below(chance, 20))),
      Buffer.from(rawPost(`{${JUNK}}`, `/${KEYS.enrichment}`).repeat(1 + below(chance, 20))),
      post('{}', forge(chance)),
      Buffer.from(rawPost(`{${JUNK}}`, `/${KEYS.batch}`)),
    ]),
  }),
  goneAtOnce: (chance) => ({ bytes: post(`{${JUNK}}`, anyKey(chance)), leaves: true }),
};

/** Sends it over a connection of its own; resolves with all that came back once that has ended. */
export function strike(port: number, { bytes, leaves = false }: Attack): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    let text = '';
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    // The server may well close before it has read all.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    socket.write(bytes, () => {
      if (leaves) socket.resetAndDestroy();
    });
  });
}
