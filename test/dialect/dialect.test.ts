import { describe, expect, it } from 'vitest';
import {
  changedFile,
  dialectSchema,
  NEUTRAL_DIALECT,
  wholeFile,
} from '../../src/dialect/dialect.js';
import { bulkForm } from '../../src/dialect/forms.js';
import { keysOf } from '../../src/dialect/keys.js';
import type { Prices, Requirements } from '../../src/model/ask.js';
import { formatRate } from '../../src/model/schedule/rate.js';

describe('the neutral dialect', () => {
  it('has the documented prices, requirements, rate and answers', () => {
    const prices: Prices = NEUTRAL_DIALECT.prices;
    const requires: Requirements = NEUTRAL_DIALECT.requires;
    expect(prices).toEqual({
      find_email: 5,
      verify_email: 1,
      find_phone: 20,
      social_enrichment: 1,
    });
    const names = [
      ['firstName', 'lastName', 'companyDomain'],
      ['firstName', 'lastName', 'companyName'],
    ];
    const somebody = [['socialUrl'], ['email'], ...names];
    expect(requires).toEqual({
      find_email: somebody,
      verify_email: [['email']],
      find_phone: somebody,
      social_enrichment: somebody,
    });
    expect(NEUTRAL_DIALECT.limits.rate).toEqual([{ requests: 20, perMs: 2_000 }]);
    const shared = {
      entries: ['data'],
      ticket: ['id'],
      metadata: ['metadata'],
      blocks: ['data'],
      notFound: [],
      failed: [{ at: ['type'], values: ['enrichmentError'] }],
      done: [],
      outOfCredits: [],
      reason: ['error'],
      ignored: [],
    };
    const stated = { pending: [{ status: 202 }], unknown: [{ status: 404 }, { status: 410 }] };
    expect(NEUTRAL_DIALECT.answer).toEqual({
      read: { ...shared, ...stated },
      submit: { ...shared, ...stated },
      webhook: {
        ...shared,
        pending: [],
        unknown: [],
        type: ['type'],
        types: ['enrichmentDone', 'enrichmentError'],
      },
    });
  });

  it('knows each of its keys, and no other, at every level', () => {
    // Everything but a rate is written as it is read.
    const sections = sectionsOf({
      ...NEUTRAL_DIALECT,
      limits: { ...NEUTRAL_DIALECT.limits, rate: '' },
    });
    expect(sections).toContainEqual(['bulk', 'answer']);
    for (const path of sections.filter((one) => !isMap(one))) {
      const at = (inner: object) =>
        path.reduceRight<object>((value, key) => ({ [key]: value }), inner);
      expect(dialectSchema.safeParse(at({})).success, path.join('.')).toBe(true);
      expect(dialectSchema.safeParse(at({ bogus: 1 })).success, path.join('.')).toBe(false);
    }
  });

  it('may say that there is no bulk call, and no place for a callback URL or for metadata', () => {
    const none = dialectSchema.parse({
      enrich: { webhookUrl: null },
      bulk: { path: null, webhookUrl: null, metadata: null },
    });
    expect(none.enrich?.webhookUrl).toBeNull();
    expect(none.bulk).toMatchObject({ path: null, webhookUrl: null, metadata: null });
    expect(bulkForm(none)).toBeUndefined();
  });

  it.each<[string, object]>([
    ['two inputs of one name', { inputs: { email: 'x', socialUrl: 'x' } }],
    ['metadata in the place of an input', { metadata: 'input.email' }],
    ['metadata around the inputs', { metadata: 'input' }],
    ['metadata inside an input', { metadata: 'input.email.x' }],
    ['metadata in the place of what is asked', { metadata: 'enrichmentRequests' }],
    ['inputs of the item itself over its metadata', { input: '.', inputs: { email: 'metadata' } }],
  ])('does not let a bulk item hold %s', (_, bulk) => {
    const read = (path?: null) => dialectSchema.safeParse({ bulk: { ...bulk, path } });
    expect(read().error?.issues).toMatchObject([
      { path: ['bulk'], message: expect.stringMatching(/same place of a bulk item/) },
    ]);
    expect(read(null).success).toBe(true);
  });

  it.each<[string, object, readonly string[]]>([
    [
      'a member',
      { lists: { add: { fields: { email: 'firstName.x' } } } },
      ['lists', 'add', 'fields'],
    ],
    [
      'a contact',
      { lists: { upsert: { fields: { email: 'lastName' } } } },
      ['lists', 'upsert', 'fields'],
    ],
  ])('does not let two fields of %s stand at the same place', (_, dialect, path) => {
    expect(dialectSchema.safeParse(dialect).error?.issues).toMatchObject([
      { path, message: expect.stringMatching(/ and .* would be at the same place of the body/) },
    ]);
  });

  it('takes one ticket for a whole bulk call only where its items can be told apart', () => {
    const read = (bulk: object) =>
      dialectSchema.safeParse({ bulk: { ...bulk, answer: { batchTicket: 'id' } } });
    expect(read({ metadata: null }).error?.issues).toMatchObject([
      { path: ['bulk', 'answer', 'batchTicket'], message: expect.stringMatching(/bulk\.metadata/) },
    ]);
    expect(read({}).success).toBe(true);
    expect(read({ metadata: null, path: null }).success).toBe(true);
  });

  it('lets the parts of a bulk item stand beside each other anywhere', () => {
    const bulk = { input: '.', ask: { at: 'want.list' }, metadata: 'want.key' };
    expect(dialectSchema.safeParse({ bulk }).success).toBe(true);
    expect(dialectSchema.safeParse({ bulk: { metadata: 'input.ref' } }).success).toBe(true);
  });

  it('takes credentials in any header but those that Sluice or HTTP writes, and no secret', () => {
    const read = (auth: unknown) => dialectSchema.safeParse({ auth });
    expect(read({ header: 'X-API-Key' }).data?.auth).toEqual({ header: 'X-API-Key', scheme: null });
    expect(read({ header: 'Authorization', scheme: 'Bearer' }).success).toBe(true);
    const wrong = [{ header: 'Host' }, { header: 'content-length' }, { header: 'a b' }];
    const others = [
      { header: 'a', scheme: 'a\r\nb: c' },
      { header: 'a', key: 'k' },
      { query: 'k' },
    ];
    for (const auth of [...wrong, ...others, 'bearer', null])
      expect(read(auth).success).toBe(false);
  });

  it.each<[object, object]>([
    [{}, {}],
    [{ ticket: 'ref' }, { ticket: ['ref'] }],
    [{ pending: [{ status: 409 }, { at: 'state' }] }, { pending: [{ at: ['state'] }] }],
    [{ failed: [{ status: 422 }] }, { failed: [] }],
  ])('has in a webhook what a read has, but for statuses: %j', (read, inherited) => {
    const dialect = dialectSchema.parse({ answer: { read } });
    const neutral = NEUTRAL_DIALECT.answer.webhook;
    expect(dialect.answer.webhook).toEqual({ ...neutral, ...inherited });
    const own = { entries: '.', pending: [] };
    const { webhook } = dialectSchema.parse({ answer: { read, webhook: own } }).answer;
    expect(webhook).toEqual({ ...neutral, ...inherited, entries: ['.'], pending: [] });
  });

  it.each<[object, string, RegExp]>([
    [{ path: '/x' }, 'path', /holds \{id\} exactly once/],
    [{ path: '/x/{id}/{id}' }, 'path', /holds \{id\} exactly once/],
    [{ path: '/x/{key}' }, 'path', /no placeholder but \{id\}/],
    [{ path: { find_email: '/a/{id}', find_phone: '/b' } }, 'path', /holds \{id\} exactly once/],
    [{ path: {} }, 'path', /a path for one ask at least/],
    [{ batchPath: '/x' }, 'batchPath', /holds \{id\} exactly once/],
    [{ method: 'POST', id: 'id' }, 'path', /has no \{id\}/],
    [{ id: 'id', path: '/x' }, 'id', /set result\.method to POST/],
    [{ method: 'POST', id: '.', path: '/x' }, 'id', /means all of it/],
    [{ method: 'POST', id: 'ids[0]', path: '/x' }, 'id', /only for reading/],
    [{ every: '30' }, 'every', /"30s" or "5m"/],
  ])('does not read a result by %j', (result, key, message) => {
    const { error } = dialectSchema.safeParse({ result });
    expect(error?.issues.map(({ path }) => path[1])).toContain(key);
    expect(JSON.stringify(error?.issues)).toMatch(message.source.includes('"') ? /30s/ : message);
  });

  it('reads a result by a path for each ask, by a ticket in the body, or not at all', () => {
    for (const result of [
      { path: { find_email: '/mail/{id}', find_phone: '/phone?id={id}' }, batchPath: '/all/{id}' },
      { method: 'POST', path: '/read', id: 'search.id', every: '30s' },
      null,
    ]) {
      const dialect = dialectSchema.parse({ result });
      expect(dialect.result).toEqual(result && { ...NEUTRAL_DIALECT.result, ...result });
      expect(dialectSchema.parse(wholeFile(dialect))).toEqual(dialect);
    }
  });

  it('has each word for a status once', () => {
    const { error } = dialectSchema.safeParse({ emailStatuses: { risky: ['Valid'] } });
    expect(error?.issues).toMatchObject([
      {
        path: ['emailStatuses', 'risky'],
        message: expect.stringMatching(/"valid" is also a word for deliverable/),
      },
    ]);
  });

  it('reads a rate of off, and of several windows', () => {
    expect(dialectSchema.parse({ limits: { rate: 'off' } }).limits.rate).toEqual([]);
    const several = dialectSchema.parse({ limits: { rate: ['100/60s', '20/2s'] } });
    expect(formatRate(several.limits.rate)).toBe('20/2s, 100/1m');
  });
});

