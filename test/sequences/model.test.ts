// Random sequences of commands over one state file, each judged after every step: rules.ts says by what.
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { SWEEP_MS } from '../helpers/patience.js';
import { assertModel } from './assert-model.js';
import { FOUND } from './found.js';
import { startMachine } from './machine.js';
import { play, warmUp } from './play.js';
import { played } from './runs.js';
import { step } from './steps.js';

const PATIENCE_MS = process.env['SLUICE_MODEL_RUNS'] === undefined ? SWEEP_MS : 24 * 3_600_000;

beforeAll(warmUp, PATIENCE_MS);

test.each(Object.entries(FOUND))('what the model has found: %s', async (_, steps) => {
  await expect(play(steps)).resolves.toBeUndefined();
});

test(
  'in whatever order commands are given, nothing is paid twice and nothing known is lost',
  async () => {
    played.kinds = {};
    const trial = assertModel({ step, maxCommands: 12, runs: 60, start: startMachine });
    await expect(trial).resolves.toBeUndefined();
    const drawn = new Set(fc.sample(step, { numRuns: 1_000, seed: 1 }).map((one) => one.do));
    const isReplay = process.env['SLUICE_MODEL_PATH'] !== undefined;
    if (!isReplay) expect(new Set(Object.keys(played.kinds))).toEqual(drawn);
  },
  PATIENCE_MS,
);
