// Words that several subjects share, and short forms of parts.
import { wordsOf } from '../html/parts.js';
import type { ColumnInput } from '../model/ask.js';
import { type Money, tellMoney } from '../model/credits.js';
import { type CapState, tellCap, tellUse } from '../model/schedule/caps.js';
import { askedLeads, type RunTally } from '../model/tally.js';
import { formatNumber } from '../model/text/count.js';
import type { Column, Fact, Facts, Page, Part, Section, Table, Value } from './page.js';

/** The words about leads whose inputs suffice for a part of the asks. */
export const IN_PART = 'less is asked for, or a value of the line is not used';

/** The words behind credits that were counted by prices that were not stated. */
export const PRICES_ASSUMED = 'prices assumed: state yours, as in --set prices.find_email=5';

export const INPUT_WORDS: Readonly<Record<ColumnInput, string>> = {
  email: 'E-mail address',
  socialUrl: 'Profile address',
  firstName: 'First name',
  lastName: 'Last name',
  lastNamePrefix: 'Prefix of the last name',
  companyDomain: 'Company website',
  companyName: 'Company name',
  fullName: 'Whole name',
};

/** `6 of 120`, or `6 of 10 asked (120 in the file)` where others were left aside. */
export function foundIn(tally: RunTally, more = ''): string {
  const asked = askedLeads(tally);
  const found = `${formatNumber(tally.byStatus.found)} of ${formatNumber(asked)}`;
  if (asked === tally.leads) return `${found}${more}`;
  return `${found} asked (${formatNumber(tally.leads)}${more} in the file)`;
}

/** What each cap leaves; `more`: what it means here. */
export function capFacts(
  caps: readonly CapState[],
  price?: Money,
  more: (cap: CapState) => string = () => '',
): Fact[] {
  return caps.map((cap) => ({
    name: 'cap',
    value: [`${tellCap(cap, price)}: ${tellUse(cap, price)}`, more(cap)].filter(Boolean).join('; '),
  }));
}

/** Sentences, each by itself, without those that are `false`. */
export function notes(...all: readonly (Value | false)[]): Part[] {
  return all.flatMap((text) => (text === false ? [] : [{ kind: 'note', text }]));
}

type Row = readonly [string, Value, about?: string, more?: readonly Value[]];

/** Facts by name and value, with what is said behind the value, and below it. */
export function factsOf(...all: readonly Row[]): Fact[] {
  return all.map(([name, value, about, more = []]) => ({ name, value, about, more }));
}

export function factPart(title: string, ...all: readonly Row[]): Facts {
  return { kind: 'facts', title, facts: factsOf(...all) };
}

/** `*` before the name of a column of numbers; behind it `?` of one that is left out if it is empty, `…` of long texts. */
export function table(
  title: string,
  names: readonly string[],
  rows: readonly (readonly Value[])[],
  more: Partial<Table> = {},
): Table {
  const columns = names.map(
    (name): Column => ({
      name: name.replace(/^\*|[?…]+$/g, ''),
      isNumber: name.startsWith('*'),
      isOptional: /\?…?$/.test(name),
      isLong: /…\??$/.test(name),
    }),
  );
  return { kind: 'table', title, columns, rows, empty: '', ...more };
}

export function section(id: string, title: string, parts: readonly Part[], short = title): Section {
  return { kind: 'section', id, title, short, parts };
}

interface Listed {
  readonly data: readonly object[];
  /** The sentence in place of a table without rows. */
  readonly empty?: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** The page of one list. */
export function listPage(
  title: string,
  names: readonly string[],
  rows: readonly (readonly Value[])[],
  { after = [], before = [], data, empty = '' }: Listed,
): Page {
  const list = table(title, names, rows, { empty, isAlone: true });
  return { title, parts: [...notes(...before), list, ...notes(...after)], data };
}

const VALUE_NAMES: Readonly<Record<string, string>> = {
  find_email: 'e-mail',
  verify_email: 'e-mail status',
  social_enrichment: 'profile',
  find_phone: 'phone',
};

export function valueName(ask: string): string {
  return VALUE_NAMES[ask] ?? wordsOf(ask);
}

/** The cost of each of so many, in credits or money; null without one, and if it is not known. */
export function eachOf(credits: number | null, count: number | null, credit?: Money | null) {
  if (credits === null || count === null || count === 0) return null;
  const each = credits / count;
  if (credit) return tellMoney(1, { ...credit, millionths: credit.millionths * each });
  return formatNumber(Math.round(each * 1_000) / 1_000);
}
