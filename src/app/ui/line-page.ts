// One line of a run's input, as a timeline, with everything that `sluice explain` says.
import { liveSection } from '../../html/pages/layout.js';
import { layOutFilesOfLine, layOutLead, type OtherLine } from '../../html/pages/lead.js';
import { SluiceError } from '../../model/errors.js';
import { isOpen } from '../../model/run.js';
import { exactText } from '../../model/text/json.js';
import type { SharingLead } from '../../ports/store/runs.js';
import type { Store } from '../../ports/store/store.js';
import { type AmbiguousLine, lookForLine } from '../results/explain-line.js';
import { runOf } from '../results/run-of.js';
import { namedCells, unaskedStatus } from '../results/tell-line.js';
import type { PageContent, UiPage } from './page.js';
import { leadSteps } from './reading/lead-steps.js';
import { numberAt, numberIn } from './reading/read-query.js';
import { tellFound } from './reading/tell-found.js';
import { droppedName } from './try/uploads.js';

export const linePage: UiPage = {
  path: '/runs/:run/lines/:line',
  load: async ({ state, store }, visit) => {
    const run = await runOf(store, numberAt(visit, 'run'));
    const file = numberIn(visit, 'file');
    const source = file === undefined ? undefined : run.sources[file];
    if (file !== undefined && source === undefined) {
      throw new SluiceError('usage', `Run ${run.id} has not read so many files.`, { run: run.id });
    }
    const line = numberAt(visit, 'line');
    const story = await lookForLine(store, run.id, { line, source });
    if ('files' in story) return filesPage(story, line);
    const { lead, reject } = story;
    const enrichment = lead?.enrichment ?? null;
    const status = lead && (enrichment?.state ?? unaskedStatus(lead));
    const view = {
      run,
      file: droppedName(state, run.job),
      source: story.source,
      line: story.line,
      lead: lead === null || status === null ? null : { position: lead.position, status },
      steps: leadSteps(story),
      cells:
        lead === null
          ? [['text', reject?.raw ?? ''] as const]
          : Object.entries(namedCells(story, lead)).map(
              ([key, cell]) => [key, exactText(cell)] as const,
            ),
      found: enrichment?.result === null ? [] : tellFound(enrichment?.result ?? {}),
      sharedWith: await othersOf(store, enrichment?.sharedWith ?? []),
      sharedCount: enrichment?.sharedCount ?? 0,
    };
    const whole = liveSection('line', layOutLead(view));
    return {
      title: `Line ${story.line} of run ${run.id}`,
      body: whole.markup,
      live: [whole],
      isFinal: !isOpen(run.state),
    };
  },
};

/** The page to choose one of the files. */
function filesPage({ files, run }: AmbiguousLine, line: number): PageContent {
  const named = files.map((file) => ({ file, source: run.sources[file] ?? '' }));
  return { title: `Line ${line} of run ${run.id}`, body: layOutFilesOfLine(run.id, line, named) };
}

/**
 * The other lines; with the name of the file if the run has read several, because each may have a line of that number.
 */
async function othersOf(store: Store, shared: readonly SharingLead[]): Promise<OtherLine[]> {
  const ids = [...new Set(shared.map(({ runId }) => runId))];
  const runs = await Promise.all(ids.map((id) => store.findRun(id)));
  return shared.map(({ line, runId, source: file }) => {
    const sources = runs[ids.indexOf(runId)]?.sources ?? [];
    const source = sources.length > 1 ? (sources[file] ?? null) : null;
    return { run: runId, line, file, source };
  });
}
