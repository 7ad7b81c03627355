// The page of one line of a run's input: everything known about it, in the order of time.
import { html, type Markup } from '../../html/markup.js';
import {
  card,
  commandLine,
  disclosure,
  factList,
  statusBadge,
  type Tone,
  timeElement,
} from '../../html/parts.js';
import type { LeadStatus } from '../../model/answer.js';
import { cutText, formatCount, formatNumber } from '../../model/text/count.js';
import { formatDuration } from '../../model/text/format-time.js';
import { buttonLink, copyButton, jobLink, link, pager } from '../links.js';
import { type LeadsQuery, leadsPath, PATHS, pathTo, runPath } from '../paths.js';

/** A step in the history of the line, past or still to come. */
export interface TimelineStep {
  readonly name: string;
  readonly tone: Tone;
  /** Null if it is not known, or lasts. */
  readonly at: number | null;
  /** The event, in a sentence or less. */
  readonly text: string;
  readonly facts: readonly (readonly [name: string, text: string])[];
}

/** A line that has the same enrichment. */
export interface OtherLine {
  readonly run: number;
  readonly line: number;
  /** The index of its file among those of its run. */
  readonly file: number;
  /** The name of that file; null if its run has read no other. */
  readonly source: string | null;
}

export interface LeadView {
  readonly run: { readonly id: number; readonly job: string; readonly sources: readonly string[] };
  /** The name of the dropped file of its job; null for any other job. */
  readonly file: string | null;
  readonly source: string;
  readonly line: number;
  /** The person or the company; empty if it is not known. */
  readonly who: string;
  /** Null for a line that became no lead. */
  readonly lead: { readonly position: number; readonly status: LeadStatus } | null;
  /** The list from which the user came. */
  readonly list: LeadsQuery;
  /** The paths of the leads before and after this one in that list; null if there are none. */
  readonly previous: string | null;
  readonly next: string | null;
  /** Its place in that list; null if it is not known. */
  readonly place: { readonly at: number; readonly of: number } | null;
  /** Whether it can be retried with the others of its status. */
  readonly isRetriable: boolean;
  /** Its row in the table, as JSON; null if there is none, or it is too long. */
  readonly row: string | null;
  readonly steps: readonly TimelineStep[];
  /** The cells by their columns; for a line that became no lead its text. */
  readonly cells: readonly (readonly [column: string, text: string])[];
  /** The values that were found, by their names in the result. */
  readonly found: readonly (readonly [name: string, text: string])[];
  readonly sharedWith: readonly OtherLine[];
  readonly sharedCount: number;
}

/** The limit of cells: a lead may have 16,384 of them, each with as much text as a file holds. */
const CELLS_MAX = 200;
const TEXT_MAX = 1_000;
/** The name of the fact that says how many more there are. */
export const MORE = '…';

export function layOutLead(view: LeadView): Markup {
  const { cells, file, found, lead, line, list, next, place, previous, row, run, steps } = view;
  const more = cells.length - CELLS_MAX;
  const lineOf = `Line ${line} of ${file ?? view.source}`;
  const who = view.who === '' ? lineOf : view.who;
  return html`<p class="crumbs">${link(PATHS.runs, 'Runs')} / ${link(runPath(run.id), `Run ${run.id}`)} / ${link(
    leadsPath(run.id, list),
    'Leads',
  )}</p>
<div class="row"><h1>${who}</h1><span class="grow"></span>${
    place !== null &&
    html`<span class="quiet">${formatNumber(place.at)} of ${formatNumber(place.of)}</span>`
  }${pager('Leads beside this one', [
    [previous, 'Previous', 'prev'],
    [next, 'Next', 'next'],
  ])}</div>
<p class="row">${lead === null ? 'It became no lead.' : statusBadge(lead.status)} <span class="quiet">${
    who !== lineOf && `${lineOf}, `
  }${lead !== null && `lead ${lead.position} of `}run ${run.id} of ${jobLink(run.job, file)}</span>${
    view.isRetriable &&
    buttonLink(
      pathTo(PATHS.retry, { run: run.id }),
      `Retry all leads that ${lead?.status === 'failed' ? 'failed' : 'timed out'}…`,
    )
  }</p>
${row !== null && disclosure('Its row in the table, as JSON', html`${copyButton(row, 'Copy the row')}<pre class="command">${row}</pre>`)}
<h2>What happened</h2>
<ol class="timeline">${steps.map((step, n) => stepOf(step, timeBefore(steps, n)))}</ol>
<h2>What is known</h2>
<div class="cards">${
    cells.length > 0 &&
    card(
      lead === null ? 'The line' : 'What was read',
      html`${factsOf(cells.slice(0, CELLS_MAX))}${more > 0 && html`<p class="quiet">and ${formatCount(more, 'more column')}, which the table has</p>`}`,
    )
  }${sharingOf(view)}${card(
    'The same on the command line',
    commandLine(`sluice explain ${run.id} ${line}`),
  )}${found.length > 0 && card('What was found', factsOf(found, true), { isWide: true })}</div>`;
}

/** The time of the event before a step; null if none is known. */
function timeBefore(steps: readonly TimelineStep[], n: number): number | null {
  return steps.slice(0, n).findLast(({ at }) => at !== null)?.at ?? null;
}

/** Links to the line of each file, if several files of the run have that line. */
export function layOutFilesOfLine(
  run: number,
  line: number,
  files: readonly { readonly file: number; readonly source: string }[],
): Markup {
  return html`<p class="crumbs">${link(PATHS.runs, 'Runs')} / ${link(runPath(run), `Run ${run}`)} / ${link(
    leadsPath(run),
    'Leads',
  )}</p>
<h1>Line ${line} of which file?</h1>
<div class="stack"><p>Run ${run} has read several files, and these have a line ${line}.</p>
<ul>${files.map(
    ({ file, source }) =>
      html`<li>${link(pathTo(PATHS.line, { run, line }, { file }), `Line ${line} of ${source}`)}</li>`,
  )}</ul></div>`;
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
    disclosure(capitalised(folded.map(([fact]) => fact).join(' and ')), factsOf(folded, true))
  }</li>`;
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function factsOf(facts: TimelineStep['facts'], areCopied = false): Markup {
  return factList(
    facts.map(([name, text]) => {
      const value = cutText(text, TEXT_MAX);
      return [
        cutText(name, TEXT_MAX),
        areCopied && name !== MORE ? html`${value} ${copyButton(value)}` : value,
      ];
    }),
  );
}

function sharingOf({ run, sharedCount, sharedWith }: LeadView): Markup | null {
  if (sharedWith.length === 0) return null;
  const more = sharedCount - sharedWith.length;
  const lines = sharedWith.map(({ file, line, run: id, source }) => {
    const isHere = id === run.id;
    const words = `${isHere ? 'Line' : `Run ${id}, line`} ${line}${source === null ? '' : ` of ${source}`}`;
    const path = pathTo(PATHS.line, { run: id, line }, { file: source === null ? null : file });
    return html`<li>${link(path, words)}</li>`;
  });
  return card(
    'Shared with',
    html`<ul>${lines}</ul>${more > 0 && html`<p class="quiet">and ${more} more</p>`}`,
    { about: 'They ask the same, and one payment is for all.' },
  );
}
