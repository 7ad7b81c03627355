import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Dialect, dialectSchema } from '../../../src/dialect/dialect.js';
import {
  asksAlike,
  bulkForm,
  canAsk,
  type Form,
  singleForm,
  writtenInputs,
} from '../../../src/dialect/forms.js';
import { callsOf, createMatcher } from '../../../src/dialect/wire-calls.js';
import {
  ASKS,
  type Ask,
  type EnrichmentRequest,
  type Inputs,
  sufficientAsks,
} from '../../../src/model/ask.js';
import type { JsonObject, JsonValue } from '../../../src/model/text/json.js';
import {
  type Asking,
  type WrittenRequest,
  writeBulk,
  writeSingle,
} from '../../../src/platform/calls/write-submit.js';
import { withQuery } from '../../../src/platform/wire/request.js';
import {
  type NeutralRequest,
  readMany,
  readSingle,
} from '../../../src/sandbox/dialect/read-question.js';
import { type RawQuery, refuseStrange } from '../../../src/sandbox/routes/read-request.js';
import { tries } from '../../helpers/long.js';

/** What the sandbox reads of a request, as the HTTP server hands it over. */
function readBack(written: WrittenRequest, dialect: Dialect): NeutralRequest {
  const url = withQuery(dialect.prefix + written.path, written.query);
  const match = createMatcher(callsOf(dialect))(written.method, url);
  if (match.kind !== 'call') throw new Error(`${url} is no call`);
  const query: Record<string, string> = Object.fromEntries(new URLSearchParams(match.query));
  const body: unknown =
    written.body === undefined ? undefined : JSON.parse(JSON.stringify(written.body));
  const reading = { dialect, onStrange: refuseStrange };
  const raw = { query: query as RawQuery, headers: written.headers, body };
  return match.call.name === 'bulk'
    ? readMany(match.call, raw, reading)
    : readSingle(match.call, raw, reading);
}

const FLAGS: Readonly<Record<string, Ask>> = {
  findEmail: 'find_email',
  verifyEmail: 'verify_email',
  socialEnrichment: 'social_enrichment',
  findPhone: 'find_phone',
};

interface Told extends EnrichmentRequest {
  readonly metadata: JsonValue | undefined;
}

/** The enrichments in what was read. */
function toldOf({ query, body }: NeutralRequest): readonly Told[] {
  if (Array.isArray(body)) {
    return (body as JsonObject[]).map(({ input, enrichmentRequests, metadata }) => ({
      ask: enrichmentRequests as unknown as Ask[],
      inputs: input as Inputs,
      metadata,
    }));
  }
  const { metadata, webhookUrl: _url, ...others } = query as Readonly<Record<string, string>>;
  const flags = Object.keys(others).flatMap((name) => FLAGS[name] ?? []);
  const inputs = Object.entries(others).filter(([name]) => FLAGS[name] === undefined);
  return [
    {
      ask: ASKS.filter((ask) => flags.includes(ask)),
      inputs: Object.fromEntries(inputs),
      metadata,
    },
  ];
}

const place = fc.constantFrom('a', 'b', 'c', 'd', 'e.x', 'e.y', 'f', 'g', 'h.i', 'j', 'k', 'l');
const word = fc.constantFrom('mail', 'check', 'bio', 'tel', 'all', 'two');
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null, freq: 4 });
const scalar = fc.constantFrom<(string | number | boolean)[]>(true, false, 1, 0, 'yes', 'true', '');

const paths = (start: string) =>
  fc.oneof(
    fc.constantFrom(start, `${start}/`, `${start}?kind=one`),
    fc.dictionary(fc.constantFrom(...ASKS), fc.constantFrom(`${start}/x`, `${start}/y?a=1`), {
      minKeys: 1,
    }),
  );

const inputs = <T>(value: fc.Arbitrary<T>) =>
  fc.record(
    {
      email: value,
      socialUrl: value,
      firstName: value,
      lastName: value,
      companyDomain: value,
      companyName: value,
      fullName: value,
      company: value,
    },
    { requiredKeys: [] },
  );

