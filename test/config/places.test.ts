// What the texts of a job lead to.
import { expect, it } from 'vitest';
import * as z from 'zod';
import { jobSchema } from '../../src/config/job-schema.js';
import { placeAt } from '../../src/config/places.js';

/** They say what is asked, how a table looks, or when; a new key that is none of these says where it leads. */
const TEXTS_ALONE =
  'ask map fill where columns key list positions account rate fresh-for keep keep-deliveries deadline claim-wait schedule timezone catch-up collect callback submit format sheet delimiter encoding delimiter-out listen metrics-listen'.split(
    ' ',
  );

it('is a part of the type of each key that leads to a file, an address or a program', () => {
  const keys = Object.keys(jobSchema.shape) as (keyof typeof jobSchema.shape)[];
  const notice = jobSchema.shape.notify.unwrap().shape;
  const places = keys.flatMap((key) => {
    if (TEXTS_ALONE.includes(key) || !takesText(jobSchema.shape[key])) return [];
    const parts = key === 'notify' ? Object.keys(notice).filter((part) => part !== 'on') : [''];
    return parts.map((part) => [
      [key, part].filter((word) => word !== '').join('.'),
      placeAt(jobSchema, part === '' ? [key] : [key, part]),
    ]);
  });
  expect(Object.fromEntries(places)).toEqual({
    input: 'read',
    out: 'written',
    report: 'written',
    url: 'platform',
    dialect: 'read',
    'public-url': 'platform',
    'notify.url': 'address',
    'notify.command': 'program',
    state: 'state',
    'metrics-file': 'written',
  });
});

it('holds for every text within the key', () => {
  expect(placeAt(jobSchema, ['input', 3])).toBe('read');
  expect(placeAt(jobSchema, ['out', 'positions'])).toBe('written');
  expect(placeAt(jobSchema, ['notify', 'command', 1])).toBe('program');
});

it('is nothing for a text alone, and for what is no key', () => {
  for (const path of [['where'], ['list', 'name'], ['notify', 'on'], ['no'], ['constructor'], []]) {
    expect(placeAt(jobSchema, path)).toBeUndefined();
  }
});

function takesText(schema: z.ZodType): boolean {
  return JSON.stringify(z.toJSONSchema(schema, { io: 'input' })).includes('"string"');
}
