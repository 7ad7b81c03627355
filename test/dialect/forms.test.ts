import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../src/dialect/dialect.js';
import { canAsk, type Form, pathFor, singleForm } from '../../src/dialect/forms.js';

describe('a platform with a path for each ask', () => {
  const path = { find_email: '/find', social_enrichment: '/find', verify_email: '/check' };
  const form = singleForm(dialectSchema.parse({ enrich: { path, ask: { as: 'none' } } })) as Form;

  it.each([
    [['find_email'], '/find'],
    [['find_email', 'social_enrichment'], '/find'],
    [['find_email', 'verify_email'], undefined],
    [['find_phone'], undefined],
    [['find_email', 'find_phone'], undefined],
    [['find_phone', 'find_email'], undefined],
  ] as const)('is asked for %j at %s', (ask, expected) => {
    expect(pathFor(form, ask)).toBe(expected);
    expect(canAsk(form, ask)).toBe(expected !== undefined);
  });
});
