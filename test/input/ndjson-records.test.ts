import { describe, expect, it } from 'vitest';
import { LineScanner } from '../../src/input/ndjson-records.js';
import { exactJson } from '../../src/model/text/json.js';
import { cutBytes, readPipe } from './read-all.js';

describe('NDJSON', () => {
  it('makes a column of each key in order of first appearance', async () => {
    const { columns, records } = await readPipe(
      '{"b":1,"a":"x"}\r\n\n{"c":[1],"a":null,"b":{"d":2}}',
    );
    expect(columns.map((column) => column.key)).toEqual(['b', 'a', 'c']);
    expect(records).toEqual([
      { source: 0, line: 1, cells: [1, 'x'] },
      { source: 0, line: 3, cells: [{ d: 2 }, null, [1]] },
    ]);
  });

  it('reads the same however the bytes are cut', async () => {
    const bytes = Buffer.from('{"name":"Zoë"}\n{"name":"名前"}\nbroken\n{"name":"🙂"}');
    const whole = await readPipe(bytes);
    for (const size of [1, 2, 3, 10]) {
      const cut = await readPipe(cutBytes(bytes, [size]));
      expect([cut.records, cut.rejects]).toEqual([whole.records, whole.rejects]);
    }
  });

  it.each([
    ['no JSON', '{"a":1,}', 'broken_json: the line is not JSON'],
    ['an array', '[1]', 'broken_json: the line is JSON but no object'],
    ['null', 'null', 'broken_json: the line is JSON but no object'],
  ])('a line with %s is a reject, and reading goes on', async (_, line, reason) => {
    const { records, rejects } = await readPipe(`{"a":1}\n${line}\n{"a":2}\n`);
    expect(records.map((record) => record.line)).toEqual([1, 3]);
    expect(rejects).toEqual([
      { source: 0, line: 2, reason: expect.stringContaining(reason), raw: line },
    ]);
  });

  it('a line that is nested too deeply is a reject, and reading goes on', async () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels)}1${']'.repeat(levels)}}`;
    const { records, rejects } = await readPipe(
      [nested(1), nested(64), nested(65), nested(200_000), '{"a":2}', ''].join('\n'),
    );
    expect(records.map((record) => record.line)).toEqual([1, 2, 5]);
    expect(rejects.map(({ line, reason }) => [line, reason])).toEqual([
      [3, expect.stringContaining('nested too deeply')],
      [4, expect.stringContaining('nested too deeply')],
    ]);
  });

  it('a reason never repeats what stands in the line', async () => {
    const { rejects } = await readPipe('{"a":1}\n{"email": ann@example.com}\n');
    expect(rejects[0]?.reason).not.toContain('ann');
  });

  it('of a key that stands twice the last value counts', async () => {
    expect((await readPipe('{"a":1,"a":2}\n')).records[0]?.cells).toEqual([2]);
  });

  it('takes __proto__ and constructor for ordinary keys', async () => {
    const { columns, records } = await readPipe('{"__proto__":{"x":1},"constructor":2}\n{"x":3}\n');
    expect(columns.map((column) => column.key)).toEqual(['__proto__', 'constructor', 'x']);
    expect(records[0]?.cells).toEqual([{ x: 1 }, 2]);
    expect(records[1]?.cells).toEqual([null, null, 3]);
  });

  it('keeps keys apart that differ in blanks only, and names an empty one', async () => {
    const { columns } = await readPipe('{"a":1," a":2,"":3}\n');
    expect(columns).toEqual([
      { key: 'a', name: 'a' },
      { key: 'a_2', name: ' a' },
      { key: 'column_3', name: '' },
    ]);
  });

  it('keeps every digit of a long id', async () => {
    const { records } = await readPipe(
      '{"id":7123456789012345678,"s":"x 7123456789012345678","n":1.5}\n',
    );
    expect(records[0]?.cells.map(exactJson)).toEqual([
      '7123456789012345678',
      '"x 7123456789012345678"',
      '1.5',
    ]);
  });

  it('flaws a record with bytes that are no text', async () => {
    const bytes = Buffer.from('{"name":"Zoë José"}\n{"name":"Zoë Bj?rn"}\n');
    bytes[bytes.indexOf('?')] = 0xf6;
    const { records } = await readPipe(bytes);
    expect(records[0]?.flaw).toBeUndefined();
    expect(records[1]?.flaw).toMatch(/^invalid_bytes: /);
  });
});

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
