// Writes what is made from code: the job schema, the reference pages, and the digest of the newest state file's schema.
// Tests hold them against it.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { renderEnvironmentDoc } from '../dist/app/environment-doc.js';
import { renderCommandsDoc } from '../dist/cli/commands-doc.js';
import { renderErrorsDoc } from '../dist/cli/errors-doc.js';
import { renderExitCodesDoc } from '../dist/cli/exit-codes.js';
import { jobJsonSchema } from '../dist/config/job-schema.js';
import { renderColumnsDoc } from '../dist/model/columns/columns-doc.js';
import { renderEventsDoc } from '../dist/model/events/events-doc.js';
import { renderLogsAndMetricsDoc } from '../dist/model/telemetry/logs-and-metrics-doc.js';
import { newestDigest } from '../dist/store/database/check-schema.js';

const root = new URL('../', import.meta.url);
writeFileSync(new URL('docs/columns.md', root), renderColumnsDoc());
writeFileSync(new URL('docs/events.md', root), renderEventsDoc());
writeFileSync(new URL('docs/exit-codes.md', root), renderExitCodesDoc());
writeFileSync(new URL('docs/logs-and-metrics.md', root), renderLogsAndMetricsDoc());
writeFileSync(new URL('docs/reference/environment.md', root), renderEnvironmentDoc());
writeFileSync(new URL('docs/reference/errors.md', root), renderErrorsDoc());
writeFileSync(new URL('docs/reference/commands.md', root), await renderCommandsDoc(helpOf));
writeFileSync(
  new URL('jobs/job.schema.json', root),
  `${JSON.stringify(jobJsonSchema(), null, 2)}\n`,
);
writeFileSync(
  new URL('THIRD-PARTY-LICENSES', root),
  await outputOf('scripts/third-party-licenses.mjs'),
);
const checkSchema = new URL('src/store/database/check-schema.ts', root);
writeFileSync(
  checkSchema,
  readFileSync(checkSchema, 'utf8').replace(/(?<=NEWEST_DIGEST = ')[^']*/, newestDigest()),
);

function helpOf(words) {
  return outputOf('dist/bundle/sluice.js', ...words, '--help');
}

async function outputOf(script, ...args) {
  const path = fileURLToPath(new URL(script, root));
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args]);
  return stdout;
}
