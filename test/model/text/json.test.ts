import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exactJson,
  exactNumber,
  exactText,
  type JsonValue,
  markWorkbookCell,
  parseJson,
  plainJson,
  workbookCell,
} from '../../../src/model/text/json.js';
import { tries } from '../../helpers/long.js';

const digits = fc.stringMatching(/^\d{1,25}$/);
const whole = fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,24}$/));
const part = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: '' });
const number = fc
  .tuple(
    part(fc.constant('-')),
    whole,
    part(digits.map((text) => `.${text}`)),
    part(fc.stringMatching(/^[eE][+-]?\d{1,3}$/)),
  )
  .map((parts) => parts.join(''));

/** As a line of NDJSON holds it. */
const cellOf = (text: string): JsonValue => exactNumber(text) ?? Number(text);

describe('a cell of a workbook', () => {
  it.each<[text: string, value: string, plain: JsonValue]>([
    ['2026-03-01', '46082', '2026-03-01'],
    ['00123', '123', '00123'],
    ['12345', '12345', 12_345],
    ['0.0000001', '1E-7', '0.0000001'],
    ['12345678901234567890', '12345678901234567890', '12345678901234567890'],
    ['123', '', '123'],
    ['a "b"\n', '1', 'a "b"\n'],
  ])('%j is this text, and %j beside it', (text, value, plain) => {
    const cell = markWorkbookCell({ text, value, format: '14' });
    expect(workbookCell(cell)).toEqual({ text, value, format: '14' });
    expect(exactText(cell)).toBe(text);
    expect(plainJson(cell)).toBe(plain);
    expect(JSON.parse(exactJson(cell))).toBe(plain);
    expect(exactText(plainJson(cell))).toBe(text);
  });

  it('is a text alone where it has the mark itself, and no other cell is one', () => {
    const text = 'a\uFDD0b';
    expect(markWorkbookCell({ text, value: '1', format: '' })).toBe(text);
    for (const cell of [text, '\uFDD01.0', 'x', 1, null])
      expect(workbookCell(cell)).toBeUndefined();
  });
});

describe('parseJson', () => {
  it.each([
    ['1039995589705121900', '1039995589705121900'],
    ['-9007199254740993', '-9007199254740993'],
    ['9007199254740991', 9_007_199_254_740_991],
    ['{"id":12345678901234567890,"a":1}', { id: '12345678901234567890', a: 1 }],
    ['[ 12345678901234567890, 1.5, 1e3 ]', ['12345678901234567890', 1.5, 1_000]],
    ['{"a":"x: 12345678901234567890"}', { a: 'x: 12345678901234567890' }],
    ['{"a":"\\\\", "b":12345678901234567890}', { a: '\\', b: '12345678901234567890' }],
    ['{"a":"\\": 12345678901234567890","b":1}', { a: '": 12345678901234567890', b: 1 }],
    ['1234567890123456.5', 1_234_567_890_123_456.5],
    ['01234567890123456789', undefined],
    ['{"id":12345678901234567890', undefined],
    ['', undefined],
  ])('reads %s, a whole number with all its digits', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  it('reads what JSON.parse reads, but for such numbers', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const plain: unknown = JSON.parse(text);
        if (!/\d{16}/.test(text)) expect(parseJson(text)).toEqual(plain);
        else expect(parseJson(text)).toBeDefined();
      }),
    );
  });
});

describe('a number', () => {
  it('comes out as it went in, in every format, alone and inside', () => {
    fc.assert(
      fc.property(number, (text) => {
        const cell = cellOf(text);
        expect(exactText(cell)).toBe(text);
        expect(exactJson(cell)).toBe(text);
        expect(exactJson({ [text]: [cell, text] })).toBe(`{"${text}":[${text},"${text}"]}`);
        expect(exactJson(JSON.parse(JSON.stringify([cell])))).toBe(`[${text}]`);
      }),
      { numRuns: tries(2_000) },
    );
  });

  it('is the same number for a program, or its text', () => {
    fc.assert(
      fc.property(number, (text) => {
        const plain = plainJson([cellOf(text)]);
        expect([[text], [Number(text)]]).toContainEqual(plain);
      }),
    );
    const plain = ['1.0', '-0', '1e2', '0.0', '1e400', '1e-400', '12345678901234567890', '7'];
    expect(plain.map((text) => plainJson(cellOf(text)))).toEqual([
      1,
      -0,
      100,
      0,
      '1e400',
      '1e-400',
      '12345678901234567890',
      7,
    ]);
  });

  it('is no text, whatever the text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(exactJson(value as JsonValue)).toBe(JSON.stringify(value));
        expect(plainJson(value as JsonValue)).toBe(value);
      }),
    );
    expect(exactJson({ '\uFDD01': '"\uFDD01"' })).toBe(JSON.stringify({ '\uFDD01': '"\uFDD01"' }));
  });
});
