// Reads the query and the JSON body of a request, for every route, and refuses wrong ones.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { INPUTS, type InputName, type Inputs } from '../../model/ask.js';
import { isTargetUrl } from '../../model/text/address.js';

/** Ends a request: the error handler answers with the status and `{error: message}`. */
export class Refusal extends Error {
  constructor(
    readonly statusCode: 400 | 402 | 403 | 404 | 409,
    message: string,
  ) {
    super(message);
  }
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

/** @throws Refusal 400 for a query (where a parameter that is given twice is a list) or a body of another form */
export function read<Form>(schema: z.ZodType<Form>, value: unknown): Form {
  const { data, error } = schema.safeParse(value);
  if (error !== undefined) throw new Refusal(400, describeIssue(error));
  return data;
}

/** One sentence about the first place that is wrong. */
export function describeIssue({ issues: [issue] }: z.ZodError): string {
  const place = issue?.path.join('.') || 'query or body';
  return `Wrong request, because of ${place}: ${issue?.message ?? ''}.`;
}

export const TEXT = z.string().max(1000).trim();
export const TARGET_URL = TEXT.refine(isTargetUrl, 'It is not an http(s) URL');

/** A blank input counts as absent. */
function input(pattern: RegExp, problem: string) {
  return TEXT.refine((text) => text === '' || pattern.test(text), problem).exactOptional();
}

/** The inputs by which a person is asked for, or added to a list. */
export const PERSON = z.strictObject({
  email: input(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'It is not an e-mail address'),
  socialUrl: input(/^https?:\/\/[^\s/]\S*$/i, 'It is not an http(s) URL'),
  firstName: TEXT.exactOptional(),
  lastName: TEXT.exactOptional(),
  companyDomain: input(/^[^\s/@]+\.[^\s/@]+$/, 'It is not a domain'),
  companyName: TEXT.exactOptional(),
});

/** The inputs that are not blank. */
export function readInputs(values: Readonly<Record<string, unknown>>): Inputs {
  const inputs: Partial<Record<InputName, string>> = {};
  for (const name of INPUTS) {
    const value = values[name];
    if (typeof value === 'string' && value.trim()) inputs[name] = value.trim();
  }
  return inputs;
}
