// One line of a run's input, as a timeline, with everything that `sluice explain` says.
import {
  type AmbiguousLine,
  type ExplainedLine,
  lookForLine,
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
import { html, type Markup } from '../../html/markup.js';
import {
  card,
  commandLine,
  disclosure,
  factList,
  statusBadge,
  type Tone,
  timeElement,
  toneOfStatus,
} from '../../html/parts.js';
import type { LeadAnswer, LeadStatus } from '../../model/answer.js';
import { SluiceError } from '../../model/errors.js';
import { isOpen, type Run } from '../../model/run.js';
import { cutText, formatCount, formatNumber } from '../../model/text/count.js';
import { formatDuration } from '../../model/text/format-time.js';
import { exactText, isJsonObject, type JsonValue } from '../../model/text/json.js';
import type { EnrichmentHistory, LeadHistory, SharingLead } from '../../ports/store/runs.js';
import type { Store } from '../../ports/store/store.js';
import { liveSection } from '../layout.js';
import { buttonLink, copyButton, jobLink, link, pager } from '../links.js';
import type { PageContent, UiContext, Visit } from '../page.js';
import { type LeadsQuery, leadsPath, PATHS, pathTo, runPath } from '../paths.js';
import { numberAt, numberIn } from '../read-query.js';
import { droppedName } from '../try/uploads.js';
import { linePath, nameOf } from './lead-columns.js';
import { countLeads, findNeighbours, isRetriable, leadsQueryIn, sourceOf } from './leads-page.js';

export async function showLine(context: UiContext, visit: Visit): Promise<PageContent> {
  const { state, store } = context;
  const run = await runOf(store, numberAt(visit, 'run'));
  const file = numberIn(visit, 'file');
  const source = file === undefined ? undefined : run.sources[file];
  if (file !== undefined && source === undefined) {
    throw new SluiceError('usage', `Run ${run.id} has not read so many files.`);
  }
  const line = numberAt(visit, 'line');
  const story = await lookForLine(store, run.id, { line, source });
  if ('files' in story) return filesPage(story, line);
  const { lead } = story;
  const [answer] = lead === null ? [] : await store.answersAt(run.id, [lead.position]);
  const status = story.steps?.row.status ?? (lead && shownStatus(lead));
  const whole = liveSection(
    'line',
    layOutLine(run, story, {
      file: droppedName(state, run.job),
      status,
      answer,
      isRetriable: !context.isReadOnly && (await isRetriable(context, run, status)),
      others: await othersInList(context, run, leadsQueryIn(visit), lead?.position),
      sharedWith: await othersOf(store, run, lead?.enrichment?.sharedWith ?? []),
    }),
  );
  return {
    title: `Line ${story.line} of run ${run.id}`,
    body: whole.markup,
    live: [whole],
    isFinal: !isOpen(run.state),
  };
}

/** The list from which the user came, and the paths of the leads before and after this one in it. */
async function othersInList(
  context: UiContext,
  run: Run,
  query: LeadsQuery,
  position: number | undefined,
) {
  if (position === undefined) return { list: {}, next: null, previous: null, place: null };
  const counted = await countLeads(context, run, query);
  const source = sourceOf(context, run, query, counted?.figures ?? null);
  const { next, page, place, previous } = await findNeighbours(source, query, position);
  const pathOf = (lead: LeadAnswer | undefined): string | null =>
    lead === undefined ? null : linePath(run, lead, query);
  return { list: { ...query, ...page }, next: pathOf(next), previous: pathOf(previous), place };
}

/** The limit of a row's length: it may have 16,384 cells, each with as much text as a file holds. */
const ROW_MAX = 200_000;

/** The row of a lead in the table, as JSON; nothing if it is too long for a page. */
function rowOf(run: Run, answer: LeadAnswer): Markup | false {
  const rows = rowsOfLead(run, answer);
  const text = JSON.stringify(rows.length === 1 ? rows[0] : rows, null, 2);
  const shown = html`${copyButton(text, 'Copy the row')}<pre class="command">${text}</pre>`;
  return text.length <= ROW_MAX && disclosure('Its row in the table, as JSON', shown);
}

/** Links to the line of each file, if several files of the run have that line. */
function filesPage({ files, run }: AmbiguousLine, line: number): PageContent {
  const links = files.map((file) => {
    const words = `Line ${line} of ${run.sources[file] ?? ''}`;
    return html`<li>${link(pathTo(PATHS.line, { run: run.id, line }, { file }), words)}</li>`;
  });
  return {
    title: `Line ${line} of run ${run.id}`,
    body: html`${crumbsOf(run, {})}<h1>Line ${line} of which file?</h1>
<div class="stack"><p>Run ${run.id} has read several files, and these have a line ${line}.</p><ul>${links}</ul></div>`,
  };
}

function crumbsOf({ id }: Run, list: LeadsQuery): Markup {
  return html`<p class="crumbs">${link(PATHS.runs, 'Runs')} / ${link(runPath(id), `Run ${id}`)} / ${link(leadsPath(id, list), 'Leads')}</p>`;
}

/**
 * Links to the other lines; with the name of the file if the run has read several, because each may have a line of that
 * number.
 */
async function othersOf(store: Store, { id }: Run, shared: readonly SharingLead[]) {
  const ids = [...new Set(shared.map(({ runId }) => runId))];
  const runs = await Promise.all(ids.map((one) => store.findRun(one)));
  return shared.map(({ line, runId, source }) => {
    const { sources = [] } = runs[ids.indexOf(runId)] ?? {};
    const file = sources.length > 1 ? source : null;
    const words = `${runId === id ? 'Line' : `Run ${runId}, line`} ${line}${file === null ? '' : ` of ${sources[file] ?? ''}`}`;
    return html`<li>${link(pathTo(PATHS.line, { run: runId, line }, { file }), words)}</li>`;
  });
}

/** A value as names and texts, each text under its path. */
function valuesIn(value: JsonValue | undefined, path: string): Told[] {
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
  if (story.steps !== undefined) {
    return [
      asLead,
      ...story.steps.stories.flatMap(({ step: name, story: own }) =>
        own === null
          ? [step(`Step ${name}`, 'wait', null, 'not reached')]
          : [step(`Step ${name}`, 'known', null, ''), ...leadSteps(own).slice(1)],
      ),
    ];
  }
  const { enrichment } = lead;
  if (enrichment === null) {
    return [asLead, step('Not asked', toneOfStatus(shownStatus(lead)), null, tellUnasked(lead))];
  }
  return [asLead, ...askedSteps(story, lead, enrichment)];
}

function askedSteps(story: ExplainedLine, lead: LeadHistory, one: EnrichmentHistory) {
  const note: Told[] = lead.note === null || lead.note === '' ? [] : [['in part', lead.note]];
  const [outcome, ...facts] = tellOutcome(one, UNDATED);
  const cost = tellCost(one, lead, story);
  const awaited = tellAwaited(one);
  const isSettled = one.settledAt !== null || one.state === 'uncertain';
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
    step(
      isSettled ? 'Settled' : 'Now',
      toneOfStatus(one.state),
      one.settledAt,
      outcome?.[1] ?? '',
      facts,
    ),
    step('Paid', one.paidBy === null ? 'idle' : 'good', null, cost),
  ];
}

