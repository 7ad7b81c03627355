import {
  builtInFormat,
  CODE_CHARS_MAX,
  type NumberFormat,
  PLAIN,
  parseFormat,
} from './number-format.js';
import type { Zip } from './open-zip.js';
import { attributeOf, readXml } from './read-xml.js';

export interface CellStyle {
  readonly format: NumberFormat;
  /** The format as `WorkbookCell` has it; empty for General. */
  readonly code: string;
}

export type Styles = (style: number) => CellStyle;

const NO_STYLE: CellStyle = { format: PLAIN, code: '' };

/** The limit for formats: a little more than a spreadsheet program takes. */
const FORMATS_MAX = 100_000;

/** @throws SluiceError `input` if the part is damaged; without `part`, no style has a format */
export async function readStyles(zip: Zip, part: string | undefined): Promise<Styles> {
  if (part === undefined) return () => NO_STYLE;
  const codes = new Map<number, string>();
  const formatOfStyle: number[] = [];
  let isCellFormats = false;
  await readXml(
    zip.bytes(part),
    { path: zip.path, part },
    {
      open: (name, attributes, depth) => {
        if (name === 'numFmt' && depth === 3 && codes.size < FORMATS_MAX) {
          const id = Number(attributeOf(attributes, 'numFmtId'));
          codes.set(id, attributeOf(attributes, 'formatCode') ?? '');
        } else if (depth === 2) isCellFormats = name === 'cellXfs';
        else if (name === 'xf' && depth === 3 && isCellFormats) {
          if (formatOfStyle.length < FORMATS_MAX) {
            formatOfStyle.push(Number(attributeOf(attributes, 'numFmtId') ?? 0));
          }
        }
      },
    },
  );
  const known = new Map<number, CellStyle>();
  return (style) => {
    const id = formatOfStyle[style] ?? 0;
    const found = known.get(id) ?? styleOf(id, codes);
    known.set(id, found);
    return found;
  };
}

const OWN_FORMAT_MIN = 164;

function styleOf(id: number, codes: ReadonlyMap<number, string>): CellStyle {
  const code = codes.get(id);
  if (code === undefined) {
    const isKnown = id > 0 && id < OWN_FORMAT_MIN;
    return { format: builtInFormat(id), code: isKnown ? String(id) : '' };
  }
  const isGeneral = code === '' || /^general$/i.test(code) || code.length > CODE_CHARS_MAX;
  return { format: parseFormat(code), code: isGeneral ? '' : `:${code}` };
}
