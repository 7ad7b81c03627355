// SIGKILL at random moments: also between the boundaries, while undici, SQLite or the kernel is at work.
import { describe, it } from 'vitest';
import { openCast } from './cast.js';
import { isOver } from './judge.js';
import { openLane, type Scene } from './lane.js';
import { type Disturbed, live } from './life.js';
import { DATABASE_MODES, MODES } from './modes.js';

import { createChance, IS_WHOLE, openSweep, PATIENCE_MS, sized } from './sweep.js';

const MOMENTS = sized(2, 50);
/** The same job is killed so often at most. */
const IN_A_ROW_MAX = 3;
const LIVES_MAX = 1_000;

const cast = openCast();

describe.concurrent('SIGKILL at random moments', () => {
  it.each([...MODES, ...DATABASE_MODES])(
    '$name',
    async (mode) => {
      const which = [...MODES, ...DATABASE_MODES].indexOf(mode);
      const chance = createChance(which + 1);
      const sweep = openSweep('SIGKILL at random moments', mode.name);
      const lane = await openLane(mode);
      /** How long an undisturbed run takes here; the short version guesses. */
      let wholeMs = 2_000;
      for (let n = 0; n < LIVES_MAX && (sweep.struck['moment'] ?? 0) < MOMENTS; n += 1) {
        await live(lane, await cast, sweep, n, async (scene) => {
          const startedAt = performance.now();
          if (IS_WHOLE && n === 0) {
            const end = await scene.start().ended;
            wholeMs = performance.now() - startedAt;
            return [{ end, struck: undefined, where: 'undisturbed' }];
          }
          const times = Math.ceil(chance() * IN_A_ROW_MAX);
          const disturbed: Disturbed[] = [];
          while (disturbed.length < times && !isOver(disturbed.at(-1)?.end)) {
            disturbed.push(await killAfter(scene, Math.round(chance() * wholeMs)));
          }
          return disturbed;
        });
      }
      await lane.close();
      sweep.conclude();
    },
    PATIENCE_MS,
  );
});

async function killAfter(scene: Scene, ms: number): Promise<Disturbed> {
  const running = scene.start();
  const timer = setTimeout(() => running.child.kill('SIGKILL'), ms);
  const end = await running.ended;
  clearTimeout(timer);
  return {
    end,
    struck: end.signal === null ? undefined : 'moment',
    where: `killed after ${ms} ms`,
  };
}
