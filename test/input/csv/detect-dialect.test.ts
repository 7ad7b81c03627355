import { describe, expect, it } from 'vitest';
import { detectDialect } from '../../../src/input/csv/detect-dialect.js';

describe('detectDialect', () => {
  it.each([
    ['commas', 'a,b,c\n1,2,3\n', ','],
    ['semicolons beside decimal commas', 'a;b\n1,5;2,5\n3,5;4,5\n', ';'],
    ['tabs', 'a\tb\n1,2\t3\n', '\t'],
    ['pipes', 'a|b|c\n1|2|3\n', '|'],
    ['delimiters of another kind inside quotes', 'a;b\n"1,2,3";4\n"x, y";5\n', ';'],
    ['a name with a comma under semicolons', 'Name, Vorname;Mail\nX, Y;m\nZ, W;n\n', ';'],
    ['a few ragged rows', 'L, F;mail;phone\nA, B;x;1\nC, D;y\nE, F;z;3\nG, H;w;4\n', ';'],
    ['a single column', 'email\nann@example.com\n', ','],
    ['a header alone', 'a;b;c\n', ';'],
    ['no line end yet', 'a,b', ','],
  ])('finds the delimiter with %s', (_, sample, delimiter) => {
    expect(detectDialect(sample, true).delimiter).toBe(delimiter);
  });

  it('is not misled by a record that the sample cuts off', () => {
    expect(detectDialect('a;b\n1;2\n3;"x,y', false).delimiter).toBe(';');
  });

  it('finds the delimiter of a header that is longer than what is looked at first', () => {
    const header = Array.from({ length: 16_001 }, (_, n) => `a long column ${n}`).join(';');
    expect(header.length).toBeGreaterThan(256 * 1024);
    expect(detectDialect(`${header}\n`, true).delimiter).toBe(';');
    expect(detectDialect(`${header}\nx;`, false).delimiter).toBe(';');
  });

  it('leaves a set delimiter alone', () => {
    expect(detectDialect('a;b\n1;2\n', true, '|').delimiter).toBe('|');
  });

  it.each([
    ['a\n1\n', '\n'],
    ['a\r\n1\r\n', '\n'],
    ['a\r1\r', '\r'],
    ['a\r', '\n'],
  ])('tells the line end of %j', (sample, newline) => {
    expect(detectDialect(sample, true).newline).toBe(newline);
  });
});
