// The common parts of charts: their size, axes and grid, and the frame that makes a chart readable without seeing it. A
// chart is as wide as a card on a phone, so that its text is no smaller there than on a large screen.
import { scaleLinear, scaleUtc } from 'd3-scale';
import { fitTimeline, type SeriesBucket, type Timeline } from '../../model/report/series.js';
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

export interface ChartText {
  /** A word that is unique in the page. */
  readonly id: string;
  readonly title: string;
  /** A description in a sentence or two, with the most important numbers. */
  readonly description: string;
  /** Every number of the chart. */
  readonly table: DataTable;
}

/** A chart with its legend, and its numbers, which a page has in one place. */
export interface Drawn {
  readonly picture: Markup;
  /** The picture in a sentence or two. */
  readonly says: string;
  /** Null if the picture says them. */
  readonly table: DataTable | null;
}

export function chart(
  { description, id, table, title }: ChartText,
  plot: Content,
  legend: readonly LegendEntry[] = [],
): Drawn {
  const picture = html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-text"><title id="${id}-title">${title}</title><desc id="${id}-text">${description}</desc>${plot}</svg>${
    legend.length > 0 && legendList(legend)
  }`;
  return { picture, says: description, table };
}

/** The look of a mark in a chart and in its legend. */
export interface LegendEntry {
  readonly name: Content;
  readonly mark: 'area' | 'curve' | 'limit' | 'forecast' | 'pause' | 'sign';
  readonly tone?: Tone;
}

function legendList(entries: readonly LegendEntry[]): Markup {
  return html`<ul class="legend">${entries.map(
    ({ mark, name, tone }) =>
      html`<li><svg class="chart" viewBox="0 0 14 12" aria-hidden="true">${MARKS[mark](tone ?? '')}</svg><span>${name}</span></li>`,
  )}</ul>`;
}

const MARKS: Readonly<Record<LegendEntry['mark'], (tone: string) => Markup>> = {
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
    return html`<path class="${kind}" d="M${PLOT.left} ${y(tick)}H${PLOT.right}"/><text x="${PLOT.left - 6}" y="${y(tick) + 4}" text-anchor="end">${shortNumber(tick)}</text>`;
  };
  return { y, grid: html`<g>${ticks.map(line)}</g>` };
}

interface TimeAxis {
  readonly x: Place;
  readonly labels: Markup;
  /** The time that it shows, in ms. */
  readonly spanMs: number;
}

/**
 * An axis of time since the beginning, in ms, up to `spanMs`, or a second if that is less. Later times stand at its
 * end.
 */
export function timeAxis(spanMs: number): TimeAxis {
  const span = Number.isFinite(spanMs) && spanMs > 1_000 ? spanMs : 1_000;
  const scale = scaleLinear([0, span], [PLOT.left, PLOT.right]).clamp(true);
  const x = (value: number): number => round(scale(value));
  return {
    x,
    spanMs: span,
    labels: html`<g>${legible(timeTicks(span).map((tick) => [x(tick), elapsed(tick)] as const)).map(([at, text]) => label(at, text))}</g>`,
  };
}

/** Those labels that do not overlap the one before, each with its place. */
export function legible(labels: readonly (readonly [x: number, text: string])[]) {
  let taken = Number.NEGATIVE_INFINITY;
  return labels.filter(([x, text]) => {
    const { left, right } = placeOfLabel(x, text);
    if (left < taken) return false;
    taken = right;
    return true;
  });
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

/** Time since the beginning: `0`, `30 s`, `2 d`. */
export function elapsed(ms: number): string {
  if (ms === 0) return '0';
  return ms % DAY_MS === 0 ? `${ms / DAY_MS} d` : formatDuration(ms);
}

/** The number of parts of the time that show their numbers under the pointer. */
const ZONES_MAX = 48;

/** Zones over a plot that show, under the pointer, what happened in that part of the time. */
export function hoverZones(
  time: Timeline,
  from: number,
  x: Place,
  textOf: (bucket: SeriesBucket) => string,
): Markup {
  const { buckets, widthMs } = fitTimeline(time, ZONES_MAX);
  const zones = buckets.map((bucket) => {
    const after = Math.max(0, bucket.at - from);
    const [left, right] = [x(after), x(Math.max(0, bucket.at + widthMs - from))];
    const when = `${elapsed(after)} to ${elapsed(after + widthMs)}`;
    return html`<rect x="${left}" y="${PLOT.top}" width="${round(right - left)}" height="${PLOT.bottom - PLOT.top}"><title>${when}: ${textOf(bucket)}</title></rect>`;
  });
  return html`<g class="zones">${zones}</g>`;
}

/** A label below the plot; it stays within the drawing. */
export function label(x: number, text: string): Markup {
  const { anchor } = placeOfLabel(x, text);
  return html`<text x="${anchor === 'end' ? PLOT.right : x}" y="${PLOT.bottom + 22}" text-anchor="${anchor}">${text}</text>`;
}

function placeOfLabel(x: number, text: string) {
  const room = text.length * 3.8 + 3;
  return x + room > WIDTH
    ? ({ anchor: 'end', left: PLOT.right - 2 * room, right: PLOT.right } as const)
    : ({ anchor: 'middle', left: x - room, right: x + room } as const);
}

const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact' });

/** `1,234,567` → `1.2M`. */
function shortNumber(value: number): string {
  return SHORT.format(value);
}

/** Rounds to a tenth of a unit, which is a tenth of a pixel. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
