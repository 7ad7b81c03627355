import { describe, expect, it } from 'vitest';
import { sandboxLedgerOf, watchDatabase } from '../../../src/app/state/state-file.js';
import type { RunEvent } from '../../../src/model/telemetry/observe.js';

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
