import { describe, expect, it } from 'vitest';
import {
  bulkMaxOf,
  carriesKey,
  paceOf,
  refuseMissingCalls,
  refuseNoPlace,
  takesSingles,
} from '../../../src/app/run/how-to-ask.js';
import { readEnvironment } from '../../../src/app/settings/environment.js';
import { type JobSettings, resolveJobSettings } from '../../../src/app/settings/job-settings.js';
import type { JobFile } from '../../../src/config/job-schema.js';
import { statedBy } from '../../../src/config/stated-keys.js';
import { dialectSchema, NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import { leastRequests } from '../../../src/model/schedule/rate.js';

const NO_BULK = dialectSchema.parse({ bulk: { path: null } });
/** As a file that says that the bulk call of the neutral dialect is there. */
const STATED = statedBy({ bulk: { path: '/enrich/bulk' } }, dialectSchema.parse({}));
const NO_METADATA = dialectSchema.parse({ bulk: { metadata: null } });
const NO_URL = dialectSchema.parse({
  bulk: { webhookUrl: null },
  enrich: { webhookUrl: null },
});

function job(stated: Partial<JobFile> = {}): JobSettings {
  const file: JobFile = { input: 'in.csv', ask: ['find_email'], url: 'sandbox', ...stated };
  return resolveJobSettings('job', file, readEnvironment({}));
}

describe('how many enrichments one request asks for', () => {
  it.each([
    ['polls, unless told otherwise, one by one', {}, NEUTRAL_DIALECT, 1],
    ['is told to ask in bulk', { submit: 'bulk' }, NEUTRAL_DIALECT, 500],
    ['has its results delivered', { collect: 'webhook' }, STATED, 500],
    ['would take a bulk call that no dialect states', { collect: 'webhook' }, NEUTRAL_DIALECT, 1],
    ['has them delivered, and asks for the overdue', { collect: 'hybrid' }, STATED, 500],
    ['has a public URL', { 'public-url': 'https://me.example.com' }, STATED, 500],
    ['is told to ask singly', { collect: 'webhook', submit: 'single' }, NEUTRAL_DIALECT, 1],
    ['has a hook', { collect: 'webhook', callback: 'hook' }, NO_URL, 500],
    ['could not claim what one lost answer leaves', { collect: 'webhook' }, NO_METADATA, 1],
    ['has a platform without bulk calls', { collect: 'webhook' }, NO_BULK, 1],
  ] as const)('where a job %s', (_, stated, dialect, max) => {
    expect(bulkMaxOf(job(stated), dialect)).toBe(max);
  });

  it.each([
    ['a bulk call that the file states, where single calls cannot ask for it', 'bulk', 500],
    ['no bulk call that is not stated', 'answer', 1],
  ])('takes by itself %s', (_, section, max) => {
    const file = { enrich: { ask: { names: { find_phone: null } } }, [section]: {} };
    const dialect = statedBy(file, dialectSchema.parse(file));
    expect(bulkMaxOf(job({ ask: ['find_phone'], collect: 'poll' }), dialect)).toBe(max);
    expect(bulkMaxOf(job({ collect: 'poll' }), dialect)).toBe(1);
  });

  it('takes no bulk call by itself that cannot ask for it', () => {
    const file = { bulk: { ask: { names: { find_phone: null } } } };
    const dialect = statedBy(file, dialectSchema.parse(file));
    expect(bulkMaxOf(job({ collect: 'webhook' }), dialect)).toBe(500);
    expect(bulkMaxOf(job({ collect: 'webhook', ask: ['find_phone'] }), dialect)).toBe(1);
  });

  it.each<[string, object, Partial<JobFile>, boolean]>([
    ['can, where single calls ask for the same', {}, {}, true],
    ['cannot, where the platform has no single call', { enrich: null }, {}, false],
    [
      'cannot, where a single call has no word for what is asked',
      { enrich: { ask: { names: { find_email: null } } } },
      {},
      false,
    ],
    [
      'cannot, where webhooks alone bring results and a single call has no place for the address',
      { enrich: { webhookUrl: null } },
      { collect: 'webhook' },
      false,
    ],
  ])('a run %s, goes on one by one without its bulk call', (_, dialect, stated, expected) => {
    expect(takesSingles(job({ submit: 'bulk', ...stated }), dialectSchema.parse(dialect))).toBe(
      expected,
    );
  });

  it('refuses a bulk call that the platform does not have', () => {
    expect(() => bulkMaxOf(job({ submit: 'bulk' }), NO_BULK)).toThrow('--submit single');
  });
});

describe('whether a webhook can claim a send whose ticket was lost', () => {
  it.each([
    ['polling', {}, NEUTRAL_DIALECT, false],
    ['a URL in each request', { collect: 'webhook', submit: 'single' }, NEUTRAL_DIALECT, true],
    [
      'one hook',
      { collect: 'webhook', submit: 'single', callback: 'hook' },
      NEUTRAL_DIALECT,
      false,
    ],
    ['bulk items with metadata', { collect: 'hybrid', callback: 'hook' }, STATED, true],
    ['bulk items without', { collect: 'hybrid', submit: 'bulk' }, NO_METADATA, false],
  ] as const)('%s', (_, stated, dialect, can) => {
    expect(carriesKey(job(stated), dialect)).toBe(can);
  });
});

describe('the least number of requests', () => {
  it.each([
    [{}, 2_003],
    [{ submit: 'bulk' }, 1_005],
    [{ collect: 'webhook', submit: 'single' }, 1_003],
    [{ collect: 'webhook', submit: 'bulk' }, 5],
  ] as const)('%j', (stated, requests) => {
    expect(leastRequests(paceOf(job(stated), NEUTRAL_DIALECT), 1_000, 3)).toBe(requests);
  });
});

describe('a dialect without a place for a callback URL', () => {
  it.each([['single'], ['bulk']] as const)('is refused where one must go along (%s)', (submit) => {
    expect(() => refuseNoPlace(job({ collect: 'webhook', submit }), NO_URL)).toThrow(
      'callback: hook',
    );
  });

  it('serves a hook, and polling', () => {
    refuseNoPlace(job({ collect: 'webhook', callback: 'hook' }), NO_URL);
    refuseNoPlace(job(), NO_URL);
  });
});

describe('a dialect with bulk calls alone', () => {
  const BULK_ONLY = dialectSchema.parse({ enrich: null, bulk: { max: 1 } });

  it('is asked in bulk, also one by one, unless the job wants single calls', () => {
    expect(bulkMaxOf(job(), BULK_ONLY)).toBe(1);
    expect(() => bulkMaxOf(job({ submit: 'single' }), BULK_ONLY)).toThrow('--submit bulk');
    expect(carriesKey(job({ collect: 'webhook' }), BULK_ONLY)).toBe(true);
    refuseNoPlace(job({ collect: 'webhook' }), BULK_ONLY);
  });
});

describe('what a dialect cannot ask', () => {
  const BY_PATH = { path: { find_email: '/email', find_phone: '/phone' } };
  const WORDS = {
    ask: {
      as: 'word',
      at: 'level',
      names: {
        find_email: 'partial',
        find_phone: 'phone',
        social_enrichment: null,
        'find_email+find_phone': 'full',
        'find_email+social_enrichment': 'partial',
      },
    },
  };
  it.each<[object, JobFile['ask'], RegExp]>([
    [{ enrich: BY_PATH }, ['verify_email'], /verify_email by itself \(enrich/],
    [{ enrich: BY_PATH }, ['find_email', 'find_phone'], /one job for each/],
    [{ enrich: WORDS }, ['social_enrichment'], /social_enrichment by itself/],
    [{ enrich: WORDS }, ['find_email', 'social_enrichment'], /social_enrichment by itself/],
    [
      { enrich: WORDS },
      ['find_email', 'verify_email'],
      /find_email and verify_email in one request \(enrich\)\. Make one job for each/,
    ],
    [
      { enrich: null, bulk: { ask: { names: { find_phone: null } } } },
      ['find_phone'],
      /find_phone by itself \(bulk\.ask\)/,
    ],
  ])('%j is refused for %j', (dialect, ask, message) => {
    expect(() => refuseMissingCalls(job({ ask }), dialectSchema.parse(dialect))).toThrow(message);
  });

  it('is no matter where the job does not ask it', () => {
    refuseMissingCalls(job({ ask: ['find_phone'] }), dialectSchema.parse({ enrich: BY_PATH }));
    const both = job({ ask: ['find_phone', 'find_email'] });
    refuseMissingCalls(both, dialectSchema.parse({ enrich: WORDS }));
  });
});
