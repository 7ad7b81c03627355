// A dialect: everything about a platform's wire format that may differ from platform to platform
// (docs/platform-api.md marks it as assumed). The neutral default of each key is in this folder and nowhere else:
// `dialectSchema.parse({})` is the neutral dialect. A key that is not listed here is an error.
import * as z from 'zod';
import {
  ASK_RECORDS,
  byAsk,
  type Prices,
  type Requirements,
  type StandardAsk,
} from '../model/ask.js';
import { formatRate, parseRate, parseTimeout, TIMEOUT_FORM } from '../model/schedule/rate.js';
import { isJsonObject, type JsonValue } from '../model/text/json.js';
import { RESET_FORMATS } from '../model/text/time.js';
import {
  answerSchema,
  blocksSchema,
  emailStatusesSchema,
  fieldsSchema,
  resultSchema,
  withoutStatus,
} from './answer.js';
import { authSchema } from './auth.js';
import {
  accountSchema,
  draftsSchema,
  hooksSchema,
  listsSchema,
  peopleSchemaSchema,
} from './calls.js';
import { checkForms } from './check-forms.js';
import {
  alternativesSchema,
  type CustomSection,
  checkNames,
  customAsksSchema,
} from './custom-asks.js';
import { eventsSchema } from './events.js';
import { factsOf, guessed, KEYS, key, keysOf, originOf, section, shown } from './keys.js';
import { headerName, prefixSchema, price, wirePaths } from './parts.js';
import { bulkSchema, enrichSchema, headersSchema } from './question.js';
import { wireSignals } from './signal.js';
import { webhooksSchema } from './webhooks.js';

const RATE_FORM = 'a rate limit is written "20/2s" (requests / window), [20/2s, 100/60s] or "off"';

const rateSchema = key(
  z
    .union([z.string(), z.array(z.string())], RATE_FORM)
    .transform((text, context) => {
      const rate = parseRate(String(text));
      if (rate !== undefined) return rate;
      context.addIssue(RATE_FORM);
      return z.NEVER;
    })
    .prefault('20/2s')
    .register(KEYS, { form: 'rate, like `20/2s`, a list of them, or `off`' }),
  'The requests in any window of time, all calls together: one window, or several, which all hold.',
);

const limitsSchema = z
  .strictObject({
    rate: rateSchema,
    headers: section('The headers that say what is left of the limit, and how long to wait.', {
      limit: headerName.default('x-ratelimit-limit'),
      remaining: headerName.default('x-ratelimit-remaining'),
      reset: headerName.default('x-ratelimit-reset'),
      retryAfter: headerName.default('retry-after'),
    }),
    reset: key(
      z.enum(RESET_FORMATS).default('auto'),
      'The form of the time in the header `reset`.',
    ),
    timeout: key(
      z
        .string(TIMEOUT_FORM)
        .refine((text) => parseTimeout(text) !== undefined, TIMEOUT_FORM)
        .default('30s')
        .register(KEYS, { form: 'time, like `45s`' }),
      'How long one request waits for its answer, from `1s` to `90s`. A paid one without an answer is `uncertain`.',
    ),
    throttled: key(wireSignals.prefault([{ status: 429 }]), 'There were too many requests.'),
  })
  .prefault({});

const pricesSchema = z
  .strictObject(byAsk((ask) => price.default(ASK_RECORDS[ask].price)))
  .catchall(price)
  .prefault({});

const alternatives = (ask: StandardAsk) =>
  alternativesSchema.prefault(ASK_RECORDS[ask].inputs.map((inputs) => [...inputs]));

const requiresSchema = z.strictObject(byAsk(alternatives)).prefault({});

