// The parts of a workbook around its sheets (ECMA-376, part 1), with their names.

import { columnLetters } from '../../model/text/count.js';
import { type CellLink, escaped, OFFICE, type StyleOf } from './sheet-xml.js';

export interface WrittenSheet {
  readonly columnCount: number;
  /** The number of rows, with the header. */
  readonly rowCount: number;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export const FIXED_PARTS: readonly (readonly [path: string, text: string])[] = [
  [
    '_rels/.rels',
    `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
];

/** The styles in the order of STYLES in sheet-xml.ts. */
const CELL_STYLES = [
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>',
  cellStyle(164),
  cellStyle(49),
];
/** The limit of own formats: a spreadsheet program takes between 200 and 250 of a workbook. */
const FORMATS_MAX = 200;
const OWN_FORMAT_MIN = 165;

function cellStyle(format: number): string {
  return `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`;
}

export function openStyles(): { readonly styleOf: StyleOf; part(): [path: string, text: string] } {
  const styles = [...CELL_STYLES];
  const formats: string[] = [];
  const known = new Map<string, number>();
  const idOf = (format: string): number => {
    if (!format.startsWith(':')) return Number(format);
    const code = escaped(format.slice(1)).replaceAll('"', '&quot;');
    const id = OWN_FORMAT_MIN + formats.length;
    formats.push(`<numFmt numFmtId="${id}" formatCode="${code}"/>`);
    return id;
  };
  return {
    styleOf(format) {
      const style = known.get(format);
      if (style !== undefined || known.size >= FORMATS_MAX || !FORMAT.test(format)) return style;
      known.set(format, styles.push(cellStyle(idOf(format))) - 1);
      return styles.length - 1;
    },
    part: () => ['xl/styles.xml', stylesXml(formats, styles)],
  };
}

/** The number of a built-in format, or a code. */
const FORMAT = /^(?:\d{1,3}|:[^]+)$/;

function stylesXml(formats: readonly string[], styles: readonly string[]): string {
  return (
    `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length + 1}"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>${formats.join('')}</numFmts>` +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>' +
    // Excel expects these two fills, whether they are used or not.
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${styles.length}">${styles.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  );
}

export function sheetPath(number: number): string {
  return `xl/worksheets/sheet${number}.xml`;
}

/** The targets of a sheet's links. */
export function linksPart(
  number: number,
  links: readonly CellLink[],
): [path: string, text: string] {
  const all = links.map(({ target }, n) => {
    const to = escaped(target).replaceAll('"', '&quot;');
    return `<Relationship Id="rId${n + 1}" Type="${OFFICE}/hyperlink" Target="${to}" TargetMode="External"/>`;
  });
  return [
    `xl/worksheets/_rels/sheet${number}.xml.rels`,
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`,
  ];
}

export function closingParts(sheets: readonly WrittenSheet[]): [path: string, text: string][] {
  const numbers = sheets.map((_, n) => n + 1);
  const listed = numbers
    .map((n) => `<sheet name="Sheet${n}" sheetId="${n}" r:id="rId${n}"/>`)
    .join('');
  const related = numbers
    .map((n) => relationship(`rId${n}`, 'worksheet', `worksheets/sheet${n}.xml`))
    .join('');
  const styles = relationship(`rId${sheets.length + 1}`, 'styles', 'styles.xml');
  const parts = numbers
    .map((n) => override(`/${sheetPath(n)}`, `${CONTENT}.worksheet+xml`))
    .join('');
  return [
    [
      'xl/workbook.xml',
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews><sheets>${listed}</sheets>${filterNames(sheets)}</workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">${related}${styles}</Relationships>`,
    ],
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
        `${override('/xl/workbook.xml', `${CONTENT}.sheet.main+xml`)}${override('/xl/styles.xml', `${CONTENT}.styles+xml`)}${parts}</Types>`,
    ],
  ];
}

/** The names of the filters' ranges: Excel names them, and some programs lose a filter without a name. */
function filterNames(sheets: readonly WrittenSheet[]): string {
  const names = sheets.flatMap(({ columnCount, rowCount }, n) =>
    columnCount === 0
      ? []
      : [
          `<definedName name="_xlnm._FilterDatabase" localSheetId="${n}" hidden="1">Sheet${n + 1}!$A$1:$${columnLetters(columnCount - 1)}$${rowCount}</definedName>`,
        ],
  );
  return names.length === 0 ? '' : `<definedNames>${names.join('')}</definedNames>`;
}

function relationship(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
}

function override(part: string, contentType: string): string {
  return `<Override PartName="${part}" ContentType="${contentType}"/>`;
}
