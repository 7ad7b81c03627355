import { expect, it } from 'vitest';
import {
  checkJobName,
  hopelessAsks,
  jobNameOf,
  usualAsk,
} from '../../../src/app/settings/new-job.js';
import { NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import type { Ask, InputName } from '../../../src/model/ask.js';

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
  [['firstName', 'companyName'], 'find_email'],
])('with %j, %s is asked', (inputs, ask) => {
  expect(usualAsk(inputs, requires)).toBe(ask);
});

it('tells which asks can never be asked, and refuses a job of nothing else', () => {
  const hopeless = (ask: Ask[], inputs: InputName[], names = ['a', 'b']) =>
    hopelessAsks(ask, inputs, requires, { columns: names.map((name) => ({ key: name, name })) });
  expect(hopeless(['find_email', 'find_phone'], ['socialUrl'])).toEqual([]);
  expect(hopeless(['verify_email', 'find_phone'], ['socialUrl'])).toEqual(['verify_email']);
  expect(() => hopeless(['verify_email'], ['socialUrl'])).toThrow(
    'Nothing could be asked: verify_email needs email, and the columns of the input hold no more than socialUrl. Say which column is which, as with --map email=COLUMN, or ask for something else. Its columns are: a, b.',
  );
  expect(() => hopeless(['find_email'], ['firstName', 'lastName'])).toThrow(
    'no more than firstName, lastName. Say which column is which, as with --map companyDomain=COLUMN,',
  );
  const many = Array.from({ length: 900 }, (_, at) => `title ${at}`);
  expect(() => hopeless(['find_email'], [], many)).toThrow(
    /, and no column of the input looks like any of these\. .*title 39 and 860 more\.$/,
  );
});
