// Reads the comments of a transcript: "# lead:", "# ask:", "# expect:". The errors name neither file nor line.
import { type Ask, INPUTS, type InputName, type Inputs } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import { isJsonObject, parseJson } from '../../model/text/json.js';
import { nearestNames } from '../../model/text/nearest.js';
import { type Expectation, PLAIN_EXPECTATIONS } from './recorded.js';

const EXPECTATIONS = ['accepted', 'found', 'failed', 'refused', ...PLAIN_EXPECTATIONS] as const;

/**
 * The asks of a comment: `find_email, find_phone`.
 * @param known the asks of the dialect
 * @throws SluiceError `usage` for a word that is no ask
 */
export function readAsks(text: string, known: readonly Ask[]): Ask[] {
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !known.includes(word));
  if (unknown === undefined) return words;
  throw new SluiceError('usage', `"${unknown}" cannot be asked. ${suggestion(unknown, known)}.`);
}

/**
 * The meaning of an answer: `found {"email": "a@b.example"}`, `failed no such person`, `pending`.
 * @throws SluiceError `usage` for anything else
 */
export function readExpectation(text: string): Expectation {
  const known = EXPECTATIONS.find((word) => text === word || text.startsWith(`${word} `));
  const rest = text.slice(known?.length ?? 0).trim();
  const more = rest === '' ? undefined : rest;
  if (known === 'accepted') return { kind: known, ticket: more };
  if (known === 'failed' || known === 'refused') return { kind: known, reason: more };
  if (known === 'found') {
    if (more === undefined) return { kind: known, values: undefined };
    const values = parseJson(more);
    if (isJsonObject(values)) return { kind: known, values };
    const message = '"found" is followed by a JSON object, such as {"email": "a@b.example"}.';
    throw new SluiceError('usage', message);
  }
  if (known !== undefined && more === undefined) return { kind: known };
  const advice = suggestion(text, EXPECTATIONS);
  throw new SluiceError('usage', `"${text}" is no expectation. ${advice}.`);
}

function suggestion(word: string, known: readonly string[]): string {
  const [nearest] = nearestNames(word, known);
  return nearest === undefined ? `Known: ${known.join(', ')}` : `Did you mean "${nearest}"?`;
}

/**
 * The inputs of a lead: `firstName=Ada, lastName=Lovelace`. A comma inside a value stays, unless a name and "=" follow.
 * @throws SluiceError `usage` for a name that is no input, and for a value that is missing
 */
export function readLead(text: string): Inputs {
  const inputs: Partial<Record<InputName, string>> = {};
  for (const part of text.split(/,(?= *[A-Za-z]+=)/)) {
    const [name = '', ...values] = part.split('=');
    const value = values.join('=').trim();
    const input = INPUTS.find((one) => one === name.trim());
    if (input === undefined) {
      const advice = suggestion(name.trim(), INPUTS);
      throw new SluiceError('usage', `"${name.trim()}" is no input of a lead. ${advice}.`);
    }
    if (value === '') {
      throw new SluiceError('usage', `The lead's ${input} is empty: write ${input}=value.`);
    }
    inputs[input] = value;
  }
  return inputs;
}
