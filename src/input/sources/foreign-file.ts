// Files that are not a table of text, known by their beginnings, and how to make a table of them.
import { SluiceError } from '../../model/errors.js';
import { nameSource } from './source-name.js';

const SAVE_AS_CSV = 'open it in a spreadsheet program and save it as CSV (UTF-8)';

/** The first bytes of files that are often taken for a table, each written as the character of its number. */
const BINARY = [
  '%PDF',
  'PAR1',
  'SQLite format 3\0',
  '\x89PNG',
  '\xFF\xD8\xFF',
  'GIF8',
  '7z\xBC\xAF',
  'Rar!\x1A',
  'BZh91AY',
  '\x28\xB5\x2F\xFD',
  '\xFD7zXZ',
];

/** @throws SluiceError `input` if the first bytes are those of an archive, a PDF and the like */
export function refuseBinary(path: string, bytes: Uint8Array): void {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  if (BINARY.some((beginning) => start.startsWith(beginning))) {
    refuse(
      path,
      'is no table that Sluice reads; unpack it, or save it as CSV, NDJSON or an Excel workbook (.xlsx)',
    );
  }
}

const ZIP = Buffer.from('PK\x03\x04');
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** It has to be opened: a zip archive, or a compound file as old Office programs write them. */
export function containerOf(first: Uint8Array): 'zip' | 'compound' | undefined {
  const start = Buffer.from(first.subarray(0, COMPOUND.length));
  if (start.subarray(0, ZIP.length).equals(ZIP)) return 'zip';
  return start.equals(COMPOUND) ? 'compound' : undefined;
}

const MARKUP = /^\s{0,1000}<(?:!doctype|html|head|body|table|meta|style|script|!--|\?xml|\?mso)/i;
// Characters that no text has. Those that cells have now and then (tab, line ends, vertical tab, form feed, escape) are
// not among them.
// oxlint-disable-next-line no-control-regex
const NO_TEXT = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/**
 * Checks `beginning`, the first text of a source, with the whole first line if that has come.
 * @throws SluiceError `input` for HTML and XML, and if the first line has characters that no text has
 */
export function refuseOddText(path: string, beginning: string): void {
  if (MARKUP.test(beginning)) {
    refuse(path, `is a web page or XML, whatever its name says; ${SAVE_AS_CSV}`);
  }
  const lineEnd = beginning.search(/[\r\n]/);
  const line = lineEnd === -1 ? beginning : beginning.slice(0, lineEnd);
  if (line.startsWith('ID;P'))
    refuse(path, `is a SYLK file, whatever its name says; ${SAVE_AS_CSV}`);
  if (/^\s*[[{]\s*$/.test(line) && lineEnd !== -1) {
    const way = "Write one object a line (jq -c '.' for objects, jq -c '.[]' for a list).";
    refuse(path, 'is JSON over several lines, and each line must be one object', way);
  }
  if (NO_TEXT.test(line)) {
    refuse(
      path,
      `is no text on its first line; ${SAVE_AS_CSV}`,
      'Or name its encoding with the key encoding.',
    );
  }
}

/** @throws SluiceError `input`, always */
export function refuse(path: string, sentence: string, way = ''): never {
  throw new SluiceError('input', `${nameSource(path)} ${sentence}.`, {}, { way });
}
