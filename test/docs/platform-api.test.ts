// docs/platform-api.md against the code's own lists of what the platform has.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EVENT_CATALOGUE } from '../../src/model/events/event-catalogue.js';
import { EVENT_FIELDS } from '../../src/model/events/event-columns.js';
import {
  EDUCATION_FIELDS,
  EXPERIENCE_FIELDS,
  PERSON_FIELDS,
} from '../../src/model/resources/person-record.js';
import { COMPANY_FIELDS, POSITION_FIELDS, PROFILE_FIELDS } from '../../src/model/result.js';

const page = readFileSync('docs/platform-api.md', 'utf8');
const sections = new Map(
  page.split(/^##+ /m).map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    return [heading, lines.join('\n')];
  }),
);

describe('the fields', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['Profile', PROFILE_FIELDS],
    ['Company of a position group', COMPANY_FIELDS],
    ['Entry of profilePositions', POSITION_FIELDS],
    ['Person record', PERSON_FIELDS],
    ['Education entry', EDUCATION_FIELDS],
    ['Experience entry', EXPERIENCE_FIELDS],
  ])('of "%s" are all there in order, each with its type', (section, types) => {
    const [list = ''] = /^(\n|^)`[\s\S]*$/m.exec(sections.get(section) ?? '') ?? [];
    const told = [...list.matchAll(/`(\w+)`(?:\s\(([^):]+)[^)]*\))?/g)].map(
      ([, name = '', type = 'string']) => [name, type.replace(/\s+/g, ' ')],
    );
    expect(told.filter(([name]) => name !== 'positionGroups')).toEqual(Object.entries(types));
  });

  it('of an event are all there', () => {
    const others = ['Email recipients', 'Third-party reply'].map((name) => sections.get(name));
    const told = new Set([...namesInRows('Payload', 1), ...namesIn(others.join(''))]);
    const fields = EVENT_FIELDS.filter(({ field }) => field !== undefined);
    expect(fields.filter(({ field = '' }) => !told.has(field))).toEqual([]);
  });
});

it('"Event types" has every event, in order', () => {
  expect(namesInRows('Event types', 2)).toEqual(EVENT_CATALOGUE.map(({ type }) => type));
});

function namesIn(text: string): string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}

/** Of the table of a section; columns count from 1. */
function namesInRows(section: string, column: number): string[] {
  const rows = (sections.get(section) ?? '').split('\n').filter((line) => line.startsWith('| '));
  return rows.flatMap((row) => namesIn(row.split('|')[column] ?? ''));
}
