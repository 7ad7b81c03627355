// The first paid call where nothing free has shown that address and credentials are right, and a bulk call that is not
// there.
import { describe, expect, it } from 'vitest';
import { processRun } from '../../../src/run/process-run.js';
import { submit } from '../../../src/run/send/submit.js';
import { atCall } from '../../helpers/around.js';
import { names, people, readerOf } from '../../helpers/people.js';
import type { Script } from '../../helpers/scripted-platform.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import {
  type Changes,
  createWorld,
  openLoaded,
  openProcess,
  sendAll,
  statusesOf,
} from '../../helpers/test-run.js';

const folder = tempFolder();
function submitted(script: Script, count: number, changes: Changes = {}) {
  return sendAll(createWorld(folder, script), names(count), changes);
}

const whenReady = () => Promise.resolve(false);
const all = (count: number, status: string) => names(count).map(() => status);

describe('where the platform has no question that costs nothing', () => {
  it('the first call is sent alone, and the rest waits for its answer', async () => {
    const { platform, statuses, ending } = await submitted({ submitMs: 1_000 }, 9, { whenReady });
    expect([ending, statuses]).toEqual(['ended', all(9, 'awaiting')]);
    const [first, ...rest] = platform.submissions.map(({ at }) => at);
    expect(Math.min(...rest)).toBeGreaterThanOrEqual((first ?? 0) + 1_000);
    expect(platform.inFlightMax.submit).toBe(4);
  });

  it('a first call that was refused for its lead shows as much', async () => {
    const script: Script = {
      submitMs: 1_000,
      submit: (who) => (who === 'a1' ? 'refused' : 'accepted'),
    };
    const { platform, statuses } = await submitted(script, 5, { whenReady });
    expect(statuses).toEqual(['failed', ...all(4, 'awaiting')]);
    expect(platform.inFlightMax.submit).toBe(4);
  });

  it('a first call that the platform refuses for all ends it, and nothing else is sent', async () => {
    const { platform, statuses } = await submitted({ submit: () => 'final' }, 9, { whenReady });
    expect(platform.submissions).toHaveLength(1);
    expect(statuses).toEqual(all(9, 'queued'));
  });

  it('each call is sent alone until one is answered', async () => {
    const script: Script = {
      submitMs: 1_000,
      submit: (who) => (['a1', 'a2'].includes(who) ? 'lost' : 'accepted'),
    };
    const { platform, statuses } = await submitted(script, 6, { whenReady });
    expect(statuses).toEqual([...all(2, 'uncertain'), ...all(4, 'awaiting')]);
    const at = platform.submissions.map((one) => one.at);
    expect(new Set(at.slice(0, 4)).size).toBe(4);
  });

  it('the first bulk call asks for one enrichment', async () => {
    const { platform, statuses } = await submitted({}, 9, { whenReady, bulkMax: 5 });
    expect(statuses).toEqual(all(9, 'awaiting'));
    expect(platform.calls.map((call) => call.length)).toEqual([1, 4, 4]);
  });
});

describe('where nothing is answered', () => {
  const silent: Script = { submitMs: 1_000, call: () => 'lost', submit: () => 'lost' };
  const doubtful = ({ statuses }: { readonly statuses: readonly string[] }) =>
    statuses.filter((status) => status === 'uncertain').length;

  it('bulk calls leave about as many uncertain as single requests', async () => {
    for (const [bulkMax, concurrency] of [
      [1, 8],
      [10, 8],
      [500, 8],
    ] as const) {
      const ended = await submitted(silent, 60, { bulkMax, concurrency });
      expect(ended.ending).toBe('reset');
      expect(doubtful(ended)).toBeLessThanOrEqual(9);
    }
  });

  it.each([
    ['was lost', 'lost'],
    ['was not accepted', 'unsent'],
  ] as const)('the next run begins with one request, where the last one %s', async (_, fate) => {
    let now: typeof fate | 'accepted' = fate;
    const world = createWorld(folder, { submitMs: 1_000, submit: () => now });
    const send = async () => {
      const process = await openProcess(world, { concurrency: 20 });
      const before = world.platform.submissions.length;
      const { problem } = await world.clock.drive(
        processRun(process.context, readerOf(people(names(60))), false),
      );
      const said = problem instanceof Error ? problem.message : '';
      await process.close();
      return [world.platform.submissions.length - before, said] as const;
    };
    const [first] = await send();
    expect(first).toBeGreaterThan(4);
    for (let i = 0; i < 2; i += 1) {
      expect(await send()).toEqual([1, expect.stringContaining('so this one sent a single')]);
    }
    now = 'accepted';
    const [sent, problem] = await send();
    expect(sent).toBeGreaterThan(20);
    expect(problem).toBe('');
  });
});

describe('where there is no bulk call', () => {
  it('every enrichment is sent by itself, once, and it is said once', async () => {
    const script: Script = { call: () => 'absent', submitMs: 1_000 };
    const { events, ending, platform, statuses } = await submitted(script, 30, { bulkMax: 5 });
    expect([ending, statuses]).toEqual(['ended', all(30, 'awaiting')]);
    const accepted = platform.submissions.filter(({ fate }) => fate === 'accepted');
    expect(accepted.map(({ who }) => who).sort()).toEqual(names(30).sort());
    expect(accepted.every(({ call }) => call === undefined)).toBe(true);
    expect(platform.calls.length).toBeLessThanOrEqual(4);
    const warned = events.filter((event) => event.kind === 'run.warned');
    expect(warned).toMatchObject([{ warning: 'no_bulk_call' }]);
    expect(platform.permitsOut()).toBe(0);
  });

  it('sending ends where a single one cannot bring its result', async () => {
    const changes = { bulkMax: 5, takesSingles: false };
    const { ending, platform, statuses } = await submitted({ call: () => 'absent' }, 9, changes);
    expect(ending).toContain('no such path');
    expect(statuses).toEqual(all(9, 'queued'));
    expect(platform.calls.length).toBeLessThanOrEqual(2);
  });

  it('a process that dies before it could write that down sends none of them again', async () => {
    const world = createWorld(folder, { call: () => 'absent' });
    const process = await openLoaded(world, names(5), { bulkMax: 5 });
    const { context } = process;
    const dies = () => Promise.reject(new Error('killed'));
    const store = atCall(context.store, 'recordSubmits', 1, dies);
    await expect(world.clock.drive(submit({ ...context, store }))).rejects.toThrow('killed');
    await context.store.recover(1);
    expect(await statusesOf(context)).toEqual(all(5, 'uncertain'));
  });
});
