// Reads what charts are made of: SVG and HTML that is XML too.
import { SaxesParser } from 'saxes';
import type { Markup } from '../../src/html/markup.js';

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** All text within it. */
  text: string;
}

/** Every element, in order. @throws where it is not well-formed */
export function elementsOf(markup: Markup): Element[] {
  const parser = new SaxesParser();
  const all: Element[] = [];
  const open: Element[] = [];
  parser.on('opentag', ({ attributes, name }) => {
    const element = { name, attributes, text: '' };
    all.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    for (const element of open) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(`<root>${String(markup)}</root>`).close();
  return all;
}

/** The rows of the first table, with its header. */
export function tableOf(markup: Markup): string[][] {
  const rows: string[][] = [];
  for (const { name, text } of elementsOf(markup)) {
    if (name === 'tr') rows.push([]);
    if (name === 'th' || name === 'td') rows.at(-1)?.push(text);
  }
  return rows;
}

/** Every number in what is drawn: places, lengths and paths. */
export function drawnNumbers(markup: Markup): number[] {
  const drawn = ['d', 'x', 'y', 'width', 'height', 'viewBox'];
  return elementsOf(markup).flatMap(({ attributes }) =>
    drawn.flatMap((name) =>
      (attributes[name] ?? '')
        .split(/[\s,A-Za-z]+/)
        .filter(Boolean)
        .map(Number),
    ),
  );
}
