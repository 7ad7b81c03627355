// How many sequences are tried, from which seed, and where their figures go.
//
// SLUICE_MODEL_RUNS, SLUICE_MODEL_SEED   how many, and from which seed
// SLUICE_MODEL_PATH, SLUICE_MODEL_REPLAY `path` and `replayPath` of a counterexample: only that one
// SLUICE_MODEL_IGNORE                    a pattern: broken rules whose sentence it matches are passed over, while they
//                                        are known and not mended
// SLUICE_SWEEP_RESULT                    where to write what was counted, as JSON
import { writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import type { Machine } from './machine.js';
import { PlayedStep, playCommands } from './play.js';
import { played } from './runs.js';
import type { Step } from './steps.js';
import type { Kind } from './world.js';

const WRITTEN_EVERY = 20;

interface Trial {
  readonly step: fc.Arbitrary<Step>;
  readonly maxCommands: number;
  /** Of the suite; the sweep says how many. */
  readonly runs: number;
  readonly start: () => Machine;
}

/** @throws Error with seed, path and the shrunk sequence where a rule is broken */
export async function assertModel({ step, maxCommands, runs, start }: Trial): Promise<void> {
  const env = process.env;
  const numRuns = Number(env['SLUICE_MODEL_RUNS'] ?? runs);
  const seed = Number(env['SLUICE_MODEL_SEED'] ?? 1);
  const replayPath = env['SLUICE_MODEL_REPLAY'];
  const path = env['SLUICE_MODEL_PATH'];
  const commands = fc.commands([step.map((one) => new PlayedStep(one))], {
    maxCommands,
    size: 'max',
    ...(replayPath === undefined ? {} : { replayPath }),
  });
  // On every fourth platform.
  const kind = fc.constantFrom<Kind[]>('later', 'later', 'at once', 'later');
  const startedAt = performance.now();
  const write = (isDone: boolean): void => {
    const file = env['SLUICE_SWEEP_RESULT'];
    if (file === undefined) return;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    writeFileSync(file, `${JSON.stringify({ seed, isDone, seconds, ...played }, null, 2)}\n`);
  };
  const property = fc.asyncProperty(commands, kind, async (sequence, one) => {
    await playCommands(sequence, start, one);
    if (played.sequences % WRITTEN_EVERY === 0) write(false);
  });
  await fc.assert(property, { numRuns, seed, ...(path === undefined ? {} : { path }) });
  write(true);
}
