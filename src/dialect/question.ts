// The parts of a dialect that describe paid requests: one enrichment (`enrich`), and many in one call (`bulk`). Both
// have one form: where inputs, asks, metadata, the callback URL and constants are written (forms.ts reads it).
import * as z from 'zod';
import { ASKS, type Ask, INPUTS } from '../model/ask.js';
import { callPaths, freeHeader, innerPath, wireName, wirePaths, wirePlace } from './parts.js';
import { stateSignals } from './signal.js';

/** Inputs, and two that are made of them: the whole name, and the domain or else the name of the company. */
export const WRITTEN_INPUTS = [...INPUTS, 'fullName', 'company'] as const;
export type WrittenInput = (typeof WRITTEN_INPUTS)[number];

/** What is asked in one request, as a key of `ask.names`: in the order of ASKS. */
export function combinationOf(ask: readonly Ask[]): string {
  return ASKS.filter((one) => ask.includes(one)).join('+');
}

/** Every set of some of these asks, the smallest first. */
export function subsetsOf(ask: readonly Ask[]): readonly (readonly Ask[])[] {
  const sets = ask.reduce<Ask[][]>(
    (some, one) => [...some, ...some.map((set) => [...set, one])],
    [[]],
  );
  return sets.filter(({ length }) => length > 0).sort((a, b) => a.length - b.length);
}

/** A plain value that is written as it is; in a query as text. */
const scalar = z.union(
  [z.string().max(200), z.number(), z.boolean()],
  'a text, a number, true or false',
);
export type Scalar = z.output<typeof scalar>;

/** The names of what can be asked; null: it cannot be. Those of combinations are for `word` alone. */
function askNames(neutral: Readonly<Record<Ask, string>>) {
  const combinations = subsetsOf(ASKS).filter(({ length }) => length > 1);
  const together: object = Object.fromEntries(
    combinations.map((ask) => [combinationOf(ask), scalar.exactOptional()]),
  );
  return z
    .strictObject({
      find_email: scalar.nullable().default(neutral.find_email),
      verify_email: scalar.nullable().default(neutral.verify_email),
      social_enrichment: scalar.nullable().default(neutral.social_enrichment),
      find_phone: scalar.nullable().default(neutral.find_phone),
      ...together,
    } satisfies Record<Ask, z.ZodType>)
    .prefault({});
}

/**
 * How it is written what is asked:
 * - `flags`: a value at a place for each
 * - `list`: a list of words
 * - `word`: one word, also for a combination
 * - `none`: not at all; the path says it, or the platform does only this
 */
const ASK_FORMS = ['flags', 'list', 'word', 'none'] as const;

/** `names` are places for `flags`, else words. */
function askForm(as: (typeof ASK_FORMS)[number], at: string | null, names: Record<Ask, string>) {
  return {
    as: z.enum(ASK_FORMS).default(as),
    /** Where the list or the word stands. */
    at: wireName.nullable().default(at),
    names: askNames(names),
    /** The value of a flag that asks, and of the other flags; null: they are left out. */
    flag: scalar.default(true),
    unasked: scalar.nullable().default(null),
  };
}

const writtenHeader = freeHeader.refine(
  (name) => name.toLowerCase() !== 'authorization',
  'credentials have no place in a dialect file: "auth" says how they are sent',
);

/** Constant headers of every request. */
export const headersSchema = z
  .record(
    writtenHeader,
    z
      .string()
      .max(200)
      .regex(/^[\x20-\x7e]*$/, 'the value of a header is one line of ASCII'),
    // Why the key is wrong, and not only that it is.
    { error: ({ code, issues }) => (code === 'invalid_key' ? issues?.[0]?.message : undefined) },
  )
  .prefault({});

const elsewhere = [
  z.strictObject({ header: writtenHeader }),
  z.strictObject({ query: wireName }),
] as const;

/** Takes the callback URL: a place in the call, a header, a query parameter; null for none. */
const callbackPlace = z
  .union([wireName, ...elsewhere], 'a name, { header: name } or { query: name }')
  .nullable();

/** Values that every request carries, by their places. */
const constants = z.record(wireName, scalar).prefault({});

/** Whether the object around the metadata has keys of the client's own choice, which come back beside it. */
const ownKeys = z.boolean().default(false);

/** What the answer to an accepted submission says besides the ticket. It is the ticket that says that it was accepted. */
const accepted = stateSignals.prefault([]);

/** Whether the answer to a submission has the result (`answer.submit`). */
const resultAtOnce = z.enum(['never', 'maybe', 'always']).default('never');

