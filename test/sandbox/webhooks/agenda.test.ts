import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Agenda } from '../../../src/sandbox/webhooks/agenda.js';

function openAgenda(start = 0) {
  const state = { now: start, hasRoom: true, done: [] as number[] };
  const agenda = new Agenda<number>({
    now: () => state.now,
    hasRoom: () => state.hasRoom,
    perform: (thing) => void state.done.push(thing),
  });
  return { state, agenda };
}

describe('Agenda', () => {
  it('performs what is due, by time and then in the order in which it came', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 150 }), fc.nat(20), (times, now) => {
        const { state, agenda } = openAgenda();
        for (const [index, at] of times.entries()) agenda.add(at, index);
        expect(state.done).toEqual([]);
        state.now = now;
        agenda.look();
        agenda.close();
        const due = [...times.entries()].filter(([, at]) => at <= now);
        const expected = due.sort(([a, at], [b, bt]) => at - bt || a - b).map(([index]) => index);
        expect(state.done).toEqual(expected);
      }),
    );
  });

  it('looks by itself when something becomes due', async () => {
    let resolve: (thing: string) => void = () => undefined;
    const promise = new Promise<string>((settle) => {
      resolve = settle;
    });
    const agenda = new Agenda<string>({
      now: () => performance.now(),
      hasRoom: () => true,
      perform: (thing) => resolve(thing),
    });
    agenda.add(performance.now() + 60_000, 'late');
    agenda.add(performance.now() + 20, 'soon');
    // Its own timer holds no process alive; this one does meanwhile, and is due later.
    const later = setTimeout(() => resolve('nothing'), 30_000);
    expect(await promise).toBe('soon');
    clearTimeout(later);
    agenda.close();
  });

  it('takes nothing out while there is no room, and nothing after its end', () => {
    const { state, agenda } = openAgenda(10);
    agenda.add(1, 1);
    state.hasRoom = false;
    agenda.look();
    expect(state.done).toEqual([]);
    state.hasRoom = true;
    agenda.look();
    expect(state.done).toEqual([1]);
    agenda.add(2, 2);
    agenda.close();
    agenda.add(3, 3);
    agenda.look();
    expect(state.done).toEqual([1]);
  });

  it('performs a bounded number in one turn, and the others in the next ones', () => {
    const { state, agenda } = openAgenda();
    for (let index = 0; index < 1000; index += 1) agenda.add(0, index);
    agenda.look();
    expect(state.done.length).toBeLessThan(1000);
    for (let turn = 0; turn < 10; turn += 1) agenda.look();
    expect(state.done).toHaveLength(1000);
    agenda.close();
  });
});
