import { describe, expect, it } from 'vitest';
import {
  creditsAt,
  creditsFor,
  fitsInto,
  fromThousandths,
  isCredits,
  type Money,
  parseMoney,
  subtractCredits,
  sumCredits,
  tellMoney,
  timesCredits,
  toThousandths,
} from '../../src/model/credits.js';

describe('credits', () => {
  it('are 0 or more, with three decimals at most', () => {
    expect([0, 1, 0.25, 12.345, 0.001, 1_000_000].every(isCredits)).toBe(true);
    const none = [-1, -0.001, 0.0005, 0.12345, 1e-9, 1e15, Number.NaN, Number.POSITIVE_INFINITY];
    expect(none.filter(isCredits)).toEqual([]);
  });

  it('are added up without a tail', () => {
    expect(sumCredits([0.1, 0.2])).toBe(0.3);
    expect(sumCredits(Array.from({ length: 10_000 }, () => 0.1))).toBe(1_000);
    expect(sumCredits([])).toBe(0);
    expect(subtractCredits(0.3, 0.1)).toBe(0.2);
    expect(timesCredits(0.07, 100)).toBe(7);
  });

  it('fit as often as they do on paper', () => {
    // In floating point 0.3 / 0.1 is less than 3.
    expect(fitsInto(0.3, 0.1)).toBe(3);
    expect(fitsInto(-1, 0.25)).toBe(-4);
  });

  it('come back from the state file as they were', () => {
    for (const credits of [0, 0.001, 0.29, 1.005, 4.35, 1_000_000]) {
      expect(fromThousandths(toThousandths(credits))).toBe(credits);
    }
  });
});

describe('money', () => {
  it('is what credits at two prices are compared by, never to be less', () => {
    const [dear, cheap] = [parseMoney('0.04 EUR'), parseMoney('0.012 EUR')] as [Money, Money];
    expect(creditsAt(3, dear, cheap)).toBe(10);
    expect(creditsAt(1, dear, cheap)).toBe(3.334);
    expect(creditsAt(0, dear, cheap)).toBe(0);
    expect(creditsAt(1_000_000, cheap, dear)).toBe(300_000);
  });

  it('is an amount and a currency', () => {
    expect(parseMoney('0.012 EUR')).toEqual({ millionths: 12_000, currency: 'EUR' });
    expect(parseMoney('40USD')).toEqual({ millionths: 40_000_000, currency: 'USD' });
    const none = [
      '',
      '0 EUR',
      '0.000 EUR',
      '-1 EUR',
      '1.2345678 EUR',
      '1,5 EUR',
      '5',
      '5 eur',
      '1 EUR!',
    ];
    expect(none.filter((text) => parseMoney(text) !== undefined)).toEqual([]);
  });

  it('buys credits, rounded down, and tells what they cost', () => {
    const price = parseMoney('0.09 EUR') as Money;
    expect(creditsFor(parseMoney('2 EUR') as Money, price)).toBe(22.222);
    expect(creditsFor(parseMoney('999999999 EUR') as Money, parseMoney('0.001 EUR') as Money)).toBe(
      999_999_999_000,
    );
    expect([tellMoney(5, price), tellMoney(0, price), tellMoney(123_456, price)]).toEqual([
      '0.45 EUR',
      '0.00 EUR',
      '11,111.04 EUR',
    ]);
  });
});
