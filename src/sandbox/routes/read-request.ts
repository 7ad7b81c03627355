// Reads the query and the JSON body of a request, for every route, and refuses wrong ones.
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { findTooLong } from '../judge-inputs.js';

/** A parameter that was given twice is a list. */
export type RawQuery = Readonly<Record<string, string | readonly string[]>>;

/** Ends a request: the error handler answers with the status and `{error: message}`. */
export class Refusal extends Error {
  constructor(
    readonly statusCode: 400 | 402 | 403 | 404 | 409,
    message: string,
  ) {
    super(message);
  }
}

/** @throws Refusal 400 with the sentence, if there is one */
export function refuseIf(sentence: string | undefined): void {
  if (sentence !== undefined) throw new Refusal(400, sentence);
}

/** Makes bodies JSON for all routes of this scope, whatever their content type says; any other body is answered 400. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, JSON.parse(body.toString()));
    } catch {
      done(new Refusal(400, 'The body is not JSON.'));
    }
  });
}

/**
 * Called with a sentence about a parameter or a place that the platform does not know; if it does not refuse, the part
 * is left out.
 */
export type OnStrange = (sentence: string) => void;

/** Refuses the request, as a strict platform does. */
export const refuseStrange: OnStrange = (sentence) => {
  throw new Refusal(400, sentence);
};

/** @throws Refusal 400 with the sentence for a body of another shape */
export function readBody<Body>(
  schema: z.ZodType<Body>,
  body: unknown,
  sentence: string,
  onStrange: OnStrange = refuseStrange,
): Body {
  const parsed = parseKnown(schema, body, onStrange);
  if (!parsed.success) throw new Refusal(400, sentence);
  return parsed.data;
}

/** Parses a body; keys that the schema does not know are left out, or refused if `onStrange` refuses them. */
export function parseKnown<Body>(schema: z.ZodType<Body>, body: unknown, onStrange: OnStrange) {
  const parsed = schema.safeParse(body);
  if (parsed.success || onStrange === refuseStrange) return parsed;
  const strange = parsed.error.issues.filter((issue) => issue.code === 'unrecognized_keys');
  if (strange.length === 0) return parsed;
  const known: unknown = structuredClone(body);
  for (const { keys, path } of strange) {
    const place = path.map(String);
    for (const key of keys) {
      onStrange(`The body has no place ${[...place, key].join('.').slice(0, 50)}.`);
      const holder = place.reduce<unknown>((value, step) => Object(value)[step], known);
      Reflect.deleteProperty(Object(holder), key);
    }
  }
  return schema.safeParse(known);
}

/**
 * The values of the parameters, without space around them.
 * @throws Refusal 400 for a parameter that is given twice or is too long
 */
export function readQuery<Name extends string>(
  query: RawQuery,
  known: readonly Name[],
  onStrange: OnStrange,
): Readonly<Partial<Record<Name, string>>> {
  const values: Partial<Record<Name, string>> = {};
  for (const [name, value] of Object.entries(query)) {
    const own = known.find((one) => one === name);
    if (own === undefined) {
      onStrange(`The parameter ${name.slice(0, 50)} is unknown.`);
      continue;
    }
    if (typeof value !== 'string') {
      throw new Refusal(400, `The parameter ${name} is given more than once.`);
    }
    values[own] = value.trim();
  }
  refuseIf(findTooLong(values));
  return values;
}
