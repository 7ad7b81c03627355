// How long the sweeps are, and where their figures go. `npm run sweep` runs them whole; the suite runs the
// same code short.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { SWEEP_MS } from '../helpers/patience.js';

export const IS_WHOLE = process.env['SLUICE_SWEEP'] === 'whole';

/** A number for the short version and one for the whole. */
export function sized(short: number, whole: number): number {
  return IS_WHOLE ? whole : short;
}

export const PATIENCE_MS = IS_WHOLE ? 4 * 60 * 60_000 : SWEEP_MS;

export interface Figures {
  /** Jobs that were begun and brought to their end. */
  lives: number;
  /** Processes that it took. */
  processes: number;
  /** How often something was done to one of them, by what it was. */
  readonly struck: Record<string, number>;
  leads: number;
  accepted: number;
  doubled: number;
  uncertain: number;
  /** How often each exit code was seen; `SIGKILL` for a process that was killed. */
  readonly exits: Record<string, number>;
}

export interface Sweep extends Figures {
  /** What did not hold, as sentences. */
  readonly broken: string[];
  /** Writes the figures so far where `npm run sweep` looks for them. */
  save(): void;
  /** Writes them for good; fails the test where anything did not hold. */
  conclude(): void;
}

/** One sweep in one mode. */
export function openSweep(sweep: string, mode: string): Sweep {
  const startedAt = performance.now();
  const broken: string[] = [];
  const figures: Figures = {
    lives: 0,
    processes: 0,
    struck: {},
    leads: 0,
    accepted: 0,
    doubled: 0,
    uncertain: 0,
    exits: {},
  };
  const opened: Sweep = Object.assign(figures, {
    broken,
    save: () => write(false),
    conclude: () => {
      write(true);
      expect(broken).toEqual([]);
    },
  });
  const write = (isDone: boolean): void => {
    const folder = process.env['SLUICE_SWEEP_RESULTS'];
    if (folder === undefined) return;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const result = { sweep, mode, isWhole: IS_WHOLE, isDone, seconds, ...opened };
    mkdirSync(folder, { recursive: true });
    const name = `${sweep}-${mode}.json`.replaceAll(/[^\w.-]+/g, '-');
    writeFileSync(join(folder, name), `${JSON.stringify(result, null, 2)}\n`);
  };
  return opened;
}

export function tick(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function createChance(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