export const dialectSchema = z
  .strictObject({
    prefix: key(
      prefixSchema,
      'A path before that of every call, as in `/v2`.',
      guessed('whether paths have a prefix'),
    ),
    auth: key(
      authSchema,
      'The credentials of a request: `basic` is HTTP Basic with user name and password; `{ header: X-API-Key }` is a header that holds the key, and `{ header: Authorization, scheme: Bearer }` one with a word before the key.',
      shown('Authentication'),
    ),
    headers: key(
      headersSchema,
      'Constant headers of every request, as in `{ accept-version: v2.0 }`.',
      guessed('whether requests have constant headers'),
    ),
    enrich: key(
      enrichSchema,
      'The paid request for one lead; null: there are bulk calls alone.',
      guessed('the names of the parameters, and how they say what is asked'),
    ),
    bulk: key(
      bulkSchema,
      'Many enrichments in one paid call. `submit: auto` takes it only where the file says something here.',
      guessed('the bulk call, but that there is one'),
    ),
    result: key(
      resultSchema,
      'The call that reads a result by its ticket; null: nothing can be read by one.',
      guessed('the path of a result, and how often it may be read'),
    ),
    'second-look': key(
      z.enum(['always', 'never']).default('always'),
      'Whether an empty answer is read a second time, two seconds later; `never` where the platform says that it is final.',
      guessed('whether an empty answer may have its values a moment later'),
    ),
    account: key(
      accountSchema,
      'A free GET that says whether address and credentials are right, asked instead of `peopleSchema`; null: none.',
      guessed('whether there is a free call for the account'),
    ),
    peopleSchema: key(
      peopleSchemaSchema,
      'The free question that is asked before anything is paid for; null: none.',
      shown('People schema'),
    ),
    answer: key(
      answerSchema,
      'The way in which a result is read.',
      guessed('how an answer says that there is a result, none yet, none at all, or a failure'),
    ),
    events: key(
      eventsSchema,
      "The platform's names of events, beside our names of docs/events.md, as in `enrichmentDone: person.enriched`. An event that is not named has our name.",
      shown('Event types'),
    ),
    webhooks: key(
      webhooksSchema,
      'The proof that a webhook shows besides the key in its address.',
      shown('Webhook secret'),
    ),
    hooks: key(
      hooksSchema,
      'The webhooks that the platform keeps; null: none.',
      guessed('how webhooks are listed and removed'),
    ),
    lists: key(
      listsSchema,
      'Contact lists; null: none.',
      guessed('what a call holds that adds to a list, and what it answers'),
    ),
    drafts: key(
      draftsSchema,
      'The call that reads a draft of the inbox; null: none.',
      shown('GET /inbox/{contactId}/drafts/{draftId}'),
    ),
    blocks: key(
      blocksSchema,
      'The place of each block among the blocks of an entry.',
      shown('Enrichment result'),
    ),
    fields: key(
      fieldsSchema,
      "The fields in the blocks: our names on the left, the platform's on the right.",
    ),
    emailStatuses: key(
      emailStatusesSchema,
      "The platform's words for each status of an e-mail address, in any case. A word in no list is `unknown`.",
      guessed('the words for a status besides `deliverable`'),
    ),
    asks: key(
      customAsksSchema,
      'Asks that the platform offers beside the four, by their names. A job asks for them as for the others; in the sections that go by ask they are named as well, and `enrich.ask.names` gives the name itself if it says nothing.',
      guessed('what else a platform offers'),
    ),
    errors: section(
      'Answers that refuse a request.',
      {
        reason: key(
          wirePaths.prefault(['error', 'error.message', 'message']),
          'The reason why a request was refused. A text that is no JSON is its own reason.',
        ),
        outOfCredits: key(
          wireSignals.prefault([{ status: 402 }]),
          'The account is out of credits. In an answer to a bulk call, a word in the error of an item counts for that item alone, which stays queued while the run stops sending.',
        ),
        refused: key(
          wireSignals.prefault([]),
          'Nothing was accepted, also where the status is no 4xx.',
        ),
      },
      guessed('what an error looks like'),
    ),
    limits: key(
      limitsSchema,
      'The pace that the platform allows, and the way in which it says what is left.',
      guessed('how fast one may ask'),
    ),
    prices: key(
      pricesSchema,
      'The credits for one hit; misses are free. A custom ask has its price in `asks`.',
      guessed('what a hit costs'),
    ),
    requires: key(
      requiresSchema,
      'The inputs that suffice for each ask: those of any one list. A lead that lacks them is not asked for, and costs nothing. In the neutral dialect whatever names a person suffices; `verify_email` needs an address.',
      guessed('which inputs suffice'),
    ),
  })
  .superRefine(checkNames)
  .superRefine(checkForms)
  .transform((dialect) => ({
    ...dialect,
    prices: pricesWith(dialect.prices, dialect.asks),
    requires: requiresWith(dialect.requires, dialect.asks),
  }));

