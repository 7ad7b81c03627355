import { describe, expect, it } from 'vitest';
import { dialectSchema, NEUTRAL_DIALECT } from '../../src/dialect/dialect.js';
import { changedFile, wholeFile } from '../../src/dialect/dialect-file.js';

const CHANGES = {
  prefix: '/v2',
  enrich: { parameters: { webhookUrl: null } },
  result: { pending: { statuses: [202, 404] } },
  limits: { rate: '90/1500ms', throttled: [{ status: 403, word: 'slow' }] },
};

describe('a dialect as a file', () => {
  it.each([{}, CHANGES, { limits: { rate: 'off' } }])('parses back to itself: %o', (file) => {
    const dialect = dialectSchema.parse(file);
    expect(dialectSchema.parse(wholeFile(dialect))).toEqual(dialect);
    expect(dialectSchema.parse(changedFile(dialect, NEUTRAL_DIALECT))).toEqual(dialect);
  });

  it('has every key, or only what was changed', () => {
    expect(Object.keys(wholeFile(NEUTRAL_DIALECT))).toEqual(Object.keys(dialectSchema.shape));
    expect(changedFile(dialectSchema.parse(CHANGES), NEUTRAL_DIALECT)).toEqual(CHANGES);
    expect(changedFile(NEUTRAL_DIALECT, NEUTRAL_DIALECT)).toEqual({});
  });
});
