// The columns of the input that hold already what may be asked for: e-mail addresses and phone numbers.
import type { Ask } from '../ask.js';
import { SluiceError } from '../errors.js';
import type { Column } from '../lead.js';
import { normaliseInput, type RegistrableDomain } from '../normalise.js';
import { type FoundColumn, findMapped } from './mapping.js';
import { tellColumns } from './tell-columns.js';
import { foldHeader, indicesByHeader } from './usual-headers.js';

/** The user's own columns, by their names; what is not stated is found by the usual headers. */
export interface OwnWish {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}
export type OwnKind = keyof OwnWish;

/** Which column holds what each of these asks finds. */
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
   Телефон`
    .split(',')
    .map(foldHeader),
);

/** @throws SluiceError `usage` where the named column is not there, or none has a usual header */
export function findOwnColumn(
  columns: readonly Column[],
  kind: OwnKind,
  wish: OwnWish,
): FoundColumn {
  const found = lookForOwn(columns, kind, wish);
  if (found === undefined) throw noOwnColumn(columns, kind, wish[kind]);
  return found;
}

/** The same; undefined where there is none. */
export function lookForOwn(
  columns: readonly Column[],
  kind: OwnKind,
  { [kind]: wished }: OwnWish,
): FoundColumn | undefined {
  const [index = -1] =
    kind === 'email' ? indicesByHeader(columns, kind, new Set()) : [guessPhone(columns)];
  const guessed = columns[index];
  return wished !== undefined && wished !== ''
    ? findMapped(columns, wished)
    : guessed && { column: guessed, index };
}

function guessPhone(columns: readonly Column[]): number {
  return columns.findIndex(({ name }) => PHONE_HEADERS.has(foldHeader(name)));
}

function noOwnColumn(columns: readonly Column[], kind: OwnKind, wished = ''): SluiceError {
  const what = kind === 'email' ? 'e-mail addresses' : 'phone numbers';
  const problem =
    wished === ''
      ? `only-missing: no column of the input looks like your own ${what}.`
      : `The input has no column "${wished}" for your own ${what}.`;
  const way = `Say which it is with --fill ${kind}=COLUMN, or fill: in the job.`;
  return new SluiceError(
    'usage',
    `${problem} ${way}`,
    { kind, column: wished },
    { aside: tellColumns(columns) },
  );
}

/** Whether a cell holds a usable e-mail address, or a phone number: five digits or more, and no address or link. */
export function holdsOwn(
  kind: OwnKind,
  text: string,
  registrableDomain: RegistrableDomain,
): boolean {
  if (kind === 'email') return normaliseInput('email', text, registrableDomain).kind === 'value';
  const number = text.trim().replace(/^tel:/i, '');
  return !/[@:]/.test(number) && number.replace(/\P{Nd}/gu, '').length >= 5;
}
