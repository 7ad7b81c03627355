import { describe, expect, it } from 'vitest';
import { groupWrites } from '../../../src/model/schedule/group-writes.js';
import { nextTurn, settled } from '../../helpers/driven-clock.js';

/** A writer whose groups end when the test says so. */
function openWriter() {
  const groups: string[][] = [];
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const grouped = groupWrites<string>(nextTurn, (items) => {
    groups.push([...items]);
    return new Promise((resolve, reject) => {
      ends.push({ resolve, reject });
    });
  });
  return { groups, ends, grouped };
}

/** Whether a promise is still open, and how it ended otherwise. */
function watch(promise: Promise<void>): { state: string } {
  const seen = { state: 'open' };
  const follow = async (): Promise<void> => {
    try {
      await promise;
      seen.state = 'durable';
    } catch (error) {
      seen.state = error instanceof Error ? error.message : 'odd';
    }
  };
  void follow();
  return seen;
}

describe('groupWrites', () => {
  it('writes what arrives in one turn as one group, and tells each adder only when it is durable', async () => {
    const { groups, ends, grouped } = openWriter();
    const seen = ['a', 'b', 'c'].map((item) => watch(grouped.add(item)));
    await settled();
    expect(groups).toEqual([['a', 'b', 'c']]);
    expect(seen.map(({ state }) => state)).toEqual(['open', 'open', 'open']);
    ends[0]?.resolve();
    await settled();
    expect(seen.map(({ state }) => state)).toEqual(['durable', 'durable', 'durable']);
  });

  it('never writes two groups at the same time; what comes meanwhile is the next group', async () => {
    const { groups, ends, grouped } = openWriter();
    watch(grouped.add('a'));
    await settled();
    const later = [watch(grouped.add('b'))];
    await settled();
    later.push(watch(grouped.add('c')));
    await settled();
    expect(groups).toEqual([['a']]);
    ends[0]?.resolve();
    await settled();
    expect(groups).toEqual([['a'], ['b', 'c']]);
    ends[1]?.resolve();
    await settled();
    expect(later.map(({ state }) => state)).toEqual(['durable', 'durable']);
  });

  it('a group that fails fails its own items and no others', async () => {
    const { groups, ends, grouped } = openWriter();
    const lost = [watch(grouped.add('a')), watch(grouped.add('b'))];
    await settled();
    const next = watch(grouped.add('c'));
    await settled();
    ends[0]?.reject(new Error('disk full'));
    await settled();
    expect(lost.map(({ state }) => state)).toEqual(['disk full', 'disk full']);
    expect(groups).toEqual([['a', 'b'], ['c']]);
    expect(next.state).toBe('open');
    ends[1]?.resolve();
    await settled();
    expect(next.state).toBe('durable');
    const last = watch(grouped.add('d'));
    await settled();
    ends[2]?.resolve();
    await settled();
    expect(groups[2]).toEqual(['d']);
    expect(last.state).toBe('durable');
  });

  it('lets join what comes later in the same turn, after other work of that turn', async () => {
    const { groups, grouped } = openWriter();
    watch(grouped.add('a'));
    for (let step = 0; step < 50; step += 1) await Promise.resolve();
    await new Promise<void>((resolve) => {
      process.nextTick(resolve);
    });
    watch(grouped.add('b'));
    await settled();
    expect(groups).toEqual([['a', 'b']]);
  });

  it('is idle once everything is written or has failed, also what was added meanwhile', async () => {
    const { ends, grouped } = openWriter();
    watch(grouped.add('a'));
    const idle = watch(grouped.idle());
    await settled();
    watch(grouped.add('b'));
    ends[0]?.reject(new Error('full'));
    await settled();
    expect(idle.state).toBe('open');
    ends[1]?.resolve();
    await settled();
    expect(idle.state).toBe('durable');
    const again = watch(grouped.idle());
    await settled();
    expect(again.state).toBe('durable');
  });

  it.each<[string, () => Promise<void>]>([
    ['rejects', () => Promise.reject(new Error('no timer'))],
    [
      'throws at once',
      () => {
        throw new Error('no timer');
      },
    ],
  ])('writes what there is where gathering %s, this time and every time', async (_, gathered) => {
    const groups: string[][] = [];
    const grouped = groupWrites<string>(gathered, async (items) => {
      groups.push([...items]);
    });
    for (const item of ['a', 'b']) await grouped.add(item);
    expect(groups).toEqual([['a'], ['b']]);
  });

  it('a writer that throws at once is a group that failed', async () => {
    const grouped = groupWrites<string>(nextTurn, () => {
      throw new Error('closed');
    });
    await expect(grouped.add('a')).rejects.toThrow('closed');
    await expect(grouped.add('b')).rejects.toThrow('closed');
  });
});
