// The sandbox's own rules for equal requests, and for those that ask for a part of an earlier one; and its ids. It is the
// judge of Sluice's fingerprint and therefore shares no code with it.
import { createHash } from 'node:crypto';
import {
  type Ask,
  type EnrichmentRequest,
  INPUTS,
  type InputName,
  type Inputs,
} from '../../model/ask.js';

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

export function holdsAll(one: readonly Ask[], other: readonly Ask[]): boolean {
  return other.every((ask) => one.includes(ask));
}

/**
 * Judges requests in the order in which they are accepted: returns those before it that asked, about the same person,
 * for all that it asks for. Who asks for more than before pays for all of it. `whomOf` names the person; by default the
 * inputs do.
 */
export function openDoubles<R extends EnrichmentRequest>(
  whomOf: (request: R) => string = ({ inputs }) => identifyInputs(inputs),
): (request: R) => R[] {
  const asked = new Map<string, R[]>();
  return (request) => {
    const whom = whomOf(request);
    const before = asked.get(whom);
    if (before === undefined) asked.set(whom, [request]);
    const holding = before?.filter((one) => holdsAll(one.ask, request.ask));
    before?.push(request);
    return holding ?? [];
  };
}

/** 32 hexadecimal digits over the asks (in any order) and the folded inputs. */
export function fingerprintRequest(ask: readonly Ask[], inputs: Inputs): string {
  const text = `${[...ask].sort().join(',')}\n${identifyInputs(inputs)}`;
  return hashText(text, 32);
}

export function hashText(text: string, digits = 24): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
