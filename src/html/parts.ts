// The parts of reports and pages; `style.ts` lists the classes. None of them needs a style attribute or a script.
import type { LeadStatus } from '../model/answer.js';
import type { ShownState } from '../model/run.js';
import { formatTime } from '../model/text/format-time.js';
import { type Content, html, type Markup } from './markup.js';

/** `idle` is for things that are not worked on. Everything with a tone also says it in a word. */
export type Tone = 'good' | 'miss' | 'bad' | 'wait' | 'warn' | 'known' | 'idle';

const SIGNS: Readonly<Record<Tone, string>> = {
  good: '✓',
  miss: '–',
  bad: '✕',
  wait: '…',
  warn: '!',
  known: '↺',
  idle: '○',
};

const STATUS_TONES: Readonly<Record<LeadStatus, Tone>> = {
  found: 'good',
  not_found: 'miss',
  failed: 'bad',
  timed_out: 'warn',
  uncertain: 'warn',
  queued: 'wait',
  submitting: 'wait',
  awaiting: 'wait',
  skipped: 'idle',
  not_asked: 'idle',
};

export const STATE_TONES: Readonly<Record<ShownState, Tone>> = {
  reading: 'wait',
  working: 'wait',
  finished: 'good',
  replaced: 'idle',
  cancelled: 'idle',
  stopped_at_budget: 'warn',
  stopped_at_cap: 'warn',
  stopped_at_hit_rate: 'warn',
  paused: 'warn',
  stopped: 'warn',
  stopped_by_error: 'warn',
  cut_off: 'warn',
  reopened: 'warn',
  queued: 'wait',
  parked: 'wait',
};

export function toneOfStatus(status: LeadStatus): Tone {
  return STATUS_TONES[status];
}

const EMAIL_TONES: Readonly<Record<string, Tone>> = {
  deliverable: 'good',
  risky: 'warn',
  undeliverable: 'bad',
};

export function toneOfEmail(status: string): Tone {
  return EMAIL_TONES[status] ?? 'idle';
}

/** `not_found` → `not found`. */
export function wordsOf(name: string): string {
  return name.replaceAll('_', ' ');
}

export function badge(text: string, tone: Tone): Markup {
  return html`<span class="badge ${tone}"><span aria-hidden="true">${SIGNS[tone]}</span>${text}</span>`;
}

export function statusBadge(status: LeadStatus): Markup {
  return badge(wordsOf(status), STATUS_TONES[status]);
}

interface CardOptions {
  readonly about?: Content;
  readonly isWide?: boolean;
}

export function card(title: string, body: Content, { about, isWide }: CardOptions = {}): Markup {
  return html`<section class="card${isWide === true && ' wide'}"><h3>${title}</h3>${
    about !== undefined && html`<p class="about">${about}</p>`
  }${body}</section>`;
}

export function notice(tone: Tone, body: Content): Markup {
  return html`<div class="notice ${tone}">${body}</div>`;
}

export interface DataColumn {
  readonly name: string;
  readonly isNumber?: boolean;
  readonly isLong?: boolean;
  /** Whether such text consists of addresses, which are hard to read in parts. */
  readonly isWidest?: boolean;
  /** Whether its cells explain themselves if the table is stacked. */
  readonly isEvident?: boolean;
  /** Whether it is left out if all its cells are empty: it would take space from others. */
  readonly isOptional?: boolean;
  /** Whether a phone does not show it, in a table whose rows are one line there. */
  readonly isMinor?: boolean;
  /** Whether such a table shows it on a second line of the row, if those before it in the row have none there. */
  readonly isBelow?: boolean;
  /** The path to the same table sorted by it, and the direction in which it is sorted now. */
  readonly sort?: { readonly path: string; readonly now: 'ascending' | 'descending' | null };
}

export interface DataTable {
  /** The content of the table; visible to a screen reader only if `isCaptionHidden`. */
  readonly caption: string;
  readonly isCaptionHidden?: boolean;
  /** Whether the cells of a row are stacked in a narrow window, each with the name of its column. */
  readonly isStacked?: boolean;
  readonly isBrief?: boolean;
  readonly columns: readonly DataColumn[];
  /** The first cell of each row names the row. */
  readonly rows: readonly (readonly Content[])[];
}

export function dataTable(table: DataTable): Markup {
  const { caption, isBrief = false, isCaptionHidden = false, isStacked = false } = table;
  const kept = table.columns.map(
    ({ isOptional = false }, n) =>
      !isOptional || table.rows.some((row) => String(row[n] ?? '') !== ''),
  );
  const columns = table.columns.filter((_, n) => kept[n]);
  const rows = table.rows.map((row) => row.filter((_, n) => kept[n]));
  // A class for the table is shorter than one for each cell.
  const areNumbers = columns.slice(1).every(({ isNumber }) => isNumber === true);
  // Some browsers do not take a table for one whose parts are laid out as blocks.
  const role = (name: string): Content => isStacked && html` role="${name}"`;
  const cell = (value: Content, n: number): Markup => {
    const column = columns[n] ?? { name: '' };
    if (n === 0) return html`<th scope="row"${role('rowheader')}${kind(column)}>${value}</th>`;
    const name = isStacked && column.isEvident !== true && html` data-name="${column.name}"`;
    return html`<td${role('cell')}${areNumbers ? null : kind(column)}${name}>${value}</td>`;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table${role('table')} class="data${areNumbers && ' nums'}${isStacked && ' stacks'}${isBrief && ' brief'}"><caption${
    isCaptionHidden && html` class="hidden"`
  }>${caption}</caption><thead${role('rowgroup')}><tr${role('row')}>${columns.map(
    ({ name, sort, ...column }) =>
      html`<th scope="col"${role('columnheader')}${kind(column)}${sort?.now && html` aria-sort="${sort.now}"`}>${sort === undefined ? name : html`<a href="${sort.path}">${name}</a>`}</th>`,
  )}</tr></thead><tbody${role('rowgroup')}>${rows.map((row) => html`<tr${role('row')}>${row.map(cell)}</tr>`)}</tbody></table></div>`;
}

function kind({
  isBelow,
  isLong,
  isMinor,
  isNumber,
  isWidest,
}: Omit<DataColumn, 'name' | 'sort'>): Content {
  const size = isWidest === true ? 'long widest' : isNumber === true ? 'n' : isLong && 'long';
  const classes = [size, isMinor && 'minor', isBelow && 'below'].filter(Boolean).join(' ');
  return classes !== '' && html` class="${classes}"`;
}

export function disclosure(summary: Content, body: Content): Markup {
  return html`<details class="numbers"><summary>${summary}</summary>${body}</details>`;
}

const NAMES_MAX = 5;

/** The first five names, and a sign that there are more. */
export function firstNames(names: readonly string[]): string {
  return names.slice(0, NAMES_MAX).join(', ') + (names.length > NAMES_MAX ? ' …' : '');
}

/** A moment, in UTC. The script of a page shows it in the time of the browser; `ago`: by the time since then. */
export function timeElement(epochMs: number, kind: 'at' | 'ago' = 'at'): Markup {
  return html`<time datetime="${new Date(epochMs).toISOString()}"${kind === 'ago' && html` data-ago`}>${formatTime(epochMs)}</time>`;
}

export function commandLine(command: string): Markup {
  return html`<pre class="command"><code>${command}</code></pre>`;
}

/** Copies a text; without a script, and where the browser does not let a page copy, it is not shown. */
export function copyButton(text: string, label = `Copy ${text}`): Markup {
  return html`<button type="button" class="copy" data-copy="${text}" aria-label="${label}">Copy</button>`;
}
