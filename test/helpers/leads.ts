// Leads and plans as short as a test wants them.
import { createHash } from 'node:crypto';
import type { RunPlan } from '../../src/model/run.js';
import type { AskedLead, LeadEntry, Wanted } from '../../src/ports/store/enrichments.js';

export const COLUMNS = [{ key: 'name', name: 'name' }];

export function runPlan(changes: Partial<RunPlan> = {}): RunPlan {
  return {
    job: 'nightly',
    account: 'acc',
    address: 'here',
    ask: ['find_email'],
    map: {},
    terms: 't1',
    signature: 's1',
    sources: ['leads.csv'],
    deadlineMs: 1_800_000,
    freshForMs: 0,
    arePricesAssumed: false,
    prices: { find_email: 5 },
    output: {
      out: 'out.csv',
      positions: 'current',
      delimiter: ',',
      bom: false,
      excel: false,
      formulaGuard: true,
    },
    ...changes,
  };
}

/** A lead that asks; leads of one `who` share a fingerprint. */
export function asked(position: number, who: string): AskedLead {
  return {
    kind: 'asked',
    position,
    source: 0,
    line: position + 1,
    cells: [who],
    note: null,
    fingerprint: fingerprintOf(who),
    request: { ask: ['find_email'], inputs: { firstName: who, companyDomain: 'example.com' } },
  };
}

export function skippedLead(position: number, note: string): LeadEntry {
  return { kind: 'skipped', position, source: 0, line: position + 1, cells: ['x'], note };
}

/** A lead that the user did not choose. */
export function notAskedLead(position: number, note: string): LeadEntry {
  return { ...skippedLead(position, note), kind: 'not_asked' };
}

/** What a store is asked about. */
export function knownBy(who: string): Wanted {
  return asked(1, who);
}

export function fingerprintOf(who: string): Uint8Array {
  return createHash('sha256').update(who).digest().subarray(0, 16);
}
