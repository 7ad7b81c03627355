// At every point where a run meets the disk, the state file or the wire, one after the other: SIGKILL, or
// that one call fails. Then the run is started again, undisturbed, until it is done.
import { describe, it } from 'vitest';
import { type Cast, openCast } from './cast.js';
import { openLane } from './lane.js';
import { disturbAt, live } from './life.js';
import { MODES } from './modes.js';
import { IS_WHOLE, openSweep, PATIENCE_MS } from './sweep.js';

const SWEEPS = [
  { name: 'SIGKILL at every boundary', disturb: 'kill', stride: 170 },
  { name: 'every call fails once', disturb: 'fail', stride: 190 },
] as const;
/** Far more points than a run has; one that meets more runs in circles. */
const POINTS_MAX = 5_000;

let opening: Promise<Cast> | undefined;

describe.concurrent.each(SWEEPS)('$name', ({ name, disturb, stride }) => {
  it.each(MODES)(
    '$name',
    async (mode) => {
      opening ??= openCast();
      const sweep = openSweep(name, mode.name);
      const [cast, lane] = await Promise.all([opening, openLane(mode)]);
      const which = MODES.indexOf(mode) + (disturb === 'kill' ? 0 : MODES.length);
      const step = IS_WHOLE ? 1 : stride;
      // The short version begins elsewhere in each mode.
      const start = IS_WHOLE ? 1 : 30 + which * 10;
      let isThrough = false;
      for (let nth = start; !isThrough && nth < POINTS_MAX; nth += step) {
        await live(lane, cast, sweep, which * POINTS_MAX + sweep.lives, async (scene) => {
          const disturbed = await disturbAt(scene, `${disturb}:${nth}`);
          isThrough = disturbed.points < nth;
          return [disturbed];
        });
      }
      if (!isThrough) sweep.broken.push(`more than ${POINTS_MAX} points`);
      await lane.close();
      sweep.conclude();
    },
    PATIENCE_MS,
  );
});
