// A chart is as wide as a card on a phone, so that its text is no smaller there than on a large screen.
import { scaleLinear, scaleUtc } from 'd3-scale';
import { formatDuration } from '../../model/text/format-time.js';
import { type Content, html, type Markup } from '../markup.js';
import type { DataTable, Tone } from '../parts.js';

const WIDTH = 360;
const HEIGHT = 192;
/** The area of the plot; the labels of its axes are beside it. */
export const PLOT = { left: 40, right: WIDTH - 8, top: 22, bottom: HEIGHT - 26 } as const;

/** The limit of rows in a table of what happened over time, which are a part of the page's size. */
export const ROWS_MAX = 120;

/** Maps a value to its place in the drawing, in units of the drawing. */
export type Place = (value: number) => number;

/** A chart with its legend, and its numbers, which a page has in one place. */
export interface Chart {
  readonly title: string;
  readonly picture: Markup;
  /** The picture in a sentence or two, with the most important numbers. */
  readonly says: string;
  /** Every number of the chart. */
  readonly numbers: DataTable;
}

export function chart(
  { numbers, says, title }: Omit<Chart, 'picture'>,
  plot: Content,
  legend: readonly LegendEntry[] = [],
): Chart {
  const picture = html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"><title>${title}</title><desc>${says}</desc>${plot}</svg>${
    legend.length > 0 && legendList(legend)
  }`;
  return { title, picture, says, numbers };
}

export interface LegendEntry {
  readonly name: Content;
  /** Default: `area`. */
  readonly mark?: 'area' | 'curve' | 'limit' | 'forecast' | 'pause' | 'sign';
  readonly tone?: Tone;
  /** A number beside the name. */
  readonly text?: Content;
}

/** The meaning of each colour and line. */
export function legendList(entries: readonly LegendEntry[]): Markup {
  return html`<ul class="legend">${entries.map(
    ({ mark = 'area', name, text, tone }) =>
      html`<li><svg class="chart" viewBox="0 0 14 12" aria-hidden="true">${MARKS[mark](tone ?? '')}</svg><span>${name}${text !== undefined && html` <b>${text}</b>`}</span></li>`,
  )}</ul>`;
}

const MARKS: Readonly<Record<NonNullable<LegendEntry['mark']>, (tone: string) => Markup>> = {
  area: (tone) => html`<rect class="tone ${tone}" y="1" width="14" height="10" rx="2"/>`,
  curve: (tone) => html`<path class="curve ${tone}" d="M0 6H14"/>`,
  limit: () => html`<path class="limit" d="M0 6H14"/>`,
  forecast: () => html`<path class="forecast" d="M1 6H14"/>`,
  pause: () => html`<rect class="pause" width="14" height="12"/>`,
  sign: (tone) => html`<path class="tone ${tone}" d="M7 2l5 8H2z"/>`,
};

/** An axis from 0 to at least `max`, in round steps. */
export function risingAxis(max: number): { readonly y: Place; readonly grid: Markup } {
  const most = Number.isFinite(max) && max > 0 ? max : 1;
  const scale = scaleLinear([0, most], [PLOT.bottom, PLOT.top]).nice(3).clamp(true);
  const y = (value: number): number => round(scale(value));
  // Counts have no fractions.
  const ticks = scale.ticks(3).filter((tick) => Number.isInteger(tick));
  const line = (tick: number): Markup => {
    const kind = tick === 0 ? 'axis' : 'grid';
    return html`<path class="${kind}" d="M${PLOT.left} ${y(tick)}H${PLOT.right}"/><text x="${PLOT.left - 6}" y="${y(tick) + 4}" text-anchor="end">${SHORT.format(tick)}</text>`;
  };
  return { y, grid: html`<g>${ticks.map(line)}</g>` };
}

/** In ms since the beginning, up to `spanMs`, or a second if that is less. Later times stand at its end. */
export function timeAxis(spanMs: number) {
  const span = Number.isFinite(spanMs) && spanMs > 1_000 ? spanMs : 1_000;
  const scale = scaleLinear([0, span], [PLOT.left, PLOT.right]).clamp(true);
  const x = (value: number): number => round(scale(value));
  return {
    x,
    spanMs: span,
    labels: labelsOf(timeTicks(span).map((tick) => [x(tick), elapsed(tick)] as const)),
  };
}

/** Labels below the plot, each at its place: those that do not overlap the one before. They stay within the drawing. */
export function labelsOf(all: readonly (readonly [x: number, text: string])[]): Markup {
  let taken = Number.NEGATIVE_INFINITY;
  const shown = all.flatMap(([x, text]) => {
    const room = text.length * 3.8 + 3;
    const isLast = x + room > WIDTH;
    if ((isLast ? PLOT.right - 2 * room : x - room) < taken) return [];
    taken = isLast ? PLOT.right : x + room;
    return html`<text x="${isLast ? PLOT.right : x}" y="${PLOT.bottom + 22}" text-anchor="${isLast ? 'end' : 'middle'}">${text}</text>`;
  });
  return html`<g>${shown}</g>`;
}

const DAY_MS = 86_400_000;

/** The ticks of a clock that starts at 0; beyond a week a clock's ticks would be dates, not days. */
function timeTicks(spanMs: number): readonly number[] {
  if (spanMs <= 7 * DAY_MS) return scaleUtc([0, spanMs], [0, 1]).ticks(4).map(Number);
  return scaleLinear([0, spanMs / DAY_MS], [0, 1])
    .ticks(4)
    .filter((day) => Number.isInteger(day))
    .map((day) => day * DAY_MS);
}

/** Time since the beginning: `0`, `1.5 s`, for which `formatDuration` would write `2 s`, `30 s`, `2 d`. */
export function elapsed(ms: number): string {
  if (ms === 0) return '0';
  if (ms >= 1_000 && ms < 10_000) return `${Math.round(ms / 100) / 10} s`;
  return ms % DAY_MS === 0 ? `${ms / DAY_MS} d` : formatDuration(ms);
}

/** `1,234,567` → `1.2M`. */
const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact' });

/** Rounds to a tenth of a unit, which is a tenth of a pixel. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
