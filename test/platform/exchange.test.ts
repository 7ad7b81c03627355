import type { Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import { exchange } from '../../src/platform/exchange.js';

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
