import { describe, expect, it } from 'vitest';
import { ndjsonFormat } from '../../src/output/ndjson-format.js';
import { column } from './temporary-folder.js';

describe('ndjsonFormat', () => {
  it('writes the same keys in every line, with null for empty cells and cells that are missing', () => {
    const format = ndjsonFormat([column('b'), column('a'), column('2024')]);
    expect(format.rows([['x', null, 1], ['y']])).toBe(
      '{"b":"x","a":null,"2024":1}\n{"b":"y","a":null,"2024":null}\n',
    );
  });

  it('keeps JSON types, and guards nothing', () => {
    const format = ndjsonFormat([column('a'), column('p', 'phone'), column('j', 'json')]);
    const line = format.rows([['=1+1', '+33', [{ n: -1, ok: true }]]]);
    expect(JSON.parse(line)).toEqual({ a: '=1+1', p: '+33', j: [{ n: -1, ok: true }] });
  });

  it('takes the key, not the name, and escapes it', () => {
    const format = ndjsonFormat([
      { name: 'x', key: 'x_2', kind: 'original' },
      { name: 'q', key: 'say "hi"', kind: 'original' },
      { name: '__proto__', key: '__proto__', kind: 'original' },
    ]);
    expect(format.rows([[1, 2, 3]])).toBe('{"x_2":1,"say \\"hi\\"":2,"__proto__":3}\n');
  });
});
