import { expect, it } from 'vitest';
import { describeFileError } from '../../../src/input/sources/file-bytes.js';

it.each([
  ['ENOENT', 'There is no input file leads.csv'],
  ['EISDIR', 'The input leads.csv is a folder'],
  ['EACCES', 'The input file leads.csv may not be read by this user'],
  ['EIO', 'could not be read (EIO)'],
])('%s becomes a sentence with a way out', (code, sentence) => {
  const error = describeFileError('leads.csv', Object.assign(new Error('x'), { code }));
  expect(error.message).toContain(sentence);
  expect(error).toMatchObject({ code: 'input', facts: { path: 'leads.csv', reason: code } });
});
