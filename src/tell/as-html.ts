// Renders the parts of a page for a browser. `hrefOf` names the page of a subject; a file by itself has none.
import { barList, rowBar, stackedBar } from '../html/charts/bars.js';
import { legendList } from '../html/charts/plot.js';
import { type Content, html, type Markup } from '../html/markup.js';
import {
  badge,
  card,
  commandLine,
  copyButton,
  type DataTable,
  dataTable,
  disclosure,
  notice,
  type Tone,
  timeElement,
} from '../html/parts.js';
import { cutText, formatNumber } from '../model/text/count.js';
import { formatDuration } from '../model/text/format-time.js';
import { isList, textOf } from './as-text.js';
import type { Bars, Facts, Part, Step, Table, Target, Value } from './page.js';

export type HrefOf = (target: Target) => string | undefined;

/** The limit for one text, which comes from outside. */
const TEXT_MAX = 600;

const inFile: HrefOf = (target) => (target.to === 'section' ? `#${target.id}` : undefined);

/** Those with a title stand beside each other, as many as there is room for. */
export function asHtml(parts: readonly Part[], hrefOf: HrefOf = inFile): Markup {
  const groups: Part[][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (last !== undefined && isCard(part) && isCard(last[0])) last.push(part);
    else groups.push([part]);
  }
  const drawn = groups.map((group) =>
    isCard(group[0])
      ? html`<div class="cards">${group.map((part) => partHtml(part, hrefOf))}${group.length > COLUMN_MAX && unfold(group.length)}</div>`
      : group.map((part) => partHtml(part, hrefOf)),
  );
  return drawn.length === 1 ? html`${drawn}` : html`<div class="stack">${drawn}</div>`;
}

function isCard(part: Part | undefined): boolean {
  if (part === undefined || !('title' in part) || part.kind === 'note') return false;
  if (part.kind === 'section' || (part.kind === 'table' && part.isAlone === true)) return false;
  return part.title !== undefined;
}

function partHtml(part: Part, hrefOf: HrefOf): Content {
  const { kind } = part;
  switch (kind) {
    case 'facts':
      return factsHtml(part, hrefOf);
    case 'table':
      return tableHtml(part, hrefOf);
    case 'bars':
      return barsHtml(part, hrefOf);
    case 'steps':
      return card(
        part.title,
        html`<ol class="timeline">${part.steps.map((step, n) => stepHtml(step, part.steps.slice(0, n), hrefOf))}</ol>`,
        { isWide: true },
      );
    case 'heading': {
      const { about, mark = null, text } = part;
      return html`<div class="row"><h1>${valueHtml(text, hrefOf)}</h1>${valueHtml(mark, hrefOf)}${about !== undefined && html` <span class="quiet">${about}</span>`}</div>`;
    }
    case 'note': {
      const { isBig = false, more = [], text, title, tone } = part;
      const sentences = [text, ...more].map(
        (one) => html`<p${isBig && html` class="big"`}>${valueHtml(one, hrefOf)}</p>`,
      );
      const body = html`${title !== undefined && html`<h3>${title}</h3>`}${sentences}`;
      return tone === undefined ? body : notice(tone, body);
    }
    case 'command':
      return commandLine(part.command);
    case 'chart':
      return card(part.title, part.picture, { about: part.says });
    case 'section':
      return html`<h2 id="${part.id}">${part.title}</h2>${asHtml(part.parts, hrefOf)}`;
  }
}

/** Links to the sections of a page. */
export function contentsOf(parts: readonly Part[]): Markup {
  const links = parts.flatMap((part) =>
    part.kind === 'section' ? [html`<a href="#${part.id}">${part.short ?? part.title}</a>`] : [],
  );
  return html`<nav class="contents" aria-label="On this page">${links}</nav>`;
}

/** The numbers of all drawings, for readers who do not see them and for those who want them exact. */
export function numbersOf(parts: readonly Part[]): Markup {
  const tables = tablesOf(parts).map(dataTable);
  return html`<div class="numbers-of-all">${tables.length > 0 && disclosure('The numbers', tables)}</div>`;
}

function tablesOf(parts: readonly Part[]): DataTable[] {
  return parts.flatMap((part) => {
    if (part.kind === 'section') return tablesOf(part.parts);
    return part.kind === 'chart' ? [part.numbers] : [];
  });
}

function stepHtml(step: Step, before: readonly Step[], hrefOf: HrefOf): Markup {
  const { at, facts = [], name, text, tone } = step;
  const last = before.findLast((one) => one.at !== null)?.at ?? null;
  const after = at === null || last === null || at < last ? null : at - last;
  return html`<li class="${tone}"><div class="row"><h3>${name}</h3>${
    at !== null && html`<span class="quiet">${timeElement(at)}</span>`
  }${after !== null && html`<span class="quiet">after ${formatDuration(after)}</span>`}</div>${
    text !== null && html`<p>${valueHtml(text, hrefOf)}</p>`
  }${facts.length > 0 && factsHtml({ kind: 'facts', facts }, hrefOf)}</li>`;
}

/** A value of more characters is no number, and is written smaller. */
const WORDED = 24;
/** A line may have 16,384 cells. */
const FACTS_MAX = 200;

