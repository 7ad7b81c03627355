import { expect, it } from 'vitest';
import { askingTerms, termsDigest } from '../../../src/app/run/asking-terms.js';
import { describeJob } from '../../../src/app/settings/describe-job.js';
import { NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';

const JOB = {
  input: 'leads.csv',
  out: 'out.csv',
  url: 'https://api.example.com',
  ask: ['find_email', 'find_phone'],
} as const;

function digestOf(more: object = {}, isDropFolder = false): string {
  const settings = describeJob('new', { ...JOB, ...more });
  return termsDigest(settings, askingTerms(settings, NEUTRAL_DIALECT, 'account'), isDropFolder);
}

it('a run begins anew where another lead would be asked, or for something else, and not otherwise', () => {
  const others = [
    { ask: ['find_email'] },
    { map: { email: 'Mail' } },
    { where: 'a = b' },
    { limit: 9 },
    { format: 'csv' },
    { delimiter: ';' },
    { encoding: 'latin1' },
    { sheet: 'Leads' },
    { 'header-row': 3 },
    { 'visible-only': true },
    { input: 'other.csv' },
  ];
  const digests = [{}, ...others].map((more) => digestOf(more));
  expect(new Set(digests).size).toBe(digests.length);
  expect(digestOf({ out: 'b.csv', budget: 5, 'visible-only': false, map: {} })).toBe(digests[0]);
  expect(digestOf({ input: 'other.csv' }, true)).toBe(digestOf({}, true));
});
