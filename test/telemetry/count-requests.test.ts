import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noCounts } from '../../src/model/report/series.js';
import type { Rate } from '../../src/model/schedule/rate.js';
import type { Route } from '../../src/model/telemetry/event-fields.js';
import type { RunEvent } from '../../src/model/telemetry/observe.js';
import type { Store } from '../../src/ports/store/store.js';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { countRequests } from '../../src/telemetry/count-requests.js';
import { createDrivenClock, type DrivenClock, settled } from '../helpers/driven-clock.js';
import { runPlan } from '../helpers/leads.js';
import { tempFolder } from '../helpers/temp-folder.js';

const folder = tempFolder();
/** The start of a second, and of a window of two. */
const T0 = 1_700_000_000_000;
const LIMIT: Rate = [{ requests: 20, perMs: 2_000 }];
let opened = 0;

describe('the requests of a run', () => {
  let clock: DrivenClock;
  let store: Store;
  let run: number;
  beforeEach(async () => {
    clock = createDrivenClock(T0);
    opened += 1;
    store = openSqliteStore(join(folder, `${opened}.db`));
    run = (await store.startRun(runPlan(), T0)).id;
  });
  afterEach(() => store.close());

  const count = (limit: Rate = LIMIT, observesRequests = false) => {
    const told: string[] = [];
    const watch = { observesRequests, observe: ({ kind }: RunEvent) => void told.push(kind) };
    const counter = countRequests(watch, { store, clock, limit });
    const { observe } = counter.watch;
    const answered = (route: Route, durationMs = 30): void =>
      observe({ kind: 'request.answered', route, attempt: 1, status: 200, durationMs });
    const send = (route: Route): void => {
      observe({ kind: 'request.sent', route, attempt: 1 });
      answered(route);
    };
    const pause = (pauseMs: number): void =>
      observe({ kind: 'limit.paused', route: 'result', status: 429, pauseMs });
    return { ...counter, told, send, pause };
  };
  const buckets = async () => (await store.series(run)).buckets;

  it('are counted by what they are for, and how long their answers took', async () => {
    const { begin, close, send } = count();
    begin(run);
    for (const route of ['submit', 'submit_bulk', 'result', 'account'] as const) send(route);
    await close();
    expect(await buckets()).toEqual([
      { ...noCounts(), at: T0, submits: 2, polls: 1, others: 1, peak: 4 },
    ]);
    expect((await store.series(run)).histograms.http.at(-1)).toBe(4);
  });

  it('before the run is known count for it all the same', async () => {
    const { begin, close, send } = count();
    send('account');
    begin(run);
    await close();
    await close();
    expect(await buckets()).toMatchObject([{ others: 1 }]);
  });

  it('are written once a second at most, and their peak is that of whole windows', async () => {
    const { begin, close, send } = count();
    begin(run);
    for (let i = 0; i < 5; i += 1) send('result');
    await settled();
    expect(await buckets()).toEqual([]);
    await clock.advance(1_100);
    for (let i = 0; i < 3; i += 1) send('result');
    await settled();
    expect(await buckets()).toMatchObject([
      { at: T0, polls: 5, peak: 6 },
      { at: T0 + 1_000, polls: 1, peak: 0 },
    ]);
    await clock.advance(900);
    send('result');
    await close();
    expect(await buckets()).toMatchObject([
      { at: T0, polls: 5, peak: 8 },
      { at: T0 + 1_000, polls: 3, peak: 0 },
      { at: T0 + 2_000, polls: 1, peak: 1 },
    ]);
  });

  it('without a limit have the peak of each second', async () => {
    const { begin, close, send } = count([]);
    begin(run);
    send('submit');
    await clock.advance(1_000);
    for (let i = 0; i < 3; i += 1) send('submit');
    await close();
    expect((await buckets())?.map(({ peak }) => peak)).toEqual([1, 3]);
  });

  it('are told from pauses, whose time counts once where they overlap', async () => {
    const { begin, close, pause } = count();
    begin(run);
    pause(3_000);
    pause(2_000);
    await clock.advance(1_000);
    pause(5_000.4);
    await close();
    expect(await buckets()).toMatchObject([
      { at: T0, throttled: 2, pausedMs: 3_000 },
      { at: T0 + 1_000, throttled: 1, pausedMs: 3_000 },
    ]);
  });

  it('are told only to an observer that wants each of them', () => {
    const [some, all] = [count(LIMIT), count(LIMIT, true)];
    for (const { pause, send } of [some, all]) {
      send('submit');
      pause(1);
    }
    expect(some.told).toEqual(['limit.paused']);
    expect(all.told).toEqual(['request.sent', 'request.answered', 'limit.paused']);
  });

  it('are lost where they cannot be written, and stop nothing', async () => {
    const { begin, close, send } = count();
    begin(run);
    send('submit');
    await store.close();
    await close();
    store = openSqliteStore(join(folder, `${opened}.db`));
    expect(await buckets()).toEqual([]);
  });
});
