// A request in its stored form: a letter for each standard ask, names of the others, and inputs without names.
import {
  ASK_RECORDS,
  ASKS,
  type Ask,
  type EnrichmentRequest,
  type InputName,
  type Inputs,
  isStandard,
} from '../ask.js';

const ASK_OF = new Map(ASKS.map((ask) => [ASK_RECORDS[ask].letter, ask]));
const LISTS = new Map<string, readonly Ask[]>();

/** The order never changes, because rows hold values in it; a new input goes to the end. */
const STORED_INPUTS = [
  'firstName',
  'lastName',
  'companyDomain',
  'companyName',
  'email',
  'socialUrl',
] as const satisfies readonly InputName[];

/** Every enrichment has an input; only the enrichments of forgotten people have none. */
export const NO_INPUTS = '[]';

export function isRemembered({ inputs }: Pick<RequestRow, 'inputs'>): boolean {
  return inputs !== NO_INPUTS;
}

export interface RequestRow {
  /** The letter of each standard ask, in the order of sending; then the name of each custom ask after a comma. */
  readonly ask: string;
  /** A JSON array in the order of STORED_INPUTS: null for an absent value, and no nulls at its end. */
  readonly inputs: string;
}

export function toRequestRow({ ask, inputs }: EnrichmentRequest): RequestRow {
  const values = STORED_INPUTS.map((name) => inputs[name] ?? null);
  const length = values.findLastIndex((value) => value !== null) + 1;
  return { ask: toAskText(ask), inputs: JSON.stringify(values.slice(0, length)) };
}

export function toAskText(ask: readonly Ask[]): RequestRow['ask'] {
  const standard = ask.filter(isStandard).map((one) => ASK_RECORDS[one].letter);
  return [standard.join(''), ...ask.filter((one) => !isStandard(one))].join(',');
}

export function toRequest({ ask, inputs }: RequestRow): EnrichmentRequest {
  return { ask: toAsks(ask), inputs: toInputs(inputs) };
}

/** The asks of a row; rows that ask the same get the same list. */
export function toAsks(row: RequestRow['ask']): readonly Ask[] {
  const known = LISTS.get(row);
  if (known !== undefined) return known;
  const [letters = '', ...custom] = row.split(',');
  const standard = Array.from(letters, (letter): Ask => {
    const ask = ASK_OF.get(letter);
    if (ask === undefined) throw new Error(`an enrichment asks for "${letter}"`);
    return ask;
  });
  const asks = [...standard, ...custom];
  LISTS.set(row, asks);
  return asks;
}

export function toInputs(row: RequestRow['inputs']): Inputs {
  const inputs: Partial<Record<InputName, string>> = {};
  (JSON.parse(row) as readonly (string | null)[]).forEach((value, i) => {
    const name = STORED_INPUTS[i];
    if (value !== null && name !== undefined) inputs[name] = value;
  });
  return inputs;
}
