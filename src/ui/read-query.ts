import { wrongUse } from '../model/errors.js';
import type { Visit } from './page.js';

/** A text; undefined if it is empty or absent. */
export function textIn({ query }: Visit, name: string): string | undefined {
  return query.get(name) || undefined;
}

/** @throws SluiceError `usage` if it is not one of these words */
export function wordIn<W extends string>(
  visit: Visit,
  name: string,
  words: readonly W[],
): W | undefined {
  const text = textIn(visit, name);
  const word = words.find((one) => one === text);
  if (text === undefined || word !== undefined) return word;
  throw wrongUse(`The address names no ${name} that there is. Choose one in the form.`);
}

/** @throws SluiceError `usage` if it is not a whole number */
export function numberIn(visit: Visit, name: string): number | undefined {
  const text = textIn(visit, name);
  return text === undefined ? undefined : wholeNumber(text, name);
}

/** @throws SluiceError `usage` if it is not a whole number */
export function numberAt({ params }: Visit, name: string): number {
  return wholeNumber(params[name] ?? '', name);
}

function wholeNumber(text: string, name: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw wrongUse(`The address needs a number for the ${name}.`);
}
