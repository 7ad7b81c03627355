import { describe, expect, it } from 'vitest';
import { dialectSchema, NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import {
  type CallCheck,
  type CallFinding,
  commonCause,
  LIMITS_KEY,
  untriedCalls,
} from '../../../src/model/resources/check.js';

const keysOf = (file: object) => untriedCalls(dialectSchema.parse(file)).map(({ key }) => key);

describe('the calls that are not tried', () => {
  it('are all that cost or change something, with method and path', () => {
    const lists = { add: { members: 'contacts' } };
    const calls = untriedCalls(dialectSchema.parse({ prefix: '/v2', lists }));
    expect(calls.map(({ call }) => call)).toEqual([
      'POST /v2/enrich',
      'POST /v2/enrich/bulk',
      'POST /v2/hooks',
      'DELETE /v2/hooks/{id}',
      'POST /v2/contacts/lists',
      'POST /v2/contacts/lists/{listId}/entities',
      'POST /v2/contacts',
    ]);
    expect(calls.every(({ verdict }) => verdict === 'not_tried')).toBe(true);
  });

  it('leave out those that the dialect does not have', () => {
    expect(keysOf({})).not.toContain('lists.upsert');
    expect(keysOf({ bulk: { path: null } })).not.toContain('bulk');
  });
});

describe('the common cause', () => {
  const check = (key: string, verdict: CallFinding['verdict'], keys: string[] = []): CallCheck => ({
    key,
    call: '',
    says: '',
    verdict,
    keys,
  });
  const untried = untriedCalls(NEUTRAL_DIALECT);
  const lost = ['a', 'b'].map((key) => check(key, 'wrong', ['prefix', `${key}.path`]));
  const limits = check(LIMITS_KEY, 'ok');

  it('is the place where nothing was at its place', () => {
    const unclear = check('c', 'unclear', ['prefix', 'c.path']);
    expect(commonCause([...lost, unclear, limits, ...untried])).toContain('base address');
  });

  it('is none where one call was right, or wrong for another reason', () => {
    expect(commonCause([...lost, check('c', 'ok'), limits])).toBeUndefined();
    expect(commonCause([...lost, check('c', 'wrong', ['c.entries'])])).toBeUndefined();
    expect(commonCause([...lost.slice(1), limits, ...untried])).toBeUndefined();
    expect(commonCause(untried)).toBeUndefined();
  });
});