/** A step in the history of the line, past or still to come; `at` is null if the time is not known, or it lasts. */
function step(name: string, tone: Tone, at: number | null, text: string, facts: Told[] = []) {
  return { name, tone, at, text, facts };
}

type TimelineStep = ReturnType<typeof step>;

interface LineFacts {
  /** The name of the dropped file of its job; null for any other job. */
  readonly file: string | null;
  /** Null for a line that became no lead. */
  readonly status: LeadStatus | null;
  readonly answer: LeadAnswer | undefined;
  /** Whether it can be retried with the others of its status. */
  readonly isRetriable: boolean;
  readonly others: Awaited<ReturnType<typeof othersInList>>;
  readonly sharedWith: readonly Markup[];
}

/** The limit of cells: a lead may have 16,384 of them, each with as much text as a file holds. */
const CELLS_MAX = 200;
const TEXT_MAX = 1_000;
/** A profile may have hundreds of positions. */
const FOUND_MAX = 80;

function layOutLine(run: Run, story: ExplainedLine, facts: LineFacts): Markup {
  const { answer, file, sharedWith, status } = facts;
  const { lead, line, reject } = story;
  const { list, next, place, previous } = facts.others;
  const enrichment = lead?.enrichment ?? null;
  const steps = leadSteps(story);
  const cells: Told[] =
    lead === null
      ? [['text', reject?.raw ?? '']]
      : Object.entries(namedCells(story, lead)).map(([key, cell]) => [key, exactText(cell)]);
  const { custom, ...blocks } = story.steps?.row.result ?? enrichment?.result ?? {};
  const found = Object.entries({ ...blocks, ...custom }).flatMap(([block, value]) =>
    valuesIn(value as JsonValue, block),
  );
  const moreShared = (enrichment?.sharedCount ?? 0) - sharedWith.length;
  const lineOf = `Line ${line} of ${file ?? story.source}`;
  const who = (answer && nameOf(answer)) || lineOf;
  return html`${crumbsOf(run, list)}
<div class="row"><h1>${who}</h1><span class="grow"></span>${
    place !== null &&
    html`<span class="quiet">${formatNumber(place.at)} of ${formatNumber(place.of)}</span>`
  }${pager('Leads beside this one', [
    [previous, 'Previous', 'prev'],
    [next, 'Next', 'next'],
  ])}</div>
<p class="row">${status === null ? 'It became no lead.' : statusBadge(status)} <span class="quiet">${
    who !== lineOf && `${lineOf}, `
  }${lead !== null && `lead ${lead.position} of `}run ${run.id} of ${jobLink(run.job, file)}</span>${
    facts.isRetriable &&
    buttonLink(
      pathTo(PATHS.retry, { run: run.id }),
      `Retry all leads that ${status === 'failed' ? 'failed' : 'timed out'}…`,
    )
  }</p>
${answer !== undefined && rowOf(run, answer)}
<h2>What happened</h2>
<ol class="timeline">${steps.map((step, n) => stepOf(step, steps.slice(0, n).findLast(({ at }) => at !== null)?.at ?? null))}</ol>
<h2>What is known</h2>
<div class="cards">${
    cells.length > 0 &&
    card(lead === null ? 'The line' : 'What was read', firstOf(cells, CELLS_MAX, 'more column'))
  }${
    sharedWith.length > 0 &&
    card(
      'Shared with',
      html`<ul>${sharedWith}</ul>${moreShared > 0 && html`<p class="quiet">and ${moreShared} more</p>`}`,
      { about: 'They ask the same, and one payment is for all.' },
    )
  }${card(
    'The same on the command line',
    commandLine(`sluice explain ${run.id} ${line}`),
  )}${found.length > 0 && card('What was found', firstOf(found, FOUND_MAX, 'more value', true), { isWide: true })}</div>`;
}

