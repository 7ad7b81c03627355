// A request as its row holds it: the inputs without their names.
import type { Ask, EnrichmentRequest, InputName, Inputs } from '../../model/ask.js';

/** Never changed, since rows hold values in this order; a new input goes to the end. */
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
export const IS_REMEMBERED = `inputs <> '${NO_INPUTS}'`;

export interface RequestRow {
  /** Joined by commas. */
  readonly ask: string;
  /** A JSON array in the order of STORED_INPUTS: null where there is no value, and no nulls at its end. */
  readonly inputs: string;
}

export function toRequestRow({ ask, inputs }: EnrichmentRequest): RequestRow {
  const values = STORED_INPUTS.map((name) => inputs[name] ?? null);
  const length = values.findLastIndex((value) => value !== null) + 1;
  return { ask: ask.join(','), inputs: JSON.stringify(values.slice(0, length)) };
}

export function toRequest({ ask, inputs }: RequestRow): EnrichmentRequest {
  return { ask: ask.split(',') as Ask[], inputs: toInputs(inputs) };
}

export function toInputs(row: RequestRow['inputs']): Inputs {
  const values = JSON.parse(row) as readonly (string | null)[];
  const inputs: Partial<Record<InputName, string>> = {};
  for (const [i, name] of STORED_INPUTS.entries()) {
    const value = values[i] ?? null;
    if (value !== null) inputs[name] = value;
  }
  return inputs;
}
