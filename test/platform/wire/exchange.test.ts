import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import { exchange } from '../../../src/platform/wire/exchange.js';

const CALL = { method: 'POST', path: '/enrich', headers: {}, body: '[]' } as const;

/** What a dispatcher does with one request, step by step. */
function dispatcher(play: (handler: Dispatcher.DispatchHandler, aborted: Error[]) => void) {
  const aborted: Error[] = [];
  return {
    aborted,
    dispatch: (_: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => {
      play(handler, aborted);
      return true;
    },
  };
}

function controller(aborted: Error[]): Dispatcher.DispatchController {
  const abort = (reason: Error) => {
    aborted.push(reason);
  };
  return { aborted: false, paused: false, reason: null, abort, pause: () => {}, resume: () => {} };
}

/** Two ends of a connection: what is written to one lies in the buffer of the other at once. */
async function connected(): Promise<readonly [Socket, Socket]> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const near = connect(port, '127.0.0.1');
  const [far] = await accepted;
  await once(near, 'ready');
  server.close();
  return [near, far];
}

describe('a process that was stopped until the time was up', () => {
  it('takes the answer that came meanwhile', async () => {
    const [near, far] = await connected();
    const timeoutMs = 20;
    const stopped = dispatcher((handler, aborted) => {
      handler.onRequestStart?.(controller(aborted), {});
      near.once('data', (text) => {
        handler.onResponseStart?.(controller(aborted), 200, {}, 'OK');
        handler.onResponseData?.(controller(aborted), text);
        handler.onResponseEnd?.(controller(aborted), {});
      });
      far.write('{"id":"enr_1"}');
      // SIGSTOP, and SIGCONT a while later.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10 * timeoutMs);
    });
    expect(await exchange(stopped, CALL, { timeoutMs })).toMatchObject({
      kind: 'answered',
      text: '{"id":"enr_1"}',
    });
    expect(stopped.aborted).toEqual([]);
    for (const socket of [near, far]) socket.destroy();
  });
});

describe('a request that its dispatcher takes up', () => {
  it('a second time is stopped before it leaves again', async () => {
    const twice = dispatcher((handler, aborted) => {
      handler.onRequestStart?.(controller(aborted), {});
      handler.onRequestStart?.(controller(aborted), {});
      handler.onResponseError?.(controller(aborted), new Error('gone'));
    });
    expect((await exchange(twice, CALL, { timeoutMs: 1_000 })).kind).toBe('lost');
    expect(twice.aborted).toHaveLength(1);
  });

  it('after the time was up is stopped as well, so that unsent stays true', async () => {
    let takeUp = () => {};
    const late = dispatcher((handler, aborted) => {
      takeUp = () => handler.onRequestStart?.(controller(aborted), {});
    });
    expect((await exchange(late, CALL, { timeoutMs: 20 })).kind).toBe('unsent');
    takeUp();
    expect(late.aborted).toHaveLength(1);
  });
});
