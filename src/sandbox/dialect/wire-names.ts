// The names in refusals: the routes name parameters and places by our names, and refusals are written with the
// platform's.
import { demandCalls } from '../../dialect/calls.js';
import type { Dialect } from '../../dialect/dialect.js';
import { bulkForm, type Form, singleForm } from '../../dialect/forms.js';
import type { Match } from '../../dialect/wire-calls.js';
import { INPUTS } from '../../model/ask.js';
import { isJsonObject, type JsonValue } from '../../model/text/json.js';
import { flagOf } from '../routes/read-enrichment.js';

type Names = Readonly<Record<string, string | null | undefined>>;

/**
 * An answer of a route, with the platform's names in its sentences of refusal; for a bulk call, in those of its items.
 */
export function withWireNames(body: JsonValue, match: Match, dialect: Dialect): JsonValue {
  if (match.kind !== 'call') return body;
  const names = namesOf(match, dialect);
  const rename = (said: JsonValue): JsonValue => {
    if (!isJsonObject(said) || typeof said['error'] !== 'string') return said;
    return { ...said, error: renamed(said['error'], names) };
  };
  if (Array.isArray(body)) return body.map(rename);
  if (!isJsonObject(body) || !Array.isArray(body['data'])) return rename(body);
  return { ...body, data: body['data'].map(rename) };
}

function namesOf({ call: { name } }: Extract<Match, { kind: 'call' }>, dialect: Dialect): Names {
  switch (name) {
    case 'enrich':
      return formNames(singleForm(dialect));
    case 'bulk':
    case 'batch':
      return formNames(bulkForm(dialect));
    case 'addToList': {
      const { entities, fields } = demandCalls(dialect, 'lists').add;
      return { ...fields, entities };
    }
    case 'upsertContact':
      return demandCalls(dialect, 'lists').upsert.fields;
    case 'addHook':
    case 'createList':
    case 'draft':
    case 'result':
    case 'account':
    case 'peopleSchema':
    case 'listHooks':
    case 'removeHook':
      return {};
  }
}

/** The names of a paid request; an input that is a part of another one has the other's name. */
function formNames(form: Form | undefined): Names {
  if (form === undefined) return {};
  const { ask, asks: all, spots } = form;
  const at = (part: Parameters<typeof spots.get>[0]) => spots.get(part)?.keys.join('.');
  const inputs = INPUTS.map((input) => {
    const isName = input === 'firstName' || input === 'lastName';
    const isCompany = input === 'companyDomain' || input === 'companyName';
    const whole = isName ? at('fullName') : isCompany ? at('company') : undefined;
    return [input, at(input) ?? whole] as const;
  });
  const asks = all.flatMap((one) => {
    const name = at(one) ?? ask.names[one] ?? null;
    const text = name === null ? undefined : String(name);
    return [
      [one, text],
      [flagOf(one), text],
    ] as const;
  });
  const others = [
    ['enrichmentRequests', at('asked')],
    ['webhookUrl', at('webhookUrl')],
    ['metadata', at('metadata')],
  ] as const;
  return Object.fromEntries([
    ...inputs,
    ...inputs.map(([input, name]) => [`input.${input}`, name]),
    ...asks,
    ...others,
  ]);
}

/** Renames the parts of a sentence. The client's own words stand in quotation marks, and stay. */
function renamed(sentence: string, names: Names): string {
  const known = new Map(Object.entries(names));
  const nameOf = (word: string) => {
    const parts = word.split('.').map((part) => known.get(part) ?? part);
    return known.get(word) ?? parts.join('.');
  };
  const words = /"[^"]{0,200}"(?!:)|[a-z_]\w{0,100}(?:\.\w{1,100})?/gi;
  const said = sentence.replaceAll(words, (word) => (word.startsWith('"') ? word : nameOf(word)));
  // First and last name may be one.
  return said.replaceAll(/(\S{1,100}) \+ \1(?!\w)/g, '$1');
}
