// A table must never take the place of what a run lives on: its leads, its state file, its dialect. The
// leads would be gone, or everything that was paid for forgotten; and a pattern that matches the table
// would read yesterday's results as today's leads.
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SluiceError } from '../domain/errors.js';
import { rejectsPath } from '../output/rejects-path.js';
import type { JobSettings } from './job-settings.js';

/** @throws SluiceError `usage` where the table at `out`, or its rejects, would replace one of them */
export async function refuseOwnFiles(
  sources: readonly string[],
  out: string,
  settings: Pick<JobSettings, 'state'> & Partial<Pick<JobSettings, 'dialect'>>,
): Promise<void> {
  if (out === '-') return;
  const targets = await Promise.all([out, rejectsPath(out) ?? out].map(realPathOf));
  const hits = async (path: string): Promise<boolean> => targets.includes(await realPathOf(path));
  for (const source of sources) {
    if (source !== '-' && (await hits(source))) throw refusal(out, 'input', source);
  }
  const state = await realPathOf(settings.state);
  // Beside the state file lie its log, its locks and the sandbox's ledger, all under its name.
  const isState = targets.some((target) => target === state || target.startsWith(`${state}-`));
  if (isState) throw refusal(out, 'state', settings.state);
  const { dialect } = settings;
  if (dialect !== undefined && (await hits(dialect))) throw refusal(out, 'dialect', dialect);
}

function refusal(out: string, what: string, path: string): SluiceError {
  const pattern = what === 'input' ? ', or a pattern that does not match it' : '';
  return new SluiceError(
    'usage',
    `The table ${out} would replace the ${what} file ${path}. Name another file with --out${pattern}.`,
    { out, path },
  );
}

function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}