const asking = fc.oneof(
  fc.record({
    as: fc.constant('flags'),
    names: namesOf(place),
    flag: scalar,
    unasked: maybe(scalar),
  }),
  fc.record({ as: fc.constantFrom('list', 'none'), at: place, names: namesOf(word) }),
  fc.record({
    as: fc.constant('word'),
    at: place,
    names: fc
      .tuple(namesOf(word), fc.dictionary(fc.constantFrom('find_email+find_phone'), word))
      .map(([some, together]) => ({ ...some, ...together })),
  }),
);

function namesOf(name: fc.Arbitrary<string>) {
  return fc
    .tuple(...ASKS.map(() => maybe(name)))
    .map((names) => Object.fromEntries(ASKS.map((ask, i) => [ask, names[i] ?? null])));
}

const webhookUrl = maybe(
  fc.oneof(
    place,
    place.map((query) => ({ query })),
    fc.constantFrom('X-Hook', 'x-key').map((header) => ({ header })),
  ),
);
const constants = fc.dictionary(place, scalar, { maxKeys: 2 });

const dialects = fc
  .record(
    {
      headers: fc.constantFrom({}, { 'x-key': '1' }),
      enrich: maybe(
        fc.record({
          method: fc.constantFrom('POST', 'PUT', 'GET'),
          path: paths('/one'),
          in: fc.constantFrom('query', 'body'),
          inputs: inputs(maybe(place)),
          ask: asking,
          webhookUrl,
          metadata: maybe(place),
          constants,
        }),
      ),
      bulk: fc.record({
        path: paths('/many'),
        items: fc.constantFrom('.', 'items', 'a', 'e.z'),
        input: fc.constantFrom('.', 'input', 'a'),
        inputs: inputs(fc.oneof(maybe(place), fc.constant<false>(false))),
        ask: fc
          .tuple(asking, fc.constantFrom('item', 'call'))
          .map(([ask, at]) => ({ ...ask, in: at })),
        webhookUrl,
        metadata: maybe(place),
        constants,
      }),
    },
    { requiredKeys: [] },
  )
  .filter((file) => dialectSchema.safeParse(file).success);

