import { expect, it } from 'vitest';
import { Agenda } from '../../../src/sandbox/webhooks/agenda.js';

it('takes nothing out while there is no room, and nothing after its end', () => {
  const state = { hasRoom: false, done: [] as number[] };
  const agenda = new Agenda<number>({
    now: () => 10,
    hasRoom: () => state.hasRoom,
    perform: (thing) => void state.done.push(thing),
  });
  agenda.add(1, 1);
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
