// The rules of an enrichment, without a database: every event in every state, and random events over the enrichments of
// one person, who is asked about by a narrow question and a wider one.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hurry,
  keepUnread,
  postpone,
  postponeDelivered,
  reopen,
  reread,
  settle,
  settleDelivered,
  withdraw,
} from '../../../src/model/enrichment/answer.js';
import {
  ARROWS,
  type EnrichmentEvent,
  type EnrichmentState,
  listArrows,
  STATES,
  stateAfter,
} from '../../../src/model/enrichment/arrows.js';
import { type Enrichment, type Held, openHeld } from '../../../src/model/enrichment/held.js';
import { RETRIED, retry } from '../../../src/model/enrichment/retry.js';
import { claim, cutOff, record, requeue, takeOver } from '../../../src/model/enrichment/send.js';
import { type Book, create, share } from '../../../src/model/enrichment/share.js';
import { toRequestRow } from '../../../src/model/enrichment/stored-request.js';
import type { AskedLead, Settlement, SubmitRecord } from '../../../src/ports/store/enrichments.js';
import { tries } from '../../helpers/long.js';

const T0 = 1_700_000_000_000;
const SEND = { at: T0, countedAt: T0, priceMax: 5_000 };
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
    predecessor: null,
    servedBy: null,
    serves: false,
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

type Fate = SubmitRecord['kind'];

function recordOf({ id, sendCount: send }: Enrichment, kind: Fate): SubmitRecord {
  const one = { id, send, at: T0 };
  if (kind === 'accepted') {
    return { ...one, kind, ticket: `enr_${id}`, pollAt: T0, deadlineAt: T0 + 60_000 };
  }
  return kind === 'unsent' ? { ...one, kind } : { ...one, kind, reason: 'reset' };
}

describe('an event', () => {
  const naming = { ticket: null, callId: null, at: T0, deadlineAt: T0 };
  const pending = { id: 1, pollAt: T0, wasEmpty: false };

  /** What brings each event about; `proved` comes before another one, and has a test of its own. */
  const CAUSES: Record<
    Exclude<EnrichmentEvent, 'proved' | 'heard'>,
    (held: Held, row: Enrichment) => unknown
  > = {
    claimed: (held, row) => claim(held, row, SEND),
    accepted: (held, row) => record(held, recordOf(row, 'accepted')),
    unsent: (held, row) => record(held, recordOf(row, 'unsent')),
    refused: (held, row) => record(held, recordOf(row, 'refused')),
    lost: (held, row) => record(held, recordOf(row, 'uncertain')),
    cut_off: cutOff,
    found: (held) => settle(held, settlementOf(1, 'found')),
    not_found: (held) => settle(held, settlementOf(1, 'not_found')),
    failed: (held) => settle(held, settlementOf(1, 'failed')),
    timed_out: (held) => settle(held, settlementOf(1, 'timed_out')),
    stood: (held, row) => {
      row.answeredAt = T0;
      settle(held, settlementOf(1, 'timed_out'));
    },
    postponed: (held) => postpone(held, pending),
    unread: (held) => keepUnread(held, { id: 1, body: '?', reason: 'unread' }),
    hurried: (held, row) => hurry(held, row, T0 - 1),
    taken_over: (held, row) => takeOver(held, row, { runId: 2 }),
    reopened: (held, row) => reopen(held, row, { runId: 2, at: T0, deadlineAt: T0 }),
    requeued: (held, row) => requeue(held, row, 2),
    withdrawn: (held, row) => withdraw(held, row, 'ticket shared with line 3'),
    reread: (held, row) => reread(held, row, { runId: 2, at: T0 }),
  };

  it.each(Object.keys(CAUSES) as (keyof typeof CAUSES)[])(
    '%s leads where the table says, and changes nothing in any other state',
    (event) => {
      for (const state of STATES) {
        const row = rowIn(state);
        const held = openHeld([row]);
        CAUSES[event](held, row);
        const to = stateAfter(state, event);
        expect([event, state, row.state]).toEqual([event, state, to ?? state]);
        expect([event, state, held.changes.size]).toEqual([event, state, to === undefined ? 0 : 1]);
      }
    },
  );

  it('that a webhook brings goes along each arrow by itself, and only where it was sent', () => {
    const told = (['queued', 'submitting', 'uncertain'] as const).map((state) => {
      const row = rowIn(state, { ticket: null });
      const held = openHeld([row]);
      settleDelivered(held, settlementOf(1, 'found'), { ...naming, ticket: 'enr_2' });
      expect([...held.learnt.keys()]).toEqual(['enr_2']);
      return held.changes.get(row)?.flatMap((one) => one.state ?? []);
    });
    expect(told).toEqual([['submitting', 'uncertain', 'found'], ['uncertain', 'found'], ['found']]);

    const unsent = rowIn('queued', { sendCount: 0 });
    expect(settleDelivered(openHeld([unsent]), settlementOf(1, 'found'), naming)).toBe(false);
    expect(unsent.state).toBe('queued');

    const heard = rowIn('uncertain', { ticket: null });
    const naming2 = { ...naming, ticket: 'enr_2' };
    expect(postponeDelivered(openHeld([heard]), pending, naming2)).toBe(true);
    expect(heard).toMatchObject({ state: 'awaiting', ticket: 'enr_2' });
  });

  it('of an earlier send says nothing about a later one', () => {
    const row = rowIn('submitting', { sendCount: 2 });
    const held = openHeld([row]);
    expect(record(held, { ...recordOf(row, 'unsent'), send: 1 })).toBe(false);
    expect(row.state).toBe('submitting');
  });
});