/** Facts that only a search in logs and at the platform needs. */
const FOLDED: ReadonlySet<string> = new Set(['fingerprint', 'ticket']);

function stepOf({ at, facts, name, text, tone }: TimelineStep, before: number | null): Markup {
  const after = at === null || before === null || at < before ? null : at - before;
  const shown = facts.filter(([fact]) => !FOLDED.has(fact));
  const folded = facts.filter(([fact]) => FOLDED.has(fact));
  return html`<li class="${tone}"><div class="row"><h3>${name}</h3>${
    at !== null && html`<span class="quiet">${timeElement(at)}</span>`
  }${after !== null && html`<span class="quiet">after ${formatDuration(after)}</span>`}</div>${text !== '' && html`<p>${cutText(text, TEXT_MAX)}</p>`}${shown.length > 0 && factsOf(shown)}${
    folded.length > 0 &&
    disclosure(
      folded
        .map(([fact]) => fact)
        .join(' and ')
        .replace(/^./, (first) => first.toUpperCase()),
      factsOf(folded, true),
    )
  }</li>`;
}

/** The first of many facts, and how many more there are. */
function firstOf(facts: readonly Told[], max: number, noun: string, areCopied = false): Markup {
  const more = facts.length - max;
  return html`${factsOf(facts.slice(0, max), areCopied)}${more > 0 && html`<p class="quiet">and ${formatCount(more, noun)}, which the table has</p>`}`;
}

function factsOf(facts: TimelineStep['facts'], areCopied = false): Markup {
  return factList(
    facts.map(([name, text]) => {
      const value = cutText(text, TEXT_MAX);
      return [cutText(name, TEXT_MAX), areCopied ? html`${value} ${copyButton(value)}` : value];
    }),
  );
}
