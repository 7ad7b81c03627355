// The invoice of the sandbox: right, or wrong in six ways.
import { describe, expect, it } from 'vitest';
import { NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import { makeInvoice, WRONG_WAYS } from '../../../src/sandbox/ledger/invoice.js';
import type { LedgerEntry } from '../../../src/sandbox/ledger/ledger.js';

const ENTRIES = Array.from(
  { length: 2_000 },
  (_, i): LedgerEntry => ({
    id: `enr_${i}`,
    fingerprint: `f${i}`,
    ask: ['find_email'],
    inputs: {},
    acceptedAt: i,
    readyAt: i,
    polls: 0,
    deliveries: 0,
    credits: i % 3 === 0 ? 0 : 5,
  }),
);
const TERMS = { seed: 1, prices: NEUTRAL_DIALECT.prices, share: 0, now: 1_999 };

describe('the invoice of the sandbox', () => {
  it('that is right has each charge once, and no miss', () => {
    const { charges, wrong } = makeInvoice(ENTRIES, TERMS);
    const due = ENTRIES.filter(({ credits }) => credits > 0);
    expect(charges).toEqual(
      due.map(({ credits, id, readyAt }) => ({ ticket: id, chargedAt: readyAt, credits })),
    );
    expect(wrong.size).toBe(0);
  });

  it('leaves out what is not ready', () => {
    expect(makeInvoice(ENTRIES, { ...TERMS, now: 1 }).charges).toHaveLength(1);
  });

  it('is wrong for that share, in all six ways, by the seed', () => {
    const terms = { ...TERMS, share: 0.05 };
    const { wrong } = makeInvoice(ENTRIES, terms);
    expect(new Set(wrong.values())).toEqual(new Set(WRONG_WAYS));
    expect(wrong.size).toBeGreaterThan(60);
    expect(wrong.size).toBeLessThan(140);
    expect(makeInvoice(ENTRIES, terms).wrong).toEqual(wrong);
    const other = makeInvoice(ENTRIES, { ...TERMS, share: 0.05, seed: 2 }).wrong;
    expect(other).not.toEqual(wrong);
  });
});