/** Two questions about one person; the second asks the same and more. */
const NARROW = Uint8Array.of(1);
const WIDE = Uint8Array.of(2);

function leadOf(isWide: boolean): AskedLead {
  const ask = isWide ? (['find_email', 'find_phone'] as const) : (['find_phone'] as const);
  return {
    kind: 'asked',
    position: 1,
    source: 0,
    line: 2,
    cells: [],
    note: null,
    request: { ask, inputs: INPUTS },
    fingerprint: isWide ? WIDE : NARROW,
    ...(isWide ? {} : { wider: [WIDE] }),
  };
}

/** A state in memory. Each verb has a book of it, and saves what it decided. */
class World {
  readonly rows = new Map<number, Enrichment>();
  /** Arrows that were gone along. */
  readonly gone = new Set<string>();
  readonly #results = new Map<number, object>();

  verb<R>(work: (book: Book) => R): R {
    const held = openHeld([...this.rows.values()]);
    const before = new Map([...held.rows.values()].map((row) => [row, row.state]));
    const current = (fingerprint: Uint8Array): Enrichment | undefined =>
      [...held.rows.values()].find((row) => row.isCurrent && row.fingerprint[0] === fingerprint[0]);
    const book: Book = {
      ...held,
      current,
      byId: (id) => held.rows.get(id),
      put: (row) => void held.rows.set(row.id, row),
      resultOf: (row) => held.results.get(row) ?? this.#results.get(row.id),
    };
    const result = work(book);
    this.#save(held, before);
    return result;
  }

  #save(held: Held, before: ReadonlyMap<Enrichment, EnrichmentState>): void {
    for (const [row, steps] of held.changes) {
      let from = before.get(row) ?? 'queued';
      for (const { state } of steps) {
        if (state === undefined) continue;
        this.gone.add(`${from}>${state}`);
        from = state;
      }
      expect(from).toBe(row.state);
    }
    const ids = new Map<number | null, number>();
    for (const row of held.created) {
      const id = this.rows.size + 1;
      ids.set(row.id, id);
      row.id = id;
      this.rows.set(id, row);
    }
    for (const row of this.rows.values()) {
      row.servedBy = ids.get(row.servedBy) ?? row.servedBy;
      row.olderAnswer = ids.get(row.olderAnswer) ?? row.olderAnswer;
      row.predecessor = ids.get(row.predecessor) ?? row.predecessor;
    }
    for (const [row, result] of held.results) this.#results.set(row.id, result);
  }

  /** What a lead with this enrichment shows: 2 found, 1 not found, 0 nothing. */
  shown(row: Enrichment | undefined): number {
    if (row === undefined) return 0;
    if (row.state === 'found') return 2;
    if (row.state === 'not_found' || row.answeredAt !== null) return 1;
    const older = row.olderAnswer === null ? undefined : this.rows.get(row.olderAnswer);
    return older === undefined ? 0 : this.shown(older);
  }
}

