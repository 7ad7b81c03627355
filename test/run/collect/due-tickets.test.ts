import { describe, expect, it } from 'vitest';
import { Backlog } from '../../../src/run/backlog.js';
import { pressureOf } from '../../../src/run/collect/due-tickets.js';

const LIMITED = { leastMs: (requests: number) => requests * 100 };

function backlogOf(changes: Partial<Backlog>): Backlog {
  return Object.assign(new Backlog(), { isReading: false }, changes);
}

describe('the pressure on a run', () => {
  it('is the time of one request for each open enrichment, bulk calls counted as one', () => {
    const backlog = backlogOf({ queued: 1_001, awaiting: 40 });
    const single = pressureOf({ backlog, bulkMax: 1, platform: LIMITED });
    expect(single).toMatchObject({ roundMs: 104_100, isSending: true });
    const bulk = pressureOf({ backlog, bulkMax: 500, platform: LIMITED });
    expect(bulk).toMatchObject({ roundMs: 4_300, isSending: true });
  });

  it('knows no submits that wait for the limit where there is none', () => {
    const backlog = backlogOf({ queued: 9, awaiting: 1 });
    const pressure = pressureOf({ backlog, bulkMax: 1, platform: { leastMs: () => 0 } });
    expect(pressure).toMatchObject({ roundMs: 0, isSending: false });
  });

  it('is only that of what is awaited while sending is held, or over', () => {
    const held = backlogOf({ queued: 250, awaiting: 50, sendingWaits: true });
    const ended = backlogOf({ queued: 250, awaiting: 50, isSubmitting: false });
    for (const backlog of [held, ended]) {
      const pressure = pressureOf({ backlog, bulkMax: 1, platform: LIMITED });
      expect(pressure).toEqual({ roundMs: 5_000, isSending: false, openShare: 1 });
    }
  });

  it('falls with the share that is open, once everything was read', () => {
    const counts = { awaiting: 5, polled: 90, delivered: 5 };
    const shareOf = (backlog: Backlog) =>
      pressureOf({ backlog, bulkMax: 1, platform: LIMITED }).openShare;
    expect(shareOf(backlogOf(counts))).toBe(0.05);
    expect(shareOf(backlogOf({ ...counts, isReading: true }))).toBe(1);
    expect(shareOf(backlogOf({}))).toBe(1);
  });
});
