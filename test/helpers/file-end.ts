// What a test file leaves behind ends with it, though many files share a process and each helper is loaded only once.
import { afterAll } from 'vitest';

const ends = new Set<() => void>();

/** From now on this is called at the end of every test file of this process. */
export function atFileEnd(end: () => void): void {
  ends.add(end);
}

/** For setup.ts, which vitest runs before each test file. */
export function endWithFile(): void {
  afterAll(() => {
    for (const end of ends) end();
  });
}
