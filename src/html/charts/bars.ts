// Horizontal bars: HTML text with a line of SVG below it, so that names stay readable at any width. Every number is
// written beside its bar.
import { type Content, html, type Markup } from '../markup.js';
import type { Tone } from '../parts.js';
import { legendList, round } from './plot.js';

export interface Bar {
  readonly name: Content;
  readonly value: number;
  /** The value as text. */
  readonly text: Content;
  readonly tone: Tone;
  readonly about?: Content;
  /** A mark on the bar at the earlier value. */
  readonly before?: number | null;
}

/** Bars, each as long as its part of `max`, or of the longest. */
export function barList(
  bars: readonly Bar[],
  max = Math.max(0, ...bars.map(({ value }) => value)),
): Markup {
  return html`<ul class="bars">${bars.map(
    ({ about, before, name, text, tone, value }) =>
      html`<li><span>${name}</span><span class="n">${text}</span><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="tone ${tone}" width="${percent(value, max)}" height="8"/>${
        typeof before === 'number' &&
        html`<rect class="before" x="${Math.min(99.2, percent(before, max))}" width=".8" height="8"/>`
      }</svg>${about !== undefined && html`<span class="about">${about}</span>`}</li>`,
  )}</ul>`;
}

export interface BarPart {
  readonly name: string;
  readonly value: number;
  readonly text: Content;
  readonly tone: Tone;
}

/** One bar of several parts, without those of 0. The legend has the numbers. */
export function stackedBar(parts: readonly BarPart[]): Markup {
  const shown = parts.filter(({ value }) => value > 0);
  return html`<svg class="stacked" viewBox="0 0 100 18" preserveAspectRatio="none" aria-hidden="true">${blocksOf(shown)}</svg>${legendList(shown)}`;
}

/** The same for a row of a table: its description has the numbers, and so has each part under the pointer. */
export function rowBar(parts: readonly BarPart[]): Markup | null {
  const shown = parts.filter(({ value }) => value > 0);
  if (shown.length === 0) return null;
  const told = shown.map(({ name, text }) => `${String(text)} ${name}`).join(', ');
  return html`<svg class="stacked" viewBox="0 0 100 18" preserveAspectRatio="none" role="img" aria-label="${told}">${blocksOf(shown)}</svg>`;
}

function blocksOf(shown: readonly BarPart[]): readonly Markup[] {
  const total = shown.reduce((sum, { value }) => sum + value, 0);
  let before = 0;
  return shown.map(({ name, text, tone, value }) => {
    const x = percent(before, total);
    before += value;
    // A line of the ground separates two parts, and each part is wide enough to be seen.
    const width = Math.max(0.4, round(percent(before, total) - x - (before < total ? 0.3 : 0)));
    return html`<rect class="tone ${tone}" x="${x}" width="${width}" height="18"><title>${name}: ${text}</title></rect>`;
  });
}

/** A share between 0 and 100. */
function percent(value: number, max: number): number {
  return max > 0 ? round(Math.min(100, Math.max(0, (value / max) * 100))) : 0;
}
