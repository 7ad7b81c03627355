// What happens to a run when its database is stopped hard, when its connections are cut at a COMMIT, when the network
// swallows its packets, and when its process stands still while another one takes its job over. A run waits for its database; only a process that was replaced ends.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { openCutter } from '../helpers/connection-cutter.js';
import { openServer, type Server, stopServer } from '../helpers/postgres-server.js';
import { openCast } from './cast.js';
import { type LaneOptions, openLane, type Scene } from './lane.js';
import { type Disturbed, live } from './life.js';
import { DATABASE_MODES, type Mode } from './modes.js';
import { createChance, IS_WHOLE, openSweep, PATIENCE_MS, type Sweep, sized } from './sweep.js';

const LIVES = sized(1, 30);
/** A run is under way for about so long. */
const RUN_MS = 2_000;
const DOWN_MS_MAX = sized(500, 9_000);
const CUT_SHARE = 0.1;
/** Longer than a lease. */
const FROZEN_MS = 40_000;
const FROZEN_LIVES = 10;

const SWALLOWED_MS = 5_000;
const SWALLOWED_LIVES = 4;

const cast = openCast();

/** The server of one sweep, gone at its end. */
async function withServer(work: (server: Server) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  try {
    await work(await openServer(folder));
  } finally {
    await stopServer(folder);
  }
}

async function sweepThrough(
  sweep: Sweep,
  mode: Mode,
  places: Pick<LaneOptions, 'server' | 'through'>,
  disturb: (scene: Scene) => Promise<readonly Disturbed[]>,
  lives = LIVES,
): Promise<void> {
  const lane = await openLane(mode, places);
  for (let n = 0; n < lives; n += 1) {
    await live(lane, await cast, sweep, n, disturb);
  }
  await lane.close();
  sweep.conclude();
}

describe.concurrent.each(DATABASE_MODES)('$name', (mode) => {
  const which = DATABASE_MODES.indexOf(mode);

  it(
    'the server is stopped hard, and starts again',
    async () => {
      const chance = createChance(which + 1);
      const sweep = openSweep('server stopped hard', mode.name);
      await withServer((server) =>
        sweepThrough(sweep, mode, { server: server.address }, async (scene) => {
          const { ended } = scene.start();
          const downMs = Math.round(chance() * DOWN_MS_MAX);
          const afterMs = Math.round(chance() * RUN_MS);
          await sleep(afterMs);
          await server.stopHard();
          await sleep(downMs);
          await server.start();
          const where = `stopped after ${afterMs} ms, for ${downMs} ms`;
          return [{ end: await ended, struck: 'server', where }];
        }),
      );
    },
    PATIENCE_MS,
  );

  it(
    'connections are cut at a COMMIT, before and after it arrives',
    async () => {
      const chance = createChance(which + 7);
      const sweep = openSweep('connections cut at COMMIT', mode.name);
      await withServer(async (server) => {
        // What comes after the disturbed one is not cut.
        let isCutting = false;
        const cutter = await openCutter(server.port, () => {
          if (!isCutting || chance() > CUT_SHARE) return undefined;
          return chance() < 0.5 ? 'before' : 'after';
        });
        const through = (address: string): string =>
          address.replace(`:${server.port}/`, `:${cutter.port}/`);
        try {
          await sweepThrough(sweep, mode, { server: server.address, through }, async (scene) => {
            const before = cutter.cuts();
            isCutting = true;
            const end = await scene.start().ended;
            isCutting = false;
            const cuts = cutter.cuts() - before;
            return [{ end, struck: cuts > 0 ? 'cut' : undefined, where: `${cuts} cuts` }];
          });
        } finally {
          cutter.close();
        }
      });
    },
    PATIENCE_MS,
  );

  it.runIf(IS_WHOLE)(
    'the network swallows every packet for a while',
    async () => {
      const chance = createChance(which + 19);
      const sweep = openSweep('packets swallowed', mode.name);
      await withServer(async (server) => {
        const cutter = await openCutter(server.port);
        const through = (address: string): string =>
          address.replace(`:${server.port}/`, `:${cutter.port}/`);
        const disturb = async (scene: Scene): Promise<Disturbed[]> => {
          const { ended } = scene.start();
          const afterMs = Math.round(chance() * RUN_MS);
          await sleep(afterMs);
          cutter.swallow(true);
          await sleep(SWALLOWED_MS);
          cutter.swallow(false);
          return [{ end: await ended, struck: 'network', where: `after ${afterMs} ms` }];
        };
        // A statement is given up after 65 s.
        try {
          const places = { server: server.address, through };
          await sweepThrough(sweep, mode, places, disturb, SWALLOWED_LIVES);
        } finally {
          cutter.close();
        }
      });
    },
    PATIENCE_MS,
  );

  it.runIf(IS_WHOLE)(
    'a process stands still while another one takes its job over, and goes on',
    async () => {
      const chance = createChance(which + 13);
      const sweep = openSweep('frozen, and taken over', mode.name);
      await withServer((server) =>
        sweepThrough(
          sweep,
          mode,
          { server: server.address },
          async (scene) => {
            const frozen = scene.start();
            const afterMs = Math.round(chance() * RUN_MS);
            await sleep(afterMs);
            frozen.child.kill('SIGSTOP');
            await sleep(FROZEN_MS);
            const successor = scene.start();
            await sleep(Math.round(chance() * RUN_MS));
            frozen.child.kill('SIGCONT');
            const where = `frozen after ${afterMs} ms`;
            return [
              { end: await frozen.ended, struck: 'frozen', where },
              { end: await successor.ended, struck: undefined, where: 'successor' },
            ];
          },
          FROZEN_LIVES,
        ),
      );
    },
    PATIENCE_MS,
  );
});
