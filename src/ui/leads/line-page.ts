// One line of a run's input, as a timeline, with everything that `sluice explain` says.
import {
  type AmbiguousLine,
  type ExplainedLine,
  linesBeside,
  lookForLine,
} from '../../app/results/explain-line.js';
import { rowsOfLead } from '../../app/results/read-rows.js';
import { runOf } from '../../app/results/run-of.js';
import { html, type Markup } from '../../html/markup.js';
import { commandLine, copyButton, disclosure, statusBadge } from '../../html/parts.js';
import type { LeadAnswer, LeadStatus } from '../../model/answer.js';
import { SluiceError } from '../../model/errors.js';
import { isOpen, type Run } from '../../model/run.js';
import { formatNumber } from '../../model/text/count.js';
import { asHtml } from '../../tell/as-html.js';
import type { Page } from '../../tell/page.js';
import { shownStatus, tellLine } from '../../tell/tell-line.js';
import { liveSection } from '../layout.js';
import { buttonLink, hrefOf, jobLink, link, pager } from '../links.js';
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
      page: tellLine(story, await linesBeside(store, story)),
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

interface LineFacts {
  /** The name of the dropped file of its job; null for any other job. */
  readonly file: string | null;
  /** Null for a line that became no lead. */
  readonly status: LeadStatus | null;
  readonly answer: LeadAnswer | undefined;
  /** Whether it can be retried with the others of its status. */
  readonly isRetriable: boolean;
  readonly others: Awaited<ReturnType<typeof othersInList>>;
  readonly page: Page;
}

function layOutLine(run: Run, story: ExplainedLine, facts: LineFacts): Markup {
  const { answer, file, page, status } = facts;
  const { lead, line } = story;
  const { list, next, place, previous } = facts.others;
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
<h2>What is known</h2>
${asHtml(page.parts, hrefOf)}
<h3>The same on the command line</h3>${commandLine(`sluice explain ${run.id} ${line}`)}`;
}
