import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  reportNewState,
  sandboxLedgerOf,
  watchDatabase,
} from '../../../src/app/state/state-file.js';
import { aboutState } from '../../../src/cli/print/describe-event.js';
import type { RunEvent } from '../../../src/model/telemetry/observe.js';
import { openStore } from '../../../src/store/open-store.js';
import { runPlan } from '../../helpers/leads.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const folder = tempFolder();

describe('a database that goes', () => {
  it('is told of once, and when it is back, however many wait for it', () => {
    const events: RunEvent[] = [];
    let now = 1_000;
    const tell = watchDatabase((event) => events.push(event), { now: () => now });
    tell(null);
    tell('it was stopped');
    tell('nothing answers there');
    now = 61_000;
    tell(null);
    tell(null);
    tell('it was stopped');
    const gone = {
      kind: 'run.warned',
      warning: 'database_gone',
      message:
        'The database has gone: it was stopped. It is waited for; nothing that was paid for is lost.',
    };
    expect(events).toEqual([gone, { kind: 'state.back', durationMs: 60_000 }, gone]);
  });
});

describe("the sandbox's ledger", () => {
  it('lies beside a state file, and for each database in a file of its own', () => {
    expect(sandboxLedgerOf('jobs/a.db')).toBe('jobs/a.db-sandbox.ndjson');
    const [one, other] = ['postgres://db/one', 'postgres://db/other'].map(sandboxLedgerOf);
    expect(one).toMatch(/^data\/[0-9a-f]{12}-sandbox\.ndjson$/);
    expect(other).not.toBe(one);
  });
});

it('a new state on the disk of another machine is told to be there, once', async () => {
  const path = join(folder, 'state.db');
  const store = await openStore(path);
  const events: RunEvent[] = [];
  const report = () =>
    reportNewState(
      store,
      path,
      (event) => events.push(event),
      () => true,
    );
  await report();
  expect(events.map(aboutState)).toEqual([
    `The state file ${path} holds no run yet: what was paid for before is not known here. It is on the disk of another machine, where its locks and its log are not reliable: name a file on a disk of this machine with --state or SLUICE_STATE.`,
  ]);
  await store.startRun(runPlan(), 1_000);
  await report();
  expect(events).toHaveLength(1);
  await store.close();
});
