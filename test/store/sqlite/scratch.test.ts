import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { openScratch } from '../../../src/store/sqlite/scratch.js';

it('knows each of many texts again, whatever they hold, and leaves nothing behind', () => {
  const before = readdirSync(tmpdir());
  const scratch = openScratch();
  const texts = Array.from({ length: 20_000 }, (_, n) => `${n} ${'é\0'.repeat(n % 50)}`);
  expect(texts.filter((text) => scratch.isNew(text))).toHaveLength(20_000);
  expect(texts.filter((text) => scratch.isNew(text))).toEqual([]);
  scratch.close();
  scratch.close();
  const left = readdirSync(tmpdir()).filter((name) => !before.includes(name));
  expect(left.filter((name) => name.startsWith('etilqs_'))).toEqual([]);
});
