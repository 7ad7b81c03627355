import { describe, expect, it } from 'vitest';
import type { Ask } from '../../src/model/ask.js';
import { describeLack, lackOf } from '../../src/run/advise.js';
import { judge } from '../helpers/judge.js';
import { TERMS } from '../helpers/test-run.js';

const NAMES = ['Ada', 'Bob', 'Eve'];
const DOMAINS = ['engines.example', 'https://www.acme.com/x', 'firm.org'];

function adviceFor(
  table: Readonly<Record<string, readonly string[]>>,
  ask: readonly Ask[] = ['find_email'],
): string {
  const names = Object.keys(table);
  const columns = names.map((name) => ({ key: name, name }));
  const records = NAMES.map((_, at) => ({
    source: 0,
    line: at + 2,
    cells: names.map((name) => table[name]?.[at] ?? ''),
  }));
  return describeLack(lackOf(judge(columns, {}, { ask, records }), { ...TERMS, ask }));
}

describe('where most leads are skipped', () => {
  it('a column that looks like what they lack is told, with the flag', () => {
    const table = { 'First name': NAMES, 'Last name': NAMES, Website: [], 'Website 2': DOMAINS };
    expect(adviceFor(table)).toContain("--map companyDomain='Website 2'");
    expect(adviceFor({ ...table, Website: ['a.com', 'b.com'] })).toBe('');
  });

  it('domains, profiles and addresses are known by their values, names by header and values', () => {
    const named = { 'First name': NAMES, 'Last name': NAMES };
    expect(adviceFor({ ...named, 'Where they work': DOMAINS })).toContain(
      "companyDomain='Where they work'",
    );
    expect(adviceFor({ ...named, Employers: ['Acme', 'Firm', 'Engines'] })).toContain(
      'companyName=Employers',
    );
    const people = ['Ada Lovelace', 'Bob Ross', 'Eve Byron'];
    expect(adviceFor({ 'Full name of guest': people, Company: NAMES, Phone: NAMES })).toContain(
      "--map fullName='Full name of guest'",
    );
    const profiles = NAMES.map((name) => `https://linkedin.com/in/${name}`);
    expect(adviceFor({ Company: NAMES, Where: profiles })).toContain('--map socialUrl=Where');
  });

  it('what holds something else is not told, nor the address of one whose address is sought', () => {
    const named = { 'First name': NAMES, 'Last name': NAMES };
    expect(adviceFor({ ...named, 'Website visits': ['3', '17', '2'] })).toBe('');
    expect(adviceFor({ ...named, middle_name: NAMES, last_active: NAMES })).toBe('');
    expect(adviceFor({ ...named, 'Old mail': ['a@b.example', 'c@d.example'] })).not.toContain(
      'email=',
    );
    const addresses = ['a@acme.com', 'c@acme.com', 'e@acme.com'];
    expect(adviceFor({ ...named, 'Old mail': addresses }, ['verify_email'])).toContain(
      "--map email='Old mail'",
    );
    // Nothing else says who they are, and a profile can be found by it.
    const both = ['find_email', 'social_enrichment'] as const;
    expect(adviceFor({ ...named, Mail: addresses }, both)).toContain('--map email=Mail');
    const more = { ...named, Mail: addresses, 'Where they work': DOMAINS };
    expect(adviceFor(more, both)).not.toContain('email=');
  });

  it('a column whose name is none is not repeated', () => {
    const table = { 'First name': NAMES, 'Last name': NAMES, 'password=hunter2': DOMAINS };
    expect(adviceFor(table)).toBe('');
  });
});
