// Whether a run's table may stand where its job says.
import { checkWritable } from '../output/target-file.js';
import type { JobSettings } from './job-settings.js';
import { refuseOwnFiles } from './refuse-own-files.js';

/** @throws SluiceError `usage` where it cannot be written, or would replace what the run lives on */
export async function checkTable(
  settings: JobSettings,
  out: string,
  sources: readonly string[],
): Promise<void> {
  await checkWritable(out);
  await refuseOwnFiles(sources, out, settings);
}
