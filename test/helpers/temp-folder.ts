// A folder of its own for each test file, gone when the file is done.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach } from 'vitest';

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder of its own for each test of the file that calls it, by the paths of the names in it. */
export function folderOfEachTest() {
  const root = tempFolder();
  let count = 0;
  beforeEach(() => {
    count += 1;
    mkdirSync(at(''));
  });
  const at = (name: string) => join(root, String(count), name);
  return { at, put: (name: string, text: string) => writeFileSync(at(name), text) };
}
