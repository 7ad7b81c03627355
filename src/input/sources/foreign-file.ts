// Files that are not a table of text, known by their beginnings: what they are, and how to make a table of them.
import { SluiceError } from '../../model/errors.js';
import { nameSource } from './source-name.js';

const SAVE_AS_CSV = 'open it in a spreadsheet program and save it as CSV (UTF-8)';

/** Sentences by the first bytes of a file, each written as the character of its number. */
const BINARY: readonly (readonly [beginnings: readonly string[], sentence: string])[] = [
  [['%PDF'], 'is a PDF; export the table that it was made of as CSV'],
  [['PAR1'], 'is a Parquet file; write it as CSV, NDJSON or XLSX first'],
  [['SQLite format 3\0'], 'is an SQLite database; export its table as CSV'],
  [
    ['\x89PNG', '\xFF\xD8\xFF', 'GIF8'],
    'is a picture; Sluice reads CSV, Excel workbooks (.xlsx) and NDJSON',
  ],
  [
    ['7z\xBC\xAF', 'Rar!\x1A', 'BZh91AY', '\x28\xB5\x2F\xFD', '\xFD7zXZ'],
    'is packed in a way that Sluice does not know; unpack it, or pack it with gzip',
  ],
];
const TAR = { mark: 'ustar', at: 257 };
const BYTES_LOOKED_AT = TAR.at + TAR.mark.length;

/** @throws SluiceError `input` if the first bytes are those of an archive, a PDF and the like */
export function refuseBinary(path: string, bytes: Uint8Array): void {
  const start = Buffer.from(bytes.subarray(0, BYTES_LOOKED_AT)).toString('latin1');
  const known = BINARY.find(([beginnings]) =>
    beginnings.some((beginning) => start.startsWith(beginning)),
  );
  if (known !== undefined) refuse(path, known[1]);
  if (start.startsWith(TAR.mark, TAR.at)) {
    refuse(path, 'is a tar archive; unpack it and give the files in it');
  }
}

const ZIP = Buffer.from('PK\x03\x04');
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/**
 * The kind of a container, which has to be opened: a zip archive, or a compound file as old Office programs write them.
 */
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
  if (NO_TEXT.test(line)) {
    refuse(path, `is no text on its first line; ${SAVE_AS_CSV}, or give its --encoding`);
  }
}

/** @throws SluiceError `input`, always */
export function refuse(path: string, sentence: string): never {
  throw new SluiceError('input', `${nameSource(path)} ${sentence}.`, { path });
}
