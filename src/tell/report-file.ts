// The report of a run: one HTML file that loads nothing, runs no script, and needs no network.
import { html, type Markup } from '../html/markup.js';
import { timeElement } from '../html/parts.js';
import { STYLE_ELEMENT, STYLE_HASH } from '../html/style.js';
import type { RunFigures } from '../model/report/run-figures.js';
import { isOpen } from '../model/run.js';
import { asHtml, contentsOf, numbersOf } from './as-html.js';
import { CHARTS } from './tell-charts.js';
import { tellRun } from './tell-run.js';

/** Its sections are in the order of a reader's questions. */
export function reportFile(figures: RunFigures): Markup {
  const { parts, title } = tellRun({ ...figures, charts: CHARTS });
  const policy = html`default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;
  const head = parts.filter(({ kind }) => kind !== 'section');
  const sections = parts.filter(({ kind }) => kind === 'section');
  const body = html`<header>${asHtml(head)}</header>${contentsOf(sections)}${sections.map((one) => asHtml([one]))}${numbersOf(sections)}`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="generator" content="sluice report"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer"><title>${title}</title>${STYLE_ELEMENT}</head><body><main>${body}</main><footer><p>Written by Sluice at ${timeElement(figures.at)}${isOpen(figures.state) && ', while the run goes on'}. Times are in UTC. This file needs no network.</p></footer></body></html>
`;
}