/** Whether any key may stand there, or one of several forms. */
function isMap(path: readonly string[]): boolean {
  const [last] = path.slice(-1);
  const choices = ['bulk.webhookUrl', 'webhooks.secret'];
  return path[0] === 'headers' || last === 'constants' || choices.includes(path.join('.'));
}

/** The path of every object inside an object, itself included. */
function sectionsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const inner = Object.entries(value).flatMap(([key, one]) => sectionsOf(one, [...path, key]));
  return [path, ...inner];
}

const CHANGES = {
  prefix: '/v2',
  auth: { header: 'Authorization', scheme: 'Bearer' },
  enrich: { webhookUrl: null },
  answer: {
    read: { ticket: ['ref'], pending: [{ at: ['state'], values: ['running', null] }] },
    webhook: { entries: ['.'], types: ['lookup.done'] },
  },
  limits: { rate: '90/1500ms', throttled: [{ status: 403, word: 'slow' }] },
};

describe('a dialect as a file', () => {
  it.each([{}, CHANGES, { limits: { rate: 'off' } }])('parses back to itself: %o', (file) => {
    const dialect = dialectSchema.parse(file);
    expect(dialectSchema.parse(wholeFile(dialect))).toEqual(dialect);
    expect(dialectSchema.parse(changedFile(dialect, NEUTRAL_DIALECT))).toEqual(dialect);
  });

  it('has every key, or only what was changed', () => {
    expect(Object.keys(wholeFile(NEUTRAL_DIALECT))).toEqual(Object.keys(keysOf(dialectSchema)));
    expect(wholeFile(NEUTRAL_DIALECT)['answer']).toMatchObject({
      webhook: { type: ['type'], types: ['enrichmentDone', 'enrichmentError'] },
    });
    expect(changedFile(dialectSchema.parse(CHANGES), NEUTRAL_DIALECT)).toEqual(CHANGES);
    expect(changedFile(NEUTRAL_DIALECT, NEUTRAL_DIALECT)).toEqual({});
  });
});
