// The parts of a workbook: its sheets and the parts beside them, found by their relationships as the standard says.
// Nothing is guessed from names, and nothing outside of the file is ever opened.
import { posix } from 'node:path';
import { SluiceError } from '../../model/errors.js';
import { nameSource } from '../sources/source-name.js';
import type { Zip } from './open-zip.js';
import { attributeOf, brokenPart, readXml } from './read-xml.js';

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly part: string;
}

export interface Workbook {
  /** The sheets with rows, in the order of their tabs; charts are not among them. */
  readonly sheets: readonly Sheet[];
  readonly is1904: boolean;
  readonly strings: string | undefined;
  readonly styles: string | undefined;
}

const PACKAGE_RELATIONSHIPS = '_rels/.rels';
const SAVE = 'save it as an Excel workbook (.xlsx) or as CSV';

/** @throws SluiceError `input` for an archive that is not a workbook, and for a damaged one */
export async function openWorkbook(zip: Zip): Promise<Workbook> {
  if (!zip.has(PACKAGE_RELATIONSHIPS) && !zip.has('[Content_Types].xml')) {
    throw refused(zip, `is a zip archive, but no Excel workbook; unpack it, or ${SAVE}`);
  }
  const root = await readRelationships(zip, PACKAGE_RELATIONSHIPS, '');
  const [main] = root.filter(({ type }) => type === 'officeDocument');
  if (main === undefined)
    throw brokenPart({ path: zip.path, part: 'xl/workbook.xml' }, 'is missing');
  const part = insideOf(zip, main);
  if (part.toLowerCase().endsWith('.bin')) {
    throw refused(zip, `is a binary workbook (.xlsb); open it in Excel and ${SAVE}`);
  }
  const { named, is1904 } = await readSheetNames(zip, part);
  const folder = posix.dirname(part);
  const rels = `${folder === '.' ? '' : `${folder}/`}_rels/${posix.basename(part)}.rels`;
  const relationships = await readRelationships(zip, rels, folder);
  const ofType = (type: string) => {
    const found = relationships.find((relationship) => relationship.type === type);
    return found && insideOf(zip, found);
  };
  const sheets = named.flatMap(({ id, name, isHidden }) => {
    const found = relationships.find((relationship) => relationship.id === id);
    if (found === undefined) throw brokenPart({ path: zip.path, part: rels }, 'lacks a sheet');
    return found.type === 'worksheet' ? [{ name, isHidden, part: insideOf(zip, found) }] : [];
  });
  return { sheets, is1904, strings: ofType('sharedStrings'), styles: ofType('styles') };
}

/**
 * The sheet of that name, in upper or lower case; without a name the first that is not hidden.
 * @throws SluiceError `input` if there is none, with the existing names
 */
export function chooseSheet(path: string, { sheets }: Workbook, wished?: string): Sheet {
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  const wanted = wished?.trim().toLowerCase();
  const found =
    sheets.find(({ name }) => name === wished) ??
    sheets.find(({ name }) => name.trim().toLowerCase() === wanted);
  const chosen = wished === undefined ? visible[0] : found;
  if (chosen !== undefined) return chosen;
  const what =
    wished === undefined ? 'has no sheet that is not hidden' : `has no sheet called "${wished}"`;
  throw new SluiceError('input', `${nameSource(path)} ${what}.`, {}, { aside: tell(sheets) });
}

const NAMES_TOLD = 20;

function tell(sheets: readonly Sheet[]): string {
  const names = sheets.slice(0, NAMES_TOLD).map(({ name }) => `"${name}"`);
  const more = sheets.length > NAMES_TOLD ? ` and ${sheets.length - NAMES_TOLD} more` : '';
  if (names.length === 0) return 'It has no sheet with rows.';
  return `Name one of its sheets with the key sheet: ${names.join(', ')}${more}.`;
}

interface Relationship {
  readonly id: string;
  /** The last word of its type, which is the same in both versions of the standard. */
  readonly type: string;
  readonly target: string;
  readonly isExternal: boolean;
}

/** The limit for relationships: more than the sheets that a program opens, and the links that a sheet keeps. */
const RELATIONSHIPS_MAX = 70_000;

export async function readRelationships(
  zip: Zip,
  part: string,
  folder: string,
): Promise<readonly Relationship[]> {
  const found: Relationship[] = [];
  await readXml(
    zip.bytes(part),
    { path: zip.path, part },
    {
      open: (name, attributes) => {
        if (name !== 'Relationship' || found.length > RELATIONSHIPS_MAX) return;
        const target = attributeOf(attributes, 'Target') ?? '';
        const isExternal = attributeOf(attributes, 'TargetMode')?.toLowerCase() === 'external';
        const inside = target.startsWith('/') ? target : `${folder}/${target}`;
        found.push({
          id: attributeOf(attributes, 'Id') ?? '',
          type: posix.basename(attributeOf(attributes, 'Type') ?? ''),
          target: isExternal ? target : posix.join('/', inside).slice(1),
          isExternal,
        });
      },
    },
  );
  return found;
}

function insideOf(zip: Zip, { target, isExternal }: Relationship): string {
  if (isExternal) throw brokenPart({ path: zip.path, part: target }, 'lies outside of the file');
  return target;
}

interface NamedSheet {
  readonly id: string;
  readonly name: string;
  readonly isHidden: boolean;
}

async function readSheetNames(
  zip: Zip,
  part: string,
): Promise<{ readonly named: readonly NamedSheet[]; readonly is1904: boolean }> {
  const named: NamedSheet[] = [];
  let [is1904, isWorkbook] = [false, false];
  await readXml(
    zip.bytes(part),
    { path: zip.path, part },
    {
      open: (name, attributes, depth) => {
        if (depth === 1) isWorkbook = name === 'workbook';
        if (name === 'workbookPr' && depth === 2) {
          is1904 = /^(?:1|true|on)$/.test(attributeOf(attributes, 'date1904') ?? '');
        }
        if (name !== 'sheet' || depth !== 3 || named.length > RELATIONSHIPS_MAX) return;
        named.push({
          id: attributeOf(attributes, 'id') ?? '',
          name: attributeOf(attributes, 'name') ?? '',
          isHidden: (attributeOf(attributes, 'state') ?? 'visible') !== 'visible',
        });
      },
    },
  );
  if (!isWorkbook) throw refused(zip, `is an Office file, but no workbook; ${SAVE}`);
  return { named, is1904 };
}

function refused({ path }: Zip, sentence: string): SluiceError {
  return new SluiceError('input', `${nameSource(path)} ${sentence}.`);
}
