// The reference pages that are made from code, by the path of each.
import { readFileSync } from 'node:fs';
import { renderLlms, renderSkill } from './agents.js';
import { renderColumnsDoc } from './columns.js';
import { type HelpOf, renderCommandsDoc } from './commands.js';
import { renderDialectKeysDoc } from './dialect-keys.js';
import { renderEnvironmentDoc } from './environment.js';
import { renderErrorsDoc } from './errors.js';
import { renderEventsDoc } from './events.js';
import { renderExitCodesDoc } from './exit-codes.js';
import { renderJobKeysDoc } from './job-keys.js';
import { renderLibraryDoc } from './library.js';
import { renderLogsAndMetricsDoc } from './logs-and-metrics.js';

/** Path from the root of the repository → text. `helpOf` runs the built command line, and `dist` is the folder of the build. */
export async function renderPages(
  helpOf: HelpOf,
  dist: URL,
): Promise<Readonly<Record<string, string>>> {
  return {
    'docs/columns.md': renderColumnsDoc(),
    'docs/events.md': renderEventsDoc(),
    'docs/exit-codes.md': renderExitCodesDoc(),
    'docs/logs-and-metrics.md': renderLogsAndMetricsDoc(),
    'docs/reference/commands.md': await renderCommandsDoc(helpOf),
    'docs/reference/dialect-keys.md': renderDialectKeysDoc(),
    'docs/reference/environment.md': renderEnvironmentDoc(),
    'docs/reference/errors.md': renderErrorsDoc(),
    'docs/reference/job-keys.md': renderJobKeysDoc(),
    'docs/reference/library.md': renderLibraryDoc(dist),
    'llms.txt': renderLlms(readFileSync(new URL('../docs/README.md', dist), 'utf8')),
    'skills/sluice/SKILL.md': await renderSkill(helpOf),
  };
}
