import { describe, expect, it } from 'vitest';
import type { SourceRecord } from '../../src/domain/lead.js';
import { resolveMapping } from '../../src/domain/mapping.js';
import type { LeadEntry } from '../../src/domain/ports/store.js';
import type { AskingTerms } from '../../src/pipeline/run-context.js';
import { toLeadEntry } from '../../src/pipeline/to-lead-entry.js';
import { TERMS } from '../helpers/test-run.js';

const COLUMNS = ['first_name', 'last_name', 'domain', 'email'].map((name) => ({ key: name, name }));
const MAPPING = resolveMapping(COLUMNS, {});

function entryOf(cells: SourceRecord['cells'], changes: Partial<AskingTerms> = {}): LeadEntry {
  return toLeadEntry({ source: 2, line: 9, cells }, 7, MAPPING, { ...TERMS, ...changes });
}

function fingerprintOf(entry: LeadEntry): string {
  return entry.kind === 'asked' ? Buffer.from(entry.fingerprint).toString('hex') : entry.kind;
}

describe('toLeadEntry', () => {
  it('keeps the cells to the letter and asks with the normalised inputs', () => {
    const cells = [' Ada ', 'LOVELACE', 'https://www.Example.com/about', ''];
    const entry = entryOf(cells);
    expect(entry).toMatchObject({
      kind: 'asked',
      position: 7,
      source: 2,
      line: 9,
      note: null,
      request: {
        ask: ['find_email'],
        inputs: { firstName: 'Ada', lastName: 'LOVELACE', companyDomain: 'example.com' },
      },
    });
    expect(entry.cells).toBe(cells);
  });

  it('two spellings of one person are one fingerprint; another person, account or ask is another', () => {
    const ada = ['Ada', 'Lovelace', 'example.com'];
    const one = fingerprintOf(entryOf(ada));
    expect(fingerprintOf(entryOf([' ADA', 'lovelace ', 'http://www.example.com/x']))).toBe(one);
    const others = [
      entryOf(['Adam', 'Lovelace', 'example.com']),
      entryOf(ada, { account: 'another' }),
      entryOf([...ada, 'ada@example.com'], { ask: ['find_email', 'verify_email'] }),
    ];
    expect(new Set([one, ...others.map(fingerprintOf)]).size).toBe(4);
  });

  it('skips a record that cannot be trusted, with its flaw as the reason', () => {
    const cells = ['Ada', 'Lovelace', 'example.com'];
    const record = { source: 0, line: 2, cells, flaw: 'ragged_row' };
    expect(toLeadEntry(record, 1, MAPPING, TERMS)).toMatchObject({
      kind: 'skipped',
      note: 'ragged_row',
      cells,
    });
  });

  it('skips malformed inputs, and cells that hold no text', () => {
    expect(entryOf(['Ada', 'Lovelace', 'no domain at all'])).toMatchObject({
      kind: 'skipped',
      note: 'malformed: companyDomain holds no domain name',
    });
    expect(entryOf(['Ada', ['Lovelace'], 'example.com'])).toMatchObject({
      kind: 'skipped',
      note: 'malformed: the column last_name holds no text',
    });
    expect(entryOf(['Ada', { of: 'Lovelace' }, 'example.com']).kind).toBe('skipped');
  });

  it('takes a number as text, and a missing or null cell as empty', () => {
    expect(entryOf(['Ada', 3, 'example.com'])).toMatchObject({
      request: { inputs: { lastName: '3' } },
    });
    expect(entryOf(['Ada', null, 'example.com']).kind).toBe('skipped');
    expect(entryOf(['Ada']).kind).toBe('skipped');
  });

  it('skips what no ask has inputs for, and says what is needed', () => {
    expect(entryOf(['Ada', '', 'example.com'])).toMatchObject({
      kind: 'skipped',
      note: expect.stringMatching(/^insufficient inputs: find_email needs socialUrl, or firstName/),
    });
  });

  it('asks for what the inputs suffice for, and notes what is left out', () => {
    const entry = entryOf(['', '', '', 'ada@example.com'], { ask: ['find_email', 'verify_email'] });
    expect(entry).toMatchObject({
      kind: 'asked',
      request: { ask: ['verify_email'], inputs: { email: 'ada@example.com' } },
      note: expect.stringMatching(/^insufficient inputs: find_email needs/),
    });
  });
});
