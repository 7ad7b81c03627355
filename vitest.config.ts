import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { COMMAND_MS, TEST_MS } from './test/helpers/patience.js';

/** What starts processes or servers of its own that its helpers end with the file, or changes the process. */
const WHOLE = [
  'test/{app,cli,docs,e2e,faults,notify,security,sequences}/**/*.test.ts',
  'test/*.test.ts',
];

export default defineConfig({
  test: {
    pool: 'forks',
    // Three files at a time on two cores: many wait a good part of their time, for a clock or a disk.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
    expect: { poll: { timeout: COMMAND_MS } },
    projects: [
      { extends: true, test: { name: 'whole', include: WHOLE } },
      {
        extends: true,
        // To load everything anew for each file takes longer than most of these tests.
        test: { name: 'parts', include: ['test/**/*.test.ts'], exclude: WHOLE, isolate: false },
      },
    ],
  },
});
