import { expect, it } from 'vitest';
import { describeFileError } from '../../../src/input/sources/file-bytes.js';

it('an error of the system becomes a sentence with its name', () => {
  const error = describeFileError('leads.csv', Object.assign(new Error('x'), { code: 'EIO' }));
  expect(error.message).toContain('could not be read (EIO)');
  expect(error).toMatchObject({ code: 'input', message: expect.stringContaining('leads.csv') });
});
