// The sandbox's own rule for equal requests, and its ids. It is the judge of Sluice's fingerprint and therefore shares
// no code with it.
import { createHash } from 'node:crypto';
import { type Ask, INPUTS, type InputName, type Inputs } from '../../model/ask.js';

/** Inputs as one text without differences in case, spacing and the order of parameters. */
export function identifyInputs(inputs: Inputs): string {
  return JSON.stringify(foldInputs(inputs));
}

/** The same inputs lower-cased, with white space collapsed, in the order of the parameter table. */
export function foldInputs(inputs: Inputs): Inputs {
  const folded: Partial<Record<InputName, string>> = {};
  for (const name of INPUTS) {
    const value = inputs[name];
    if (value !== undefined) folded[name] = value.toLowerCase().replace(/\s+/g, ' ').trim();
  }
  return folded;
}

/** 32 hexadecimal digits over the asks (in any order) and the folded inputs. */
export function fingerprintRequest(ask: readonly Ask[], inputs: Inputs): string {
  const text = `${[...ask].sort().join(',')}\n${identifyInputs(inputs)}`;
  return hashText(text, 32);
}

/** A digest in hexadecimal, cut to `digits`. */
export function hashText(text: string, digits = 24): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
