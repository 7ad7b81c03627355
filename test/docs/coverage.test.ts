// docs/coverage.md against the tests that it cites, and against the code's own lists of what the platform has.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { NEUTRAL_DIALECT } from '../../src/dialect/dialect.js';
import {
  EVENT_CATALOGUE,
  EVENT_GROUPS,
  type EventGroup,
  REMOVED_EVENTS,
} from '../../src/model/events/event-catalogue.js';
import { EVENT_FIELDS } from '../../src/model/events/event-columns.js';
import {
  EDUCATION_FIELDS,
  EXPERIENCE_FIELDS,
  PERSON_FIELDS,
} from '../../src/model/resources/person-record.js';
import { documentedFields } from '../../src/model/resources/schema-drift.js';
import { COMPANY_FIELDS, POSITION_FIELDS, PROFILE_FIELDS } from '../../src/model/result.js';
import { startSandbox } from '../sandbox/start-sandbox.js';
import { followCitations } from './citations.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What has no meaning for a side, and why, in a few words. */
const NOTHING = /^— \S+( \S+){0,5}$/;
const DIALECT_KEYS = /\(dialect [^)]*\)/g;
const ROUTE = /^(DELETE|GET|PATCH|POST|PUT) \//;

interface Row {
  readonly section: string;
  /** What the document says. */
  readonly says: string;
  /** The names of tests, or the dash, for Sluice and for the sandbox. */
  readonly cells: readonly (readonly string[])[];
}

const [table = '', index = ''] = readFileSync(join(ROOT, 'docs/coverage.md'), 'utf8').split(
  '## The tests',
);
const rows = rowsIn(table);
const tests = testsIn(index);

function rowsIn(markdown: string): Row[] {
  let section = '';
  return markdown.split('\n').flatMap((line) => {
    section = /^#+ (.+)$/.exec(line)?.[1] ?? section;
    if (!line.startsWith('| ') || line.startsWith('| document |')) return [];
    const [says = '', ...cells] = line.slice(2, -2).split(' | ');
    return [{ section, says, cells: cells.map((cell) => cell.split(', ')) }];
  });
}

/** Each as it is named in the rows, with its file and title. */
function testsIn(markdown: string): Map<string, string> {
  let file = '';
  const lines = markdown.split('\n').flatMap((line): [string, string][] => {
    file = /^`.+`$/.exec(line)?.[0] ?? file;
    const [, name, title] = /^- (\S+): (".+")$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, `${file}: ${title}`]];
  });
  const byName = new Map(lines);
  expect(byName.size).toBe(lines.length);
  return byName;
}

describe('every row', () => {
  it('tells what the document says, a test of Sluice and one of the sandbox', () => {
    expect(rows.length).toBeGreaterThan(100);
    const wrong = rows.filter(
      ({ says, cells }) =>
        says === '' ||
        cells.length !== 2 ||
        cells.some(
          (cell) => !cell.every((part) => tests.has(part)) && !NOTHING.test(cell.join(', ')),
        ),
    );
    expect(wrong).toEqual([]);
  });

  it('has a test', () => {
    const bare = rows.filter(({ cells }) => !cells.flat().some((part) => tests.has(part)));
    expect(bare).toEqual([]);
  });

  it('cites files that are there, and titles that stand in them once', () => {
    const { wrong, files } = followCitations([...tests.values()]);
    expect(wrong).toEqual([]);
    expect(files).toBeGreaterThan(30);
  });
});

it('no test is listed that no row names', () => {
  const named = new Set(rows.flatMap(({ cells }) => cells.flat()));
  expect([...tests.keys()].filter((name) => !named.has(name))).toEqual([]);
});

const { answer, blocks, drafts, enrich, fields, hooks, lists, peopleSchema } = NEUTRAL_DIALECT;
const { positionGroups, ...insideOfGroups } = fields.structure;

