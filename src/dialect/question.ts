// The parts of a dialect that describe paid requests: one enrichment (`enrich`), and many in one call (`bulk`). Both
// have one form, with places for inputs, asks, metadata, the callback URL and constants (forms.ts reads it).
import * as z from 'zod';
import {
  ASK_RECORDS,
  type Ask,
  byAsk,
  INPUTS,
  type InputName,
  inOrder,
  type StandardAsk,
} from '../model/ask.js';
import { guessed, KEYS, key, type Origin, section, shown } from './keys.js';
import {
  callMethod,
  callPaths,
  freeHeader,
  httpStatus,
  innerPath,
  wireName,
  wirePaths,
  wirePlace,
} from './parts.js';

/** Inputs, and two that are made of them: the whole name, and the domain or else the name of the company. */
export const WRITTEN_INPUTS = [...INPUTS, 'fullName', 'company'] as const;
export type WrittenInput = (typeof WRITTEN_INPUTS)[number];

/** The asks of one request as a key of `ask.names`. */
export function combinationOf(ask: readonly Ask[]): string {
  return inOrder(ask).join('+');
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
const scalar = z
  .union([z.string().max(200), z.number(), z.boolean()], 'a text, a number, true or false')
  .register(KEYS, { form: 'text, number, true or false' });
export type Scalar = z.output<typeof scalar>;

function askNames(neutral: (ask: StandardAsk) => string) {
  const names = z
    .strictObject(byAsk((ask) => scalar.nullable().default(neutral(ask))))
    .catchall(scalar.nullable())
    .prefault({});
  return key(
    names,
    'The place of each ask for `flags`, else its word; null: it cannot be asked for. A `word` may also stand for asks together, in this order, as in `find_email+find_phone: full`.',
  );
}

const ASK_FORMS = ['flags', 'list', 'word', 'none'] as const;

function askForm(
  as: (typeof ASK_FORMS)[number],
  at: string | null,
  nameOf: (ask: StandardAsk) => string,
) {
  return {
    as: key(
      z.enum(ASK_FORMS).default(as),
      'The way in which asks are written: `flags` at a place for each, a `list` of words, one `word`, or `none`, where the path says it or the platform does nothing else.',
    ),
    at: key(wireName.nullable().default(at), 'The place of the list, or of the word.'),
    names: askNames(nameOf),
    flag: key(scalar.default(true), 'The value of a flag that asks.'),
    unasked: key(
      scalar.nullable().default(null),
      'The value of the other flags; null leaves them out.',
    ),
  };
}

const writtenHeader = freeHeader.refine(
  (name) => name.toLowerCase() !== 'authorization',
  'credentials have no place in a dialect file: "auth" says how they are sent',
);

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
  .prefault({})
  .register(KEYS, { form: 'headers and texts' });

const elsewhere = [
  z.strictObject({ header: writtenHeader }),
  z.strictObject({ query: wireName }),
] as const;

const callbackPlace = key(
  z
    .union([wireName, ...elsewhere], 'a name, { header: name } or { query: name }')
    .nullable()
    .register(KEYS, { form: 'name, header or query parameter' }),
  'The place of the callback URL: among the rest, `{ header: name }` or `{ query: name }`; null for none.',
);

const constants = key(
  z.record(wireName, scalar).prefault({}).register(KEYS, { form: 'places and values' }),
  'Values that always go along, by their places, as in `{ plan: basic }`; in a bulk call they are beside the list.',
  guessed('whether requests carry constant values'),
);

const resultAtOnce = (origin?: Origin) =>
  key(
    z.enum(['never', 'maybe', 'always']).default('never'),
    'Whether the answer to a submission has the result, which `answer.submit` reads. With `maybe`, a lead without one there is awaited by its ticket.',
    origin,
  );

function byInput<T>(make: (input: InputName) => T): Record<InputName, T> {
  return Object.fromEntries(INPUTS.map((input) => [input, make(input)])) as Record<InputName, T>;
}

const written = (name: string | null) => wireName.nullable().default(name);

/** Where a status does not say it, a request that fails may have been accepted. */
const notAccepted = key(
  z
    .array(httpStatus.min(400))
    .max(20)
    .readonly()
    .prefault([])
    .register(KEYS, { form: 'list of statuses' }),
  'The statuses that mean that nothing was accepted, as the documentation of the platform says: what was sent is sent again, and not `uncertain`.',
);

/** The call for one enrichment: the places of its values, and the path of the ticket in the answer. */
export const enrichSchema = z
  .strictObject({
    method: key(callMethod('POST', 'PUT', 'GET'), 'The method of the call.', shown('POST /enrich')),
    path: key(
      callPaths('/enrich'),
      'The path of the call. An ask without a path cannot be asked for.',
      shown('POST /enrich'),
    ),
    in: key(
      z.enum(['query', 'body']).default('query'),
      'The part of the request that holds inputs, asks, metadata and constants: by names in the query, or by paths in the body.',
      shown('POST /enrich'),
    ),
    inputs: section('The name of each input of a lead; null is not sent.', {
      ...byInput(written),
      fullName: key(written(null), 'First and last name, with a blank between.'),
      company: key(written(null), "The company's domain, else its name."),
    } satisfies Record<WrittenInput, z.ZodType>),
    ask: section(
      'The asks of a lead.',
      askForm('flags', null, (ask) => ASK_RECORDS[ask].parameter),
    ),
    webhookUrl: callbackPlace.default('webhookUrl'),
    metadata: key(written(null), 'The place of the text that shall come back; null for none.'),
    constants,
    ticket: key(
      wirePaths.prefault(['id']),
      'The ticket, in the answer. `header:location` is in a header: of an address, its last part.',
      shown('POST /enrich'),
    ),
    result: resultAtOnce(shown('POST /enrich')),
    notAccepted,
  })
  .nullable()
  .prefault({});

const itemInput = z
  .union([wireName, z.literal(false)], 'a name, null or false')
  .register(KEYS, { form: 'path, or false' })
  .nullable()
  .default(null);

/** Many enrichments in one call, each with metadata of ours that comes back. */
export const bulkSchema = z
  .strictObject(
    {
      path: key(
        callPaths('/enrich/bulk').nullable(),
        'The path of the call; null: there is no bulk call.',
      ),
      max: key(z.int().min(1).max(10_000).default(500), 'The most items in one call.'),
      items: key(wirePlace.default('.'), 'The list of items, in the body; `.` is the body itself.'),
      input: key(
        wirePlace.default('input'),
        'The object of inputs, in an item; `.` is the item itself.',
      ),
      inputs: section(
        'The place of each input in that object; null is the name in `enrich.inputs`, false is not sent.',
        { ...byInput(() => itemInput), fullName: itemInput, company: itemInput } satisfies Record<
          WrittenInput,
          z.ZodType
        >,
      ),
      ask: section('The asks of the items.', {
        ...askForm('list', 'enrichmentRequests', (ask) => ask),
        in: key(
          z.enum(['item', 'call']).default('item'),
          'The place of what is asked: in each item, or beside the list, once for all items of the call.',
        ),
      }),
      webhookUrl: callbackPlace.default({ query: 'webhookUrl' }),
      metadata: key(
        innerPath.default('metadata').nullable(),
        'The place, in an item, of the text that shall come back; null for none.',
      ),
      constants,
      match: key(
        z.enum(['metadata', 'order']).default('metadata'),
        'The way in which entries of an answer find their items: by the metadata that came back; or by their order, if there are as many entries as items.',
      ),
      result: resultAtOnce(),
      notAccepted,
      answer: section('The answer to the call.', {
        entries: key(wirePaths.prefault(['.']), 'The list of entries.'),
        ticket: key(wirePaths.prefault(['id']), 'The ticket, in an entry.'),
        metadata: key(
          wirePaths.prefault(['metadata']),
          'The text of ours that came back, in an entry.',
        ),
        error: key(
          wirePaths.prefault(['error']),
          'The reason why the item was refused, in an entry.',
        ),
        batchTicket: key(
          wirePaths.prefault([]),
          'One ticket for the whole call, also in a header (`header:location`); none where every item has its own.',
        ),
      }),
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
        'one ticket for a whole call needs bulk.metadata, which says whose answer each item is. Say where it is written, or set bulk.match to order or bulk.path to null',
    },
  )
  .prefault({});
