// A listener for one test, with what it kept, and a socket of one's own for what fetch would not send.
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { onTestFinished } from 'vitest';
import { NEUTRAL_DIALECT } from '../../src/dialect/dialect.js';
import { createKeyring } from '../../src/identity/keyring.js';
import { readBody } from '../../src/platform/wire/read-body.js';
import type { Arrival } from '../../src/ports/store/deliveries.js';
import {
  type Listener,
  type ListenerOptions,
  openListener,
} from '../../src/webhook/open-listener.js';
import { nextTurn } from '../helpers/driven-clock.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

export const SECRET = 'correct horse';
export const NOW = Date.UTC(2025, 0, 1);
export const RECEIVED = '{"received":true}';

const keyring = createKeyring(new Uint8Array(32).fill(7), SECRET);
export const SCOPE = keyring.scopeOf('ada');
export const KEYS = {
  enrichment: keyring.seal({ kind: 'enrichment', scope: SCOPE, id: 71 }),
  batch: keyring.seal({ kind: 'batch', scope: SCOPE, id: 71 }),
  hook: keyring.seal({ kind: 'hook', scope: SCOPE, id: 0 }),
} as const;

export interface TestListener extends Listener {
  /** Everything kept, in order. */
  readonly kept: Arrival[];
  /** The bodies of it. */
  bodies(): string[];
  /** POST, by default to the address of enrichment 71. */
  post(body: string | Uint8Array, path?: string, init?: RequestInit): Promise<Response>;
}

/** `secret` is that of the neutral dialect, unless `proof` says more. */
type StartOptions = Partial<ListenerOptions> & { readonly secret?: string };

export async function startListener({
  secret,
  ...options
}: StartOptions = {}): Promise<TestListener> {
  const kept: Arrival[] = [];
  const listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    keyring,
    proof: { webhooks: NEUTRAL_DIALECT.webhooks, secret, key: undefined },
    readBody,
    now: () => NOW,
    keep: async (deliveries) => {
      kept.push(...deliveries);
    },
    instance: 'this one',
    checkKeeping: () => Promise.resolve(),
    ...options,
  });
  onTestFinished(() => listener.close());
  return {
    ...listener,
    kept,
    bodies: () => kept.map(({ body }) => body),
    post: (body, path = `/${KEYS.enrichment}`, init = {}) =>
      fetch(listener.url + path, { method: 'POST', body, ...init }),
  };
}

export interface RawConnection {
  send(text: string | Uint8Array): void;
  /** Resolves with everything that came, once so many answers did. */
  answers(count: number): Promise<string>;
  /** Resolves with everything that came, once the other side has ended the connection or broken it. */
  ended: Promise<string>;
  /** Leaves without a good-bye. */
  drop(): void;
}

export function openConnection(port: number): RawConnection {
  const socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1');
  let text = '';
  const ended = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(text));
  });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  const come = new Promise<void>((resolve) => void ended.then(() => resolve()));
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  return {
    send: (bytes) => void socket.write(bytes),
    answers: async (count) => {
      const has = (): boolean => text.split('HTTP/1.1 ').length > count;
      while (!has() && !socket.destroyed) {
        await Promise.race([come, new Promise((resolve) => socket.once('data', resolve))]);
      }
      return text;
    },
    ended,
    drop: () => void socket.resetAndDestroy(),
  };
}

/** The bytes of a POST with a body of the length it has. */
export function rawPost(body: string, path = `/${KEYS.enrichment}`): string {
  return `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** After everything that can be freed is; buffers go a turn later than what held them. */
export async function memory() {
  for (let round = 0; round < 5; round += 1) {
    collectGarbage();
    await nextTurn();
  }
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  const round = (bytes: number): number => Math.round(bytes / 2 ** 17) / 8;
  return { heapMb: round(heapUsed), buffersMb: round(arrayBuffers), rssMb: round(rss) };
}
