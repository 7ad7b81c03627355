// A request is the same after it was kept.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ASKS, INPUTS } from '../../../src/model/ask.js';
import {
  NO_INPUTS,
  toRequest,
  toRequestRow,
} from '../../../src/model/enrichment/stored-request.js';

it('a request is the same after it was kept, whichever inputs it has', () => {
  const text = fc.string({ unit: 'binary' });
  const inputs = fc.record(Object.fromEntries(INPUTS.map((name) => [name, text])), {
    requiredKeys: [],
  });
  const asks = fc.uniqueArray(fc.constantFrom(...ASKS), { minLength: 1 });
  const custom = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9_]{0,5}$/));
  fc.assert(
    fc.property(asks, custom, inputs, (standard, more, some) => {
      const ask = [...standard, ...more];
      const request = { ask, inputs: { ...some } };
      expect(toRequest(toRequestRow(request))).toEqual(request);
    }),
  );
});

it('a request is kept in the order that rows have had ever since, without the names', () => {
  const inputs = {
    socialUrl: 'u',
    email: 'e',
    companyName: 'n',
    companyDomain: 'd',
    lastName: 'l',
  };
  const row = toRequestRow({ ask: ['find_email', 'find_phone'], inputs });
  expect(row).toEqual({ ask: 'ep', inputs: '[null,"l","d","n","e","u"]' });
  const short = toRequestRow({ ask: ['find_email'], inputs: { firstName: 'f', lastName: '' } });
  expect(short.inputs).toBe('["f",""]');
  expect(toRequestRow({ ask: ['find_email'], inputs: {} }).inputs).toBe(NO_INPUTS);
});
