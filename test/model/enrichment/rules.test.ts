// The rules of an enrichment, without a database: every event in every state.
import { describe, expect, it } from 'vitest';
import {
  cutOff,
  dueNow,
  keepUnread,
  postpone,
  postponeDelivered,
  reopen,
  requeue,
  reread,
  settle,
  settleDelivered,
  takeOver,
  withdraw,
} from '../../../src/model/enrichment/answer.js';
import {
  ARROWS,
  type EnrichmentEvent,
  type EnrichmentState,
  listArrows,
  type SendEvent,
  STATES,
  stateAfter,
} from '../../../src/model/enrichment/arrows.js';
import { type Enrichment, type Locked, openLocked } from '../../../src/model/enrichment/locked.js';
import type { KnownAs, Sight } from '../../../src/model/enrichment/look.js';
import { traitsOf } from '../../../src/model/enrichment/person.js';
import { conclude } from '../../../src/model/enrichment/stand.js';
import { toRequestRow } from '../../../src/model/enrichment/stored-request.js';
import type { Settlement } from '../../../src/ports/store/enrichments.js';

const T0 = 1_700_000_000_000;
const INPUTS = { email: 'ada@example.com' };
const FOUND = { find_phone: { phone: '+331' } };

function rowIn(state: EnrichmentState, changes: Partial<Enrichment> = {}): Enrichment {
  const isSent = state !== 'queued';
  const isEnded = ['found', 'not_found', 'failed', 'timed_out'].includes(state);
  return {
    id: 1,
    fingerprint: Uint8Array.of(1),
    isCurrent: true,
    runId: 1,
    paidBy: isSent ? 1 : null,
    state,
    ...toRequestRow({ ask: ['find_phone'], inputs: INPUTS }),
    sent: 'p',
    ticket: 'enr_1',
    callId: null,
    reason: 'why',
    thousandths: 0,
    submittedAt: isSent ? T0 : null,
    pollAt: T0,
    pollCount: 0,
    wasEmpty: false,
    deadlineAt: T0,
    settledAt: isEnded ? T0 : null,
    answeredAt: null,
    sendCount: 1,
    lostSends: 0,
    olderAnswer: null,
    showsKnown: false,
    looks: false,
    isResent: false,
    priceMax: 0,
    countedAt: null,
    ...changes,
  };
}

function settlementOf(id: number, outcome: Settlement['outcome']): Settlement {
  if (outcome === 'failed' || outcome === 'timed_out') {
    return { id, at: T0, outcome, reason: 'no answer' };
  }
  return { id, at: T0, outcome, result: outcome === 'found' ? FOUND : {}, credits: 5 };
}

/** Another enrichment stands in for all that is asked. */
function sightOf(is: KnownAs): Sight {
  const row = rowIn('found');
  const from = { row, result: FOUND, traits: traitsOf(INPUTS), keys: new Set([null]) };
  return { stands: [{ asks: ['find_phone'], is, from }], open: [] };
}

describe('an event', () => {
  const naming = { ticket: null, callId: null, at: T0, deadlineAt: T0 };
  const pending = { id: 1, pollAt: T0, wasEmpty: false };

  /**
   * What brings each event about; `known_sent` comes before another one, and has a test of its own. Those of a send are
   * statements (test/store/sqlite/move.test.ts).
   */
  const CAUSES: Record<
    Exclude<EnrichmentEvent, 'known_sent' | 'heard' | SendEvent>,
    (locked: Locked, row: Enrichment) => unknown
  > = {
    cut_off: cutOff,
    found: (locked) => settle(locked, settlementOf(1, 'found')),
    not_found: (locked) => settle(locked, settlementOf(1, 'not_found')),
    failed: (locked) => settle(locked, settlementOf(1, 'failed')),
    timed_out: (locked) => settle(locked, settlementOf(1, 'timed_out')),
    stood: (locked, row) => {
      row.answeredAt = T0;
      settle(locked, settlementOf(1, 'timed_out'));
    },
    postponed: (locked) => postpone(locked, pending),
    unread: (locked) => keepUnread(locked, { id: 1, body: '?', reason: 'unread' }),
    due_now: (locked, row) => dueNow(locked, row, T0 - 1),
    taken_over: (locked, row) => takeOver(locked, row, { runId: 2 }),
    reopened: (locked, row) => reopen(locked, row, { runId: 2, at: T0, deadlineAt: T0 }),
    requeued: (locked, row) => requeue(locked, row, 2),
    withdrawn: (locked, row) => withdraw(locked, row, 'ticket shared with line 3'),
    reread: (locked, row) => reread(locked, row, { runId: 2, at: T0 }),
    known: (locked, row) => conclude(locked, row, sightOf('value')),
    known_miss: (locked, row) => conclude(locked, row, sightOf('miss')),
    known_failed: (locked, row) => conclude(locked, row, sightOf('failed')),
    known_unsure: (locked, row) => conclude(locked, row, sightOf('unsure')),
  };

  it.each(Object.keys(CAUSES) as (keyof typeof CAUSES)[])(
    '%s leads where the table says, and changes nothing in any other state',
    (event) => {
      for (const state of STATES) {
        const row = rowIn(state);
        const locked = openLocked([row]);
        CAUSES[event](locked, row);
        const to = stateAfter(state, event);
        expect([event, state, row.state]).toEqual([event, state, to ?? state]);
        expect([event, state, locked.changes.size]).toEqual([
          event,
          state,
          to === undefined ? 0 : 1,
        ]);
      }
    },
  );

  it('that a webhook brings goes along each arrow by itself, and only where it was sent', () => {
    const told = (['queued', 'submitting', 'uncertain'] as const).map((state) => {
      const row = rowIn(state, { ticket: null });
      const locked = openLocked([row]);
      settleDelivered(locked, settlementOf(1, 'found'), { ...naming, ticket: 'enr_2' });
      expect([...locked.learnt.keys()]).toEqual(['enr_2']);
      return locked.changes.get(row)?.flatMap((one) => one.state ?? []);
    });
    expect(told).toEqual([['submitting', 'uncertain', 'found'], ['uncertain', 'found'], ['found']]);

    const unsent = rowIn('queued', { sendCount: 0 });
    expect(settleDelivered(openLocked([unsent]), settlementOf(1, 'found'), naming)).toBe(false);
    expect(unsent.state).toBe('queued');

    const heard = rowIn('uncertain', { ticket: null });
    const naming2 = { ...naming, ticket: 'enr_2' };
    expect(postponeDelivered(openLocked([heard]), pending, naming2)).toBe(true);
    expect(heard).toMatchObject({ state: 'awaiting', ticket: 'enr_2' });
  });
});

it('the table names no state that is unknown, and leaves none that ends for good', () => {
  const to = new Set(Object.values(ARROWS).flatMap((arrows) => Object.values(arrows)));
  expect(STATES.filter((state) => !to.has(state))).toEqual([]);
  const from = new Set(listArrows().map((arrow) => arrow.split('>')[0]));
  expect(STATES.filter((state) => !from.has(state))).toEqual([]);
});
