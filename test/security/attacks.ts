// What strangers, broken proxies and a platform on a bad day send. Each attack is bytes on a socket, drawn
// from a seeded source of chance, so that a sweep can be repeated.
import { connect } from 'node:net';
import type { CorrelationKind } from '../../src/model/correlation-key.js';

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

/** What an attacker may know of a listener: genuine keys, and its secret. */
export interface Known {
  readonly keys: Readonly<Record<CorrelationKind, string>>;
  readonly secret: string;
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
const anyKey = (chance: Chance, { keys }: Known): string => pick(chance, Object.values(keys));

function noise(chance: Chance, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => below(chance, 256)));
}

/** With `connection: close`, so that the server ends what it has answered. */
function post(body: string | Uint8Array, key: string, length = Buffer.byteLength(body)): Buffer {
  const head = `POST /${key} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

/** Without it: the connection stays. */
export function postAndStay(body: string, key: string): string {
  return `POST /${key} HTTP/1.1\r\nhost: x\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function chunked(chunks: string, key: string): string {
  return `POST /${key} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`;
}

function forge(chance: Chance, known: Known): string {
  const key = anyKey(chance, known);
  const at = below(chance, key.length);
  return `${key.slice(0, at)}${key[at] === 'q' ? 'r' : 'q'}${key.slice(at + 1)}`;
}

export const ATTACKS: Readonly<Record<string, (chance: Chance, known: Known) => Attack>> = {
  unknownPath: (chance) => ({ bytes: post('{"a":1}', `x/${below(chance, 1e9)}`) }),
  forgedKey: (chance, known) => ({ bytes: post('{"a":1}', forge(chance, known)) }),
  forgedKeyWithHugeBody: (chance, known) => ({
    bytes: post('{}'.padEnd(2 ** 19), forge(chance, known), 2 ** 40),
  }),
  wrongSecret: (chance, known) => ({
    bytes: post(`{"secret":"${known.secret}${below(chance, 99)}"}`, anyKey(chance, known)),
  }),
  noSecretForHook: (_chance, known) => ({ bytes: post('{"a":1}', known.keys.hook) }),
  oddSecret: (chance, known) => ({
    bytes: post(
      `{"secret":${pick(chance, ['null', '{}', '[[]]', '1e999'])}}`,
      anyKey(chance, known),
    ),
  }),
  garbage: (chance, known) => ({
    bytes: post(noise(chance, below(chance, 5000)), anyKey(chance, known)),
  }),
  truncated: (chance, known) => {
    const body = JSON.stringify({ type: 'enrichmentDone', data: [{ id: 'enr_1', data: {} }] });
    return {
      bytes: post(body.slice(0, 1 + below(chance, body.length - 2)), anyKey(chance, known)),
    };
  },
  deep: (chance, known) => ({
    bytes: post(
      pick(chance, ['[', '{"a":', '[[{"b":[']).repeat(65 + below(chance, 50_000)),
      known.keys.batch,
    ),
  }),
  huge: (_chance, known) => ({
    bytes: post(`{"a":"${'x'.repeat(BODY_BYTES_MAX)}"}`, known.keys.batch),
  }),
  hugeInChunks: (_chance, known) => ({
    bytes: chunked(`80000\r\n${'x'.repeat(2 ** 19)}\r\n`.repeat(3), known.keys.batch),
  }),
  wide: (_chance, known) => ({
    bytes: post(`{${JUNK},"a":[${'[],'.repeat(2 ** 17)}{}]}`, known.keys.batch),
  }),
  byteByByte: (chance, known) => ({
    bytes: chunked(`${'1\r\n \r\n'.repeat(below(chance, 2000))}0\r\n\r\n`, known.keys.batch),
  }),
  lengthTooShort: (chance, known) => ({
    bytes: post('{"a":"12345678"}', anyKey(chance, known), 5),
  }),
  lengthTooLong: (chance, known) => ({
    bytes: post('{"a":1}', anyKey(chance, known), 5000),
    leaves: true,
  }),
  lengthOdd: (chance, known) => {
    const length = pick(chance, [
      '-1',
      '1e3',
      '0x10',
      '',
      '9'.repeat(400),
      '3\r\ncontent-length: 4',
    ]);
    return {
      bytes: `POST /${known.keys.hook} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n{}`,
    };
  },
  badChunks: (chance, known) => ({
    bytes: chunked(
      pick(chance, ['zz\r\n', '-1\r\n{}', 'f'.repeat(40), '2\r\n{}}\r\n']),
      known.keys.batch,
    ),
    leaves: true,
  }),
  unknownId: (chance, known) => ({
    bytes: post(
      `{${JUNK},"type":"enrichmentDone","data":[{"id":"enr_${below(chance, 1e9)}"}]}`,
      known.keys.batch,
    ),
  }),
  prototype: (_chance, known) => ({
    bytes: post(
      `{${JUNK},"__proto__":{"polluted":1,"secret":2},"constructor":{"prototype":{"polluted":1}}}`,
      known.keys.batch,
    ),
  }),
  binary: (chance) => ({
    bytes: Buffer.concat([noise(chance, 1 + below(chance, 2000)), Buffer.from('\r\n\r\n')]),
    leaves: true,
  }),
  tls: () => ({ bytes: Buffer.from('16030100f8010000f40303', 'hex') }),
  hugeHeader: () => ({ bytes: `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(100_000)}\r\n\r\n` }),
  manyHeaders: (chance, known) => ({
    bytes: `POST /${anyKey(chance, known)} HTTP/1.1\r\nhost: x\r\n${'a:b\r\n'.repeat(3000)}\r\n`,
    leaves: true,
  }),
  twoHosts: (chance, known) => ({
    bytes: `POST /${anyKey(chance, known)} HTTP/1.1\r\nhost: x\r\nhost: ${pick(chance, ['x', 'y', ''])}\r\ncontent-length: 13\r\n\r\n{"junk":false}`,
  }),
  oddMethod: (chance, known) => ({
    bytes: `${pick(chance, ['GET', 'PUT', 'DELETE', 'TRACE', 'OPTIONS', 'PROPFIND', 'CONNECT', 'BREW'])} /${anyKey(chance, known)} HTTP/1.1\r\nhost: x\r\n\r\n`,
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
  pipelined: (chance, known) => ({
    bytes: Buffer.concat([
      Buffer.from(postAndStay('{"a":1', known.keys.batch).repeat(1 + below(chance, 20))),
      Buffer.from(postAndStay(`{${JUNK}}`, known.keys.enrichment).repeat(1 + below(chance, 20))),
      post('{}', forge(chance, known)),
      Buffer.from(postAndStay(`{${JUNK}}`, known.keys.batch)),
    ]),
  }),
  goneAtOnce: (chance, known) => ({
    bytes: post(`{${JUNK}}`, anyKey(chance, known)),
    leaves: true,
  }),
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
