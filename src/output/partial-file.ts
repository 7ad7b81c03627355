// The half-written files beside a table. Every writer has one of its own, so that two processes can
// never mix their rows: whoever commits last replaces a whole table by a whole table. What a killed
// process left behind is found by its name, and removed by the next writer of the same table.
import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from './output-problem.js';

/** Tells this process from an earlier one with the same id: in a container it is 1 every time. */
const PROCESS_TOKEN = randomBytes(3).toString('hex');

/** A new path beside the target: `.<name>.<process id>-<process token>-<random>.partial`. */
export function partialPath(target: string): string {
  const unique = `${process.pid}-${PROCESS_TOKEN}-${randomBytes(3).toString('hex')}`;
  return join(dirname(target), `.${basename(target)}.${unique}.partial`);
}

/**
 * Removes the partial files of this target whose process has ended. A fixed name would need no
 * search, but then one process could publish what another is still writing; here the worst that a
 * wrong guess can do (two containers that share a folder but not their process ids) is that the
 * other's commit fails and says so. A leftover that cannot be removed is in nobody's way.
 */
export async function removeLeftovers(target: string): Promise<void> {
  const folder = dirname(target);
  const names = await readdir(folder);
  const leftovers = names.filter((name) => isLeftover(name, basename(target)));
  await Promise.allSettled(leftovers.map((name) => rm(join(folder, name), { force: true })));
}

function isLeftover(name: string, base: string): boolean {
  if (!name.startsWith(`.${base}.`)) return false;
  const match = /^(\d+)-([0-9a-f]+)-[0-9a-f]+\.partial$/.exec(name.slice(base.length + 2));
  if (match === null) return false;
  const [, id, token] = match;
  return Number(id) === process.pid ? token !== PROCESS_TOKEN : !isRunning(Number(id));
}

function isRunning(processId: number): boolean {
  try {
    // Signal 0 reaches nobody; it only asks whether somebody is there.
    process.kill(processId, 0);
    return true;
  } catch (cause) {
    return errnoOf(cause) === 'EPERM';
  }
}
