// The sandbox's own opinion of when two requests are the same, and the ids that it gives out. It is the judge of
// Sluice's fingerprint and therefore shares no code with it.
import { createHash } from 'node:crypto';
import { type Ask, INPUTS, type InputName, type Inputs } from '../../model/ask.js';

/** Inputs as one text in which case, spacing and the order of parameters no longer differ. */
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

/** 32 hexadecimal digits over what is asked (in any order) and the folded inputs. */
export function fingerprintRequest(ask: readonly Ask[], inputs: Inputs): string {
  const text = `${[...ask].sort().join(',')}\n${identifyInputs(inputs)}`;
  return hashText(text, 32);
}

/** This many hexadecimal digits; another text has others. */
export function hashText(text: string, digits = 24): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
