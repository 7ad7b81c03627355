// One line of a run's input, as a timeline, with everything that `sluice explain` says.
import {
  type AmbiguousLine,
  type ExplainedLine,
  lookForLine,
  type StepStory,
} from '../../app/results/explain-line.js';
import { rowsOfLead } from '../../app/results/read-rows.js';
import { runOf } from '../../app/results/run-of.js';
import {
  namedCells,
  shownStatus,
  type Told,
  tellAsked,
  tellAwaited,
  tellCost,
  tellDeliveryUndated,
  tellMapping,
  tellOutcome,
  tellReject,
  tellSent,
  tellUnasked,
} from '../../app/results/tell-line.js';
import { toneOfStatus } from '../../html/parts.js';
import type { LeadAnswer } from '../../model/answer.js';
import { SluiceError } from '../../model/errors.js';
import type { Result } from '../../model/result.js';
import { isOpen, type Run } from '../../model/run.js';
import { exactText, isJsonObject, type JsonValue } from '../../model/text/json.js';
import type { EnrichmentHistory, LeadHistory, SharingLead } from '../../ports/store/runs.js';
import type { Store } from '../../ports/store/store.js';
import { liveSection } from '../layout.js';
import type { PageContent, UiContext, UiPage } from '../page.js';
import { type LeadsQuery, PATHS } from '../paths.js';
import { numberAt, numberIn } from '../read-query.js';
import { droppedName } from '../try/uploads.js';
import { linePath, nameOf } from './lead-columns.js';
import { countLeads, findNeighbours, isRetriable, leadsQueryIn, sourceOf } from './leads-page.js';
import {
  layOutFilesOfLine,
  layOutLead,
  MORE,
  type OtherLine,
  type TimelineStep,
} from './line-view.js';

export const linePage: UiPage = {
  path: PATHS.line,
  load: async (context, visit) => {
    const { state, store } = context;
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
    const query = leadsQueryIn(visit);
    const enrichment = lead?.enrichment ?? null;
    const status = story.steps?.row.status ?? (lead && shownStatus(lead));
    const [answer] = lead === null ? [] : await store.answersAt(run.id, [lead.position]);
    const view = {
      run,
      file: droppedName(state, run.job),
      source: story.source,
      who: answer === undefined ? '' : nameOf(answer),
      line: story.line,
      lead: lead === null || status === null ? null : { position: lead.position, status },
      ...(lead === null ? NO_OTHERS : await othersInList(context, run, query, lead.position)),
      row: answer === undefined ? null : rowText(run, answer),
      isRetriable: !context.isReadOnly && (await isRetriable(context, run, status)),
      steps: leadSteps(story),
      cells:
        lead === null
          ? [['text', reject?.raw ?? ''] as const]
          : Object.entries(namedCells(story, lead)).map(
              ([key, cell]) => [key, exactText(cell)] as const,
            ),
      found: tellFound(story.steps?.row.result ?? enrichment?.result ?? {}),
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

const NO_OTHERS = { list: {}, next: null, previous: null, place: null } as const;

/** The leads before and after this one in the list from which the user came. */
async function othersInList(context: UiContext, run: Run, query: LeadsQuery, position: number) {
  const counted = await countLeads(context, run, query);
  const source = sourceOf(context, run, query, counted?.figures ?? null);
  const { next, page, place, previous } = await findNeighbours(source, query, position);
  const pathOf = (lead: LeadAnswer | undefined): string | null =>
    lead === undefined ? null : linePath(run, lead, query);
  return { list: { ...query, ...page }, next: pathOf(next), previous: pathOf(previous), place };
}

/** The limit of a row's length: it may have 16,384 cells, each with as much text as a file holds. */
const ROW_MAX = 200_000;

/** The row of a lead in the table, as JSON; null if it is too long for a page. */
function rowText(run: Run, answer: LeadAnswer): string | null {
  const rows = rowsOfLead(run, answer);
  const text = JSON.stringify(rows.length === 1 ? rows[0] : rows, null, 2);
  return text.length > ROW_MAX ? null : text;
}

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
function tellFound({ custom, ...blocks }: Result): readonly Found[] {
  const named = { ...blocks, ...custom } as Readonly<Record<string, JsonValue>>;
  const all = Object.entries(named).flatMap(([block, value]) => valuesIn(value, block));
  const more = all.length - FACTS_MAX;
  if (more <= 0) return all;
  return [...all.slice(0, FACTS_MAX), [MORE, `and ${more} more values, which the table has`]];
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

/** The setting for steps, which have their times beside their names. */
const UNDATED = { isDated: false };

export function leadSteps(story: ExplainedLine): TimelineStep[] {
  const { lead, mapping, reject } = story;
  const read = step('Read', 'known', null, `Line ${story.line} of ${story.source}`);
  if (lead === null) {
    return [read, step('Rejected', 'bad', null, tellReject(reject?.reason ?? ''))];
  }
  const mapped = tellMapping(mapping);
  const asLead = { ...read, facts: mapped === '' ? [] : ([['mapping', mapped]] as Told[]) };
  if (story.steps !== undefined) return [asLead, ...story.steps.stories.flatMap(stepOfLead)];
  const { enrichment } = lead;
  if (enrichment === null) {
    return [asLead, step('Not asked', toneOfStatus(shownStatus(lead)), null, tellUnasked(lead))];
  }
  return [asLead, ...askedSteps(story, lead, enrichment)];
}

/** The way of a lead through a step of a waterfall. */
function stepOfLead({ step: name, story }: StepStory): TimelineStep[] {
  if (story === null) return [step(`Step ${name}`, 'wait', null, 'not reached')];
  return [step(`Step ${name}`, 'known', null, ''), ...leadSteps(story).slice(1)];
}

function askedSteps(story: ExplainedLine, lead: LeadHistory, one: EnrichmentHistory) {
  const note: Told[] = lead.note === null || lead.note === '' ? [] : [['in part', lead.note]];
  const [outcome, ...facts] = tellOutcome(one, UNDATED);
  const cost = tellCost(one, lead, story);
  const awaited = tellAwaited(one);
  return [
    step('To be asked', 'known', null, '', [...tellAsked(one), ...note]),
    step(
      'Claimed and sent',
      one.sendCount === 0 && one.servedBy === null ? 'wait' : 'good',
      one.submittedAt,
      tellSent(one, UNDATED),
    ),
    ...(awaited.length === 0 ? [] : [step('Awaited', 'wait', null, '', awaited)]),
    ...story.deliveries.map((entry) =>
      step('Delivered', 'good', entry.receivedAt, tellDeliveryUndated(entry, one.settledAt)),
    ),
    step(settledName(one), toneOfStatus(one.state), one.settledAt, outcome?.[1] ?? '', facts),
    step('Paid', one.paidBy === null ? 'idle' : 'good', null, cost),
  ];
}

function settledName({ settledAt, state }: EnrichmentHistory): string {
  return settledAt === null && state !== 'uncertain' ? 'Now' : 'Settled';
}

function step(
  name: string,
  tone: TimelineStep['tone'],
  at: number | null,
  text: string,
  facts: TimelineStep['facts'] = [],
): TimelineStep {
  return { name, tone, at, text, facts };
}
