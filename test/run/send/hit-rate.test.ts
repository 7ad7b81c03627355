import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SluiceError } from '../../../src/model/errors.js';
import { judgeHits, parseHitRate } from '../../../src/model/schedule/hit-rate.js';
import { processRun } from '../../../src/run/process-run.js';
import { names, people, readerOf } from '../../helpers/people.js';
import type { ReadFate, Script } from '../../helpers/scripted-platform.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { createWorld, openProcess, statusesOf, type World } from '../../helpers/test-run.js';

const folder = tempFolder();
const RATE = { percent: 50, of: 10 };

async function work(world: World, stopBelow: typeof RATE | undefined, count = 40) {
  const { context } = await openProcess(world, { stopBelow });
  const reader = readerOf(people(names(count)));
  const { problem } = await world.clock.drive(processRun(context, reader, false));
  const statuses = await statusesOf(context);
  return { problem: problem as SluiceError | undefined, statuses };
}

/** The first leads are found or not as `said` says; the others are found. */
function firstly(said: string, changes: Script = {}): Script {
  const fates: Readonly<Record<string, ReadFate>> = {
    f: 'filled',
    m: 'empty',
    e: 'failed',
    u: 'odd',
  };
  const read = (who: string): ReadFate => fates[said[Number(who.slice(1)) - 1] ?? 'f'] ?? 'pending';
  return { read, ...changes };
}

function sentIn({ platform }: World): number {
  return platform.submissions.length;
}

describe('stop-below', () => {
  it('ends the sending where too little is found in the leads that were sent first, and no others were', async () => {
    const world = createWorld(folder, firstly('fmmemffmmf'));
    const { problem, statuses } = await work(world, RATE);
    expect(problem?.code).toBe('hit-rate');
    expect(problem?.message).toMatch(
      /^Of the first \d+ leads that the platform answered, it found something for [1-4]: that is, or will be, less than 50 % of the first 10\. To send the others all the same, lower or remove the key stop-below and run again: it continues\.$/,
    );
    expect(sentIn(world)).toBeLessThanOrEqual(10);
    expect(statuses.filter((one) => one === 'queued')).toHaveLength(40 - sentIn(world));
    expect(statuses).not.toContain('awaiting');

    const sent = sentIn(world);
    expect((await work(world, RATE)).problem?.code).toBe('hit-rate');
    expect(sentIn(world)).toBe(sent);
    const without = await work(world, undefined);
    expect(without.problem).toBeUndefined();
    expect(sentIn(world)).toBe(40);
  });

  it('sends the others once enough is found, whatever the answers to come say', async () => {
    const world = createWorld(folder, firstly('fffff.....'));
    const { problem, statuses } = await work(world, RATE);
    expect(problem).toBeUndefined();
    expect(statuses.filter((one) => one === 'found')).toHaveLength(35);
    const others = world.platform.submissions.findIndex(({ who }) => who === 'a11');
    const late = world.platform.reads.findLast(({ who }) => who === 'a10')?.at ?? 0;
    expect(world.platform.submissions[others]?.at).toBeLessThan(late);
  });

  it('waits for no answer that has come and cannot be read', async () => {
    const world = createWorld(folder, firstly('uuuu'));
    const { problem } = await work(world, { percent: 50, of: 2 }, 4);
    expect(problem).toMatchObject({ code: 'platform', facts: { unread: 4 } });
    expect(sentIn(world)).toBe(4);
  });

  it('counts the next lead for one that is uncertain', async () => {
    const submit = (who: string) => (who === 'a1' || who === 'a2' ? 'lost' : 'accepted');
    const world = createWorld(folder, firstly('..mmmmmfffff', { submit }));
    const { problem } = await work(world, RATE, 12);
    expect(problem).toBeUndefined();
    expect(sentIn(world)).toBe(12);
  });

  it('ends no run that has nothing left to send', async () => {
    const world = createWorld(folder, firstly('mmmmmmmmmm'));
    expect((await work(world, RATE, 4)).problem).toBeUndefined();
  });

  it('falls with the last answer as it falls before', () => {
    const answers = fc.array(fc.boolean(), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(answers, fc.integer({ min: 0, max: 99 }), (all, percent) => {
        const rate = { percent, of: all.length };
        const found = all.filter(Boolean).length;
        const end = found * 100 < percent * all.length ? 'too few' : 'enough';
        for (let n = 0; n <= all.length; n += 1) {
          const hits = all.slice(0, n).filter(Boolean).length;
          const verdict = judgeHits(rate, { found: hits, missed: n - hits, open: 0 });
          expect(n === all.length ? [end] : [end, 'open']).toContain(verdict);
        }
      }),
    );
  });

  it.each(['20 %', '100 % of 20', '20 % of 0', '20 % of 10001', 'of 20', '20 % of 2 0'])(
    'is not written as %s',
    (text) => expect(parseHitRate(text)).toBeUndefined(),
  );

  it('is written with or without blanks', () => {
    expect([parseHitRate('20 % of 200'), parseHitRate('2.5%of 40')]).toEqual([
      { percent: 20, of: 200 },
      { percent: 2.5, of: 40 },
    ]);
  });
});
