// The list of a report's sections, and at its end the numbers of all charts, for readers who do not see them and for those
// who want them exact.
import type { RunFigures } from '../../model/report/run-figures.js';
import { html, type Markup } from '../markup.js';
import { dataTable, disclosure } from '../parts.js';
import { answeredTables } from './outcome-section.js';
import { qualityTables } from './quality-section.js';
import { timeTables } from './time-section.js';

const SECTIONS = [
  ['outcome', 'Did it work?'],
  ['cost', 'Cost'],
  ['quality', 'Data'],
  ['trouble', 'Trouble'],
  ['time', 'Speed'],
] as const;

/** Links to the sections. */
export function contentsOf(): Markup {
  const links = SECTIONS.map(([id, name]) => html`<a href="#${id}">${name}</a>`);
  return html`<nav class="contents" aria-label="On this page">${links}</nav>`;
}

export function numbersSection(figures: RunFigures): Markup {
  const tables = [
    ...answeredTables(figures),
    ...qualityTables(figures),
    ...timeTables(figures),
  ].map(dataTable);
  return html`<div class="numbers-of-all">${tables.length > 0 && disclosure('The numbers', tables)}</div>`;
}
