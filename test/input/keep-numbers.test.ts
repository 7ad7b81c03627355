import { describe, expect, it } from 'vitest';
import { keepNumbers } from '../../src/input/ndjson-records.js';
import { exactJson, type JsonValue } from '../../src/model/text/json.js';

const read = (json: string) => JSON.parse(keepNumbers(json)) as JsonValue;

describe('keepNumbers', () => {
  it.each([
    '{"a":9007199254740991}',
    '{"a":9007199254740993}',
    '[-9007199254740993,12345678901234567890,1]',
    '{"a":"\\"9007199254740993"}',
    '{"a":0.12345678901234567890}',
    '{"a":12345678901234567.5}',
    '{"a":[1.0,-0,0,-1,{"b":1e400}],"c":-1E-400}',
    '[1.50,1e21,1e+21,0.1,0e0]',
    '{"a":"1.0, 2.0","b":", 1e400"}',
    '{"1.0":1.0}',
    '[true,null,false,1.0]',
  ])('%s comes out as it went in', (json) => {
    expect(exactJson(read(json))).toBe(json);
  });

  it.each(['{"a":012345678901234567}', '{"a":1.}', '{"a":1.0.0}', '{"a":-}', '{"a":1e}'])(
    '%s stays no JSON',
    (json) => {
      expect(() => read(json)).toThrow(SyntaxError);
    },
  );

  it('leaves alone what says the same as a number', () => {
    const json = '{"a": 1, "b":-2.5,"c":0}';
    expect(keepNumbers(json)).toBe(json);
  });

  it('gets over strings of 10 MB', () => {
    const text = 'x\\"'.repeat(3_500_000);
    const json = `{"a":"${text}","b":9007199254740993}`;
    expect(exactJson(read(json))).toBe(json);
  });
});