const written = (name: string | null) => wireName.nullable().default(name);

/** POST /enrich: where everything is written, and where the answer has the ticket. */
export const enrichSchema = z
  .strictObject({
    method: z.enum(['POST', 'PUT', 'GET']).default('POST'),
    path: callPaths('/enrich'),
    /** Where inputs, asks, metadata and constants stand: names in a query, paths in a body. */
    in: z.enum(['query', 'body']).default('query'),
    inputs: z
      .strictObject({
        email: written('email'),
        socialUrl: written('socialUrl'),
        firstName: written('firstName'),
        lastName: written('lastName'),
        companyDomain: written('companyDomain'),
        companyName: written('companyName'),
        fullName: written(null),
        company: written(null),
      } satisfies Record<WrittenInput, z.ZodType>)
      .prefault({}),
    ask: z
      .strictObject(
        askForm('flags', null, {
          find_email: 'findEmail',
          verify_email: 'verifyEmail',
          social_enrichment: 'socialEnrichment',
          find_phone: 'findPhone',
        }),
      )
      .prefault({}),
    webhookUrl: callbackPlace.default('webhookUrl'),
    /** Takes our correlation key; null for none. */
    metadata: written(null),
    ownKeys,
    constants,
    ticket: wirePaths.prefault(['id']),
    accepted,
    result: resultAtOnce,
  })
  .nullable()
  .prefault({});

/** Null: as in `enrich.inputs`; false: not sent. */
const itemInput = z
  .union([wireName, z.literal(false)], 'a name, null or false')
  .nullable()
  .default(null);

const itemNames = Object.fromEntries(ASKS.map((ask) => [ask, ask])) as Record<Ask, string>;

/** POST /enrich/bulk: many enrichments, each with metadata of ours that comes back. */
export const bulkSchema = z
  .strictObject(
    {
      /** Null: the platform has no bulk call. */
      path: callPaths('/enrich/bulk').nullable(),
      method: z.enum(['POST', 'PUT']).default('POST'),
      /** Items in one call, at most. */
      max: z.int().min(1).max(10_000).default(500),
      /** In the body: the list of items; `.` when it is the body. */
      items: wirePlace.default('.'),
      /** In an item: the object of inputs; `.` when they are in the item itself. */
      input: wirePlace.default('input'),
      inputs: z
        .strictObject({
          email: itemInput,
          socialUrl: itemInput,
          firstName: itemInput,
          lastName: itemInput,
          companyDomain: itemInput,
          companyName: itemInput,
          fullName: itemInput,
          company: itemInput,
        } satisfies Record<WrittenInput, z.ZodType>)
        .prefault({}),
      ask: z
        .strictObject({
          ...askForm('list', 'enrichmentRequests', itemNames),
          /** `call`: beside the list, once for all items of the call. */
          in: z.enum(['item', 'call']).default('item'),
        })
        .prefault({}),
      /** A plain text is a path in the body. */
      webhookUrl: callbackPlace.default({ query: 'webhookUrl' }),
      /** In an item: the correlation key, a text; null where the platform has no place for it. */
      metadata: innerPath.default('metadata').nullable(),
      ownKeys,
      /** In the body, beside the list. */
      constants,
      /**
       * How the entries of an answer find their items: by the metadata that came back; or by their order, where there are
       * as many entries as items.
       */
      match: z.enum(['metadata', 'order']).default('metadata'),
      result: resultAtOnce,
      /** The answer: its array of entries, and in an entry the ticket, our metadata, and why it was refused. */
      answer: z
        .strictObject({
          entries: wirePaths.prefault(['.']),
          ticket: wirePaths.prefault(['id']),
          metadata: wirePaths.prefault(['metadata']),
          error: wirePaths.prefault(['error']),
          /** One ticket for the whole call; none where every item has its own. */
          batchTicket: wirePaths.prefault([]),
          accepted,
        })
        .prefault({}),
    },
    {
      error: ({ input }) =>
        input === null
          ? 'null says nothing here. If the platform has no bulk call, say bulk: { path: null }'
          : undefined,
    },
  )
  .refine(
    ({ path, match, metadata, answer }) =>
      path === null || metadata !== null || match === 'order' || answer.batchTicket.length === 0,
    {
      path: ['answer', 'batchTicket'],
      error:
        'one ticket for a whole call needs bulk.metadata, by which its items are told apart. Say where it is written, or set bulk.match to order or bulk.path to null',
    },
  )
  .prefault({});