const run = fc.integer({ min: 1, max: 3 });
const nth = fc.nat({ max: 5 });
const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('share' as const),
      run,
      isWide: fc.boolean(),
      isStale: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('claim' as const), run }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('record' as const),
      nth,
      fate: fc.constantFrom<Fate[]>('accepted', 'unsent', 'refused', 'uncertain'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('settle' as const, 'deliver' as const),
      nth,
      outcome: fc.constantFrom<Settlement['outcome'][]>(
        'found',
        'not_found',
        'failed',
        'timed_out',
      ),
    }),
  },
  fc.record({
    kind: fc.constantFrom('postpone' as const, 'unread' as const, 'hear' as const),
    nth,
  }),
  fc.record({ kind: fc.constant('recover' as const), run }),
  fc.record({ kind: fc.constant('retry' as const), run, nth, askAnew: fc.boolean() }),
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

interface Leads {
  /** The enrichment that answers each lead so far, by its id. */
  readonly answers: number[];
  /** Enrichments that may have been accepted, as far as anybody has said. */
  readonly unsure: Set<number>;
}

function perform(world: World, { answers, unsure }: Leads, one: Command): void {
  const rows = [...world.rows.values()];
  const pick = (n: number): Enrichment | undefined => rows[n % Math.max(1, rows.length)];
  switch (one.kind) {
    case 'share': {
      const freshSince = one.isStale ? T0 + 1 : T0 - 1;
      const times = { at: T0, freshSince, deadlineAt: T0 + 60_000 };
      const { row } = world.verb((book) => share(book, leadOf(one.isWide), one.run, times));
      answers.push(row.id);
      return;
    }
    case 'claim':
      world.verb((book) => {
        const next = [...book.rows.values()].find(
          ({ runId, state }) => state === 'queued' && runId === one.run,
        );
        if (next === undefined) return;
        // Nothing is sent whose fate is unknown, unless the user said so.
        expect([next.id, unsure.has(next.id)]).toEqual([next.id, false]);
        claim(book, next, SEND);
      });
      return;
    case 'record': {
      const row = pick(one.nth);
      if (row !== undefined) world.verb((book) => record(book, recordOf(row, one.fate)));
      return;
    }
    case 'settle':
    case 'deliver': {
      const row = pick(one.nth);
      if (row === undefined) return;
      const settlement = settlementOf(row.id, one.outcome);
      // A webhook brings an answer, and for a send alone.
      if (one.kind === 'deliver' && one.outcome !== 'timed_out' && row.sendCount > 0) {
        const naming = { ticket: `enr_${row.id}`, callId: null, at: T0 };
        world.verb((book) => settleDelivered(book, settlement, naming));
      } else world.verb((book) => settle(book, settlement));
      return;
    }
    case 'postpone':
    case 'unread':
    case 'hear': {
      const row = pick(one.nth);
      if (row === undefined) return;
      const pending = { id: row.id, pollAt: T0, wasEmpty: false };
      const naming = { ticket: `enr_${row.id}`, callId: null, at: T0, deadlineAt: T0 };
      world.verb((book) => {
        if (one.kind === 'unread') keepUnread(book, { id: row.id, body: '?', reason: 'unread' });
        else if (one.kind === 'postpone' || row.sendCount === 0) postpone(book, pending);
        else postponeDelivered(book, pending, naming);
      });
      return;
    }
    case 'recover':
      world.verb((book) => {
        for (const row of book.rows.values()) if (row.runId === one.run) cutOff(book, row);
      });
      return;
    case 'retry': {
      const lead = one.nth % Math.max(1, answers.length);
      const row = world.rows.get(answers[lead] ?? 0);
      const outcome = RETRIED.find((state) => state === row?.state);
      if (row === undefined || outcome === undefined) return;
      const times = { at: T0, deadlineAt: T0 + 60_000, askAnew: one.askAnew };
      const shown = world.shown(row);
      const { row: to } = world.verb((book) => retry(book, row, one.run, times));
      answers[lead] = to.id;
      const isAnswered = to.state === 'found' || to.state === 'not_found';
      expect(isAnswered || world.shown(to) >= shown).toBe(true);
    }
  }
}

/** What is uncertain, and may have been accepted: nobody has said since that it was not. */
function noteUnsure(world: World, unsure: Set<number>, one: Command): void {
  for (const { id, state } of world.rows.values()) {
    if (state === 'uncertain') unsure.add(id);
    // Its sender, or the user, has said so.
    else if (state !== 'queued' || one.kind === 'record' || one.kind === 'retry') unsure.delete(id);
  }
}

