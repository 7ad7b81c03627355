// A dialect: everything about a platform's wire format that may differ from platform to platform
// (docs/platform-api.md marks it as assumed). The neutral default of each key is in this folder and nowhere else:
// `dialectSchema.parse({})` is the neutral dialect. A key that is not listed here is an error.
import * as z from 'zod';
import { ASKS, type Ask, INPUTS, type InputName, type Requirements } from '../model/ask.js';
import { isCredits } from '../model/credits.js';
import { formatRate, parseRate } from '../model/schedule/rate.js';
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
import { eventsSchema } from './events.js';
import { headerName, prefixSchema, wirePaths } from './parts.js';
import { bulkSchema, enrichSchema, headersSchema } from './question.js';
import { wireSignals } from './signal.js';
import { webhooksSchema } from './webhooks.js';

const RATE_FORM = 'a rate limit is written "20/2s" (requests / window) or "off"';

const rateSchema = z
  .string(RATE_FORM)
  .transform((text, context) => {
    const rate = parseRate(text);
    if (rate !== undefined) return rate;
    context.addIssue(RATE_FORM);
    return z.NEVER;
  })
  .prefault('20/2s');

/** How fast one may ask, and how the platform says what is left. */
const limitsSchema = z
  .strictObject({
    rate: rateSchema,
    headers: z
      .strictObject({
        limit: headerName.default('x-ratelimit-limit'),
        remaining: headerName.default('x-ratelimit-remaining'),
        reset: headerName.default('x-ratelimit-reset'),
        retryAfter: headerName.default('retry-after'),
      })
      .prefault({}),
    reset: z.enum(RESET_FORMATS).default('auto'),
    /** What is in another form is read as `auto` reads it: a pause that is asked for is kept. */
    retryAfter: z.enum(RESET_FORMATS).default('auto'),
    throttled: wireSignals.prefault([{ status: 429 }]),
  })
  .prefault({});

const PRICE_MAX = 1_000_000;
const PRICE_FORM = `a price is a number of credits from 0 to ${PRICE_MAX}, with three decimals at most`;

/** Credits for one hit. */
export const price = z.number(PRICE_FORM).max(PRICE_MAX, PRICE_FORM).refine(isCredits, PRICE_FORM);

/** Credits charged for one hit; misses are free. */
const pricesSchema = z
  .strictObject({
    find_email: price.default(5),
    verify_email: price.default(1),
    social_enrichment: price.default(1),
    find_phone: price.default(20),
  } satisfies Record<Ask, z.ZodType>)
  .prefault({});

// Which inputs suffice is documented nowhere: the neutral dialect leaves a lead out only where its inputs name no person,
// and out of `verify_email` where there is no address to verify. What the platform refuses costs nothing.
const NAME_AND_COMPANY: readonly (readonly InputName[])[] = [
  ['firstName', 'lastName', 'companyDomain'],
  ['firstName', 'lastName', 'companyName'],
];
const SOMEBODY: readonly (readonly InputName[])[] = [['socialUrl'], ['email'], ...NAME_AND_COMPANY];

const NEUTRAL: Requirements = {
  find_email: SOMEBODY,
  verify_email: [['email']],
  social_enrichment: SOMEBODY,
  find_phone: SOMEBODY,
};

/** What stands for the neutral rule in the digest of a job's terms. It never changes: by that digest the files are known that are done. */
const DIGESTED: Requirements = {
  find_email: [['socialUrl'], ...NAME_AND_COMPANY],
  verify_email: [['email']],
  social_enrichment: [['socialUrl'], ['email'], ...NAME_AND_COMPANY],
  find_phone: [['socialUrl']],
};

const alternatives = (ask: Ask) =>
  z
    .array(z.array(z.enum(INPUTS)).min(1).readonly())
    .min(1)
    .readonly()
    .prefault(NEUTRAL[ask].map((inputs) => [...inputs]));

/** For each ask the alternatives of inputs that suffice. */
const requiresSchema = z
  .strictObject({
    find_email: alternatives('find_email'),
    verify_email: alternatives('verify_email'),
    social_enrichment: alternatives('social_enrichment'),
    find_phone: alternatives('find_phone'),
  } satisfies Record<Ask, z.ZodType>)
  .prefault({});

/** The requirements as they go into the digest of a job's terms. */
export function digestedRequires(requires: Requirements): Requirements {
  const isNeutral = (ask: Ask) => JSON.stringify(requires[ask]) === JSON.stringify(NEUTRAL[ask]);
  const rules = ASKS.map((ask) => [ask, isNeutral(ask) ? DIGESTED[ask] : requires[ask]]);
  return Object.fromEntries(rules) as Requirements;
}

/** The whole dialect. Parsing `{}` gives the neutral one. */
export const dialectSchema = z
  .strictObject({
    prefix: prefixSchema,
    auth: authSchema,
    headers: headersSchema,
    enrich: enrichSchema,
    bulk: bulkSchema,
    result: resultSchema,
    /** Whether an empty answer is read a second time; null: while the platform has not shown that it means them. */
    'second-look': z.enum(['always', 'never']).nullable().default(null),
    account: accountSchema,
    peopleSchema: peopleSchemaSchema,
    answer: answerSchema,
    events: eventsSchema,
    webhooks: webhooksSchema,
    hooks: hooksSchema,
    lists: listsSchema,
    drafts: draftsSchema,
    blocks: blocksSchema,
    fields: fieldsSchema,
    emailStatuses: emailStatusesSchema,
    /** Where an error answer has its reason; text that is not JSON is its own reason. */
    errors: z
      .strictObject({
        reason: wirePaths.prefault(['error', 'error.message', 'message']),
        outOfCredits: wireSignals.prefault([{ status: 402 }]),
        /** Refused also under another status than 4xx: nothing was accepted. */
        refused: wireSignals.prefault([]),
      })
      .prefault({}),
    limits: limitsSchema,
    prices: pricesSchema,
    requires: requiresSchema,
  })
  .superRefine(checkForms);

/** A dialect with every default filled in. `prices` is a `Prices`, `requires` a `Requirements`. */
export type Dialect = z.output<typeof dialectSchema>;

/** How an answer came, as the sections of `answer` have it. */
export type AnswerPart = keyof Dialect['answer'];

/** The dialect that docs/platform-api.md describes and the sandbox speaks. */
export const NEUTRAL_DIALECT: Dialect = dialectSchema.parse({});

/** A dialect as a file has it: `dialectSchema` parses it back to the same dialect. */
export type DialectFile = Readonly<Record<string, JsonValue>>;

/** Every key, with its value; of the other sections of `answer` those that differ from `answer.read`. */
export function wholeFile(dialect: Dialect): DialectFile {
  const { answer, limits } = dialect;
  return {
    ...dialect,
    answer: {
      ...answer,
      webhook: changesOf({ ...answer.webhook }, withoutStatus(answer.read)),
      submit: changesOf({ ...answer.submit }, answer.read),
    },
    limits: { ...limits, rate: formatRate(limits.rate) },
  };
}

/** Only what differs from `base`; a list is one value. */
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
