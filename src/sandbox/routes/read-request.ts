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

/** @throws Refusal 400 with the sentence for a body of another shape */
export function readBody<Body>(schema: z.ZodType<Body>, body: unknown, sentence: string): Body {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new Refusal(400, sentence);
  return parsed.data;
}

/** @throws Refusal 400 for a parameter that is unknown, given twice or too long */
export function readQuery<Name extends string>(
  query: RawQuery,
  known: readonly Name[],
): Readonly<Partial<Record<Name, string>>> {
  const values: Partial<Record<Name, string>> = {};
  for (const [name, value] of Object.entries(query)) {
    const own = known.find((one) => one === name);
    if (own === undefined) {
      throw new Refusal(400, `The parameter ${name.slice(0, 50)} is unknown.`);
    }
    if (typeof value !== 'string') {
      throw new Refusal(400, `The parameter ${name} is given more than once.`);
    }
    values[own] = value.trim();
  }
  refuseIf(findTooLong(values));
  return values;
}
