import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../src/input/sources/probe-source.js';
import { openFolder, readAll } from '../read-all.js';

const folder = await openFolder();

describe('a file that is no table of lines', () => {
  it.each([
    [
      'JSON over several lines',
      'leads.json',
      '{\n  "email": "a@b.example"\n}\n',
      /is JSON over several lines, and each line must be one object\. Write one object a line \(jq -c/,
    ],
    [
      'a list over several lines',
      'leads',
      '[\n  {"email": "a@b.example"}\n]\n',
      /is JSON over several/,
    ],
    ['SYLK', 'leads.csv', 'ID;PWXL;N;E\r\nC;Y1;X1;K"Email"\r\n', /is a SYLK file.*save it as CSV/],
    [
      'an unknown delimiter',
      'leads.csv',
      'Email^Name\na@b.example^Ada\nc@d.example^Cid\n',
      /seems to be delimited by \^, which Sluice does not read: it was guessed/,
    ],
  ])('is refused by a sentence that says so: %s', async (_, name, text, message) => {
    const path = await folder.write(name, text);
    await expect(readAll(path)).rejects.toThrow(message);
  });

  it.each(['Email\na^b@c.example\n', 'a^b,c\nx,y\n', 'x^2\n4\n'])(
    'is none of them by a sign in its text: %j',
    async (text) => {
      expect((await readAll(await folder.write('plain.csv', text))).records).toHaveLength(1);
    },
  );
});

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
