// Which number format each style of a workbook has.
import { builtInFormat, type NumberFormat, PLAIN, parseFormat } from './number-format.js';
import type { Zip } from './open-zip.js';
import { attributeOf, readXml } from './read-xml.js';

/** By the number of the style that a cell names. */
export type Styles = (style: number) => NumberFormat;

/** As many as a spreadsheet program takes, and some. */
const FORMATS_MAX = 100_000;

/** @throws SluiceError `input` where the part is damaged; without `part`, no style has a format */
export async function readStyles(zip: Zip, part: string | undefined): Promise<Styles> {
  if (part === undefined) return () => PLAIN;
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
  const known = new Map<number, NumberFormat>();
  return (style) => {
    const id = formatOfStyle[style] ?? 0;
    const format = known.get(id) ?? formatOf(id, codes);
    known.set(id, format);
    return format;
  };
}

function formatOf(id: number, codes: ReadonlyMap<number, string>): NumberFormat {
  const code = codes.get(id);
  return code === undefined ? builtInFormat(id) : parseFormat(code);
}
