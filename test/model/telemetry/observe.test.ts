import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LOG_LEVELS, logsRequests } from '../../../src/model/telemetry/fact.js';
import { RUN_EVENT_CATALOGUE } from '../../../src/model/telemetry/observe.js';

const SOURCE = fileURLToPath(new URL('../../../src/', import.meta.url));

/** Every kind of event that some code makes. */
function toldInCode(): string[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const kinds = files.flatMap((name) => {
    const told = readFileSync(join(SOURCE, name), 'utf8').matchAll(
      /(?:observe\w*\(|return|=>) ?\(?\{\s*kind: '([a-z]+\.[a-z_]+)'/g,
    );
    return [...told].map(([, kind = '']) => kind);
  });
  return [...new Set(kinds)].toSorted();
}

describe('the catalogue of events', () => {
  it('holds every event that some code tells, and no other', () => {
    expect(toldInCode()).toEqual(Object.keys(RUN_EVENT_CATALOGUE).toSorted());
  });

  it('names events and fields in one way', () => {
    for (const [kind, { fields }] of Object.entries(RUN_EVENT_CATALOGUE)) {
      expect(kind).toMatch(/^[a-z]+\.[a-z_]+$/);
      for (const name of Object.keys(fields)) expect(name).toMatch(/^[a-z_]+$/);
    }
  });

  it('keeps the fields of every line for itself', () => {
    const taken = ['level', 'time', 'pid', 'event', 'job', 'run'];
    for (const { fields } of Object.values(RUN_EVENT_CATALOGUE)) {
      expect(Object.keys(fields).filter((name) => taken.includes(name))).toEqual([]);
    }
  });
});

it('tells of requests from debug on', () => {
  expect(LOG_LEVELS.filter(logsRequests)).toEqual(['debug', 'trace']);
});
