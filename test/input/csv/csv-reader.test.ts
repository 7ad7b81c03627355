import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvLimits, CsvReader } from '../../../src/input/csv/csv-reader.js';
import { tries } from '../../helpers/long.js';
import { readNaively } from './read-naively.js';

const COMMA = { delimiter: ',', newline: '\n' } as const;
const nasty = fc.string({ unit: fc.constantFrom('a', ',', '"', '"', '\n', '\r'), maxLength: 40 });

describe('CsvReader', () => {
  it('finds the same, however the text is cut', () => {
    fc.assert(
      fc.property(
        nasty,
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
        (text, sizes) => {
          expect(read(cutText(text, sizes))).toEqual(read([text]));
        },
      ),
      { numRuns: tries(5_000) },
    );
  });

  it('finds what a reader finds that tries each line by itself', () => {
    const counts = { broken: 0, suspect: 0, manyLines: 0, bare: 0 };
    fc.assert(
      fc.property(
        nasty,
        fc.constantFrom(undefined, 3),
        fc.constantFrom('\n' as const, '\r' as const),
        (text, cellsMax, newline) => {
          const limits = cellsMax === undefined ? {} : { cellsMax };
          const expected = readNaively(text, { ...limits, newline });
          expect(read([text], limits, newline)).toMatchObject(expected);
          for (const found of expected) {
            if (found.kind === 'broken') counts.broken += 1;
            else if (found.isSuspect) counts.suspect += 1;
            else if (found.lineCount > 1) counts.manyLines += 1;
            else if (found.cells.some((cell) => cell.includes('"'))) counts.bare += 1;
          }
        },
      ),
      { numRuns: 5_000 },
    );
    // Each kind came often enough.
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(10);
  });

  it('finds the same where many records break, over many pieces', () => {
    const line = fc.constantFrom(
      'a,b',
      'a,"b"',
      'a,"b',
      '"a,b"',
      'a,5" b',
      'a,"b" c',
      '"a',
      'b"',
      'a,""',
      '',
      'a,b,c',
      'a,"b""c"',
      '"x"\0y,z',
      'a,é名',
    );
    const plain = fc.constant('plain,line\n'.repeat(300).trimEnd());
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 20, arbitrary: line }, plain), { minLength: 5, maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 3 }),
        (lines, sizes) => {
          const text = lines.join('\n');
          const expected = readNaively(text, { newline: '\n' });
          expect(read(cutText(text, sizes))).toMatchObject(expected);
        },
      ),
      { numRuns: tries(200) },
    );
  });

  it('answers for every line: it stands in a record, is a reject, or is blank', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const lines = text.split('\n');
        const answered = lines.map((line) => (line === '' || line === '\r' ? 1 : 0));
        for (const found of read([text])) {
          const count = found.kind === 'record' ? found.lineCount : 1;
          for (let line = found.line; line < found.line + count; line += 1) answered[line - 1] = 1;
        }
        expect(answered).not.toContain(0);
      }),
      { numRuns: tries(5_000) },
    );
  });

  it.each([
    ['is one line', 'a,b\n1,xxxxxxxxxxxxxxxx\n2,y\n', ['a', '2'], 'record_too_long'],
    [
      'has its end in a later chunk',
      'a,b\n"xxxxxxxxxxxxxxxx"\n2,y\n',
      ['a', '2'],
      'record_too_long',
    ],
    ['is closed too late', 'a,b\n1,"x\n3,4\n5,6\n7,8\n9,"\n2,y\n', null, 'unclosed_quote'],
  ])('a record over the limit that %s is a reject, and reading goes on', (_, text, ids, reason) => {
    for (const size of [1, 3, 1_000]) {
      const found = read(cutText(text, [size]), { recordCharsMax: 12 });
      const broken = found.filter((found) => found.kind === 'broken');
      expect(broken[0]).toMatchObject({ line: 2, reason: expect.stringContaining(reason) });
      const first = found.flatMap((found) => (found.kind === 'record' ? [found.cells[0]] : []));
      expect(first).toEqual(ids ?? ['a', '3', '5', '7', '2']);
    }
  });

  it('gives up a record over several lines where its cells run away, closed at last or not', () => {
    const text = `id,name\n${'a","\n'.repeat(100)}`;
    for (const rest of ['z"\n', 'last,one\n']) {
      const found = read([text + rest], { cellsMax: 70 });
      expect(found[1]).toMatchObject({ kind: 'broken', line: 2 });
      expect(read([text + rest], { cellsMax: 200 })[1]?.kind).toBe(
        rest === 'z"\n' ? 'record' : 'broken',
      );
    }
  });

  it('does not grow with a line that never ends', () => {
    const reader = new CsvReader(COMMA);
    const megabyte = 'x'.repeat(1024 * 1024);
    const found: unknown[] = [];
    for (let count = 0; count < 40; count += 1) {
      reader.push(megabyte);
      for (let next = reader.next(); next !== null; next = reader.next()) found.push(next);
    }
    expect(reader.hasRemainder).toBe(false);
    expect(found).toMatchObject([{ kind: 'broken', line: 1, raw: 'x'.repeat(2_000) }]);
  });
});

function read(chunks: readonly string[], limits?: CsvLimits, newline: '\n' | '\r' = '\n') {
  const reader = new CsvReader({ delimiter: ',', newline }, limits);
  const found: NonNullable<ReturnType<CsvReader['next']>>[] = [];
  const drain = () => {
    for (let next = reader.next(); next !== null; next = reader.next()) found.push(next);
  };
  for (const chunk of chunks) {
    reader.push(chunk);
    drain();
  }
  reader.end();
  drain();
  return found;
}

function cutText(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? text.length;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}
