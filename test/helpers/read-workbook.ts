// Reads a workbook by its XML alone, as strictly as a spreadsheet would, so that a test can say what is in it.
import { buffer } from 'node:stream/consumers';
import { SaxesParser } from 'saxes';
import { fromBufferPromise } from 'yauzl';

type CellValue = string | number | boolean | null;

export interface ReadSheet {
  readonly name: string;
  /** The names of the elements of the sheet, in order. */
  readonly elements: readonly string[];
  /** All rows with the header, as long as the longest; a time as the number that is written. */
  readonly rows: readonly (readonly CellValue[])[];
  /** The style of each cell, as it is written. */
  readonly styles: readonly (readonly string[])[];
  readonly widths: readonly number[];
  readonly filter: string | undefined;
}

/** Every part of the file by its path, as text. */
export async function unzip(file: Uint8Array): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(Buffer.from(file), { lazyEntries: true });
  const parts = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    const stream = await zip.openReadStreamPromise(entry);
    const bytes = await buffer(stream);
    parts.set(entry.fileName, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  }
  return parts;
}

export async function readWorkbook(file: Uint8Array): Promise<ReadSheet[]> {
  const parts = await unzip(file);
  const part = (path: string): string => parts.get(path) ?? '';
  const relations = new Map(
    elementsOf(part('xl/_rels/workbook.xml.rels'))
      .filter(({ name }) => name === 'Relationship')
      .map(({ attributes }) => [attributes['Id'], attributes['Target']]),
  );
  return elementsOf(part('xl/workbook.xml'))
    .filter(({ name }) => name === 'sheet')
    .map(({ attributes }) => {
      const target = relations.get(attributes['r:id']);
      return readSheet(attributes['name'] ?? '', part(`xl/${target}`));
    });
}

interface Element {
  readonly name: string;
  readonly depth: number;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** In the order in which they begin; throws for XML that is not well-formed. */
export function elementsOf(xml: string): Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, depth: open.length, attributes, text: '' };
    elements.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return elements;
}

function readSheet(name: string, xml: string): ReadSheet {
  const elements = elementsOf(xml);
  const rows: CellValue[][] = [];
  const styles: string[][] = [];
  let cell: { readonly attributes: Element['attributes']; readonly at: number } | undefined;
  for (const { name: element, attributes, text } of elements) {
    if (element === 'row') {
      rows.push([]);
      styles.push([]);
      cell = undefined;
    }
    if (element === 'c') {
      cell = { attributes, at: columnOf(attributes['r'] ?? '') };
    }
    const row = rows.at(-1);
    const style = styles.at(-1);
    if (cell === undefined || row === undefined || style === undefined) continue;
    while (row.length < cell.at) row.push(null);
    while (style.length < cell.at) style.push('');
    style[cell.at] = cell.attributes['s'] ?? '';
    if (element === 'v') {
      row[cell.at] = cell.attributes['t'] === 'b' ? text === '1' : Number(text);
    }
    // Sheets read `_x0041_` as the character with that number.
    if (element === 't') {
      row[cell.at] = text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 16)),
      );
    }
  }
  const width = Math.max(0, ...rows.map((row) => row.length));
  for (const row of rows) while (row.length < width) row.push(null);
  return {
    name,
    rows,
    styles,
    elements: elements.filter(({ depth }) => depth === 1).map((element) => element.name),
    widths: elements
      .filter((element) => element.name === 'col')
      .map(({ attributes }) => Number(attributes['width'])),
    filter: elements.find((element) => element.name === 'autoFilter')?.attributes['ref'],
  };
}

/** 0 for `A1`. */
function columnOf(place: string): number {
  const letters = place.replace(/\d+$/, '');
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
