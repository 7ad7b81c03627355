import { describe, expect, it } from 'vitest';
import { NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import type { Ask, Inputs } from '../../../src/model/ask.js';
import {
  answerEnrichment,
  type EnrichmentBody,
} from '../../../src/sandbox/answers/answer-enrichment.js';
import { priceAnswer } from '../../../src/sandbox/answers/decide-outcome.js';

const ALL: readonly Ask[] = ['find_email', 'verify_email', 'social_enrichment', 'find_phone'];
const COUNT = 2000;

function ask(asks: readonly Ask[], inputs: Inputs, seed = 1): EnrichmentBody {
  return answerEnrichment({ id: 'enr_1', ask: asks, inputs }, { seed });
}

function blocksOf(body: EnrichmentBody) {
  return body.type === 'enrichmentDone' ? body.data[0].data : {};
}

function personAt(index: number): Inputs {
  return { firstName: `Jane${index}`, lastName: 'Doe', companyDomain: `firm${index}.com` };
}

const everyone = Array.from({ length: COUNT }, (_, index) => personAt(index));
const isHit = (block: object | undefined): boolean => Object.keys(block ?? {}).length > 0;
const shareOf = (list: readonly unknown[]): number => list.length / COUNT;

describe('answerEnrichment', () => {
  it.each<[Ask, number, (body: EnrichmentBody, inputs: Inputs) => boolean]>([
    ['find_email', 0.69, (body) => isHit(blocksOf(body).find_email)],
    ['find_phone', 0.395, (body) => isHit(blocksOf(body).find_phone)],
    ['social_enrichment', 0.735, (body) => isHit(blocksOf(body).social_enrichment)],
    ['verify_email', 0.7, (body) => blocksOf(body).find_email?.status === 'deliverable'],
    ['find_email', 0.02, (body) => body.type === 'enrichmentError'],
  ])('answers %s so for about %d of the people', (one, share, isSo) => {
    const such = everyone.filter((inputs, n) => {
      const asked = { ...inputs, ...(one === 'verify_email' && { email: `p.${n}@acme.com` }) };
      return isSo(ask([one], asked), asked);
    });
    expect(Math.abs(shareOf(such) - share)).toBeLessThan(0.01 + share / 20);
  });

  it('gives a block the same content whatever is asked beside it', () => {
    for (const inputs of everyone.slice(0, 200)) {
      const together = blocksOf(ask(['find_email', 'social_enrichment', 'find_phone'], inputs));
      const alone = {
        ...blocksOf(ask(['find_phone'], inputs)),
        ...blocksOf(ask(['find_email'], inputs)),
        ...blocksOf(ask(['social_enrichment'], inputs)),
      };
      expect(together).toEqual(alone);
    }
  });

  it('depends on the seed', () => {
    const texts = [1, 1, 2].map((seed) =>
      JSON.stringify(everyone.slice(0, 20).map((inputs) => ask(ALL, inputs, seed))),
    );
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).not.toBe(texts[2]);
  });

  it('builds addresses of plain letters from any name', () => {
    const names = ['Zoë Strauß', 'Łukasz Ødegård', 'José García-Núñez', '山田 太郎', "Ana O'Neil"];
    const found = names.flatMap((name, index) => {
      const [firstName = '', lastName = ''] = name.split(' ');
      return Array.from({ length: 20 }, (_, seed) => {
        const inputs = { firstName, lastName, companyDomain: `firm${index}.com` };
        return blocksOf(ask(['find_email'], inputs, seed)).find_email?.email ?? [];
      }).flat();
    });
    expect(found.length).toBeGreaterThan(50);
    for (const email of found) expect(email).toMatch(/^[a-z0-9._]+@/);
    expect(found).toContainEqual(expect.stringMatching(/^zoe\.strauss@/));
    expect(found).toContainEqual(expect.stringMatching(/^(l\.|lukasz)/));
  });

  it('only gives out phone numbers that are kept for fiction', () => {
    const phones = everyone.flatMap(
      (inputs) => blocksOf(ask(['find_phone'], inputs)).find_phone?.phone ?? [],
    );
    const fiction = /^(\+120255501\d\d|\+447700900\d{3}|\+3319900\d{4})$/;
    for (const phone of phones) expect(phone.replaceAll(' ', '')).toMatch(fiction);
    expect(phones.some((phone) => phone.includes(' '))).toBe(true);
  });
});

describe('priceAnswer', () => {
  it('charges 1 for a verification', () => {
    const body = ask(['verify_email'], { email: 'a@b.io' });
    expect(body.type).toBe('enrichmentDone');
    const request = { ask: ['verify_email'], inputs: { email: 'a@b.io' } } as const;
    expect(priceAnswer(request, { seed: 1 }, NEUTRAL_DIALECT.prices)).toBe(1);
  });
});
