import { describe, expect, it } from 'vitest';
import { nameCommands, runCommandLine, stateFlag } from '../../../src/app/results/name-commands.js';
import { DEFAULTS } from '../../../src/config/defaults.js';
import { advise as adviseWith } from '../../../src/model/report/advice.js';
import type { Run } from '../../../src/model/run.js';
import { emptyByStatus, FORGOTTEN_REASON, type RunTally } from '../../../src/model/tally.js';

const USUAL = { state: undefined };
const RUN = { id: 7, priceMax: 25 } as Run;
const STATE = DEFAULTS.state;
const tallyOf = (
  counts: Partial<RunTally['byStatus']>,
  askedAgain: RunTally['askedAgain'] = {},
  reasons: RunTally['reasons'] = [],
) => ({ byStatus: { ...emptyByStatus(), ...counts }, askedAgain, reasons }) as RunTally;
const TALLY = tallyOf({ found: 3, timed_out: 1 }, { uncertain: 1 });

function advise(report: Parameters<typeof adviseWith>[0], command: string, state: string) {
  return adviseWith(report, nameCommands('nightly', state, USUAL, command));
}

describe('the way to an answer after all', () => {
  it('is the next run, which meets the leads again', () => {
    expect(advise({ run: RUN, tally: TALLY }, 'sluice run nightly', STATE)).toEqual([
      expect.stringMatching(/^uncertain: .* To send them: --resend-uncertain\.$/),
      expect.stringMatching(/^timed_out: .* with: sluice run nightly$/),
    ]);
  });

  it('begins with a retry where the files of a drop folder are done', () => {
    const run = { ...RUN, digests: ['d1'] };
    expect(advise({ run, tally: TALLY }, 'the same command', STATE)).toEqual([
      expect.stringMatching(
        / To send them: sluice retry 7 --only uncertain, then the same command\.$/,
      ),
      expect.stringMatching(/ with: sluice retry 7 --only timed_out, then the same command$/),
    ]);
  });

  it('is a retry for what failed, with what it may cost', () => {
    const tally = tallyOf({ failed: 1_000 });
    expect(advise({ run: RUN, tally }, 'sluice run nightly', 'my state.db')).toEqual([
      "failed: later runs leave these leads alone. To look at their tickets again, for nothing: sluice retry 7 --only failed --state 'my state.db', then sluice run nightly. To ask again, which costs 25,000 credits at most: the same with --ask-anew.",
    ]);
    const old = { id: 7 } as Run;
    expect(advise({ run: old, tally }, 'x', STATE)).toEqual([
      expect.stringContaining(
        'sluice retry 7 --only failed, then x. To ask again, which may cost credits: the same with --ask-anew.',
      ),
    ]);
  });

  it('is none where the person was forgotten, which no price counts', () => {
    const forgotten = { status: 'failed', reason: FORGOTTEN_REASON, leads: 2 } as const;
    const tellOf = (failed: number) =>
      advise({ run: RUN, tally: tallyOf({ failed }, {}, [forgotten]) }, 'x', STATE);
    const told = expect.stringMatching(
      /^failed: 2 leads of people who were forgotten\. .*: take their lines out of the input\. A run that still reads those who are not suppressed pays again .* at once for what was not asked of them before\.$/,
    );
    expect(tellOf(2)).toEqual([told]);
    expect(tellOf(3)).toEqual([
      expect.stringMatching(/ costs 25 credits at most: the same with --ask-anew\.$/),
      told,
    ]);
  });

  it('is not looked for where every lead is answered', () => {
    const tally = tallyOf({ found: 3 });
    expect(advise({ run: RUN, tally }, 'x', STATE)).toEqual([]);
  });
});

it('a command names the state file where it is not the usual one', () => {
  expect(stateFlag('data/sluice.db', USUAL)).toBe('');
  expect(stateFlag('other/state.db', USUAL)).toBe(' --state other/state.db');
  expect(stateFlag("my Eve's.db", USUAL)).toBe(" --state 'my Eve'\\''s.db'");
});

it('a job is named as one word, whatever its path', () => {
  expect(runCommandLine('my jobs/a.yaml', undefined, USUAL)).toBe("sluice run 'my jobs/a.yaml'");
  expect(runCommandLine('nightly', 'other.db', USUAL)).toBe('sluice run nightly --state other.db');
});

it('a job in jobs/ is continued by its name, and any other one as it was started', () => {
  expect(nameCommands('legislators', 'a.db', USUAL).again()).toBe(
    'Continue with: sluice run legislators --state a.db',
  );
  expect(nameCommands('legislators', 'a.db', USUAL).again('--budget 5')).toBe(
    'Continue with: sluice run legislators --state a.db --budget 5',
  );
  const { again } = nameCommands('leads.csv', 'a.db', USUAL);
  expect(again()).toBe('Start it as before; it continues.');
  expect(again('--budget 5')).toBe('Start it as before, with --budget 5; it continues.');
});
