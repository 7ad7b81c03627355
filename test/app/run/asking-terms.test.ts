import { expect, it } from 'vitest';
import { askingTerms, termsDigest } from '../../../src/app/run/asking-terms.js';
import { describeJob } from '../../../src/app/settings/describe-job.js';
import { NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import { digestHex } from '../../../src/identity/digest.js';
import { INPUTS } from '../../../src/model/ask.js';

it('the files of a drop folder that are done stay done: the digest of the terms is what it always was', () => {
  const ask = ['find_email', 'find_phone'] as const;
  const job = { input: 'leads.csv', out: 'out.csv', url: 'https://api.example.com', ask };
  const settings = describeJob('new', job);
  const names = [
    ['firstName', 'lastName', 'companyDomain'],
    ['firstName', 'lastName', 'companyName'],
  ];
  const requirements = {
    find_email: [['socialUrl'], ...names],
    verify_email: [['email']],
    social_enrichment: [['socialUrl'], ['email'], ...names],
    find_phone: [['socialUrl']],
  };
  const terms = askingTerms(settings, NEUTRAL_DIALECT, 'account');
  const text = ['account', ask, INPUTS.map(() => null), requirements, null, null, null, null, null];
  expect(termsDigest(settings, terms, true)).toBe(digestHex(JSON.stringify(text)));
  const ofSheet = describeJob('new', { ...job, sheet: 'Leads', 'header-row': 3 });
  expect(termsDigest(ofSheet, terms, true)).toBe(
    digestHex(JSON.stringify([...text, { sheet: 'Leads' }, { headerRow: 3 }])),
  );
  const first = describeJob('new', { ...job, limit: 9, format: 'csv', delimiter: ';' });
  const stated = [...text.slice(0, 5), 9, 'csv', ';', null];
  expect(termsDigest(first, terms, true)).toBe(digestHex(JSON.stringify(stated)));
});
