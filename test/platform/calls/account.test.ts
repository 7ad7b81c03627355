// The free question where a dialect describes the account, or nothing that is free; and the balance.
import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import { answer, openAt as openTest, problemOf, type Respond } from '../test-server.js';

const openAt = (dialect: object, respond: Respond = answer(200, {})) =>
  openTest(respond, { dialect: dialectSchema.parse(dialect) });

const ACCOUNT = { path: '/v1/me', credits: ['credits.left', 'balance'] };

describe('the balance', () => {
  it.each([
    [{ credits: { left: 812 } }, 812],
    [{ balance: '12.5' }, 12.5],
    [{ balance: 0.1 + 0.2 }, 0.3],
    [{ balance: -3 }, -3],
  ])('of %j is %d', async (body, credits) => {
    const { platform } = await openAt({ account: ACCOUNT }, answer(200, body));
    expect(await platform.readBalance()).toBe(credits);
  });

  it('may be in a header, with or without a body', async () => {
    const account = { path: '/me', credits: ['balance', 'header:X-Credits-Left'] };
    for (const body of ['', { ok: true }]) {
      const left = answer(200, body, { 'x-credits-left': ' 7.5 ' });
      const { platform } = await openAt({ account }, left);
      expect(await platform.check()).toBe(true);
      expect(await platform.readBalance()).toBe(7.5);
    }
  });

  it.each([{}, { balance: 'many' }, { balance: true }, { balance: '1e9' }])(
    'cannot be read in %j',
    async (body) => {
      const { platform } = await openAt({ account: ACCOUNT }, answer(200, body));
      const problem = await problemOf(() => platform.readBalance());
      expect(problem).toMatchObject({ code: 'platform' });
      expect(problem.message).toContain('without a number of credits');
    },
  );

  it.each([
    [{}, 'no account to ask for its credits'],
    [{ account: { path: '/me' } }, '"account.credits" names no place'],
  ])('is not asked for with %j', async (dialect, message) => {
    const { platform, server } = await openAt(dialect);
    const problem = await problemOf(() => platform.readBalance());
    expect(problem).toMatchObject({ code: 'usage', message: expect.stringContaining(message) });
    expect(server.asked).toEqual([]);
  });
});

it.each([{}, { account: ACCOUNT }])(
  'a call that the account may not make says nothing: %j',
  async (dialect) => {
    const { platform } = await openAt(dialect, answer(403, { error: 'not in your plan' }));
    expect(await platform.check()).toBe(false);
  },
);
