import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LOG_LEVELS, tellsRequests } from '../../../src/model/telemetry/log-level.js';
import { logFieldsOf, logText, RUN_EVENT_LOG } from '../../../src/model/telemetry/run-event-log.js';
import { EVENTS } from '../../helpers/run-events.js';

const SOURCE = fileURLToPath(new URL('../../../src/', import.meta.url));

/** Every kind of event that some code makes: told somewhere else than where events are declared. */
function toldInCode(): string[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && name !== join('domain', 'run-event.ts'),
  );
  const kinds = files.flatMap((name) => {
    const told = readFileSync(join(SOURCE, name), 'utf8').matchAll(
      /(?:observe\w*\(|return|=>) ?\(?\{\s*kind: '([a-z]+\.[a-z_]+)'/g,
    );
    return [...told].map(([, kind = '']) => kind);
  });
  return [...new Set(kinds)].toSorted();
}

describe('the catalogue of the log', () => {
  it('holds every event that some code tells, and no other', () => {
    expect(toldInCode()).toEqual(Object.keys(RUN_EVENT_LOG).toSorted());
  });

  it('names events and fields in one way', () => {
    for (const [kind, { fields }] of Object.entries(RUN_EVENT_LOG)) {
      expect(kind).toMatch(/^[a-z]+\.[a-z_]+$/);
      for (const name of Object.keys(fields)) expect(name).toMatch(/^[a-z_]+$/);
    }
  });

  it('keeps the fields of every line for itself', () => {
    const taken = ['level', 'time', 'pid', 'event', 'job', 'run'];
    for (const { fields } of Object.values(RUN_EVENT_LOG)) {
      expect(Object.keys(fields).filter((name) => taken.includes(name))).toEqual([]);
    }
  });

  it.each(Object.values(EVENTS))('gives $kind its fields, each with a value', (event) => {
    const fields = logFieldsOf(event);
    expect(Object.keys(fields)).toEqual(Object.keys(RUN_EVENT_LOG[event.kind].fields));
    for (const value of Object.values(fields)) expect(value).toBeDefined();
  });
});

describe('a field of a log line', () => {
  it('never holds a column of the input, which may be a lead where the header is missing', () => {
    expect(logFieldsOf(EVENTS['run.mapped'])).toEqual({ inputs: 'email', guessed: 1 });
  });

  it('is one line, steers no terminal and has a bound', () => {
    expect(logText('a\nb\u001B[2Jc\u009Bd\u202Ee\r')).toBe('a b [2Jc d e ');
    expect(logText('x'.repeat(10_000))).toHaveLength(501);
  });
});

it('tells of requests from debug on', () => {
  expect(LOG_LEVELS.filter(tellsRequests)).toEqual(['debug', 'trace']);
});