function factsHtml({ areCopied, facts, shape = 'list', title }: Facts, hrefOf: HrefOf) {
  const all = facts.filter(({ value }) => value !== null);
  if (all.length === 0) return null;
  const known = all.slice(0, FACTS_MAX);
  if (shape === 'figures') {
    return html`<div class="figures">${known.map(({ about = '', name, value }) => {
      const isWorded = textOf(value).length > WORDED;
      return html`<div class="figure${isWorded && ' worded'}"><span class="label">${name}</span> <span class="value">${valueHtml(value, hrefOf)}</span>${about !== '' && html` <span class="about">${about}</span>`}</div>`;
    })}</div>`;
  }
  const list = html`<dl class="facts${shape !== 'list' && ` ${shape}`}">${known.map(
    ({ about, more = [], name, value }) =>
      html`<div><dt>${name}</dt><dd>${valueHtml(value, hrefOf)}${areCopied === true && html` ${copyButton(textOf(value))}`}${about && html` <span class="quiet">${about}</span>`}${blocks(more, hrefOf)}</dd></div>`,
  )}</dl>`;
  const left = all.length - known.length;
  const body = left === 0 ? list : html`${list}<p class="quiet">and ${formatNumber(left)} more</p>`;
  return title === undefined ? body : card(title, body);
}

function tableHtml(table: Table, hrefOf: HrefOf): Content {
  const { about, columns, empty, isAlone, isBrief = false, isStacked = false, rows, title } = table;
  if (rows.length === 0) return empty !== '' && html`<p class="empty">${empty}</p>`;
  const drawn = dataTable({
    caption: title,
    isCaptionHidden: true,
    isStacked,
    isBrief,
    columns,
    rows: rows.map((row) => columns.map((_, n) => valueHtml(row[n] ?? null, hrefOf))),
  });
  const body = html`${drawn}${legendOf(rows)}${about !== undefined && html`<p class="quiet">${about}</p>`}`;
  return isAlone === true ? body : card(title, body, { isWide: true });
}

/** That of the bars in its cells: names of one tone stand together. */
function legendOf(rows: Table['rows']): Markup | false {
  const names = new Map<Tone, Set<string>>();
  for (const cell of rows.flat(2) as Value[]) {
    if (typeof cell !== 'object' || cell === null || !('shares' in cell)) continue;
    for (const { name, tone, value } of cell.shares) {
      if (value > 0) names.set(tone, (names.get(tone) ?? new Set()).add(name));
    }
  }
  const all = Array.from(names, ([tone, one]) => ({ tone, name: [...one].join(', ') }));
  return all.length > 0 && legendList(all);
}

function barsHtml(part: Bars, hrefOf: HrefOf): Markup {
  const { about, empty = '', isStacked = false, isWide = false, notes = [], of, title } = part;
  const bars = part.bars.map(({ about: said, count, more = [], name, text = count, ...bar }) => ({
    ...bar,
    value: count,
    name: valueHtml(name, hrefOf),
    text: valueHtml(text, hrefOf),
    about: html`${said}${blocks(more, hrefOf)}`,
  }));
  const drawn =
    bars.length === 0
      ? html`<p class="empty">${empty}</p>`
      : isStacked
        ? stackedBar(bars.map((bar, n) => ({ ...bar, name: textOf(part.bars[n]?.name ?? null) })))
        : bars.length <= COLUMN_MAX
          ? html`<div>${barList(bars, of)}</div>`
          : html`<div class="columns">${barList(bars, of)}${unfold(bars.length)}</div>`;
  return card(title, html`${drawn}${notes.map((note) => html`<p class="quiet">${note}</p>`)}`, {
    isWide,
    ...(about === undefined ? {} : { about }),
  });
}

/** More bars, or cards, than this are laid out in columns, and a phone shows them once that is wished. */
const COLUMN_MAX = 8;

function unfold(count: number): Markup {
  return html`<label class="unfold"><input type="checkbox"> Show all ${formatNumber(count)}</label>`;
}

function blocks(values: readonly Value[], hrefOf: HrefOf): Content {
  return values.map((one) => html`<div>${valueHtml(one, hrefOf)}</div>`);
}

function valueHtml(value: Value, hrefOf: HrefOf = inFile): Content {
  if (value === null) return null;
  if (typeof value === 'string') return cutText(value, TEXT_MAX);
  if (typeof value === 'number') return formatNumber(value);
  if (isList(value)) return value.map((one) => valueHtml(one, hrefOf));
  if ('at' in value) return timeElement(value.at, value.isAgo === true ? 'ago' : 'at');
  if ('mark' in value) return badge(value.mark, value.tone);
  if ('code' in value) return html`<code class="command">${value.code}</code>`;
  if ('shares' in value) {
    return rowBar(value.shares.map((one) => ({ ...one, text: formatNumber(one.value) })));
  }
  const path = hrefOf(value);
  const text = cutText(value.text, TEXT_MAX);
  if (path === undefined) return text;
  return html`<a${value.to === 'start' && html` class="button"`} href="${path}">${text}</a>`;
}
