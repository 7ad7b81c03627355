import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // One file at a time on each core: many wait for processes of their own most of the time.
    maxWorkers: '100%',
    // A bound on what hangs, with room for a machine that is busy with other things.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
