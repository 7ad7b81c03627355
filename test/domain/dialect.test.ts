import { describe, expect, it } from 'vitest';
import { dialectSchema, NEUTRAL_DIALECT } from '../../src/domain/dialect.js';
import type { Prices, Requirements } from '../../src/domain/terms.js';

describe('the neutral dialect', () => {
  it('is what design.md says', () => {
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
    expect(requires).toEqual({
      find_email: [['socialUrl'], ...names],
      verify_email: [['email']],
      find_phone: [['socialUrl']],
      social_enrichment: [['socialUrl'], ['email'], ...names],
    });
    expect(NEUTRAL_DIALECT.limits.rate).toEqual({ requests: 20, perMs: 2_000 });
    expect(NEUTRAL_DIALECT.result).toMatchObject({
      path: '/enrich/{id}',
      pending: { statuses: [202] },
    });
    expect(NEUTRAL_DIALECT.enrich.parameters).toMatchObject({
      find_email: 'findEmail',
      email: 'email',
    });
    expect(NEUTRAL_DIALECT.fields.profile).toMatchObject({ skills: ['skills'] });
  });

  it('knows each of its keys, and no other, at every level', () => {
    for (const key of Object.keys(NEUTRAL_DIALECT)) {
      expect(dialectSchema.safeParse({ [key]: undefined }).success).toBe(true);
      const inner: unknown = Object.entries(NEUTRAL_DIALECT).find(([name]) => name === key)?.[1];
      if (typeof inner !== 'object') continue;
      expect(dialectSchema.safeParse({ [key]: { bogus: 1 } }).success).toBe(false);
    }
    expect(dialectSchema.safeParse({ bogus: 1 }).success).toBe(false);
  });

  it('reads a rate of off', () => {
    expect(dialectSchema.parse({ limits: { rate: 'off' } }).limits.rate).toBe('off');
  });
});
