// The same with processes of the built command line, which end by SIGKILL. Time is the real one, and none passes
// between two commands.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/app/system-clock.js';
import { startCommand } from '../helpers/command-line.js';
import { CREDENTIALS, type Ended, type Line, type Machine } from './machine.js';

const DISTURB = fileURLToPath(new URL('../faults/disturb.mjs', import.meta.url));

/** `openState`: where the state is, if not in a file. */
export function startRealMachine(openState?: Machine['openState']): Machine {
  const cwd = mkdtempSync(join(tmpdir(), 'sluice-model-'));
  const run = async ({ args, diesAt = 0, afterMs = 0 }: Line): Promise<Ended> => {
    const isDisturbed = diesAt > 0;
    const disturbed = { NODE_OPTIONS: `--import=${DISTURB}`, DISTURB: `kill:${diesAt}` };
    const env = { ...CREDENTIALS, ...(isDisturbed ? disturbed : {}) };
    if (afterMs > 0) await systemClock.sleep(afterMs);
    const { code, stdout, stderr } = await startCommand(args, {
      cwd,
      env,
      isUnbundled: isDisturbed,
    }).ended;
    return { code, stdout, stderr };
  };
  return {
    now: () => Date.now(),
    pass: () => undefined,
    runAll: (lines) => Promise.all(lines.map(run)),
    latencyMs: 20,
    limit: { rate: 'off' },
    ...(openState && { openState }),
    openPlatform: (open) => open(),
    stop: () => rmSync(cwd, { recursive: true, force: true }),
  };
}
