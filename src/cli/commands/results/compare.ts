// sluice report --compare A B: the changes between two runs, and the people in whom they are.
import { compareRuns } from '../../../app/report/compare-runs.js';
import { ClosedPipe } from '../../../output/standard-output.js';
import type { Store } from '../../../ports/store/store.js';
import { type MaybeSaid, NUMBER, TEXT } from '../../command.js';
import { wrongFlag } from '../../misuse.js';
import { findRun } from '../../open-state.js';
import { comparisonJson, comparisonLines } from '../../print/comparison.js';

export const COMPARE_OPTIONS = {
  compare: {
    ...NUMBER,
    array: true,
    nargs: 2,
    describe: 'Two runs, the earlier one first: write what changed between them instead',
  },
  key: {
    ...TEXT,
    array: true,
    describe: 'Column that names a lead in both runs; may be repeated (default: the same inputs)',
  },
  changes: {
    ...TEXT,
    describe:
      'Table of the people for whom something changed: .csv, .xlsx or another; - for standard output',
  },
} as const;

interface CompareArguments {
  readonly run?: number | undefined;
  readonly compare?: number[] | undefined;
  readonly key?: string[] | undefined;
  readonly changes?: string | undefined;
  readonly out?: string | undefined;
  readonly 'with-samples': boolean;
  readonly force: boolean;
}

/** @throws SluiceError `usage` for flags that do not go together */
export function checkCompare(args: CompareArguments): void {
  const { changes, compare, key, run } = args;
  if (compare === undefined) {
    const [flag] = [key !== undefined && 'key', changes !== undefined && 'changes'].filter(
      (one) => one !== false,
    );
    if (flag !== undefined) throw wrongFlag(flag, `--${flag} needs --compare with two runs.`);
    return;
  }
  if (compare.length !== 2 || run !== undefined) {
    throw wrongFlag('compare', '--compare is followed by two runs and no other: --compare 1 2.');
  }
  if (args.out !== undefined) {
    throw wrongFlag(
      'out',
      'A comparison writes no page: leave out --out. "sluice ui" shows it, and --changes names a table.',
    );
  }
  if (args['with-samples']) {
    throw wrongFlag(
      'with-samples',
      'No person is in the page of a comparison: leave out --with-samples, and name a table with --changes.',
    );
  }
}

export async function compare(
  args: CompareArguments,
  store: Store,
  state: string,
): Promise<MaybeSaid> {
  const [first, second] = args.compare ?? [];
  const [before, after] = [await findRun(store, state, first), await findRun(store, state, second)];
  const { changes, force, key } = args;
  const { stdout: standardOutput } = process;
  try {
    const report = await compareRuns(store, before.id, after.id, {
      key,
      changes,
      force,
      standardOutput,
    });
    const lines = comparisonLines(report);
    return { json: comparisonJson(report), lines, table: changes ?? '' };
  } catch (error) {
    if (!(error instanceof ClosedPipe)) throw error;
    return undefined;
  }
}
