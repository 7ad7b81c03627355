import { describe, expect, it } from 'vitest';
import { asksOf, definitionsOf, keptAsks } from '../../src/dialect/custom-asks.js';
import {
  changedFile,
  dialectSchema,
  NEUTRAL_DIALECT,
  wholeFile,
} from '../../src/dialect/dialect.js';
import { offeredAsks } from '../../src/dialect/forms.js';
import type { JsonObject } from '../../src/model/text/json.js';

const FIRM = {
  about: 'The company of a domain',
  requires: [['companyDomain'], ['companyName']],
  price: 2,
  blocks: 'company',
  fields: { name: ['title', 'name'], staff: { at: 'size', type: 'integer', about: 'Heads' } },
};

function dialectWith(changes: JsonObject = {}, more: JsonObject = {}) {
  return dialectSchema.parse({ asks: { firm: { ...FIRM, ...changes } }, ...more });
}

describe('an ask of a dialect', () => {
  it('stands among the others, with its price and its inputs', () => {
    const dialect = dialectWith();
    expect(asksOf(dialect)).toEqual([...asksOf(NEUTRAL_DIALECT), 'firm']);
    expect(offeredAsks(dialect)).toContain('firm');
    expect(dialect.prices).toMatchObject({ find_email: 5, firm: 2 });
    expect(dialect.requires['firm']).toEqual([['companyDomain'], ['companyName']]);
  });

  it('has its price from the section of prices, if that states one', () => {
    expect(dialectWith({}, { prices: { firm: 7 } }).prices['firm']).toBe(7);
  });

  it.each([
    {},
    { prices: { firm: 7 } },
    { enrich: { path: { firm: '/firms', find_email: '/x' } } },
  ])('is kept in a file that parses back to the same dialect, with %j', (more) => {
    const dialect = dialectWith({}, more);
    expect(dialectSchema.parse(wholeFile(dialect))).toEqual(dialect);
    expect(dialectSchema.parse(changedFile(dialect, NEUTRAL_DIALECT))).toEqual(dialect);
  });

  it('is another question with other fields, and the same one with other places, types, words or another price', () => {
    const definition = (changes: JsonObject) => definitionsOf(dialectWith(changes))['firm'];
    const usual = definition({});
    expect(definition({ about: 'A firm', price: 9, requires: [['email']] })).toBe(usual);
    const fields = { staff: 'heads', name: ['title', 'name'] };
    expect(definition({ fields, blocks: 'firm', found: ['name'] })).toBe(usual);
    expect(definition({ fields: { ...FIRM.fields, city: 'city' } })).not.toBe(usual);
    expect(definition({ fields: { name: 'name' } })).not.toBe(usual);
  });

  it('is kept with a run by its words and types, if the run asks for it', () => {
    expect(keptAsks(dialectWith(), ['find_email'])).toBeUndefined();
    expect(keptAsks(dialectWith(), ['find_email', 'firm'])).toEqual({
      firm: {
        about: FIRM.about,
        fields: { name: { type: 'text', about: '' }, staff: { type: 'integer', about: 'Heads' } },
      },
    });
  });

  it.each<[JsonObject, RegExp]>([
    [{ find_email: FIRM }, /there already/],
    [{ 'Firm data': FIRM }, /small letters/],
    [{ constructor: FIRM }, /this word is taken/],
    [{ company: FIRM }, /a table has a column company_name/],
    [{ position: FIRM }, /a table has a column position_name/],
    [{ firm: { ...FIRM, fields: {} } }, /1 to 100 fields/],
    [{ firm: { ...FIRM, fields: { 'a b': 'a' } } }, /letters, digits/],
    [{ firm: { ...FIRM, fields: { a: { at: 'a', type: 'date' } } } }, /a path into JSON/],
    [{ firm: { ...FIRM, found: ['size'] } }, /each is a field/],
    [{ lead: { ...FIRM, fields: { number: 'n' } } }, /a table has a column lead_number/],
    [
      { firm: { ...FIRM, fields: { a_b: 'a' } }, firm_a: { ...FIRM, fields: { b: 'b' } } },
      /a table has a column firm_a_b/,
    ],
    [
      Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`ask${n}`, FIRM])),
      /6 asks of its own at most/,
    ],
  ])('is refused with %j', (asks, message) => {
    const { error } = dialectSchema.safeParse({ asks });
    expect(error?.issues.map((issue) => issue.message).join()).toMatch(message);
  });

  it('is refused if a request has no place for one of its inputs', () => {
    const asks = { firm: FIRM };
    const { error } = dialectSchema.safeParse({
      asks,
      enrich: { inputs: { companyDomain: null } },
    });
    expect(error?.issues.map(({ message, path }) => [path.join('.'), message])).toEqual([
      ['asks.firm.requires', 'enrich does not send companyDomain, which is in a list here'],
      ['asks.firm.requires', 'bulk does not send companyDomain, which is in a list here'],
    ]);
    const enrich = { inputs: { companyDomain: null, companyName: null, company: 'org' } };
    expect(dialectSchema.safeParse({ asks, enrich }).success).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ['enrich.path', { enrich: { path: { firms: '/x' } } }],
    ['enrich.ask.names', { enrich: { ask: { names: { firms: 'x' } } } }],
    ['bulk.ask.names', { bulk: { ask: { names: { 'firm+firms': 'x' } } } }],
    ['result.path', { result: { path: { firms: '/x/{id}' } } }],
    ['prices', { prices: { firms: 1 } }],
  ])('is known by its name in %s', (path, more) => {
    const { error } = dialectSchema.safeParse({ asks: { firm: FIRM }, ...more });
    const found = error?.issues.map((issue) => [issue.path.slice(0, -1).join('.'), issue.message]);
    expect(found).toContainEqual([path, expect.stringContaining('this is no ask: known are')]);
  });
});
