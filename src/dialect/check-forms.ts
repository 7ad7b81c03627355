// Finds the paid requests of a dialect that could not be written, or would lose a value.
import type * as z from 'zod';
import type { InputName } from '../model/ask.js';
import {
  bulkForm,
  canAsk,
  type Form,
  pathsOf,
  type Sections,
  type Spot,
  singleForm,
  type Where,
} from './forms.js';
import { clashingNames } from './parts.js';
import { type Scalar, WRITTEN_INPUTS } from './question.js';

/** Adds an issue for each form in which a value would be written over, or could not be written; for `superRefine`. */
export function checkForms(sections: Sections, context: z.core.$RefinementCtx): void {
  const single = singleForm(sections);
  const bulk = bulkForm(sections);
  const fail = (path: readonly string[], message: string) => {
    context.addIssue({ code: 'custom', path: [...path], message });
  };
  if (single === undefined && bulk === undefined) {
    fail(['enrich'], 'null means bulk calls only: then bulk.path must be a path');
  }
  for (const form of [single, bulk]) {
    if (form === undefined) continue;
    const flaw = findFlaw(form, sections);
    if (flaw !== undefined) fail([form.section, ...flaw.path], flaw.message);
    for (const [ask, input] of unsent(form, sections.asks)) {
      fail(
        ['asks', ask, 'requires'],
        `${form.section} does not send ${input}, which is in a list here`,
      );
    }
  }
}

/** The inputs of custom asks that a request has no place for: it would ask without saying about what. */
function unsent(form: Form, asks: Sections['asks']): (readonly [ask: string, input: string])[] {
  const { spots } = form;
  const isSent = (input: InputName) =>
    spots.has(input) ||
    (/^(first|last)Name$/.test(input) && spots.has('fullName')) ||
    (input.startsWith('company') && spots.has('company'));
  return Object.entries(asks)
    .filter(([ask]) => canAsk(form, [ask]))
    .flatMap(([ask, { requires }]) =>
      requires.flat().flatMap((input) => (isSent(input) ? [] : [[ask, input] as const])),
    );
}

interface Flaw {
  readonly path: readonly string[];
  readonly message: string;
}

function findFlaw(form: Form, { auth, bulk, headers }: Sections): Flaw | undefined {
  return (
    findAskFlaw(form, bulk) ??
    findPlaceFlaw(form) ??
    findClash(form, constantHeaders(auth, headers))
  );
}

function isNoText(name: Scalar | null): boolean {
  return name !== null && (typeof name !== 'string' || name === '');
}

function askFlaw(key: string, message: string): Flaw {
  return { path: ['ask', key], message };
}

function findAskFlaw(form: Form, bulk: Sections['bulk']): Flaw | undefined {
  const { ask, list, method, section, spots } = form;
  const { as, at, flag, names, unasked } = ask;
  const where = spots.get('asked')?.where;
  if ((as === 'list' || as === 'word') && at === null)
    return askFlaw('at', `say where the ${as} is`);
  if (as === 'list' && where === 'query')
    return askFlaw('as', 'a list is sent in a body, not in a query');
  const together = Object.keys(names).find((name) => name.includes('+'));
  if (as !== 'word' && together !== undefined) {
    return askFlaw('names', `${together} has a name of its own only with "as: word"`);
  }
  if (as !== 'word' && Object.values(names).some(isNoText)) {
    return askFlaw('names', 'a name is a text, unless it is the one word ("as: word")');
  }
  if (as === 'flags' && String(flag) === String(unasked)) {
    return askFlaw('unasked', 'a flag that asks, and one that does not, need two values');
  }
  if (
    section === 'enrich' &&
    method === 'GET' &&
    [...spots.values()].some(({ where }) => where === 'body')
  ) {
    return { path: ['in'], message: 'a GET has no body. Use "in: query", or another method' };
  }
  if (section === 'bulk' && bulk.ask.in === 'call' && as !== 'none' && list?.length === 0) {
    return askFlaw('in', 'a body that is the list itself has no place beside it');
  }
  return undefined;
}

const KEY = /^[^\s.[\]]+$/;

/** A place in a body is keys joined by dots; lists are never written into. */
function findPlaceFlaw({ asks, constants, spots }: Form): Flaw | undefined {
  for (const [name, { where, keys }] of namedSpots(spots, constants)) {
    if (where === 'query' || where === 'header') continue;
    if (keys.length > 0 && keys.every((key) => KEY.test(key))) continue;
    const at = keys.join('.');
    const message = `${name} is written at keys joined by dots, and not at "${at}"`;
    return { path: keyOf(name, asks), message };
  }
  return undefined;
}

function keyOf(name: string, asks: readonly string[]): readonly string[] {
  if (name === 'asked') return ['ask', 'at'];
  if (asks.includes(name)) return ['ask', 'names', name];
  return WRITTEN_INPUTS.some((input) => input === name) ? ['inputs', name] : [name];
}

const PLACES: Readonly<Record<Where, string>> = {
  query: 'the query',
  header: 'the headers',
  body: 'the body',
  item: 'a bulk item',
};

function constantHeaders(
  auth: Sections['auth'],
  headers: Sections['headers'],
): (readonly [string, string])[] {
  const constants = Object.keys(headers).map((name) => [`headers.${name}`, name] as const);
  return auth === 'basic' ? constants : [...constants, ['auth', auth.header]];
}

/** Two values, one of which would be written over the other, unnoticed. */
function findClash(
  form: Form,
  headers: readonly (readonly [name: string, header: string])[],
): Flaw | undefined {
  const { constants, list, path, section, spots } = form;
  const named = [...namedSpots(spots, constants)];
  for (const [name, header] of headers) {
    named.push([name, { where: 'header', keys: [header.toLowerCase()] }]);
  }
  const queries = pathsOf(path).map((one) => new URLSearchParams(one.split('?')[1] ?? ''));
  for (const name of new Set(queries.flatMap((query) => [...query.keys()]))) {
    named.push(['the path', { where: 'query', keys: [name] }]);
  }
  if (list !== undefined) named.push(['items', { where: 'body', keys: list }]);
  for (const where of Object.keys(PLACES)) {
    const here = named.filter(([, spot]) => spot.where === where);
    const clash = clashingNames(here.map(([name, { keys }]) => [name, keys] as const));
    if (clash === undefined) continue;
    const advice = section === 'bulk' ? ', or set bulk.path to null' : '';
    const message = `${clash.join(' and ')} would be at the same place of ${PLACES[where as Where]}. Give each its own place${advice}`;
    return { path: [], message };
  }
  return undefined;
}

function* namedSpots(
  spots: Form['spots'],
  constants: Form['constants'],
): Generator<readonly [name: string, spot: Spot]> {
  yield* spots;
  for (const [spot] of constants) yield [`constants.${spot.keys.join('.')}`, spot];
}
