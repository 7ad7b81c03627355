// Which column feeds which input: as the job says, and where it is silent, by the usual headers.
import { INPUTS, type InputName } from './ask.js';
import { SluiceError } from './errors.js';
import type { Column } from './lead.js';
import { nearestNames } from './text/nearest.js';

/** What a job or `--map` says: the column's key, also with a path behind it, or `''` for "no column, do not guess". */
export type MappingWish = Readonly<Partial<Record<InputName, string>>>;

export interface MappedInput {
  readonly input: InputName;
  readonly column: Column;
  /** Index of the column among the input's columns. */
  readonly index: number;
  /** Where the value is inside the objects and lists of the column: `first_name`, `[0].value`. */
  readonly path?: string;
  readonly isGuessed: boolean;
}

/** Usual headers of these columns, the clearest first, folded by `foldHeader`; a space between two. */
const USUAL_HEADERS: Readonly<Record<InputName, string>> = {
  email:
    'email emailaddress emailadresse workemail businessemail professionalemail leademail contactemail mail courriel adresseemail adressemail correo correoelectronico',
  socialUrl:
    'socialurl linkedinurl linkedinprofileurl linkedinprofile linkedin profileurl personlinkedinurl leadsocialurl socialprofile sociallink profillinkedin',
  firstName:
    'firstname first fname givenname forename leadfirstname contactfirstname prenom vorname nombre nome',
  lastName:
    'lastname last lname surname familyname leadlastname contactlastname nom nomdefamille nachname familienname apellido apellidos cognome',
  companyDomain:
    'companydomain companydomainname domain domainname companywebsite website websiteurl companyurl siteweb webseite webadresse internetadresse sitioweb paginaweb domaine homepage site web url',
  companyName:
    'companyname company organization organisation organizationname employer accountname account entreprise societe raisonsociale firma firmenname unternehmen empresa',
};
/** Other usual names of columns, in the languages above: they tell a table from another kind of file. */
const OTHER_HEADERS =
  'id name fullname contact person phone telephone mobile title jobtitle position role notes note comment comments remarks status date city country region state zip postcode street address industry size employees revenue score source tags owner campaign created updated language customer lead type anrede titel telefon mobil strasse plz ort stadt land branche umsatz groesse mitarbeiter bemerkung notiz notizen ansprechpartner kunde kundennummer funktion quelle datum sprache ville pays rue adresse codepostal poste fonction civilite client secteur effectif remarque commentaire date langue telefono ciudad pais calle cargo direccion cliente sector notas fecha citta paese indirizzo ruolo settore fonte data';
