import { type Content, html, type Markup } from '../html/markup.js';
import type { HrefOf } from '../tell/as-html.js';
import { leadsPath, PATHS, pathTo, runPath } from './paths.js';

/** The characters of a column's name that a page shows. */
export const NAME_MAX = 60;

/** The columns of the user's own that a page shows. */
export const COLUMNS_MAX = 1_000;

export const hrefOf: HrefOf = (target) => {
  switch (target.to) {
    case 'run':
      return runPath(target.run);
    case 'line':
      return pathTo(PATHS.line, target, { file: target.file });
    case 'job':
      return pathTo(PATHS.job, { job: target.job });
    case 'runs':
      return pathTo(PATHS.runs, {}, { job: target.job });
    case 'start':
      return pathTo(PATHS.start, { job: target.job });
    case 'leads': {
      const { outcome, reason, run, step } = target;
      return leadsPath(run, { outcome, reason, step });
    }
    case 'section':
      return `#${target.id}`;
  }
};

/** A link to a job. `file` is the name of its dropped file; null for any other job. */
export function jobLink(job: string, file: string | null): Markup {
  const path = pathTo(PATHS.job, { job });
  if (file === null) return link(path, job);
  return html`${link(path, file)} <span class="quiet">${job}</span>`;
}

export function link(path: string, content: Content): Markup {
  return html`<a href="${path}">${content}</a>`;
}

/** A link that looks like a button: it leads to a page with an action. `isMain`: the one to press first. */
export function buttonLink(path: string, words: string, isMain = false): Markup {
  return html`<a class="button${isMain && ' main'}" href="${path}">${words}</a>`;
}

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
