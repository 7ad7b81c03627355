import { expect, it } from 'vitest';
import type { Inputs } from '../../../src/model/ask.js';
import { imaginePersona } from '../../../src/sandbox/answers/imagine-persona.js';

it.each<[Inputs, object]>([
  [
    { firstName: 'anne-marie', lastName: "o'neil" },
    { firstName: 'Anne-Marie', lastName: "O'Neil" },
  ],
  [{ socialUrl: 'https://s.example/in/jane-van-doe-4b2a91/?x=1' }, { lastName: 'Van Doe' }],
  [{ email: 'jane.doe@acme.com' }, { firstName: 'Jane', companyDomain: 'acme.com' }],
  [{ companyName: 'café lumière' }, { companyDomain: 'cafelumiere.example' }],
  [{ email: 'info@acme.com' }, { firstName: expect.stringMatching(/./) }],
])('a persona is who its inputs say: %j', (inputs, expected) => {
  expect(imaginePersona(inputs, 1)).toMatchObject(expected);
});