const text = fc.oneof(
  fc.constantFrom('Ada', 'van der Berg', 'Zoë & Söhne', 'a.example', '50 %', '=?&#/'),
  fc
    .string({ minLength: 1 })
    .map((some) => some.trim())
    .filter((some) => some !== ''),
);
const requests: fc.Arbitrary<EnrichmentRequest> = fc.record({
  ask: fc.subarray([...ASKS], { minLength: 1 }),
  inputs: fc.record(
    {
      email: text,
      socialUrl: text,
      firstName: text,
      lastName: text,
      companyDomain: fc.constantFrom('a.example', 'b.example'),
      companyName: text,
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Inputs>,
});

const CALLBACK = 'https://me.example/in/k.1?a=b';

/** The inputs for which the form has a place. */
function placedInputs(form: Form, request: EnrichmentRequest, dialect: Dialect) {
  const known = [...writtenInputs(form, request, dialect.requires)];
  return Object.fromEntries(known.filter(([name]) => form.spots.has(name)));
}

/** A whole name of one word is read as both names: without the one that was not sent. */
function withoutDouble(read: Inputs, { firstName, lastName }: Inputs): Inputs {
  if (read.firstName !== read.lastName || (firstName !== undefined && lastName !== undefined)) {
    return read;
  }
  const { firstName: first, lastName: _same, ...others } = read;
  return first === undefined ? read : { ...others, lastName: first };
}

function expectSame(form: Form, sent: readonly Asking[], read: NeutralRequest, dialect: Dialect) {
  const told = toldOf(read);
  expect(told).toHaveLength(sent.length);
  for (const [i, { request, key }] of sent.entries()) {
    const one = told[i];
    if (one === undefined) continue;
    // Where several sets are written alike, the platform does what it can.
    const { lacking } = sufficientAsks(request.ask, one.inputs, dialect.requires);
    if (lacking.length === 0) expect(one.ask).toEqual(expect.arrayContaining([...request.ask]));
    if (form.ask.as === 'flags') expect(one.ask).toHaveLength(request.ask.length);
    // The same asks: a path by ask takes along what it needs for them.
    const asked = { ask: request.ask, inputs: withoutDouble(one.inputs, request.inputs) };
    expect(placedInputs(form, asked, dialect)).toEqual(placedInputs(form, request, dialect));
    expect(one.metadata).toBe(form.spots.has('metadata') ? key : undefined);
  }
  const { webhookUrl } = read.query;
  expect(webhookUrl).toBe(form.spots.has('webhookUrl') ? CALLBACK : undefined);
}

describe('what the client writes in any dialect', () => {
  it('is read back as the same single request, or cannot be written', () => {
    fc.assert(
      fc.property(dialects, requests, (file, request) => {
        const dialect = dialectSchema.parse(file);
        const form = singleForm(dialect);
        fc.pre(form !== undefined);
        const one = { request, key: 'key-1' };
        const write = () => writeSingle(one, dialect, CALLBACK);
        if (!canAsk(form, request.ask)) expect(write).toThrow(/cannot ask for/);
        else expectSame(form, [one], readBack(write(), dialect), dialect);
      }),
      { numRuns: tries(100) },
    );
  });

  it('is read back as the same bulk call, or cannot be written', () => {
    fc.assert(
      fc.property(dialects, fc.array(requests, { minLength: 1, maxLength: 3 }), (file, some) => {
        const dialect = dialectSchema.parse(file);
        const form = bulkForm(dialect);
        fc.pre(form !== undefined);
        const [{ ask } = { ask: [] }] = some;
        const alike = some.map((one) => (asksAlike(dialect) ? { ...one, ask } : one));
        const sent = alike.map((request, i) => ({ request, key: `key-${i}` }));
        const write = () => writeBulk(sent, dialect, CALLBACK);
        if (sent.some(({ request }) => !canAsk(form, request.ask))) {
          expect(write).toThrow(/cannot ask for/);
        } else expectSame(form, sent, readBack(write(), dialect), dialect);
      }),
      { numRuns: tries(100) },
    );
  });
});

describe('the sandbox, as forgiving as platforms are', () => {
  const IN_BODY = dialectSchema.parse({
    enrich: { in: 'body', webhookUrl: { query: 'hook' }, constants: { plan: 'basic' } },
  });
  const call = { name: 'enrich', method: 'POST', path: '/enrich', ownPath: '/enrich' } as const;
  const read = (query: RawQuery, body: unknown) =>
    readSingle(call, { query, headers: {}, body }, { dialect: IN_BODY, onStrange: refuseStrange })
      .query;
  const ASKED = { verifyEmail: 'true', email: 'a@b.example' };

  it('takes flags that say no, no constants, and options in the query instead of the body', () => {
    const body = { verifyEmail: true, findEmail: false, email: 'a@b.example', findPhone: null };
    expect(read({}, body)).toEqual(ASKED);
    expect(read({ verifyEmail: 'true', email: 'a@b.example' }, undefined)).toEqual(ASKED);
    expect(read({}, { ...body, plan: 'other', hook: 'https://a.example' })).toEqual({
      ...ASKED,
      webhookUrl: 'https://a.example',
    });
  });

  it.each<[string, RawQuery, unknown, string]>([
    [
      'another value of a flag',
      {},
      { verifyEmail: 'yes' },
      'The value of verifyEmail must be true.',
    ],
    ['a number as an input', {}, { verifyEmail: true, email: 7 }, 'email must be a text'],
    ['a parameter without a place', { mail: 'x' }, {}, 'The parameter mail is unknown.'],
    ['a key without a place', {}, { mail: 'x' }, 'The body has no place mail.'],
    ['a list as the body', {}, [], 'The body must be an object.'],
  ])('refuses %s', (_, query, body, sentence) => {
    expect(() => read(query, body)).toThrow(sentence);
  });

  it('finds a call by its path with a slash at its end, and without the one of the dialect', () => {
    const match = createMatcher(callsOf(dialectSchema.parse({ bulk: { path: '/many/' } })));
    expect(match('POST', '/enrich/')).toMatchObject({ call: { name: 'enrich' } });
    expect(match('POST', '/many')).toMatchObject({ call: { name: 'bulk' } });
  });
});