describe('the fields', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['Profile', PROFILE_FIELDS],
    ['Company of a position group', COMPANY_FIELDS],
    ['Entry of profilePositions', POSITION_FIELDS],
    ['Person record', PERSON_FIELDS],
    ['Education entry', EDUCATION_FIELDS],
    ['Experience entry', EXPERIENCE_FIELDS],
  ])('of "%s" are all there, each with its type', (table, types) => {
    const told = rows.flatMap(({ section, says }) => {
      const [, type = ''] = /^([a-z -]+): /.exec(says) ?? [];
      const isTyped = section === table && Object.values(types).includes(type);
      return isTyped ? namesIn(says).map((name) => [name, type]) : [];
    });
    expect(Object.fromEntries(told)).toEqual(types);
  });

  it.each<[string, unknown]>([
    [
      'Enrichment',
      [
        enrich?.ticket,
        answer.read.entries,
        answer.read.ticket,
        answer.read.blocks,
        answer.webhook.type,
        answer.webhook.types.slice(0, 1),
      ],
    ],
    ['Result blocks', [blocks, fields.find_email, fields.find_phone]],
    ['Profile', [Object.keys(PROFILE_FIELDS), positionGroups]],
    ['Position group', insideOfGroups],
    ['Company of a position group', Object.keys(COMPANY_FIELDS)],
    ['Entry of profilePositions', [Object.keys(POSITION_FIELDS), insideOfGroups.date]],
    ['People schema', ['version', peopleSchema]],
    ['Person record', [Object.keys(PERSON_FIELDS), entryFields('interests languages skills')]],
    ['Education entry', entryFields('education')],
    ['Experience entry', entryFields('experiences')],
    ['Contact list', [lists?.create.id, lists?.create.name]],
    ['Inbox draft', drafts?.fields],
    [
      'Webhook',
      [hooks?.id, hooks?.targetUrl, hooks?.createdAt, hooks?.type, hooks?.add.body.secret],
    ],
    ['Register a webhook', [hooks?.id, hooks?.createdAt, hooks?.add.body, hooks?.add.query]],
  ])('of "%s" are all there, and no other', (section, names) => {
    const told = namesOf(section).filter((name) => !ROUTE.test(name));
    // Of a path such as list.id, the last word is the field; a path that begins with / is a call.
    const texts = textsIn(names).filter((name) => !name.startsWith('/'));
    expect(told).toEqual(sorted(texts.map((name) => name.split('.').at(-1) ?? '')));
  });

  it('of a request are all there', () => {
    const parameters = textsIn([enrich?.inputs, enrich?.ask.names, enrich?.webhookUrl]);
    expect(namesOf('Request an enrichment')).toEqual(expect.arrayContaining(parameters));
  });

  it('of an event are all there, and no other', () => {
    const told = namesOf('Common fields of a payload', 'Email recipients', 'Third-party reply');
    const columns = EVENT_FIELDS.flatMap(({ field }) => field ?? []);
    const types = new Set(EVENT_CATALOGUE.map(({ type }) => type));
    expect(told.filter((name) => !types.has(name))).toEqual(
      sorted([...columns, 'secret', 'address', 'name']),
    );
  });
});

describe('the events', () => {
  it('have a row for each group, with every type of it in order', () => {
    const told = rows.filter(({ section }) => section === 'Event groups');
    expect(told.map(({ says }) => namesIn(says))).toEqual(EVENT_GROUPS.map(typesOf));
  });

  it('have a row for each that was removed', () => {
    const told = rows.filter(({ section }) => section === 'Removed events');
    expect(told.flatMap(({ says }) => namesIn(says))).toEqual([...REMOVED_EVENTS.keys()]);
  });

  it('that tell of a state are all there, and no other', () => {
    const states = [...typesOf('state'), 'paused', 'resumed', 'stopped'];
    const told = namesOf('States').filter((name) => name !== 'deliverable');
    expect(told).toEqual(sorted([...states, ...typesOf('enrichment')]));
  });
});

it('every route of the sandbox has its row, but for those that steer it', async () => {
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
  expect(ofPlatform.length).toBeGreaterThan(5);
  const told = rows.flatMap(({ says }) => namesIn(says)).filter((name) => ROUTE.test(name));
  expect(sorted(told)).toEqual(sorted(ofPlatform));
});

describe('what is not shown', () => {
  const keys = rows.flatMap(({ says }) => keysIn(says));

  it('names keys that a dialect has', () => {
    const unknown = keys.filter((key) => {
      const at = (value: unknown, word: string): unknown =>
        typeof value === 'object' && value !== null
          ? new Map<string, unknown>(Object.entries(value)).get(word)
          : undefined;
      return key.split('.').reduce<unknown>(at, NEUTRAL_DIALECT) === undefined;
    });
    expect(unknown).toEqual([]);
  });

  it('names a key of every part of a dialect', () => {
    expect(sorted(keys.map((key) => key.split('.')[0] ?? ''))).toEqual(
      sorted(Object.keys(NEUTRAL_DIALECT)),
    );
  });
});

/** What stands as code in a text, but for the keys of a dialect. */
function namesIn(text: string): string[] {
  return codeIn(text.replaceAll(DIALECT_KEYS, ''));
}

/** The keys of a dialect, which stand in brackets. */
function keysIn(text: string): string[] {
  return [...text.matchAll(DIALECT_KEYS)].flatMap(([keys]) => codeIn(keys));
}

function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

function namesOf(...sections: string[]): string[] {
  const chosen = rows.filter(({ section }) => sections.includes(section));
  return sorted(chosen.flatMap(({ says }) => namesIn(says)));
}

function typesOf(group: EventGroup): string[] {
  return EVENT_CATALOGUE.filter((event) => event.group === group).map(({ type }) => type);
}

/** The fields of the entries of some fields of a person record. */
function entryFields(outer: string): string[] {
  return documentedFields().flatMap(({ name }) => {
    const [first = '', inner] = name.split('.');
    return inner !== undefined && outer.split(' ').includes(first) ? [inner] : [];
  });
}

/** Every text at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Each once. */
function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].toSorted();
}
