// The attacks on a listener, and what genuine deliveries see of each. `npm run sweep -- hostile` makes them longer;
// SLUICE_ATTACKS_RESULT is where the figures go.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { beforeAll, expect, it } from 'vitest';
import { PATIENCE_MS, sized } from '../faults/sweep.js';
import { COMMAND_MS } from '../helpers/patience.js';
import {
  measureAttack,
  type Outcome,
  type Plan,
  type Prepared,
  prepareState,
} from './attacked-listener.js';
import { type AttackName, LISTENER_ATTACKS } from './listener-attacks.js';

const PLAN: Plan = {
  seconds: sized(0.5, 20),
  everyMs: sized(50, 100),
  // Platforms wait for 5 to 30 seconds.
  patienceMs: sized(COMMAND_MS, 30_000),
  // Either would outgrow GROWTH_BYTES_MAX, if all of it were kept.
  counts: { replays: sized(1_500, 30_000), largeBodies: sized(4, 40) },
};
/** What the state file may grow by under one key, whatever is sent. */
const GROWTH_BYTES_MAX = 16 * 2 ** 20;
/** The key of a batch and that of a hook are known here besides: what comes under them is not bounded. */
const UNBOUNDED: readonly AttackName[] = ['mixed'];

const NAMES = Object.keys(LISTENER_ATTACKS) as AttackName[];
const outcomes: Partial<Record<AttackName, Outcome>> = {};
let prepared: Prepared;

beforeAll(async () => {
  prepared = await prepareState(sized(150, 1000));
});

it.each(NAMES)('loses no delivery under attack: %s', { timeout: PATIENCE_MS }, async (name) => {
  const outcome = await measureAttack(prepared, name, PLAN);
  outcomes[name] = outcome;
  save();
  expect(outcome.broken).toEqual([]);
  expect(outcome.sent).toBeGreaterThan(0);
  if (UNBOUNDED.includes(name)) return;
  expect(outcome.stateAfter - outcome.stateBefore).toBeLessThan(GROWTH_BYTES_MAX);
});

function save(): void {
  const path = process.env['SLUICE_ATTACKS_RESULT'];
  if (path === undefined) return;
  const { stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' });
  const figures = {
    commit: stdout.trim(),
    date: new Date().toISOString().slice(0, 10),
    seconds: PLAN.seconds,
    // More than there are cores: something else was at work meanwhile.
    load: Math.round(loadavg()[0] ?? 0),
    attacks: outcomes,
  };
  writeFileSync(path, `${JSON.stringify(figures, null, 2)}\n`);
}
