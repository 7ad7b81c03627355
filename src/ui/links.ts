// The addresses of the pages of `sluice ui`: every name on a page is a link.
import { type Content, html, type Markup } from '../html/markup.js';
import type { LeadStatus } from '../model/answer.js';

type Value = string | number | null | undefined;

/** A path with a query; null, undefined and empty values are left out. */
export function pathWith(path: string, query: Readonly<Record<string, Value>> = {}): string {
  const set = Object.entries(query).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  if (set.length === 0) return path;
  const words = new URLSearchParams(
    set.map(([name, value]): [string, string] => [name, String(value)]),
  );
  return `${path}?${words.toString()}`;
}

export interface RunsQuery {
  readonly job?: string | undefined;
  readonly state?: string | undefined;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

export function runsPath(query: RunsQuery = {}): string {
  return pathWith('/', { ...query });
}

export function runPath(run: number): string {
  return `/runs/${run}`;
}

export interface LeadsQuery {
  readonly outcome?: LeadStatus | undefined;
  readonly reason?: string | undefined;
  readonly text?: string | undefined;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

export function leadsPath(run: number, query: LeadsQuery = {}): string {
  return pathWith(`${runPath(run)}/leads`, { ...query });
}

/** `file`: the index of the input file among those of the run, if there are several. */
export function linePath(run: number, line: number, file?: number): string {
  return pathWith(`${runPath(run)}/lines/${line}`, { file });
}

export function jobPath(job: string): string {
  return `/jobs/${encodeURIComponent(job)}`;
}

/** A link to a job. `file` is the name of its dropped file; null for any other job. */
export function jobLink(job: string, file: string | null): Markup {
  if (file === null) return link(jobPath(job), job);
  return html`${link(jobPath(job), file)} <span class="quiet">${job}</span>`;
}

export interface CompareQuery {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  /** A column that identifies a lead in both. */
  readonly key?: string | undefined;
  /** The time of their comparison, by which it is done once more. */
  readonly again?: number | undefined;
}

/** `file`: the name of a file to download. */
export function comparePath(job: string, query: CompareQuery = {}, file?: string): string {
  const path = `${jobPath(job)}/compare`;
  return pathWith(file === undefined ? path : `${path}/${file}`, { ...query });
}

export function doctorPath(job?: string): string {
  return pathWith('/doctor', { job });
}

export function link(path: string, content: Content): Markup {
  return html`<a href="${path}">${content}</a>`;
}

/** A link that looks like a button: it leads to a page with an action. */
export function buttonLink(path: string, words: string): Markup {
  return html`<a class="button" href="${path}">${words}</a>`;
}

/** Links to the existing pages before and after this one. */
export function pager(
  name: string,
  links: readonly (readonly [path: string | null, words: string, rel: 'prev' | 'next'])[],
): Markup | null {
  const there = links.flatMap(([path, words, rel]) =>
    path === null ? [] : [html`<a class="button" rel="${rel}" href="${path}">${words}</a>`],
  );
  return there.length === 0 ? null : html`<nav class="pager" aria-label="${name}">${there}</nav>`;
}

export interface Choice {
  readonly value: string;
  readonly words: string;
}

/** A list to choose one entry from; the first choice means no entry, unless `none` is null. */
export function selectField(
  name: string,
  label: string,
  chosen: string | undefined,
  choices: readonly Choice[],
  none: string | null = 'All',
): Markup {
  const known = choices.some(({ value }) => value === chosen) || chosen === undefined;
  const all = known ? choices : [...choices, { value: chosen, words: chosen }];
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${none !== null && html`<option value="">${none}</option>`}${all.map(
    ({ value, words }) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`,
  )}</select></div>`;
}
