// A folder is a room: what lies in it is found by looking at its names.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const FILES_MAX = 15;

it('no folder of src/ has more files than are seen at a glance', () => {
  const counts = new Map<string, number>();
  const entries = readdirSync('src', { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (entry.isDirectory()) continue;
    const folder = join(entry.parentPath, '');
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect(counts.size).toBeGreaterThan(50);
  expect([...counts].filter(([, count]) => count > FILES_MAX)).toEqual([]);
});
