import { closeSync, fstatSync, readSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openTempFile, writeTemp } from '../../../src/input/sources/temp-file.js';

it('a temporary file has no name, and holds what is written', () => {
  const fd = openTempFile();
  expect(fstatSync(fd)).toMatchObject({ nlink: 0, size: 0 });
  writeTemp(fd, Buffer.from('later'), 3);
  writeTemp(fd, Buffer.from('now'), 0);
  const bytes = Buffer.alloc(8);
  readSync(fd, bytes, 0, 8, 0);
  expect(bytes.toString()).toBe('nowlater');
  closeSync(fd);
  expect(() => writeTemp(fd, bytes, 0)).toThrow(/took none \(EBADF\); free some space there/);
});
