// Tells the columns of an input in a sentence, for a message. Names that may be no table's, or may be a secret, are not
// repeated.
import { INPUTS } from '../ask.js';
import type { Column } from '../lead.js';
import { printable } from '../text/printable.js';
import { nameOfMapped } from './find-column.js';
import type { MappedInput } from './mapping.js';
import { foldHeader, indicesByHeader, USUAL_HEADERS } from './usual-headers.js';

/** Other usual names of columns, in the languages above: they tell a table from another kind of file. */
const OTHER_HEADERS =
  'id name fullname contact person phone telephone mobile title jobtitle position role notes note comment comments remarks status date city country region state zip postcode street address industry size employees revenue score source tags owner campaign created updated language customer lead type anrede titel telefon mobil strasse plz ort stadt land branche umsatz groesse mitarbeiter bemerkung notiz notizen ansprechpartner kunde kundennummer funktion quelle datum sprache ville pays rue adresse codepostal poste fonction civilite client secteur effectif remarque commentaire date langue telefono ciudad pais calle cargo direccion cliente sector notas fecha citta paese indirizzo ruolo settore fonte data';
const KNOWN_WORDS: ReadonlySet<string> = new Set([
  ...Object.values(USUAL_HEADERS).flat(),
  ...OTHER_HEADERS.split(' '),
]);
const NONE: ReadonlySet<number> = new Set();
const COLUMNS_SHOWN_MAX = 40;
/** The name of a column in any language, such as `Umsatz (Mio. €)` or `E-mail / work?`; no `:`, `=`, `@`, quotes. */
const NAME = /^[\p{L}\p{M}\p{N}\p{Sc} _./()[\]|#°&%?+'’-]+$/u;
const NAME_LENGTH_MAX = 60;
const NAME_WORDS_MAX = 8;
const WORD_LENGTH_MAX = 30;
/**
 * A file that is not a table, given by mistake, may hold secrets: its first line is not repeated, nor any part of a
 * table's that is not the name of a column. `isMapped`: the user named one of the columns.
 */
export function tellColumns(columns: readonly Column[], isMapped = false): string {
  const keys = columns.map((column) => column.key).filter(isNameOfColumn);
  if (keys.length * 2 <= columns.length) {
    return 'Its header row does not look like the names of columns, and is not repeated.';
  }
  if (!isMapped && !looksLikeTable(columns)) {
    const count = columns.length === 1 ? 'one column' : `${columns.length} columns`;
    return `It has ${count}, of which too few have a usual name to repeat them here: look at its header row.`;
  }
  const shown = keys.slice(0, COLUMNS_SHOWN_MAX);
  const more = columns.length - shown.length;
  return `Its columns are: ${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}.`;
}

const SHEETS_SHOWN_MAX = 5;
const OF_A_SHEET_MAX = 8;

/** `"Legend" (Term, Meaning), "Leads" (E-mail)`: sheets with the columns that may be named. */
export function tellSheets(
  sheets: readonly { readonly sheet: string; readonly header: readonly string[] }[],
): string {
  const shown = sheets.slice(0, SHEETS_SHOWN_MAX).map(({ header, sheet }) => {
    const columns = header.map((name) => ({ name, key: name }));
    const names = looksLikeTable(columns) ? header.filter(isNameOfColumn) : [];
    const more = names.length > OF_A_SHEET_MAX ? ', …' : '';
    const told = names.slice(0, OF_A_SHEET_MAX).join(', ') + more;
    return `"${sheet}"${told === '' ? '' : ` (${told})`}`;
  });
  const more = sheets.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

export function isTold(columns: readonly Column[], index: number): boolean {
  return looksLikeTable(columns) && isNameOfColumn(columns[index]?.key ?? '');
}

/** A single column with an unknown name may be a secret; of several columns, two must have a usual name. */
function looksLikeTable(columns: readonly Column[]): boolean {
  if (columns.every(({ name }) => /^column_\d+$/.test(name))) return true;
  if (INPUTS.some((input) => indicesByHeader(columns, input, NONE).length > 0)) return true;
  return columns.length > 1 && columns.filter(hasKnownWord).length > 1;
}

function hasKnownWord({ name }: Column): boolean {
  const words = [name, ...name.split(/[^\p{L}\p{M}\p{N}]/u)];
  return words.some((word) => KNOWN_WORDS.has(foldHeader(word)));
}

function isNameOfColumn(key: string): boolean {
  if (key.length > NAME_LENGTH_MAX) return false;
  const words = key.split(/[^\p{L}\p{M}\p{N}]/u).filter((word) => word !== '');
  const areFew = words.length <= NAME_WORDS_MAX;
  return areFew && words.every((word) => word.length <= WORD_LENGTH_MAX) && NAME.test(key);
}

/** The column that fed each input. */
export function tellMapping(mapping: readonly MappedInput[]): string {
  return mapping
    .map(
      ({ input, isGuessed, ...mapped }) =>
        `${input} = ${printable(nameOfMapped(mapped))}${isGuessed ? ' (guessed)' : ''}`,
    )
    .join(', ');
}
