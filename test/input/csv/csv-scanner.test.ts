import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvScanner, type ScanLimits } from '../../../src/input/csv/csv-scanner.js';

const COMMA = { delimiter: ',', newline: '\n' } as const;
const nasty = fc.string({ unit: fc.constantFrom('a', ',', '"', '"', '\n', '\r'), maxLength: 40 });

describe('CsvScanner', () => {
  it('finds the same, however the text is cut', () => {
    fc.assert(
      fc.property(
        nasty,
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
        (text, sizes) => {
          expect(scan(cutText(text, sizes))).toEqual(scan([text]));
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('agrees with csv-parse on all that csv-parse accepts', () => {
    let accepted = 0;
    fc.assert(
      fc.property(nasty, (text) => {
        // A carriage return at the very end is half a line end to us, and a character to csv-parse.
        fc.pre(!text.endsWith('\r'));
        const expected = parseStrictly(text);
        if (expected === null) return;
        accepted += 1;
        expect(scan([text]).map((found) => found.kind === 'record' && found.cells)).toEqual(
          expected,
        );
      }),
      { numRuns: 5_000 },
    );
    expect(accepted).toBeGreaterThan(500);
  });

  it('answers for every line: it stands in a record, is a reject, or is blank', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const lines = text.split('\n');
        const answered = lines.map((line) => (line === '' || line === '\r' ? 1 : 0));
        for (const found of scan([text])) {
          const count = found.kind === 'record' ? found.lineCount : 1;
          for (let line = found.line; line < found.line + count; line += 1) answered[line - 1] = 1;
        }
        expect(answered).not.toContain(0);
      }),
      { numRuns: 5_000 },
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
      const scanned = scan(cutText(text, [size]), { recordCharsMax: 12 });
      const broken = scanned.filter((found) => found.kind === 'broken');
      expect(broken[0]).toMatchObject({ line: 2, reason: expect.stringContaining(reason) });
      const first = scanned.flatMap((found) => (found.kind === 'record' ? [found.cells[0]] : []));
      expect(first).toEqual(ids ?? ['a', '3', '5', '7', '2']);
    }
  });

  it('gives up a record over several lines where its cells run away, closed at last or not', () => {
    const text = `id,name\n${'a","\n'.repeat(100)}`;
    for (const rest of ['z"\n', 'last,one\n']) {
      const scanned = scan([text + rest], { cellsMax: 70 });
      expect(scanned[1]).toMatchObject({ kind: 'broken', line: 2 });
      expect(scan([text + rest], { cellsMax: 200 })[1]?.kind).toBe(
        rest === 'z"\n' ? 'record' : 'broken',
      );
    }
  });

  it('does not grow with a line that never ends', () => {
    const scanner = new CsvScanner(COMMA);
    const megabyte = 'x'.repeat(1024 * 1024);
    const found: unknown[] = [];
    for (let count = 0; count < 40; count += 1) {
      scanner.push(megabyte);
      for (let next = scanner.next(); next !== null; next = scanner.next()) found.push(next);
    }
    expect(scanner.hasRemainder).toBe(false);
    expect(found).toMatchObject([{ kind: 'broken', line: 1, raw: 'x'.repeat(2_000) }]);
  });
});

function scan(chunks: readonly string[], limits?: ScanLimits) {
  const scanner = new CsvScanner(COMMA, limits);
  const found: NonNullable<ReturnType<CsvScanner['next']>>[] = [];
  const drain = () => {
    for (let next = scanner.next(); next !== null; next = scanner.next()) found.push(next);
  };
  for (const chunk of chunks) {
    scanner.push(chunk);
    drain();
  }
  scanner.end();
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

/** What csv-parse makes of it, or null where it refuses. */
function parseStrictly(text: string): string[][] | null {
  try {
    return parse(text, {
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n'],
    });
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    return null;
  }
}
