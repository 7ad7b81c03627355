// XLSX for people with a spreadsheet. Rows go into a sheet as they come; after the limit of a sheet another one
// follows, with the same header.
import type { OutputColumn, OutputRow } from '../../ports/table-writer.js';
import type { CellLimits } from '../clean-cells.js';
import type { TableFormat } from '../table-format.js';
import { createRowWriter, sheetHead, sheetTail } from './sheet-xml.js';
import {
  closingParts,
  FIXED_PARTS,
  linksPart,
  openStyles,
  sheetPath,
  type WrittenSheet,
} from './workbook-xml.js';
import { openZipPieces, type ZipEntry } from './zip-pieces.js';

export const XLSX_LIMITS: CellLimits = {
  textLengthMax: 32_767,
  // Characters that XML cannot hold, not even escaped.
  forbidden: /(?![\t\n\r\u007F-\u009F])\p{Cc}|[\uFFFE\uFFFF]/gu,
  hasJsonAsText: true,
};

export interface SheetLimits {
  /** The number of rows, with the header. */
  readonly rows: number;
  /** The approximate bytes of XML: a sheet ends soon after them. */
  readonly bytes: number;
}

/**
 * The greatest number of rows of a sheet; and bytes below 4 GiB, from which on ZIP needs parts that not every reader
 * knows.
 */
const SHEET_LIMITS: SheetLimits = { rows: 1_048_576, bytes: 3 * 2 ** 30 };

/** The UTF-16 units of XML that are put together before they are handed on. */
const XML_AT_ONCE = 65_536;

export function xlsxFormat(
  columns: readonly OutputColumn[],
  limits: SheetLimits = SHEET_LIMITS,
): TableFormat {
  const zip = openZipPieces();
  const styles = openStyles();
  const writer = createRowWriter(columns, styles.styleOf);
  const written: WrittenSheet[] = [];
  let widths: number[] | undefined;
  let sheet: { readonly entry: ZipEntry; rowCount: number; bytes: number } | undefined;

  const openSheet = async (rows: readonly OutputRow[]) => {
    widths ??= writer.widths(rows);
    const opened = { entry: zip.open(sheetPath(written.length + 1)), rowCount: 1, bytes: 0 };
    await put(opened, sheetHead(widths, written.length === 0) + writer.header());
    return opened;
  };
  const put = async (to: NonNullable<typeof sheet>, xml: string): Promise<void> => {
    const bytes = Buffer.from(xml);
    to.bytes += bytes.length;
    await to.entry.write(bytes);
  };
  const closeSheet = async (open: NonNullable<typeof sheet>): Promise<void> => {
    const { length: columnCount } = columns;
    const links = writer.takeLinks();
    await put(open, sheetTail(columnCount, open.rowCount, links));
    open.entry.end();
    written.push({ columnCount, rowCount: open.rowCount });
    if (links.length > 0) zip.add(...linksPart(written.length, links));
  };

  return {
    begin() {
      for (const [path, text] of FIXED_PARTS) zip.add(path, text);
      return zip.take();
    },
    async rows(rows) {
      sheet ??= await openSheet(rows);
      let xml = '';
      for (const row of rows) {
        if (xml.length >= XML_AT_ONCE) {
          await put(sheet, xml);
          xml = '';
        }
        if (sheet.rowCount >= limits.rows || sheet.bytes + xml.length >= limits.bytes) {
          await put(sheet, xml);
          xml = '';
          await closeSheet(sheet);
          sheet = await openSheet(rows);
        }
        sheet.rowCount += 1;
        xml += writer.row(row, sheet.rowCount);
      }
      await put(sheet, xml);
      return zip.take();
    },
    async end() {
      await closeSheet(sheet ?? (await openSheet([])));
      zip.add(...styles.part());
      for (const [path, text] of closingParts(written)) zip.add(path, text);
      return zip.end();
    },
  };
}
