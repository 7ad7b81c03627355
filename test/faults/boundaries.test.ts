// At every point where a run meets the disk, the state file or the wire, one after the other: SIGKILL, or
// that one call fails. Then the run is started again, undisturbed, until it is done. The short version strikes one
// point of each of two kinds in each mode, and so each kind in two modes or more; `npm run sweep -- boundaries` strikes
// them all.
import { describe, it } from 'vitest';
import { type Cast, openCast } from './cast.js';
import { openLane } from './lane.js';
import { disturbAt, live } from './life.js';
import { AT_ONCE_MODES, DATABASE_MODES, MODES } from './modes.js';
import { IS_WHOLE, openSweep, PATIENCE_MS, type Sweep } from './sweep.js';

const SWEEPS = [
  { name: 'SIGKILL at every boundary', disturb: 'kill' },
  { name: 'every call fails once', disturb: 'fail' },
] as const;
/** Far more points than a run has; one that meets more runs in circles. */
const POINTS_MAX = 5_000;
/** Of each kind: the first point that the short version strikes, and how much further on in each mode the next is. */
const KINDS = { store: [3, 22], network: [1, 1], files: [4, 7] } as const;

/** Where the short version strikes the answer to a paid request that holds the result. */
const AT_ONCE_POINT = { kill: 8, fail: 7 } as const;

let opening: Promise<Cast> | undefined;

describe.concurrent.each(SWEEPS)('$name', ({ name, disturb }) => {
  it.each([...MODES, ...DATABASE_MODES, ...AT_ONCE_MODES])(
    '$name',
    async (mode) => {
      opening ??= openCast();
      const sweep = openSweep(name, mode.name);
      const [cast, lane] = await Promise.all([opening, openLane(mode)]);
      const at = [...MODES, ...DATABASE_MODES].indexOf(mode) % MODES.length;
      const which = at + (disturb === 'kill' ? 0 : MODES.length);
      const kinds = Object.entries(KINDS).filter(
        ([kind], i) => IS_WHOLE || (mode.isAtOnce === true ? kind === 'network' : i !== which % 3),
      );
      const strike = async (where: string): Promise<number> => {
        let points = 0;
        await live(lane, cast, sweep, sweep.lives, async (scene) => {
          const disturbed = await disturbAt(scene, `${disturb}:${where}`);
          points = disturbed.points;
          return [disturbed];
        });
        return points;
      };
      if (IS_WHOLE) await strikeAll(strike, sweep);
      else {
        for (const [kind, [first, step]] of kinds) {
          await strike(
            `${mode.isAtOnce === true ? AT_ONCE_POINT[disturb] : first + which * step}:${kind}`,
          );
        }
      }
      for (const [kind] of kinds) {
        if (!(kind in sweep.struck)) sweep.broken.push(`nothing struck the ${kind}`);
      }
      await lane.close();
      sweep.conclude();
    },
    PATIENCE_MS,
  );
});

async function strikeAll(strike: (where: string) => Promise<number>, sweep: Sweep): Promise<void> {
  for (let nth = 1; nth < POINTS_MAX; nth += 1) {
    if ((await strike(String(nth))) < nth) return;
  }
  sweep.broken.push(`more than ${POINTS_MAX} points`);
}
