import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../src/input/sources/probe-source.js';

describe('detectFormat', () => {
  it.each([
    ['leads.csv', '{', 'csv'],
    ['LEADS.TSV', '{', 'csv'],
    ['leads.txt.gz', '{', 'csv'],
    ['leads.ndjson', 'a', 'ndjson'],
    ['leads.jsonl.gz', 'a', 'ndjson'],
    ['leads', ' \n {"a":1}', 'ndjson'],
    ['leads.json', '{"a":1}', 'ndjson'],
    ['-', 'a,b', 'csv'],
    ['leads.csv.bak', '[x]', 'csv'],
  ])('%s that begins with %j is %s', (path, beginning, format) => {
    expect(detectFormat(path, beginning)).toBe(format);
  });

  it('refuses a JSON array and says what to write instead', () => {
    expect(() => detectFormat('leads.json', '[{')).toThrow(
      /is a JSON array; write one object a line/,
    );
  });
});
