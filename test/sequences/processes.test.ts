// The same through processes of the built command line, which end by SIGKILL at any statement, request or file.
import { expect, test } from 'vitest';
import { SWEEP_MS } from '../helpers/patience.js';
import { assertModel } from './assert-model.js';
import { startRealMachine } from './real-machine.js';
import { databaseState } from './state.js';
import { step } from './steps.js';

const PATIENCE_MS = process.env['SLUICE_MODEL_RUNS'] === undefined ? SWEEP_MS : 24 * 3_600_000;

test.each([
  ['', undefined],
  [', with their state in PostgreSQL', databaseState],
] as const)(
  'so it is for real processes that are killed%s',
  async (_, openState) => {
    // No step waits for the time to pass, and what is slow is tried in one process.
    const here = step.filter((one) => one.do !== 'pass' && one.do !== 'weather');
    const trial = assertModel({
      step: here,
      maxCommands: 8,
      runs: 2,
      start: () => startRealMachine(openState),
    });
    await expect(trial).resolves.toBeUndefined();
  },
  PATIENCE_MS,
);
