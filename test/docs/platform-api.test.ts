// docs/platform-api.md against the code's own lists of what the platform has.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { NEUTRAL_DIALECT } from '../../src/dialect/dialect.js';
import { EVENT_CATALOGUE } from '../../src/model/events/event-catalogue.js';
import { EVENT_FIELDS } from '../../src/model/events/event-columns.js';
import {
  EDUCATION_FIELDS,
  EXPERIENCE_FIELDS,
  PERSON_FIELDS,
} from '../../src/model/resources/person-record.js';
import { COMPANY_FIELDS, POSITION_FIELDS, PROFILE_FIELDS } from '../../src/model/result.js';
import { startSandbox } from '../sandbox/start-sandbox.js';

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

it('"Endpoints" has every route of the sandbox, but for those that steer it', async () => {
  const routes: string[] = [];
  const learn = (message: unknown): void => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) routes.push(`${name} ${url}`);
    });
  };
  subscribe('fastify.initialization', learn);
  await startSandbox().finally(() => unsubscribe('fastify.initialization', learn));
  const ofPlatform = routes
    .filter((route) => !route.includes(' /sandbox/'))
    .map((route) => route.replaceAll(/:(\w+)/g, '{$1}'));
  const told = [...sections.keys()].flatMap((heading) => heading.match(/[A-Z]+ \/\S+/g) ?? []);
  expect(told.length).toBeGreaterThan(5);
  expect(told.toSorted()).toEqual([...new Set(ofPlatform)].toSorted());
});

it('what is assumed names keys that a dialect has', () => {
  const keys = [...page.matchAll(/\*Assumed\* \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/`([^`]+)`/g)].map(([, key = '']) => key),
  );
  expect(keys.length).toBeGreaterThan(10);
  const at = (value: unknown, word: string): unknown =>
    typeof value === 'object' && value !== null
      ? new Map<string, unknown>(Object.entries(value)).get(word)
      : undefined;
  const isKey = (key: string) => key.split('.').reduce<unknown>(at, NEUTRAL_DIALECT) !== undefined;
  expect(keys.filter((key) => !isKey(key))).toEqual([]);
});

function namesIn(text: string): string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}

/** Of the table of a section; columns count from 1. */
function namesInRows(section: string, column: number): string[] {
  const rows = (sections.get(section) ?? '').split('\n').filter((line) => line.startsWith('| '));
  return rows.flatMap((row) => namesIn(row.split('|')[column] ?? ''));
}
