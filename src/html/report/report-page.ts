// The report of a run: one HTML file that needs nothing beside it, and no network.
import type { RunFigures } from '../../model/report/run-figures.js';
import { isOpen } from '../../model/run.js';
import { cutText } from '../../model/text/count.js';
import { html, type Markup } from '../markup.js';
import { timeElement } from '../parts.js';
import { costSection } from './cost-section.js';
import { outcomeSection, runHeader } from './outcome-section.js';
import { qualitySection } from './quality-section.js';
import { reportFrame } from './report-frame.js';
import { samplesSection } from './samples-section.js';
import { timeSection } from './time-section.js';
import { troubleSection } from './trouble-section.js';

/** The limit in bytes: the file can be sent by mail, and opens at once. */
const BYTES_MAX = 300_000;

/** The report, with sections in the order of a reader's questions; at most 300 KB for any run. */
export function reportPage(figures: RunFigures): Markup {
  const page = pageOf(figures);
  return Buffer.byteLength(String(page)) <= BYTES_MAX ? page : pageOf(shorten(figures), true);
}

function pageOf(figures: RunFigures, isShort = false): Markup {
  const { at, run, state } = figures;
  return reportFrame({
    title: `Run ${run.id} of ${cutText(run.job, 120)}`,
    body: html`${runHeader(figures)}${runSections(figures)}`,
    written: html`${timeElement(at)}${isOpen(state) && ', while the run goes on'}`,
    more: isShort && ' It was shortened to be no larger than 300 KB.',
  });
}

/** Shortens the parts that names from outside make long. */
function shorten({ quality, trouble, ...figures }: RunFigures): RunFigures {
  return {
    ...figures,
    samples: null,
    quality: quality === null ? null : { ...quality, columns: quality.columns.slice(0, 20) },
    trouble: {
      ...trouble,
      reasons: trouble.reasons.slice(0, 6),
      rejects: trouble.rejects.slice(0, 5),
      disturbances: trouble.disturbances.slice(0, 5),
    },
  };
}

/** The sections of the report below its title; the page of a run has the same. */
function runSections(figures: RunFigures): Markup {
  return html`${outcomeSection(figures)}${costSection(figures)}${qualitySection(figures)}${troubleSection(figures)}${timeSection(figures)}${samplesSection(figures)}`;
}
