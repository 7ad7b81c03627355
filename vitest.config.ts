import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { COMMAND_MS, TEST_MS } from './test/helpers/patience.js';

/** Tests that measure their process. */
const ALONE = ['test/cli/tune-v8.test.ts'];
/** Sweeps and attacks, and several machines over minutes: `npm run test:long`. */
const LONG = [
  'test/{faults,sequences}/*.test.ts',
  'test/security/{hostile,hostile-pages}.test.ts',
  'test/security/{listener,ui,worker}-attacks.test.ts',
  'test/e2e/{workers,worker-health,schedules,limit-over-processes,waterfall-workers}.test.ts',
  'test/e2e/database-{servers,trouble}.test.ts',
];
/** Files that have more tests there, or try more of the same, by `test/helpers/long.ts`. */
const LONGER = [
  'test/app/plan/forecast-leads.test.ts',
  'test/app/queue/start-worker.test.ts',
  'test/app/report/gather-figures.test.ts',
  'test/app/state/copy-state.test.ts',
  'test/browser/compare.test.ts',
  'test/browser/pages.test.ts',
  'test/browser/report.test.ts',
  'test/browser/steering.test.ts',
  'test/browser/try.test.ts',
  'test/docs/guides.test.ts',
  'test/e2e/caps-over-processes.test.ts',
  'test/e2e/cron.test.ts',
  'test/e2e/dialect-commands.test.ts',
  'test/e2e/drop-folder.test.ts',
  'test/e2e/every-dialect.test.ts',
  'test/e2e/keep.test.ts',
  'test/e2e/late-webhooks.test.ts',
  'test/e2e/lists-in-a-job.test.ts',
  'test/e2e/pipes.test.ts',
  'test/e2e/postgres.test.ts',
  'test/e2e/signals.test.ts',
  'test/e2e/state-copy.test.ts',
  'test/e2e/status-watch.test.ts',
  'test/e2e/three-dialects.test.ts',
  'test/e2e/two-roles.test.ts',
  'test/e2e/ui-starts.test.ts',
  'test/e2e/ui.test.ts',
  'test/e2e/waterfall-budget.test.ts',
  'test/e2e/waterfall-kills.test.ts',
  'test/e2e/waterfall-lives.test.ts',
  'test/e2e/waterfall-skips.test.ts',
  'test/e2e/webhooks.test.ts',
  'test/index.test.ts',
  'test/input/csv/csv-records.test.ts',
  'test/input/xlsx/read-sheet.test.ts',
  'test/model/enrichment/rules.test.ts',
  'test/model/fingerprint.test.ts',
  'test/model/normalise.test.ts',
  'test/model/schedule/limit-shares.test.ts',
  'test/model/schedule/poll-schedule.test.ts',
  'test/model/text/split-name.test.ts',
  'test/model/waterfall/count-steps.test.ts',
  'test/model/waterfall/merge.test.ts',
  'test/model/waterfall/waterfall.test.ts',
  'test/package.test.ts',
  'test/platform/answers/odd.test.ts',
  'test/run/send/budget.test.ts',
  'test/run/send/send-batch.test.ts',
  'test/sandbox/dialect/answer-sections.test.ts',
  'test/sandbox/dialect/read-question.test.ts',
  'test/security/long-texts.test.ts',
];
/** Tests that start processes of their own, or need the build. */
const WHOLE = [
  'test/{app,browser,cli,docs,e2e,faults,notify,security}/**/*.test.ts',
  'test/ui/*.test.ts',
  'test/ui/!(server)/**/*.test.ts',
  'test/*.test.ts',
];

/** The many short files come last: so no worker is left without one while a long file ends. */
class ShortLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ project }: TestSpecification): number {
  return project.name === 'parts' ? 1 : 0;
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
      { extends: true, test: { name: 'whole', include: WHOLE, exclude: [...ALONE, ...LONG] } },
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE, ...LONG, ...WHOLE],
        },
      },
    ],
  },
});
