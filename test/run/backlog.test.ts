import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Backlog } from '../../src/run/backlog.js';
import { createDrivenClock, settled } from '../helpers/driven-clock.js';

const { signal } = new AbortController();

function watch(promise: Promise<void>): { isAwake: boolean } {
  const seen = { isAwake: false };
  const follow = async (): Promise<void> => {
    await promise;
    seen.isAwake = true;
  };
  void follow();
  return seen;
}

describe('Backlog', () => {
  it('wakes those who wait when deliveries were kept, and remembers it for those who do not', async () => {
    const [backlog, clock] = [new Backlog(), createDrivenClock()];
    const sleeper = watch(backlog.wait(clock, signal));
    backlog.expectDeliveries();
    await settled();
    expect([sleeper.isAwake, backlog.hasDeliveries]).toEqual([true, true]);
  });

  it.each<[string, Partial<Backlog>, boolean]>([
    ['while leads are read', { isReading: true }, true],
    ['while requests are sent', { isSubmitting: true }, true],
    ['while one is awaited', { awaiting: 1 }, true],
    ['while a claim is waited for', { uncertain: 1, webhookUntil: 1_001 }, true],
    ['not for a claim that is late', { uncertain: 1, webhookUntil: 1_000 }, false],
    ['not where nothing is left', { webhookUntil: 9_000 }, false],
  ])('an answer may still come %s', (_, known, canCome) => {
    const backlog = Object.assign(new Backlog(), { isReading: false, isSubmitting: false }, known);
    expect(backlog.canCome(1_000)).toBe(canCome);
  });

  it('counts none below zero, whoever was faster', () => {
    const backlog = new Backlog();
    backlog.claimed(1);
    backlog.settledByPoll(2);
    backlog.revivedUnread(1);
    backlog.changedByDelivery('uncertain', 'nothing');
    expect(backlog).toMatchObject({ queued: 0, awaiting: 1, unread: 0, uncertain: 0, answered: 2 });
  });

  it('leaves nothing behind at a signal that lives as long as the run, however it woke', async () => {
    const [backlog, clock] = [new Backlog(), createDrivenClock()];
    const { signal } = new AbortController();
    for (let i = 0; i < 200; i += 1) {
      const sleeper = backlog.wait(clock, signal, clock.now() + 10);
      if (i % 2 === 0) backlog.changed();
      else await clock.advance(10);
      await sleeper;
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(clock.sleeping()).toBe(0);
  });
});
