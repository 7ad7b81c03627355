// Workbooks written byte by byte, so that a test can have any part say anything.
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Stored as it is, without being packed. */
  readonly isStored?: boolean;
  /** What the directory says of its size, instead of the truth. */
  readonly saidSize?: number;
  readonly flags?: number;
}

/** A zip archive; two parts may have the same name. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const part of parts) {
    const name = Buffer.from(part.name);
    const content = Buffer.from(part.content as string);
    const packed = part.isStored === true ? content : deflateRawSync(content);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(0x800 | (part.flags ?? 0), 2);
    facts.writeUInt16LE(part.isStored === true ? 0 : 8, 4);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(part.saidSize ?? content.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, name, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), facts, rest, name);
    locals.push(local);
    at += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, list, end]);
}

export interface MadeSheet {
  readonly name?: string;
  readonly state?: string;
  /** What stands in `sheetData`. */
  readonly rows?: string;
  /** The whole XML instead. */
  readonly xml?: string | Uint8Array;
}

export interface MadeWorkbook {
  readonly sheets?: readonly MadeSheet[];
  /** The shared texts, each as what stands in its `si`. */
  readonly strings?: readonly string[];
  /** The number format of each style from 1 on, by its code or its number. */
  readonly formats?: readonly (string | number)[];
  readonly is1904?: boolean;
  /** Parts beside those, or instead of them; undefined leaves a part out. */
  readonly parts?: Readonly<Record<string, string | Uint8Array | undefined>>;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export function workbookParts(made: MadeWorkbook): ZipPart[] {
  const sheets = made.sheets ?? [{}];
  const relations = sheets.map((_, n) =>
    relation(`rId${n + 1}`, 'worksheet', `worksheets/s${n + 1}.xml`),
  );
  if (made.strings) relations.push(relation('rIdT', 'sharedStrings', 'sharedStrings.xml'));
  if (made.formats) relations.push(relation('rIdF', 'styles', '/xl/styles.xml'));
  const names = sheets.map(
    ({ name = `Sheet${sheets.length}`, state }, n) =>
      `<sheet name="${name}" sheetId="${n + 1}"${state ? ` state="${state}"` : ''} r:id="rId${n + 1}"/>`,
  );
  const workbookPr = made.is1904 === true ? '<workbookPr date1904="1"/>' : '';
  const parts: Record<string, string | Uint8Array | undefined> = {
    '[Content_Types].xml': '<Types xmlns="x"/>',
    '_rels/.rels': relationships([relation('r1', 'officeDocument', 'xl/workbook.xml')]),
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns="${MAIN}" xmlns:r="${TYPES}">${workbookPr}<sheets>${names.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(relations),
  };
  for (const [n, { rows = '', xml }] of sheets.entries()) {
    parts[`xl/worksheets/s${n + 1}.xml`] =
      xml ?? `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`;
  }
  if (made.strings) {
    parts['xl/sharedStrings.xml'] =
      `<sst xmlns="${MAIN}">${made.strings.map((text) => `<si>${text}</si>`).join('')}</sst>`;
  }
  if (made.formats) parts['xl/styles.xml'] = styles(made.formats);
  Object.assign(parts, made.parts);
  return Object.entries(parts).flatMap(([name, content]) =>
    content === undefined ? [] : [{ name, content }],
  );
}

export function workbookOf(made: MadeWorkbook): Buffer {
  return zipOf(workbookParts(made));
}

/** A sheet of one table, each cell an inline text. */
export function tableOf(table: readonly (readonly string[])[]): string {
  return table
    .map((cells, n) => {
      const written = cells.map((cell) => inlineCell(cell)).join('');
      return `<row r="${n + 1}">${written}</row>`;
    })
    .join('');
}

export function inlineCell(text: string): string {
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

function escapeXml(text: string): string {
  return (
    text
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      .replace(/[&<>\r]/g, (character) => `&#${character.charCodeAt(0)};`)
      // oxlint-disable-next-line no-control-regex
      .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, (character) => {
        return `_x${character.charCodeAt(0).toString(16).padStart(4, '0')}_`;
      })
  );
}

export function relation(id: string, type: string, target: string, mode = ''): string {
  const how = mode === '' ? '' : ` TargetMode="${mode}"`;
  return `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"${how}/>`;
}

export function relationships(list: readonly string[]): string {
  return `<Relationships xmlns="${RELATIONSHIPS}">${list.join('')}</Relationships>`;
}

function styles(formats: readonly (string | number)[]): string {
  const own = formats.map((format, n) =>
    typeof format === 'number'
      ? ''
      : `<numFmt numFmtId="${200 + n}" formatCode="${format.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}"/>`,
  );
  const used = formats.map(
    (format, n) => `<xf numFmtId="${typeof format === 'number' ? format : 200 + n}"/>`,
  );
  return `<styleSheet xmlns="${MAIN}"><numFmts>${own.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${used.join('')}</cellXfs></styleSheet>`;
}
