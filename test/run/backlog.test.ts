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
  it('wakes everyone who waits at the next change, once', async () => {
    const [backlog, clock] = [new Backlog(), createDrivenClock()];
    const later = clock.now() + 60_000;
    const both = [watch(backlog.wait(clock, signal)), watch(backlog.wait(clock, signal, later))];
    await settled();
    expect(both.map(({ isAwake }) => isAwake)).toEqual([false, false]);
    backlog.changed();
    const next = watch(backlog.wait(clock, signal));
    await settled();
    expect(both.map(({ isAwake }) => isAwake)).toEqual([true, true]);
    expect(next.isAwake).toBe(false);
    expect(clock.sleeping()).toBe(0);
  });

  it('wakes at the time that was named, and no earlier', async () => {
    const [backlog, clock] = [new Backlog(), createDrivenClock()];
    const sleeper = watch(backlog.wait(clock, signal, clock.now() + 1_000));
    await clock.advance(999);
    expect(sleeper.isAwake).toBe(false);
    await clock.advance(1);
    expect(sleeper.isAwake).toBe(true);
  });

  it('wakes when the signal aborts, and does not fall asleep after that', async () => {
    const [backlog, clock] = [new Backlog(), createDrivenClock()];
    const stop = new AbortController();
    const sleeper = watch(backlog.wait(clock, stop.signal));
    stop.abort();
    await settled();
    expect(sleeper.isAwake).toBe(true);
    await backlog.wait(clock, stop.signal);
  });

  it('keeps the earliest poll, and wakes the poller only for an earlier one', async () => {
    const [backlog, clock] = [new Backlog(), createDrivenClock()];
    backlog.nextPollAt = 500;
    const sleeper = watch(backlog.wait(clock, signal));
    backlog.expectPoll(800);
    backlog.expectPoll(500);
    await settled();
    expect([backlog.nextPollAt, sleeper.isAwake]).toEqual([500, false]);
    backlog.expectPoll(300);
    await settled();
    expect([backlog.nextPollAt, sleeper.isAwake]).toEqual([300, true]);
  });

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
