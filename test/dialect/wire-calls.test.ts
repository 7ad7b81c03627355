import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../src/dialect/dialect.js';
import { callsOf, matchCall } from '../../src/dialect/wire-calls.js';
import { tries } from '../helpers/long.js';
import { textOfSigns } from '../helpers/signs.js';

const CALLS = callsOf(
  dialectSchema.parse({
    prefix: '/v2',
    enrich: { path: '/jobs?kind=one' },
    bulk: { path: '/jobs' },
    result: { path: '/jobs?ref={id}&full=1' },
    hooks: { path: '/hooks', remove: { path: '/hooks/{id}' } },
    drafts: { path: '/d-{draftId}.json?of={contactId}' },
  }),
);

describe('the call of a request line', () => {
  it.each([
    ['POST', '/v2/jobs', 'bulk', {}],
    ['POST', '/v2/jobs?a=1', 'bulk', {}],
    ['POST', '/v2/jobs?a=1&kind=one&b=', 'enrich', {}],
    ['GET', '/v2/jobs?ref=x%2Fy&full=1', 'result', { id: 'x%2Fy' }],
    ['GET', '/v2/jobs?full=1&z=2&ref=r', 'result', { id: 'r' }],
    ['GET', '/v2/hooks', 'listHooks', {}],
    ['POST', '/v2/hooks', 'addHook', {}],
    ['DELETE', '/v2/hooks/new', 'removeHook', { id: 'new' }],
    ['GET', '/v2/d-7.json?of=c', 'draft', { draftId: '7', contactId: 'c' }],
  ])('%s %s is %s', (method, url, name, values) => {
    const found = matchCall(CALLS, method, url);
    expect(found).toMatchObject({ call: { name }, values });
  });

  it.each([
    ['GET', '/enrich/enr_1'],
    ['POST', '/v2/enrich'],
    ['GET', '/jobs?ref=r&full=1'],
    ['GET', '/v2/dx7.json?of=c'],
    ['GET', '/v2/hooks/a/b'],
    ['PATCH', '/v2/hooks/new'],
    ['GET', '/v2/jobs?ref=r'],
  ])('%s %s is none', (method, url) => {
    expect(matchCall(CALLS, method, url)).toBeUndefined();
  });
});

it('a path of any characters is taken to the letter', () => {
  const literal = textOfSigns({}, '?\n');
  fc.assert(
    fc.property(literal, literal, (before, after) => {
      const path = `/${before}{id}${after}`;
      const dialect = dialectSchema.safeParse({ result: { path } });
      fc.pre(dialect.success);
      const found = matchCall(
        callsOf(dialect.data),
        'GET',
        path.replace('{id}', () => 'x1'),
      );
      expect(found).toMatchObject({ call: { name: 'result' } });
    }),
    { numRuns: tries(30) },
  );
});
