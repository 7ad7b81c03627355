import { expect, it } from 'vitest';
import { groupDeliveries } from '../../src/webhook/group-deliveries.js';
import { settled } from '../helpers/driven-clock.js';

const delivery = (body: string) => ({
  scope: 's',
  enrichmentId: null,
  callId: null,
  receivedAt: 0,
  body,
});

function openJournal() {
  const groups: string[] = [];
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const grouped = groupDeliveries((group) => {
    groups.push(group.map(({ body }) => body).join(''));
    return new Promise((resolve, reject) => {
      ends.push({ resolve, reject });
    });
  });
  const outcomes: Record<string, string> = {};
  const follow = async (name: string, work: Promise<void>): Promise<void> => {
    outcomes[name] = 'open';
    try {
      await work;
      outcomes[name] = 'done';
    } catch (error) {
      outcomes[name] = String(error);
    }
  };
  const add = (body: string): void => void follow(body, grouped.add(delivery(body)));
  const wait = (): void => void follow('idle', grouped.idle());
  return { groups, ends, outcomes, add, wait };
}

it('keeps what comes in one turn as one group, and one group at a time', async () => {
  const { groups, ends, outcomes, add } = openJournal();
  for (const body of 'abc') add(body);
  await settled();
  add('d');
  await settled();
  add('e');
  await settled();
  expect(groups).toEqual(['abc']);
  ends[0]?.resolve();
  await settled();
  expect(groups).toEqual(['abc', 'de']);
  expect(outcomes).toEqual({ a: 'done', b: 'done', c: 'done', d: 'open', e: 'open' });
});

it('lets join what comes later in the same turn, after other work of that turn', async () => {
  const { groups, add } = openJournal();
  add('a');
  for (let step = 0; step < 50; step += 1) await Promise.resolve();
  await new Promise<void>((resolve) => {
    process.nextTick(resolve);
  });
  add('b');
  await settled();
  expect(groups).toEqual(['ab']);
});

it('a group that cannot be kept fails alone', async () => {
  const { groups, ends, outcomes, add } = openJournal();
  add('a');
  await settled();
  add('b');
  ends[0]?.reject(new Error('full'));
  await settled();
  ends[1]?.resolve();
  await settled();
  expect(groups).toEqual(['a', 'b']);
  expect(outcomes).toEqual({ a: 'Error: full', b: 'done' });
});

it('is idle once everything is kept or has failed, also what was added meanwhile', async () => {
  const { ends, outcomes, add, wait } = openJournal();
  add('a');
  wait();
  await settled();
  add('b');
  ends[0]?.reject(new Error('full'));
  await settled();
  expect(outcomes['idle']).toBe('open');
  ends[1]?.resolve();
  await settled();
  expect(outcomes['idle']).toBe('done');
  wait();
  await settled();
  expect(outcomes['idle']).toBe('done');
});
