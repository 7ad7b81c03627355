// The list of runs, newest first.
import type { Run } from '../../model/run.js';
import type { RunTally } from '../../model/tally.js';
import { html, type Markup } from '../markup.js';

export function layOutRuns(
  runs: readonly { readonly run: Run; readonly tally: RunTally }[],
): Markup {
  const rows = runs.map(
    ({ run, tally }) => html`<tr id="run-${run.id}"><td class="n">${run.id}</td><td>${run.job}</td>
<td>${run.state}</td><td class="n">${tally.leads}</td><td class="n">${tally.byStatus.found}</td>
<td class="n">${tally.credits}</td></tr>`,
  );
  return html`<h1>Runs</h1><div class="scroll"><table class="data"><thead><tr><th class="n">Run</th><th>Job</th>
<th>State</th><th class="n">Leads</th><th class="n">Found</th><th class="n">Credits</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
