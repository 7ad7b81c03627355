import { expect, it } from 'vitest';
import { checkJobName, hopelessAsks, jobNameOf, usualAsk } from '../../src/app/propose-job.js';
import type { InputName } from '../../src/domain/ask.js';
import { NEUTRAL_DIALECT } from '../../src/domain/dialect.js';

const { requires } = NEUTRAL_DIALECT;

it.each([
  ['leads.csv', 'leads'],
  ['data/CRM Export (März).csv.gz', 'crm-export-marz'],
  ['./in/contacts.v2.ndjson', 'contacts-v2'],
  ['data/in/*.csv', 'leads'],
  ['客户.csv', 'leads'],
  ['2026.csv', 'job-2026'],
  [`${'x'.repeat(200)}.csv`, 'x'.repeat(60)],
])('the job of %s is called %s', (input, name) => {
  expect(jobNameOf(input)).toBe(name);
  checkJobName(name);
});

it.each(['', '../evil', 'a/b', '.hidden', '-x', '12', 'a b', 'x'.repeat(61)])(
  'no job is called "%s"',
  (name) => {
    expect(() => checkJobName(name)).toThrow('--name: a job is named by');
  },
);

it.each<[InputName[], string | undefined]>([
  [['firstName', 'lastName', 'companyDomain'], 'find_email'],
  [['email', 'socialUrl'], 'find_email'],
  [['email'], 'verify_email'],
  [['firstName', 'companyName'], undefined],
])('with %j, %s is asked', (inputs, ask) => {
  expect(usualAsk(inputs, requires)).toBe(ask);
});

it('tells which asks can never be asked, and refuses a job of nothing else', () => {
  expect(hopelessAsks(['find_email', 'find_phone'], ['socialUrl'], requires)).toEqual([]);
  expect(hopelessAsks(['verify_email', 'find_phone'], ['email'], requires)).toEqual(['find_phone']);
  expect(() => hopelessAsks(['find_phone'], ['email'], requires)).toThrow(
    'Nothing could be asked: find_phone needs socialUrl, and the columns of the input tell no more than email.',
  );
});
