// A table must never take the place of what it is made from: the leads would be gone, and a pattern
// that matches the table would read yesterday's results as today's leads.
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SluiceError } from '../domain/errors.js';
import { rejectsPath } from '../output/rejects-path.js';

/** @throws SluiceError `usage` where the table at `out`, or its rejects, would replace one of the sources */
export async function refuseOwnInput(sources: readonly string[], out: string): Promise<void> {
  if (out === '-') return;
  const targets = await Promise.all([out, rejectsPath(out) ?? out].map(realPathOf));
  for (const source of sources) {
    if (source === '-' || !targets.includes(await realPathOf(source))) continue;
    throw new SluiceError(
      'usage',
      `The table ${out} would replace the input file ${source}. Name another file with --out, or a pattern that does not match it.`,
      { out, source },
    );
  }
}

function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}
