import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { env } from 'node:process';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { COMMAND_MS, TEST_MS } from './test/helpers/patience.js';

/** Tests that measure their process. */
const ALONE = ['test/cli/tune-v8.test.ts'];
/**
 * Sweeps and attacks, several machines over minutes, and what holds none of the promises of ARCHITECTURE.md by itself:
 * `npm run test:long`.
 */
const LONG = [
  'test/{faults,sequences}/*.test.ts',
  'test/security/{hostile,hostile-pages}.test.ts',
  'test/security/{listener,ui}-attacks.test.ts',
  'test/e2e/{limit-over-processes,schedules,waterfall-workers}.test.ts',
  'test/e2e/{worker-health,workers}.test.ts',
  'test/e2e/database-{servers,trouble}.test.ts',
  'test/store/postgres/{deliveries,rows-read}.test.ts',
  'test/browser/{report,steering,try}.test.ts',
  'test/docs/guides.test.ts',
  'test/e2e/{compare,cron,dialect-commands,doctor,events,init,lookup,metrics}.test.ts',
  'test/e2e/{other-node,pipes,proxy,series,status-watch,ui-starts}.test.ts',
  'test/e2e/{advice,explain,new-state,tables,two-roles,waterfall-told,which-leads}.test.ts',
  'test/queue/open-bullmq-dispatcher.test.ts',
];
/** Files that have more tests there, or try more of the same, by `test/helpers/long.ts` or as `setup.ts` says. */
const OF_LONG =
  /^import [^;]*\b(inBrief|isLong|tries|LOOKS|SCHEMES|describeStore|fast-check)\b[^;]*;$/m;
const LONGER = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((file) => `test/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.test.ts') && OF_LONG.test(readFileSync(file, 'utf8')));
/** The folders of tests that start processes of their own, or need the build: the others are `npm run test:quick`. */
const WHOLE = ['app', 'browser', 'cli', 'docs', 'e2e', 'notify', 'security', 'ui'];
const NOT_QUICK = [`test/{${WHOLE.join(',')}}/**`, 'test/*.test.ts'];
const isQuick = env['npm_lifecycle_event'] === 'test:quick';

/** The many short files come last: so no worker is left without one while a long file ends. */
class ShortLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const [, folder = ''] = /\/test\/(?:([^/]+)\/)?/.exec(moduleId) ?? [];
  return folder === '' || WHOLE.includes(folder) ? 0 : 1;
}

export default defineConfig({
  test: {
    pool: 'forks',
    // To load everything anew for each file takes longer than most of these tests.
    isolate: false,
    globalSetup: ['test/helpers/temp-root.ts'],
    setupFiles: ['test/helpers/setup.ts'],
    // Two files at a time on each core: many wait a good part of their time, for a clock or a process.
    maxWorkers: Math.min(availableParallelism() * 2, 16),
    sequence: { sequencer: ShortLast },
    testTimeout: TEST_MS,
    experimental: { fsModuleCache: true },
    hookTimeout: TEST_MS,
    expect: { poll: { timeout: COMMAND_MS } },
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE, isolate: true } },
      {
        extends: true,
        test: {
          name: 'long',
          include: [...LONG, ...LONGER],
          isolate: true,
          env: { SLUICE_LONG: 'yes' },
        },
      },
      {
        extends: true,
        test: {
          name: 'short',
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE, ...LONG, ...(isQuick ? NOT_QUICK : [])],
        },
      },
    ],
  },
});