function pricesWith(prices: Prices, asks: CustomSection): Prices {
  const own = Object.entries(asks).map(([name, one]) => [name, one.price] as const);
  return { ...Object.fromEntries(own), ...prices };
}

function requiresWith(requires: Requirements, asks: CustomSection): Requirements {
  const own = Object.entries(asks).map(([name, one]) => [name, one.requires] as const);
  return { ...requires, ...Object.fromEntries(own) };
}

/** A dialect with every default filled in; `prices` and `requires` have the custom asks as well. */
export type Dialect = z.output<typeof dialectSchema>;

/** Whether docs/platform-api.md shows the value of the neutral dialect at a path like `enrich.method`. */
export function isDocumented(path: string): boolean {
  const origin = originOf(dialectSchema, path.split('.'));
  return origin !== undefined && 'shown' in origin;
}

/** How the value at such a path is written; undefined if the kind of its schema says it. */
export function formAt(path: string): string | undefined {
  let schema: z.ZodType | undefined = dialectSchema;
  for (const name of path.split('.')) schema = schema && keysOf(schema)[name];
  return schema && factsOf(schema).form;
}

export type AnswerPart = keyof Dialect['answer'];

/** The dialect that docs/platform-api.md describes and the sandbox speaks. */
export const NEUTRAL_DIALECT: Dialect = dialectSchema.parse({});

/** A dialect as a file has it: `dialectSchema` parses it back to the same dialect. */
export type DialectFile = Readonly<Record<string, JsonValue>>;

/** Every key, with its value; of the other sections of `answer` those that differ from `answer.read`. */
export function wholeFile(dialect: Dialect): DialectFile {
  const { answer, asks, limits, prices, requires } = dialect;
  return {
    ...dialect,
    prices: without(prices, (name, price) => asks[name]?.price === price),
    requires: without(requires, (name) => name in asks),
    answer: {
      ...answer,
      webhook: changesOf({ ...answer.webhook }, withoutStatus(answer.read)),
      submit: changesOf({ ...answer.submit }, answer.read),
    },
    limits: { ...limits, rate: formatRate(limits.rate) },
  };
}

function without<T>(
  byName: Readonly<Record<string, T>>,
  isLeftOut: (name: string, value: T) => boolean,
): Record<string, T> {
  return Object.fromEntries(Object.entries(byName).filter((entry) => !isLeftOut(...entry)));
}

/** The file with only the keys that differ from `base`; a list is one value. */
export function changedFile(dialect: Dialect, base: Dialect): DialectFile {
  return changesOf(wholeFile(dialect), wholeFile(base));
}

function changesOf(file: DialectFile, base: DialectFile): DialectFile {
  const changes = Object.entries(file).flatMap(([key, value]) => {
    const before = base[key];
    if (isJsonObject(value) && isJsonObject(before)) {
      const inner = changesOf(value, before);
      return Object.keys(inner).length === 0 ? [] : [[key, inner] as const];
    }
    return JSON.stringify(value) === JSON.stringify(before) ? [] : [[key, value] as const];
  });
  return Object.fromEntries(changes);
}
