import { describe, expect, it } from 'vitest';
import { fingerprintRequest } from '../../../src/sandbox/ledger/fingerprint-request.js';

const jane = { firstName: 'Jane', lastName: 'van der Berg', companyName: 'Acme' };

describe('fingerprintRequest', () => {
  it.each([
    [{ ...jane, firstName: 'JANE' }],
    [{ ...jane, lastName: ' van  der\n Berg\u00a0' }],
    [{ companyName: 'Acme', lastName: 'van der Berg', firstName: 'Jane' }],
  ])('sees through case, spacing and order: %j', (inputs) => {
    expect(fingerprintRequest(['find_email'], inputs)).toBe(
      fingerprintRequest(['find_email'], jane),
    );
  });

  it('takes asks in any order', () => {
    expect(fingerprintRequest(['find_phone', 'find_email'], jane)).toBe(
      fingerprintRequest(['find_email', 'find_phone'], jane),
    );
  });

  it('tells apart other values, other parameters and other asks', () => {
    const prints = [
      fingerprintRequest(['find_email'], jane),
      fingerprintRequest(['social_enrichment'], jane),
      fingerprintRequest(['find_email', 'social_enrichment'], jane),
      fingerprintRequest(['find_email'], { ...jane, companyName: 'Acme Inc' }),
      fingerprintRequest(['find_email'], { ...jane, firstName: jane.lastName, lastName: 'Jane' }),
      fingerprintRequest(['find_email'], {
        firstName: 'Jane',
        lastName: 'van der Berg',
        companyDomain: 'Acme',
      }),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });
});