/** The wider question missed what the narrow one found, and is read again while the narrow one is asked anew. */
const FOUND_BESIDE_A_MISS: Command[] = [
  { kind: 'share', run: 1, isWide: true, isStale: false },
  { kind: 'share', run: 1, isWide: false, isStale: false },
  { kind: 'share', run: 2, isWide: true, isStale: false },
  { kind: 'claim', run: 2 },
  { kind: 'record', nth: 0, fate: 'accepted' },
  { kind: 'settle', nth: 0, outcome: 'not_found' },
  { kind: 'claim', run: 1 },
  { kind: 'record', nth: 3, fate: 'accepted' },
  { kind: 'settle', nth: 3, outcome: 'found' },
  { kind: 'share', run: 1, isWide: false, isStale: true },
  { kind: 'retry', run: 1, nth: 0, askAnew: false },
  { kind: 'share', run: 1, isWide: false, isStale: true },
];

/** A ticket that failed is read again while a new send is queued; its miss stands until that has an answer. */
const MISS_BESIDE_A_SEND: Command[] = [
  { kind: 'share', run: 3, isWide: false, isStale: false },
  { kind: 'claim', run: 3 },
  { kind: 'deliver', nth: 0, outcome: 'failed' },
  { kind: 'share', run: 1, isWide: false, isStale: true },
  { kind: 'retry', run: 1, nth: 0, askAnew: false },
  { kind: 'settle', nth: 0, outcome: 'not_found' },
  { kind: 'retry', run: 1, nth: 0, askAnew: true },
  { kind: 'recover', run: 1 },
];

describe('random events', () => {
  const sequences = fc.array(command, { minLength: 1, maxLength: 40, size: 'max' });

  it('never pay twice, send what may be paid for, or replace an answer by less', () => {
    const gone = new Set<string>();
    fc.assert(
      fc.property(sequences, (commands) => {
        const world = new World();
        const leads: Leads = { answers: [], unsure: new Set() };
        const wasUnsure = new Set<number>();
        for (const one of commands) {
          const before = leads.answers.map((id) => {
            const row = world.rows.get(id);
            return [id, world.shown(row), row?.state === 'found'] as const;
          });
          perform(world, leads, one);
          noteUnsure(world, leads.unsure, one);
          for (const id of leads.unsure) wasUnsure.add(id);
          for (const fingerprint of [NARROW, WIDE]) {
            const all = [...world.rows.values()].filter(
              (row) => row.fingerprint[0] === fingerprint[0],
            );
            // One counts, and it alone is to be paid for: but for what a late record says was not accepted after all.
            expect(all.filter(({ isCurrent }) => isCurrent).length).toBeLessThanOrEqual(1);
            const payable = all.filter(
              ({ id, state }) =>
                (state === 'queued' || state === 'submitting') && !wasUnsure.has(id),
            );
            expect(payable.length).toBeLessThanOrEqual(1);
          }
          for (const [i, [id, shown, wasFound]] of before.entries()) {
            const row = world.rows.get(leads.answers[i] ?? 0);
            const isAnswered = row?.state === 'found' || row?.state === 'not_found';
            expect(isAnswered || world.shown(row) >= shown).toBe(true);
            // What is found stays so.
            if (wasFound) expect(world.rows.get(id)?.state).toBe('found');
          }
        }
        for (const arrow of world.gone) gone.add(arrow);
      }),
      { numRuns: tries(300), examples: [[FOUND_BESIDE_A_MISS], [MISS_BESIDE_A_SEND]] },
    );
    expect([...gone].filter((arrow) => !listArrows().includes(arrow))).toEqual([]);
  });
});

it('the table names no state that is unknown, and leaves none that ends for good', () => {
  const to = new Set(Object.values(ARROWS).flatMap((arrows) => Object.values(arrows)));
  expect(STATES.filter((state) => !to.has(state))).toEqual([]);
  const from = new Set(listArrows().map((arrow) => arrow.split('>')[0]));
  expect(STATES.filter((state) => !from.has(state))).toEqual([]);
});

it('a new one counts for its fingerprint, and is queued', () => {
  const world = new World();
  const made = world.verb((book) => {
    const question = { fingerprint: NARROW, ask: 'p', inputs: '[]' };
    return create(book, question, 3, { olderAnswer: null, predecessor: null });
  });
  expect(made).toMatchObject({ id: 1, state: 'queued', isCurrent: true, runId: 3, paidBy: null });
});
