// A folder of its own for each test file, gone when the file is done.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
