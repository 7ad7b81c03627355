// Waterfalls whose users do whatever they like, in any order: whatever that was, no platform is paid twice for one
// question, each lead has one row, and the row is what the platforms say.
import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLong } from '../helpers/long.js';
import type { SandboxProcess } from '../helpers/sandbox-process.js';
import {
  type ChainStep,
  jobOf,
  judgeWaterfall,
  openPlace,
  RUN,
  startThree,
} from '../helpers/waterfall.js';
import { people, type Workdir } from '../helpers/workdir.js';

const LEADS = isLong ? 12 : 6;
const LIVES = isLong ? 12 : 1;

type Command =
  | { readonly kind: 'run' | 'retry' | 'cancel' | 'pause' | 'resume' | 'turn' }
  | { readonly kind: 'kill'; readonly after: number }
  | { readonly kind: 'credits'; readonly at: number; readonly left: number }
  | { readonly kind: 'conduct'; readonly skips: boolean };

const COMMANDS: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('run', 'retry', 'cancel', 'pause', 'resume', 'turn'),
  }),
  fc.record({ kind: fc.constant('kill'), after: fc.nat(LEADS) }),
  fc.record({ kind: fc.constant('credits'), at: fc.nat(2), left: fc.constantFrom(0, 10, 10_000) }),
  fc.record({ kind: fc.constant('conduct'), skips: fc.boolean() }),
);

/** The only one in `npm test`. */
const LIFE: readonly Command[] = [
  { kind: 'conduct', skips: true },
  { kind: 'kill', after: 3 },
  { kind: 'credits', at: 1, left: 0 },
  { kind: 'turn' },
  { kind: 'run' },
];

interface World {
  readonly dir: Workdir;
  readonly sandboxes: readonly SandboxProcess[];
  readonly steps: readonly ChainStep[];
  isTurned: boolean;
  skips: boolean;
}

function writeJob({ dir, isTurned, skips, steps }: World): void {
  const [first, second, check] = steps as [ChainStep, ChainStep, ChainStep];
  const order = isTurned ? [second, first, check] : [first, second, check];
  const how = skips ? 'skip' : 'wait';
  dir.write('job.yaml', jobOf(order, `on-unavailable: ${how}\non-uncertain: ${how}\n`));
}

const acceptedIn = async (sandboxes: readonly SandboxProcess[]): Promise<number> => {
  const ledgers = await Promise.all(sandboxes.map((sandbox) => sandbox.ledger()));
  return ledgers.reduce((sum, { accepted }) => sum + accepted, 0);
};

async function perform(world: World, command: Command): Promise<void> {
  const { dir, sandboxes } = world;
  const newest = async (): Promise<string> => {
    return String(((await dir.json('status --state state.db')) as { run: number }).run);
  };
  switch (command.kind) {
    case 'run':
      await dir.sluice(RUN);
      return;
    case 'kill': {
      const running = dir.start(RUN);
      const before = await acceptedIn(sandboxes);
      let isOver = false;
      const end = (): void => {
        isOver = true;
      };
      running.ended.then(end, end);
      while (!isOver && (await acceptedIn(sandboxes)) < before + command.after) await pause(5);
      running.child.kill('SIGKILL');
      await running.ended;
      return;
    }
    case 'retry':
    case 'cancel':
      if (!dir.has('state.db')) return;
      await dir.sluice(
        command.kind === 'cancel'
          ? `cancel ${await newest()} --state state.db`
          : `retry ${await newest()} --only failed,timed_out,not_found --state state.db`,
      );
      return;
    case 'pause':
    case 'resume':
      if (dir.has('state.db')) await dir.sluice(`${command.kind} job --state state.db`);
      return;
    case 'turn':
      world.isTurned = !world.isTurned;
      writeJob(world);
      return;
    case 'conduct':
      world.skips = command.skips;
      writeJob(world);
      return;
    case 'credits':
      await sandboxes[command.at]?.giveCredits(command.left);
  }
}

test('a waterfall answers for every lead, whatever its users do', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(COMMANDS, { minLength: 2, maxLength: 8 }), async (commands) => {
      const { sandboxes, steps } = await startThree();
      const slow = steps.map((step) => ({ ...step, more: 'concurrency: 3' }));
      const dir = openPlace(slow, people(LEADS));
      const all = Object.values(sandboxes);
      const world: World = { dir, sandboxes: all, steps: slow, isTurned: false, skips: false };
      writeJob(world);
      for (const command of commands) {
        await perform(world, command);
        for (const sandbox of all) expect(await sandbox.ledger()).toMatchObject({ doubled: [] });
        if (dir.has('out.csv')) expect(dir.rows('out.csv')).toHaveLength(LEADS);
      }
      // At last all is well: what is open is done, and a new run asks for what others have left out.
      for (const sandbox of all) await sandbox.giveCredits(100_000);
      Object.assign(world, { isTurned: false, skips: false });
      writeJob(world);
      if (dir.has('state.db')) await dir.sluice('resume job --state state.db');
      for (let n = 0; n < 2; n += 1) expect([0, 1]).toContain((await dir.sluice(RUN)).code);
      const rows = dir.rows('out.csv');
      expect(rows).toHaveLength(LEADS);
      expect(rows.map((row) => row['sluice_tried']).join()).not.toContain('unavailable');
      expect((await judgeWaterfall(slow, rows)).problems).toEqual([]);
      for (const sandbox of all) expect(await sandbox.ledger()).toMatchObject({ doubled: [] });
    }),
    { numRuns: LIVES, endOnFailure: true, examples: [[[...LIFE]]] },
  );
});
