import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { COMMAND_MS, TEST_MS } from './test/helpers/patience.js';

/** What changes its process, or measures it. */
const ALONE = [
  'test/cli/keep-heap-small.test.ts',
  'test/security/hostile.test.ts',
  'test/sequences/*.test.ts',
];
/** What starts processes of its own, or needs what is built. */
const WHOLE = ['test/{app,cli,docs,e2e,faults,notify,security}/**/*.test.ts', 'test/*.test.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    // To load everything anew for each file takes longer than most of these tests.
    isolate: false,
    globalSetup: ['test/helpers/temp-root.ts'],
    setupFiles: ['test/helpers/setup.ts'],
    // Three files at a time on two cores: many wait a good part of their time, for a clock or a disk.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
    expect: { poll: { timeout: COMMAND_MS } },
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE, isolate: true } },
      { extends: true, test: { name: 'whole', include: WHOLE, exclude: ALONE } },
      {
        extends: true,
        test: { name: 'parts', include: ['test/**/*.test.ts'], exclude: [...ALONE, ...WHOLE] },
      },
    ],
  },
});
