import { describe, expect, it } from 'vitest';
import type { Inputs } from '../../../src/model/ask.js';
import { imaginePersona } from '../../../src/sandbox/answers/imagine-persona.js';

describe('imaginePersona', () => {
  it.each<[Inputs, object]>([
    [
      { firstName: 'anne-marie', lastName: "o'neil", companyDomain: 'acme.co.uk' },
      {
        firstName: 'Anne-Marie',
        lastName: "O'Neil",
        companyDomain: 'acme.co.uk',
        companyName: 'Acme',
      },
    ],
    [
      { socialUrl: 'https://social.example/in/jane-van-doe-4b2a91/?x=1' },
      { firstName: 'Jane', lastName: 'Van Doe' },
    ],
    [
      { email: 'jane.doe@acme.com' },
      { firstName: 'Jane', lastName: 'Doe', companyDomain: 'acme.com', email: 'jane.doe@acme.com' },
    ],
    [
      { firstName: 'jane', lastName: 'doe', companyName: 'café lumière' },
      { companyName: 'Café Lumière', companyDomain: 'cafelumiere.example' },
    ],
    [
      { socialUrl: 'https://social.example/in/9' },
      {
        socialUrl: 'https://social.example/in/9',
        companyDomain: expect.stringMatching(/\.example$/),
      },
    ],
  ])('keeps what is given: %j', (inputs, expected) => {
    expect(imaginePersona(inputs, 1)).toMatchObject(expected);
  });

  it('makes up a name where none can be read', () => {
    const { firstName, lastName } = imaginePersona({ email: 'info@acme.com' }, 1);
    expect(firstName).not.toBe('');
    expect(lastName).not.toBe('');
  });

  it('gives a persona without a profile URL one that can be asked for', () => {
    const { socialUrl } = imaginePersona({ firstName: '太郎', lastName: '山田' }, 1);
    expect(socialUrl).toMatch(/^https:\/\/social\.example\/in\/member-x-[0-9a-f]{6}$/);
  });
});