const KNOWN_WORDS: ReadonlySet<string> = new Set(
  `${Object.values(USUAL_HEADERS).join(' ')} ${OTHER_HEADERS}`.split(' '),
);
const COLUMNS_SHOWN_MAX = 40;
/** The name of a column in any language, such as `Umsatz (Mio. €)` or `E-mail / work?`; no `:`, `=`, `@`, quotes. */
const NAME = /^[\p{L}\p{M}\p{N}\p{Sc} _./()[\]|#°&%?+'’-]+$/u;
const NAME_LENGTH_MAX = 60;
const NAME_WORDS_MAX = 8;
const WORD_LENGTH_MAX = 30;
/** Words that say how a column is filled in, not what it holds. */
const ORNAMENTS: ReadonlySet<string> = new Set(
  'required optional primary main work business official pflichtfeld obligatoire'.split(' '),
);

/**
 * Resolves the mapping against the columns at hand. Entries of `previous` stay as they are, so that
 * columns appearing later in an NDJSON input can only add to it.
 * @throws SluiceError `usage` when the job names a column that is not there, or no column feeds any input
 */
export function resolveMapping(
  columns: readonly Column[],
  wish: MappingWish,
  previous: readonly MappedInput[] = [],
): MappedInput[] {
  const mapped = mapColumns(columns, wish, previous);
  if (mapped.length === 0) throw nothingMapped(columns);
  return mapped;
}

/** The same, but no column needs to feed an input. */
export function mapColumns(
  columns: readonly Column[],
  wish: MappingWish,
  previous: readonly MappedInput[] = [],
): MappedInput[] {
  const taken = new Set(previous.map((entry) => entry.index));
  const mapped = [...previous];
  const open = INPUTS.filter((input) => !previous.some((entry) => entry.input === input));
  for (const input of open) {
    const wished = wish[input];
    if (wished === undefined || wished === '') continue;
    const found = findColumn(columns, wished) ?? findInside(columns, wished);
    if (found === undefined) throw noSuchColumn(input, wished, columns);
    taken.add(found.index);
    mapped.push({ input, ...found, isGuessed: false });
  }
  const folded = columns.map((column) => foldHeader(column.name));
  const parts = columns.map((column) => partsOf(column.name));
  for (const input of open) {
    if (wish[input] !== undefined) continue;
    const plain = guessColumn(folded, input, taken);
    const index = plain === -1 ? guessByParts(parts, input, taken) : plain;
    if (index === -1) continue;
    taken.add(index);
    mapped.push({ input, column: columns[index] as Column, index, isGuessed: true });
  }
  return mapped.sort((a, b) => INPUTS.indexOf(a.input) - INPUTS.indexOf(b.input));
}

type Found = Pick<MappedInput, 'column' | 'index' | 'path'>;

function findColumn(columns: readonly Column[], wished: string): Found | undefined {
  const folded = wished.trim().toLowerCase();
  const column =
    columns.find(({ key, name }) => key === wished || name === wished) ??
    columns.find(({ key }) => key.toLowerCase() === folded);
  return column && { column, index: columns.indexOf(column) };
}

/** `contact.first_name` in the column `contact`, `emails[0].value` in `emails`; the longest name of a column counts. */
function findInside(columns: readonly Column[], wished: string): Found | undefined {
  const cuts = [...wished.matchAll(/[.[]/g)].map(({ index }) => index);
  for (const cut of cuts.toReversed()) {
    const found = findColumn(columns, wished.slice(0, cut));
    if (found !== undefined) return { ...found, path: wished.slice(cut).replace(/^\./, '') };
  }
  return undefined;
}

/** The column as a job names it: `contact.first_name`. */
export function nameOfMapped({ column, path }: Pick<MappedInput, 'column' | 'path'>): string {
  if (path === undefined) return column.key;
  return path.startsWith('[') ? column.key + path : `${column.key}.${path}`;
}

function guessColumn(
  folded: readonly string[],
  input: InputName,
  taken: ReadonlySet<number>,
): number {
  for (const header of USUAL_HEADERS[input].split(' ')) {
    const index = folded.findIndex((name, i) => name === header && !taken.has(i));
    if (index !== -1) return index;
  }
  return -1;
}

/**
 * A header of several names, as `Firma / Account` or `Web-Site (URL)`, is guessed where all of them mean the same
 * input: `Email (status)` and `Vorname / Nachname` are not. Where two headers of several names fit, neither counts.
 */
function guessByParts(
  parts: readonly (readonly string[])[],
  input: InputName,
  taken: ReadonlySet<number>,
): number {
  const usual = new Set(USUAL_HEADERS[input].split(' '));
  const meant = parts.flatMap((names, index) => {
    const telling = names.filter((name) => !ORNAMENTS.has(name));
    const isMeant = telling.length > 0 && telling.every((name) => usual.has(name));
    return isMeant && !taken.has(index) ? [index] : [];
  });
  return meant.length === 1 ? (meant[0] ?? -1) : -1;
}

function partsOf(name: string): string[] {
  const parts = name.split(/[/|()[\]]/).map(foldHeader);
  return parts.filter((part) => part !== '');
}

/** `Prénom`, `first_name` and `First Name` become `prenom` and `firstname`. */
function foldHeader(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/**
 * A sentence with their keys; a table may have thousands. A file that is no table, given by mistake, may hold secrets:
 * its first line is not repeated, nor is any part of a table's first line that is not the name of a column. `isMapped`:
 * the user named one of the columns.
 */
export function tellColumns(columns: readonly Column[], isMapped = false): string {
  const keys = columns.map((column) => column.key).filter(isNameOfColumn);
  if (keys.length * 2 <= columns.length) {
    return 'Its first line does not look like the names of columns, and is not repeated.';
  }
  if (!isMapped && !looksLikeTable(columns)) {
    const count = columns.length === 1 ? 'one column' : `${columns.length} columns`;
    return `It has ${count}, of which too few have a usual name to repeat them here: look at the first line of the file.`;
  }
  const shown = keys.slice(0, COLUMNS_SHOWN_MAX);
  const more = columns.length - shown.length;
  return `Its columns are: ${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}.`;
}

/** A single column with an unknown name may be a secret; of several columns, two must have a usual name. */
function looksLikeTable(columns: readonly Column[]): boolean {
  if (mapColumns(columns, {}).length > 0) return true;
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

function nothingMapped(columns: readonly Column[]): SluiceError {
  return new SluiceError(
    'usage',
    `No column of the input looks like something to ask for. Say which is which with --map INPUT=COLUMN, or map: in the job.`,
    {},
    { aside: tellColumns(columns) },
  );
}

function noSuchColumn(input: InputName, wished: string, columns: readonly Column[]): SluiceError {
  const keys = columns.map((column) => column.key);
  const near = nearestNames(wished, keys)[0];
  const hint = near === undefined ? '' : `Did you mean "${near}"? `;
  return new SluiceError(
    'usage',
    `${input} is mapped to the column "${wished}", which the input does not have.`,
    { input, column: wished },
    { aside: hint + tellColumns(columns) },
  );
}
