import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  columnRenames,
  describeColumns,
  outputColumns,
  REJECT_COLUMNS,
  rejectRow,
} from '../../../src/model/columns/output-columns.js';
import type { PositionShape } from '../../../src/model/columns/positions.js';
import type { Column } from '../../../src/model/lead.js';

const wide2: PositionShape = { kind: 'wide', count: 2 };
const shapes: PositionShape[] = [{ kind: 'current' }, wide2, { kind: 'long' }, { kind: 'json' }];

const leadNames = words(`
  sluice_status sluice_reason enrichment_id source credits enriched_at email
  email_status platform_email_status email_domain_matches phone name_matches company_matches
  email_is_role email_is_free email_is_catch_all
`);
// Copied by hand from the platform's documentation (docs/platform-api.md, Resources), not from the source.
const profileNames = words(`
  social_url social_member_id social_classic_id social_first_name social_last_name
  social_picture social_location_name social_tagline social_industry social_summary
  social_languages social_skills company_name company_linkedin_url social_occupation
  company_domain company_id company_website company_description company_founded_on
  company_employees_on_social company_industry company_logo company_type
  company_head_quarter company_size
`);
const positionNames = words(`
  title description stated_company_name start end group_start group_end company_id
  company_name company_social_url company_social_url_sales_nav company_logo
  company_domain company_website company_industry company_description
  company_employees_on_social company_founded_on company_head_quarter company_size
  company_type
`);

function words(list: string): string[] {
  return list.trim().split(/\s+/);
}

function columns(...names: string[]): Column[] {
  return names.map((name) => ({ name, key: name }));
}

function namesOf(input: Column[], shape: PositionShape): string[] {
  return outputColumns(input, shape).map(({ name }) => name);
}

describe('outputColumns', () => {
  it("has every field of the document's tables in wide, once for each position", () => {
    expect(namesOf([], wide2)).toEqual([
      ...leadNames,
      ...profileNames,
      ...positionNames.map((name) => `position_1_${name}`),
      ...positionNames.map((name) => `position_2_${name}`),
    ]);
  });

  it("has every field of the document's tables in long, after the numbers of group and position", () => {
    expect(namesOf([], { kind: 'long' })).toEqual([
      ...leadNames,
      ...profileNames,
      'position_group',
      'position_order',
      ...positionNames.map((name) => `position_${name}`),
    ]);
  });

  it("leaves the input's columns as they are, in front, even when a header is empty or repeated", () => {
    const input = [
      { name: 'Name', key: 'Name' },
      { name: '', key: 'column_2' },
      { name: 'Name', key: 'Name_2' },
    ];
    const columns = outputColumns(input, { kind: 'json' }).slice(0, 4);
    expect(columns.map(({ name, key, kind }) => ({ name, key, kind }))).toEqual([
      { name: 'Name', key: 'Name', kind: 'original' },
      { name: '', key: 'column_2', kind: 'original' },
      { name: 'Name', key: 'Name_2', kind: 'original' },
      { name: 'sluice_status', key: 'sluice_status', kind: 'text' },
    ]);
  });

  it('tells the writer which cells are text, phones, times, numbers, booleans and JSON', () => {
    const kinds = new Map(
      shapes.flatMap((shape) => outputColumns([], shape)).map(({ name, kind }) => [name, kind]),
    );
    expect(kinds.get('sluice_reason')).toBe('text');
    expect(kinds.get('social_url')).toBe('text');
    expect(kinds.get('enriched_at')).toBe('dateTime');
    expect(kinds.get('position_1_start')).toBe('text');
    expect(kinds.get('phone')).toBe('phone');
    expect(kinds.get('credits')).toBe('number');
    expect(kinds.get('position_2_company_founded_on')).toBe('integer');
    expect(kinds.get('email_domain_matches')).toBe('boolean');
    expect(kinds.get('position_groups')).toBe('positions');
  });

  it('gives way to an input column by its name or by its key', () => {
    const input = [...columns('email'), { name: '', key: 'phone' }, { name: 'source', key: 'x' }];
    const names = namesOf(input, { kind: 'json' });
    expect(names.slice(0, 3)).toEqual(['email', '', 'source']);
    expect(names.slice(3)).toContain('sluice_email');
    expect(names.slice(3)).toContain('sluice_phone');
    expect(names.slice(3)).toContain('sluice_source');
    expect(names.slice(3)).not.toContain('phone');
    expect(names.slice(3)).not.toContain('source');
  });

  it('has unique keys of its own, the same ones every time, whatever the input has', () => {
    const ours = describeColumns(wide2).map(({ name }) => name);
    const hostile = fc.tuple(
      fc.constantFrom('', 'sluice_', 'sluice_sluice_'),
      fc.constantFrom(...ours),
      fc.constantFrom('', '_2', '_3'),
    );
    const inputs = fc.uniqueArray(
      hostile.map((parts) => parts.join('')),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(inputs, (names) => {
        const output = outputColumns(columns(...names), wide2);
        expect(new Set(output.map(({ key }) => key)).size).toBe(output.length);
        expect(output.length).toBe(names.length + ours.length);
        expect(outputColumns(columns(...names), wide2)).toEqual(output);
      }),
    );
  });
});

describe('columnRenames', () => {
  it('is empty where nothing collides, and minds the case of letters', () => {
    expect(columnRenames(columns('Email', 'name'), describeColumns(wide2))).toEqual([]);
  });

  it('counts on where the new name is taken as well', () => {
    const input = columns('email', 'phone', 'sluice_phone', 'sluice_phone_2', 'sluice_status');
    expect(columnRenames(input, describeColumns(wide2))).toEqual([
      { name: 'sluice_status', renamedTo: 'sluice_sluice_status' },
      { name: 'email', renamedTo: 'sluice_email' },
      { name: 'phone', renamedTo: 'sluice_phone_3' },
    ]);
  });

  it('names only columns of the shape that is written', () => {
    const input = columns('position_title');
    expect(columnRenames(input, describeColumns({ kind: 'json' }))).toEqual([]);
    expect(columnRenames(input, describeColumns({ kind: 'long' }))).toEqual([
      { name: 'position_title', renamedTo: 'sluice_position_title' },
    ]);
  });
});

describe('describeColumns', () => {
  it('says of every column what it holds', () => {
    for (const { name, about } of shapes.flatMap((shape) => describeColumns(shape))) {
      expect(about, name).toMatch(/^[A-Z`].{5,}[^.]$/);
    }
  });
});

it('names the source of a reject, and keeps its raw text', () => {
  const reject = { source: 1, line: 7, reason: 'not an object', raw: '=1' };
  const row = rejectRow(reject, ['a.ndjson', 'b.ndjson']);
  expect(Object.fromEntries(REJECT_COLUMNS.map(({ key }, n) => [key, row[n]]))).toEqual({
    source: 'b.ndjson',
    line: 7,
    reason: 'not an object',
    raw: '=1',
  });
});
