// One line of a run's input, as a timeline, with everything that `sluice explain` says.
import { type AmbiguousLine, lookForLine } from '../../app/results/explain-line.js';
import { runOf } from '../../app/results/run-of.js';
import { namedCells, unaskedStatus } from '../../app/results/tell-line.js';
import { SluiceError } from '../../model/errors.js';
import type { Result } from '../../model/result.js';
import { isOpen } from '../../model/run.js';
import { exactText, isJsonObject, type JsonValue } from '../../model/text/json.js';
import type { SharingLead } from '../../ports/store/runs.js';
import type { Store } from '../../ports/store/store.js';
import { liveSection } from '../layout.js';
import type { PageContent, UiPage } from '../page.js';
import { PATHS } from '../paths.js';
import { numberAt, numberIn } from '../read-query.js';
import { droppedName } from '../try/uploads.js';
import { leadSteps } from './lead-steps.js';
import { layOutFilesOfLine, layOutLead, type OtherLine } from './line-view.js';

export const linePage: UiPage = {
  path: PATHS.line,
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

type Found = readonly [name: string, text: string];

/** The limit of facts: a profile may have hundreds of positions, and the rest is in the table. */
const FACTS_MAX = 80;

/** A result as names and texts, each value under its path. */
function tellFound(result: Result): readonly Found[] {
  const all = Object.entries(result as Readonly<Record<string, JsonValue>>).flatMap(
    ([block, value]) => valuesIn(value, block),
  );
  const more = all.length - FACTS_MAX;
  if (more <= 0) return all;
  return [...all.slice(0, FACTS_MAX), ['…', `and ${more} more values, which the table has`]];
}

function valuesIn(value: JsonValue | undefined, path: string): Found[] {
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value)) {
    return value.flatMap((one: JsonValue, n) => valuesIn(one, `${path} ${n + 1}`));
  }
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([key, one]) => valuesIn(one, `${path} ${key}`));
  }
  return [[path, exactText(value)]];
}
