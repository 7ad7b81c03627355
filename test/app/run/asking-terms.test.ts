import { expect, it } from 'vitest';
import { askingTerms, termsDigest } from '../../../src/app/run/asking-terms.js';
import { describeJob } from '../../../src/app/settings/describe-job.js';
import { readEnvironment } from '../../../src/app/settings/environment.js';
import { NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import { digestHex } from '../../../src/identity/digest.js';
import { INPUTS } from '../../../src/model/ask.js';

it('the files of a drop folder that are done stay done: the digest of the terms is what it always was', () => {
  const ask = ['find_email', 'find_phone'] as const;
  const settings = describeJob(
    'new',
    { input: 'leads.csv', out: 'out.csv', url: 'https://api.example.com', ask },
    readEnvironment({ SLUICE_USERNAME: 'ada', SLUICE_PASSWORD: 'secret' }),
  );
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
  expect(termsDigest({ ...settings, sheet: 'Leads' }, terms, true)).toBe(
    digestHex(JSON.stringify([...text, { sheet: 'Leads' }])),
  );
});
