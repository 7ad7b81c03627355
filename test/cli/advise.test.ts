import { describe, expect, it } from 'vitest';
import { JOB_DEFAULTS } from '../../src/app/job-settings.js';
import { advise } from '../../src/cli/advise.js';
import type { Run } from '../../src/domain/run.js';
import { emptyByStatus, type RunTally } from '../../src/domain/tally.js';

const RUN = { id: 7, priceMax: 25 } as Run;
const STATE = JOB_DEFAULTS.state;
const TALLY = {
  byStatus: { ...emptyByStatus(), found: 3, timed_out: 1, uncertain: 1 },
} as RunTally;

describe('the way to an answer after all', () => {
  it('is the next run, which meets the leads again', () => {
    expect(advise({ run: RUN, tally: TALLY }, 'sluice run nightly', STATE)).toEqual([
      expect.stringMatching(/^uncertain: .*; --resend-uncertain does\.$/),
      expect.stringMatching(/^timed_out: .* with: sluice run nightly$/),
    ]);
  });

  it('begins with a retry where the files of a drop folder are done', () => {
    const run = { ...RUN, digests: ['d1'] };
    expect(advise({ run, tally: TALLY }, 'the same command', STATE)).toEqual([
      expect.stringMatching(
        /; this does: sluice retry 7 --only uncertain, then the same command\.$/,
      ),
      expect.stringMatching(/ with: sluice retry 7 --only timed_out, then the same command$/),
    ]);
  });

  it('is a retry for what failed, with what it may cost', () => {
    const tally = { byStatus: { ...emptyByStatus(), failed: 1_000 } } as RunTally;
    expect(advise({ run: RUN, tally }, 'sluice run nightly', 'my state.db')).toEqual([
      "failed: later runs say the same, though the reason may have passed. To ask again costs 25,000 credits at most: sluice retry 7 --only failed --state 'my state.db', then sluice run nightly",
    ]);
    const old = { id: 7 } as Run;
    expect(advise({ run: old, tally }, 'x', STATE)).toEqual([
      expect.stringContaining(
        'To ask again may cost credits: sluice retry 7 --only failed, then x',
      ),
    ]);
  });

  it('is not looked for where every lead is answered', () => {
    const tally = { byStatus: { ...emptyByStatus(), found: 3 } } as RunTally;
    expect(advise({ run: RUN, tally }, 'x', STATE)).toEqual([]);
  });
});
