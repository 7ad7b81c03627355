// Two processes are started on one job at the same moment: one works, and the other one says so and ends.
import { describe, it } from 'vitest';
import type { Ended } from '../helpers/command-line.js';
import { openCast } from './cast.js';
import { endsWell, isOver, told } from './judge.js';
import { openLane, type Scene } from './lane.js';
import { live } from './life.js';
import { DATABASE_MODES, MODES } from './modes.js';

import { openSweep, PATIENCE_MS, sized } from './sweep.js';

const PAIRS = sized(1, 13);
/** Long enough for the second one to meet the first one at work. */
const LATENCY = '--latency 6s --sigma 0';
const BUSY = 75;

const cast = openCast();

describe.concurrent('two processes at the same moment', () => {
  it.each([...MODES, ...DATABASE_MODES])(
    '$name',
    async (mode) => {
      const sweep = openSweep('two processes at the same moment', mode.name);
      const lane = await openLane(mode, { sandboxFlags: LATENCY });
      for (let pair = 0; pair < PAIRS; pair += 1) {
        await live(lane, await cast, sweep, pair, async (scene) => {
          const ends = await startTogether(scene);
          const working = ends.filter(isOver);
          const refused = ends.filter((end) => end.code === BUSY && endsWell(end, new Set([BUSY])));
          const [end] = working;
          if (working.length !== 1 || refused.length !== 1 || end === undefined) {
            throw new Error(
              `not one that works and one that is refused: ${ends.map(told).join('\n')}`,
            );
          }
          sweep.processes += 1;
          sweep.exits[BUSY] = (sweep.exits[BUSY] ?? 0) + 1;
          return [{ end, struck: 'pair', where: 'two at once' }];
        });
      }
      await lane.close();
      sweep.conclude();
    },
    PATIENCE_MS,
  );
});

/** Two processes that have loaded everything, and then begin at once. */
async function startTogether(scene: Scene): Promise<readonly Ended[]> {
  const gate = `gate${scene.life}`;
  const env = {
    NODE_OPTIONS: `--import ${new URL('gate.mjs', import.meta.url).href}`,
    GATE: scene.dir.at(gate),
  };
  const both = [scene.start(env), scene.start(env)];
  const ends = Promise.all(both.map(({ ended }) => ended));
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  ends.then(end, end);
  while (!isOver && both.some(({ child }) => !scene.dir.has(`${gate}.${child.pid}`))) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  scene.dir.write(gate, '');
  return ends;
}
