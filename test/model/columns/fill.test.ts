import { describe, expect, it } from 'vitest';
import { domainOwner } from '../../../src/identity/domain-owner.js';
import { registrableDomain } from '../../../src/identity/registrable-domain.js';
import type { LeadAnswer } from '../../../src/model/answer.js';
import { findFilled, rowMaker } from '../../../src/model/columns/fill.js';
import {
  columnRenames,
  describeColumns,
  outputColumns,
} from '../../../src/model/columns/output-columns.js';
import type { PositionShape } from '../../../src/model/columns/positions.js';
import type { JsonValue } from '../../../src/model/text/json.js';
import { leadAnswer } from '../../helpers/lead-answer.js';
import { problemOf } from '../../platform/test-server.js';

const RULES = { registrableDomain, domainOwner };

const INPUT = ['Name', 'Email', 'Phone'].map((name) => ({ key: name, name }));
const FILL = { email: 'email', phone: 'Phone' };

function answerOf(cells: JsonValue[], email?: string, phone?: string): LeadAnswer {
  return leadAnswer({
    cells,
    credits: 5,
    result: {
      ...(email === undefined ? {} : { find_email: { email } }),
      ...(phone === undefined ? {} : { find_phone: { phone } }),
    },
  });
}

function rowOf(answer: LeadAnswer, shape: PositionShape = { kind: 'current' }) {
  const [row = []] = rowMaker(INPUT, { shape, fill: FILL }, RULES)(answer);
  const names = outputColumns(INPUT, shape, { isFilled: true }).map(({ key }) => key);
  expect(row).toHaveLength(names.length);
  return Object.fromEntries(names.map((name, n) => [name, row[n]]));
}

describe('columns of the user that are filled', () => {
  it('get no character that could steer a terminal', () => {
    const row = rowOf(answerOf(['Ada', '', ''], 'a\u202e\u001b@b.co\u009b'));
    expect(row['Email']).toBe('a@b.co');
  });

  it.each<[JsonValue[], JsonValue[], string | null]>([
    [['Ada', '', ''], ['Ada', 'a@b.co', '+33612345678'], 'email,phone'],
    [['Ada', 'n/a', ' - '], ['Ada', 'a@b.co', '+33612345678'], 'email,phone'],
    [['Ada', null, '0612 345'], ['Ada', 'a@b.co', '0612 345'], 'email'],
    [['Ada', 'own@x.example', ''], ['Ada', 'own@x.example', '+33612345678'], 'phone'],
    [['Ada', ' Own@X.example ', 33612345678], ['Ada', ' Own@X.example ', 33612345678], null],
    [['Ada'], ['Ada', 'a@b.co', '+33612345678'], 'email,phone'],
  ])('%j shows %j', (cells, shown, filled) => {
    const answer = answerOf(cells, 'a@b.co', '+33612345678');
    const row = rowOf(answer);
    expect([row['Name'], row['Email'], row['Phone']]).toEqual(shown);
    expect(row).toMatchObject({ filled, email: 'a@b.co', phone: '+33612345678' });
    expect(answer.cells).toEqual(cells);
  });

  it.each([
    '=cmd()@b.co',
    '+1@b.co',
    '-1@b.co',
    '\uff1dx@b.co',
    "'=1@b.co",
    '\t=x@b.co',
    'no address',
  ])('never show %j, which is no address or may be a formula', (email) => {
    const row = rowOf(answerOf(['Ada', '', ''], email, '=1+2345678'));
    expect(row).toMatchObject({ Email: '', Phone: '', filled: null, email });
  });

  it('are empty where nothing was found', () => {
    const row = rowOf({ ...answerOf(['Ada', 'n/a', '']), result: null, status: 'not_asked' });
    expect(row).toMatchObject({ Email: 'n/a', Phone: '', filled: null });
  });

  it('are filled in every row of a lead', () => {
    const date = { start: {}, end: {} };
    const group = { company: {}, date, profilePositions: [{ date }, { date }] };
    const answer = answerOf(['Ada', '', ''], 'a@b.co');
    const result = { ...answer.result, social_enrichment: { positionGroups: [group] } };
    const shape = { kind: 'long' } as const;
    const make = rowMaker(INPUT, { shape, fill: FILL }, RULES);
    const rows = make({ ...answer, result });
    expect(rows.map((row) => [row[1], row.at(-1)])).toEqual([
      ['a@b.co', 'email'],
      ['a@b.co', 'email'],
    ]);
  });

  it.each<[string, JsonValue, JsonValue, string | null]>([
    ['Email.work', { home: 'x' }, { home: 'x', work: 'a@b.co' }, 'email'],
    ['Email.work', { work: 'n/a' }, { work: 'a@b.co' }, 'email'],
    ['Email.work', { work: 'own@x.example' }, { work: 'own@x.example' }, null],
    ['Email.work', null, { work: 'a@b.co' }, 'email'],
    ['Email.work.main', { work: { x: 1 } }, { work: { x: 1, main: 'a@b.co' } }, 'email'],
    ['Email.work.main', { work: 'text' }, { work: 'text' }, null],
    ['Email[0].value', [], [{ value: 'a@b.co' }], 'email'],
    ['Email[1]', ['x'], ['x', 'a@b.co'], 'email'],
    ['Email[2]', ['x'], ['x'], null],
    [
      'Email[type=work].value',
      [{ type: 'home' }],
      [{ type: 'home' }, { type: 'work', value: 'a@b.co' }],
      'email',
    ],
    [
      'Email[type=work].value',
      [{ type: 'work', value: '' }],
      [{ type: 'work', value: 'a@b.co' }],
      'email',
    ],
    ['Email[type=work].value', { type: 'work' }, { type: 'work', value: 'a@b.co' }, 'email'],
    ['Email[type=work].value', { type: 'home' }, { type: 'home' }, null],
  ])('at %s, %j becomes %j', (path, cell, shown, filled) => {
    const shape = { kind: 'json' } as const;
    const [row = []] = rowMaker(
      INPUT,
      { shape, fill: { email: path } },
      RULES,
    )(answerOf(['Ada', cell], 'a@b.co'));
    expect([row[1], row.at(-1)]).toEqual([shown, filled]);
  });

  it('may be a path into a column of objects, not of texts', () => {
    const fill = { email: 'Email.work' };
    expect(
      findFilled(INPUT, fill, [
        ['Ada', ''],
        ['Ada', { home: '' }],
      ]),
    ).toMatchObject([{ index: 1, path: 'work' }]);
    expect(() => findFilled(INPUT, fill, [['Ada', 'a@b.co']])).toThrow('holds no objects or lists');
  });

  it('are told in a column of a free name', () => {
    const input = [...INPUT, { key: 'filled', name: 'filled' }];
    const shape = { kind: 'json' } as const;
    expect(outputColumns(input, shape, { isFilled: true }).at(-1)?.name).toBe('sluice_filled');
    expect(columnRenames(input, describeColumns(shape, { isFilled: true }))).toContainEqual({
      name: 'filled',
      renamedTo: 'sluice_filled',
    });
  });

  it.each([
    [{ email: 'Emial' }, 'no column "Emial" for your own e-mail addresses'],
    [{ phone: 'Phone.a b' }, '"Phone.a b" is no column, and no path into "Phone"'],
    [{ email: 'Phone', phone: 'phone' }, 'email and phone are both "Phone"'],
  ])('%j is refused', async (fill, said) => {
    const shape = { kind: 'json' } as const;
    const problem = await problemOf(async () => rowMaker(INPUT, { shape, fill }, RULES));
    expect(problem).toMatchObject({ code: 'usage', message: expect.stringContaining(said) });
  });
});
