import { expect, it } from 'vitest';
import { LineScanner } from '../../../src/input/ndjson/line-scanner.js';

it.each([1, 2, 5, 100])('a line over the limit is cut short, in chunks of %i too', (size) => {
  const text = 'one\n\nmuch too long\r\ntwo\r\nlast';
  const scanner = new LineScanner(8);
  const found: unknown[] = [];
  for (let at = 0; at < text.length; at += size) {
    scanner.push(text.slice(at, at + size));
    for (let next = scanner.next(); next !== null; next = scanner.next()) found.push(next);
  }
  scanner.end();
  for (let next = scanner.next(); next !== null; next = scanner.next()) found.push(next);
  expect(found).toEqual([
    { line: 1, text: 'one', isTooLong: false },
    { line: 3, text: expect.stringMatching(/^much too/), isTooLong: true },
    { line: 4, text: 'two', isTooLong: false },
    { line: 5, text: 'last', isTooLong: false },
  ]);
});
