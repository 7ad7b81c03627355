// Judges which columns of the input hold the answers already: e-mail addresses and phone numbers.
import type { Ask } from '../ask.js';
import { SluiceError } from '../errors.js';
import type { Column } from '../lead.js';
import { normaliseInput, type RegistrableDomain } from '../normalise.js';
import { shellWord } from '../text/printable.js';
import type { OwnKind, OwnWish } from './column-kinds.js';
import { columnsToName, type FoundColumn, findColumn } from './find-column.js';
import { bestByValues, type FirstValues, shareThatFits } from './judge-values.js';
import { lookAlikes } from './look-alikes.js';
import type { JudgedColumns } from './mapping.js';
import { tellColumns } from './tell-columns.js';
import { foldHeader, indicesByHeader, isMeant } from './usual-headers.js';

export const OWN_KIND_OF: Readonly<Partial<Record<Ask, OwnKind>>> = {
  find_email: 'email',
  find_phone: 'phone',
};

const PHONE_HEADERS: ReadonlySet<string> = new Set(
  `Phone, Phone number, Phones, Telephone, Telephone number, Tel, Tel., Mobile, Mobile phone, Mobile number, Cell,
   Cell phone, Cellphone, Work phone, Business phone, Direct phone, Direct dial, Contact phone, Phone 1,
   Phone 1 - Value, Person - Phone, Primary phone, Téléphone, Numéro de téléphone, Portable, Téléphone portable, Telefon,
   Telefonnummer, Mobiltelefon, Mobil, Handy, Handynummer, Rufnummer, Durchwahl, Teléfono, Número de teléfono, Móvil,
   Celular, Telefono, Cellulare, Telefone, Telemóvel, Telefoon, Telefoonnummer, Mobiel, Puhelin, 電話番号, 电话, 電話,
   Телефон, Tél, Téléphone mobile, Ligne directe, Mobilnummer, Telefon mobil, Teléfono móvil, Numero di telefono,
   Telefono cellulare, Número de telefone, Número de telemóvel, Mobiele telefoon, Mobiel nummer, Numer telefonu,
   Telefon komórkowy, Komórka, Telefon numarası, Cep telefonu, Puhelinnumero, Matkapuhelin, 携帯, 携帯電話, 携帯番号,
   手机, 手机号, 手机号码, 联系电话, 电话号码, 手機, 行動電話, Мобильный, Мобильный телефон, Номер телефона`
    .split(',')
    .map(foldHeader),
);

/** @throws SluiceError `usage` if a named column does not exist, none has a usual header, or none can answer an ask */
export function judgeOwn(
  columns: readonly Column[],
  firstValues: FirstValues,
  ask: readonly Ask[],
  missing: OwnWish,
): JudgedColumns['own'] {
  const own: Partial<Record<OwnKind, FoundColumn>> = {};
  for (const one of ask) {
    const kind = OWN_KIND_OF[one];
    if (kind === undefined) throw neverMissing(one);
    const wished = missing[kind];
    const found = ownColumn(columns, kind, wished, firstValues);
    if (found === undefined) throw noOwnColumn(columns, kind, wished, firstValues);
    own[kind] = found;
  }
  return own;
}

/** The user's own column, by the name that is wished or by its header; without values the header alone decides. */
export function ownColumn(
  columns: readonly Column[],
  kind: OwnKind,
  wished = '',
  firstValues?: FirstValues,
): FoundColumn | undefined {
  if (wished !== '') return findColumn(columns, wished);
  const index = kind === 'email' ? guessAddress(columns, firstValues) : guessPhone(columns);
  const column = columns[index];
  return column && { column, index };
}

/** Guesses the column of addresses. If no column fits, one that holds at least one address counts. */
function guessAddress(columns: readonly Column[], firstValues: FirstValues | undefined): number {
  const indices = indicesByHeader(columns, 'email', new Set());
  if (firstValues === undefined) return indices[0] ?? -1;
  const best = bestByValues('email', indices, firstValues);
  if (best !== -1) return best;
  return indices.find((index) => shareThatFits('email', index, firstValues) > 0) ?? -1;
}

function guessPhone(columns: readonly Column[]): number {
  const index = columns.findIndex(({ name }) => PHONE_HEADERS.has(foldHeader(name)));
  return index === -1 ? columns.findIndex(({ name }) => isMeant(name, PHONE_HEADERS, true)) : index;
}

/** The error for a column that is not there; if the cells of another are addresses, it names that. */
export function noOwnColumn(
  columns: readonly Column[],
  kind: OwnKind,
  wished = '',
  firstValues?: FirstValues,
): SluiceError {
  const what = kind === 'email' ? 'e-mail addresses' : 'phone numbers';
  const problem =
    wished === ''
      ? `No column of the input looks like your own ${what}, so only-missing cannot tell which leads have none.`
      : `The input has no column "${wished}" for your own ${what}.`;
  const way = `Say which it is with --fill ${kind}=COLUMN, or fill: in the job${wished === '' ? ', or leave out only-missing' : ''}.`;
  const sought = { alternatives: [['email']], known: [] } as const;
  const [like] =
    kind === 'email' && firstValues !== undefined
      ? lookAlikes({ columns, mapping: [], firstValues }, sought)
      : [];
  const hint =
    like &&
    `The column "${like.column.key}" holds addresses: --fill email=${shellWord(like.column.key)}. `;
  return new SluiceError(
    'usage',
    problem,
    { column: wished, key: 'only-missing' },
    { way, aside: (hint ?? '') + tellColumns(columnsToName(columns, firstValues?.records)) },
  );
}

/** `3.36E+10`, which a spreadsheet has left of a long number. */
export function isCutNumber(text: string): boolean {
  return /^\d+(?:[.,]\d+)?e[+-]?\d+$/i.test(text.trim());
}

/** Whether a cell holds a usable e-mail address, or a phone number: five digits or more, and no address or link. */
export function holdsOwn(
  kind: OwnKind,
  text: string,
  registrableDomain: RegistrableDomain,
): boolean {
  if (kind === 'email') return normaliseInput('email', text, registrableDomain).kind === 'value';
  const number = text.trim().replace(/^tel:/i, '');
  if (isCutNumber(number)) return false;
  return !/[@:]/.test(number) && number.replace(/\P{Nd}/gu, '').length >= 5;
}

function neverMissing(ask: Ask): SluiceError {
  return new SluiceError(
    'usage',
    `only-missing cannot go with ${ask}: it is not known which leads lack that.`,
    { key: 'only-missing' },
    { way: `Ask for ${ask} in a run of its own, without only-missing.` },
  );
}
