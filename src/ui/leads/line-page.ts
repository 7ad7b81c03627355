import { type AmbiguousLine, linesBeside, lookForLine } from '../../app/results/explain-line.js';
import { rowsOfLead } from '../../app/results/read-rows.js';
import { html, type Markup } from '../../html/markup.js';
import { commandLine, copyButton, disclosure, statusBadge } from '../../html/parts.js';
import type { LeadAnswer, LeadStatus } from '../../model/answer.js';
import { wrongUse } from '../../model/errors.js';
import { isOpen, type Run } from '../../model/run.js';
import { retriableLeads } from '../../model/tally.js';
import { formatNumber } from '../../model/text/count.js';
import { asHtml } from '../../tell/as-html.js';
import { shownStatus } from '../../tell/line-data.js';
import { tellLine } from '../../tell/tell-line.js';
import { runIn } from '../action.js';
import { liveSection } from '../layout.js';
import { buttonLink, hrefOf, jobLink, link, pager } from '../links.js';
import { memoryOf } from '../memory.js';
import type { PageContent, UiContext, Visit } from '../page.js';
import { type LeadsQuery, leadsPath, PATHS, pathTo, runPath } from '../paths.js';
import { numberAt, numberIn } from '../read-query.js';
import { droppedName } from '../try/uploads.js';
import { chooseLeads, leadsQueryIn, sortLeads } from './choose-leads.js';
import { linePath, nameOf } from './lead-columns.js';
import { SHOWN, sourceOf } from './leads-page.js';

export async function showLine(context: UiContext, visit: Visit): Promise<PageContent> {
  const { state, store } = context;
  const run = await runIn(context, visit);
  const place = numberIn(visit, 'file');
  const source = place === undefined ? undefined : run.sources[place];
  if (place !== undefined && source === undefined) {
    throw wrongUse(`Run ${run.id} has not read so many files.`);
  }
  const line = numberAt(visit, 'line');
  const title = `Line ${line} of run ${run.id}`;
  const story = await lookForLine(store, run.id, { line, source });
  if ('files' in story) return { title, body: layOutFiles(story, line) };
  const { lead } = story;
  const [answer] = lead === null ? [] : await store.answers(run.id, [lead.position]);
  const status = story.steps?.row.status ?? (lead && shownStatus(lead));
  const query = leadsQueryIn(visit, run);
  const near = lead && (await findNeighbours(context, run, query, lead.position));
  const pathOf = (one: LeadAnswer | undefined) => one && linePath(run, one, query);
  const file = droppedName(state, run.job);
  const lineOf = `Line ${line} of ${file ?? story.source}`;
  const who = (answer && nameOf(answer)) || lineOf;
  const whole = liveSection(
    'line',
    html`${crumbsOf(run, { ...query, ...near?.page })}
<div class="row"><h1>${who}</h1><span class="grow"></span>${
      near?.place &&
      html`<span class="quiet">${formatNumber(near.place.at)} of ${formatNumber(near.place.of)}</span>`
    }${pager('Leads beside this one', [
      [pathOf(near?.previous) ?? null, 'Previous', 'prev'],
      [pathOf(near?.next) ?? null, 'Next', 'next'],
    ])}</div>
<p class="row">${status === null ? 'It is not a lead.' : statusBadge(status)} <span class="quiet">${
      who !== lineOf && `${lineOf}, `
    }${lead !== null && `lead ${lead.position} of `}run ${run.id} of ${jobLink(run.job, file)}</span>${
      (await isRetriable(context, run, status)) &&
      buttonLink(
        pathTo(PATHS.retry, { run: run.id }),
        `Retry all leads that ${status === 'failed' ? 'failed' : 'timed out'}…`,
      )
    }</p>
<h2>What is known</h2>
<div class="stack">${asHtml(tellLine(story, await linesBeside(store, story)).parts, hrefOf)}
${answer !== undefined && rowOf(run, answer)}
<h3>The same on the command line</h3>${commandLine(`sluice explain ${run.id} ${line}`)}</div>`,
  );
  return { title, body: whole.markup, live: [whole], isFinal: !isOpen(run.state) };
}

/**
 * The lead before and the one after a lead in the list from which the user came; its place there, null if it is not
 * known; and the page of the list with it.
 */
async function findNeighbours(context: UiContext, run: Run, query: LeadsQuery, position: number) {
  const { index, source } = await sourceOf(context, run, query);
  const sorted = query.sort === undefined ? null : await sortLeads(source, query, query.sort);
  if (sorted !== null) {
    const at = sorted.findIndex((lead) => lead.position === position);
    const page = { page: Math.floor(Math.max(0, at) / SHOWN) + 1 };
    const place = at === -1 ? null : { at: at + 1, of: sorted.length };
    return { previous: sorted[at - 1], next: sorted[at + 1], page, place };
  }
  const beside = async (direction: 'after' | 'before'): Promise<LeadAnswer | undefined> =>
    (await chooseLeads(source, query, { direction, position }, 1)).leads[0];
  return {
    previous: await beside('before'),
    next: await beside('after'),
    page: { after: Math.max(0, position - 1) || undefined },
    place: query.text === undefined ? index?.placeOf(query, position) : null,
  };
}

/** Whether the page that retries leads of the run offers those with this status. */
async function isRetriable(context: UiContext, run: Run, status: LeadStatus | null) {
  if (context.isReadOnly || run.state !== 'finished') return false;
  if (status !== 'failed' && status !== 'timed_out') return false;
  return retriableLeads(await memoryOf(context).tallyOf(run), status) > 0;
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

function layOutFiles({ files, run }: AmbiguousLine, line: number): Markup {
  const links = files.map((file) => {
    const words = `Line ${line} of ${run.sources[file] ?? ''}`;
    return html`<li>${link(pathTo(PATHS.line, { run: run.id, line }, { file }), words)}</li>`;
  });
  return html`${crumbsOf(run, {})}<h1>Line ${line} of which file?</h1>
<div class="stack"><p>Run ${run.id} has read several files, and these have a line ${line}.</p><ul>${links}</ul></div>`;
}

function crumbsOf({ id }: Run, list: LeadsQuery): Markup {
  return html`<p class="crumbs">${link(PATHS.runs, 'Runs')} / ${link(runPath(id), `Run ${id}`)} / ${link(leadsPath(id, list), 'Leads')}</p>`;
}
