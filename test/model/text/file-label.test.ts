import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileLabel, fileStem } from '../../../src/model/text/file-label.js';

const anyName = fc.string({ unit: 'binary', maxLength: 300 });

describe('the name of a file, as it is shown', () => {
  it('is its last part, in one line, however long it was', () => {
    expect(fileLabel('Kunden Mai.csv')).toBe('Kunden Mai.csv');
    expect(fileLabel('C:\\fakepath\\leads.csv')).toBe('leads.csv');
    expect(fileLabel('../../etc/passwd')).toBe('passwd');
    expect(fileLabel(' a\u0007\n\u202Egpj.csv ')).toBe('a gpj.csv');
    expect(fileLabel('x/')).toBe('');
    expect(fileLabel(`${'é'.repeat(500)}, the last of May.csv`)).toBe(
      `${'é'.repeat(59)}… the last of May.csv`,
    );
  });

  it('is never long, never steers a terminal, and is what it is', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const label = fileLabel(name);
        expect(Array.from(label).length).toBeLessThanOrEqual(80);
        expect(label).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}/\\]/u);
        expect(fileLabel(label)).toBe(label);
      }),
    );
  });
});

describe('the name of a file that a browser keeps', () => {
  it('is made of the name without its ending', () => {
    expect(fileStem('Kunden Mai.csv')).toBe('Kunden-Mai');
    expect(fileStem('..hidden..name.xlsx')).toBe('hidden.name');
    expect(fileStem('"><b>.csv')).toBe('b');
    expect(fileStem('名簿.csv')).toBe('名簿');
    expect(fileStem('???.csv')).toBe('');
  });

  it('is one name in any folder, whatever it is made of', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const stem = fileStem(name);
        expect(stem).toMatch(
          /^$|^[\p{L}\p{N}\p{M}]([\p{L}\p{M}\p{N}._-]{0,58}[\p{L}\p{M}\p{N}])?$/u,
        );
        expect(stem).not.toContain('..');
        expect(() => encodeURIComponent(stem)).not.toThrow();
      }),
    );
  });
});
