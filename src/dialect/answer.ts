// The parts of a dialect that describe results: the call by ticket, the body of an answer, and inside it the blocks and
// the fields of each block. Our names on the left, the platform's on the right: a list of paths, tried in order.
import * as z from 'zod';
import {
  COMPANY_FIELDS,
  type EmailStatus,
  POSITION_FIELDS,
  PROFILE_FIELDS,
} from '../model/result.js';
import { parseDuration } from '../model/text/time.js';
import {
  aliasTable,
  innerPath,
  pathsUpTo,
  placeholdersOf,
  ticketPaths,
  wirePaths,
} from './parts.js';
import { type Signals, statelessSignals, stateSignals, wireSignals } from './signal.js';

const EVERY_FORM = 'a time between two reads is written "30s" or "5m"';

/** The result by ticket; null where nothing can be read by one. */
export const resultSchema = z
  .strictObject({
    method: z.enum(['GET', 'POST']).default('GET'),
    path: ticketPaths().default('/enrich/{id}'),
    /** For the ticket of a whole bulk call (`bulk.answer.batchTicket`); null: the path above. */
    batchPath: ticketPaths().nullable().default(null),
    /** In the body of a POST: where the ticket is written. Then it is in no path. */
    id: innerPath.nullable().default(null),
    /** At least this long between two reads of one ticket. */
    every: z
      .string(EVERY_FORM)
      .refine((text) => parseDuration(text) !== undefined, EVERY_FORM)
      .default('0s'),
  })
  .superRefine(({ id, method, path, batchPath }, context) => {
    for (const [key, one] of Object.entries({ path, batchPath })) {
      const paths = typeof one === 'string' ? [one] : Object.values(one ?? {});
      const count = id === null ? 1 : 0;
      if (paths.every((each) => placeholdersOf(each).length === count)) continue;
      const rule =
        id === null
          ? 'holds {id} exactly once, unless result.id says where it stands in the body'
          : 'has no {id}, since result.id says where it stands in the body';
      context.addIssue({ code: 'custom', path: [key], message: `the path ${rule}` });
    }
    if (id === null || method === 'POST') return;
    const message = 'a GET has no body for the ticket: set result.method to POST';
    context.addIssue({ code: 'custom', path: ['id'], message });
  })
  .nullable()
  .prefault({});

/** How the body of an answer is read (docs/platform-api.md, Enrichment result). */
export type AnswerSection = {
  /** The entries: an array of them, or one object; `.` when the body is the one entry. */
  readonly entries: readonly string[];
  /** In an entry: its ticket, our metadata, and the object that holds the blocks. */
  readonly ticket: readonly string[];
  readonly metadata: readonly string[];
  readonly blocks: readonly string[];
  /** There is no result yet. */
  readonly pending: Signals;
  /** The result is there, whatever it holds. A text that none of them names, beside no value, is a word for something else. */
  readonly done: Signals;
  /** There is none, and there will be none. */
  readonly notFound: Signals;
  readonly failed: Signals;
  /** The ticket is not known. */
  readonly unknown: Signals;
  /** No end: the result comes when there are credits again. */
  readonly outOfCredits: Signals;
  /** The reason of a failure, in an entry or in the body. */
  readonly reason: readonly string[];
  /** In an entry: what says nothing about the result, and need not be read. */
  readonly ignored: readonly string[];
  /** What was not found is null; otherwise it is absent. Both are read as the same. */
  readonly nulls: boolean;
};

/** A webhook's body; of another type, it is another event. One without a type is taken for one of these. */
export type WebhookSection = AnswerSection & {
  /** In an entry or in the body. */
  readonly type: readonly string[];
  readonly types: readonly string[];
};

/** A platform may send a whole profile beside each answer. */
const ignoredPaths = pathsUpTo(200);

const readSchema = z
  .strictObject({
    entries: wirePaths.prefault(['data']),
    ticket: wirePaths.prefault(['id']),
    metadata: wirePaths.prefault(['metadata']),
    blocks: wirePaths.prefault(['data']),
    pending: stateSignals.prefault([{ status: 202 }]),
    done: stateSignals.prefault([]),
    notFound: stateSignals.prefault([]),
    failed: wireSignals.prefault([{ at: 'type', values: ['enrichmentError'] }]),
    unknown: stateSignals.prefault([{ status: 404 }, { status: 410 }]),
    outOfCredits: wireSignals.prefault([]),
    reason: wirePaths.prefault(['error']),
    ignored: ignoredPaths.prefault([]),
    nulls: z.boolean().default(false),
  } satisfies Record<keyof AnswerSection, z.ZodType>)
  .prefault({});

/** What is not named is as in `read`. */
const submitSchema = z
  .strictObject({
    entries: wirePaths.exactOptional(),
    ticket: wirePaths.exactOptional(),
    metadata: wirePaths.exactOptional(),
    blocks: wirePaths.exactOptional(),
    pending: stateSignals.exactOptional(),
    done: stateSignals.exactOptional(),
    notFound: stateSignals.exactOptional(),
    failed: wireSignals.exactOptional(),
    unknown: stateSignals.exactOptional(),
    outOfCredits: wireSignals.exactOptional(),
    reason: wirePaths.exactOptional(),
    ignored: ignoredPaths.exactOptional(),
    nulls: z.boolean().exactOptional(),
  } satisfies Record<keyof AnswerSection, z.ZodType>)
  .prefault({});

const webhookSchema = z
  .strictObject({
    entries: wirePaths.exactOptional(),
    ticket: wirePaths.exactOptional(),
    metadata: wirePaths.exactOptional(),
    blocks: wirePaths.exactOptional(),
    pending: statelessSignals.exactOptional(),
    done: statelessSignals.exactOptional(),
    notFound: statelessSignals.exactOptional(),
    failed: statelessSignals.exactOptional(),
    unknown: statelessSignals.exactOptional(),
    outOfCredits: statelessSignals.exactOptional(),
    reason: wirePaths.exactOptional(),
    ignored: ignoredPaths.exactOptional(),
    nulls: z.boolean().exactOptional(),
    type: wirePaths.prefault(['type']),
    types: z
      .array(z.string().min(1))
      .max(20)
      .readonly()
      .default(['enrichmentDone', 'enrichmentError']),
  } satisfies Record<keyof WebhookSection, z.ZodType>)
  .prefault({});

/**
 * The answer to a read by ticket, what a webhook brings, and the answer to a submission that has the result: what the
 * last two do not name is as in `read`.
 */
export const answerSchema = z
  .strictObject({ read: readSchema, webhook: webhookSchema, submit: submitSchema })
  .transform(
    ({
      read,
      webhook,
      submit,
    }): { read: AnswerSection; webhook: WebhookSection; submit: AnswerSection } => ({
      read,
      webhook: { ...withoutStatus(read), ...webhook },
      submit: { ...read, ...submit },
    }),
  )
  .prefault({});

function stateless(signals: Signals): Signals {
  return signals.filter(({ status }) => status === undefined);
}

/** What a section without a status is where it says nothing of its own: a signal with a status never holds there. */
export function withoutStatus(section: AnswerSection): AnswerSection {
  return {
    ...section,
    pending: stateless(section.pending),
    done: stateless(section.done),
    notFound: stateless(section.notFound),
    failed: stateless(section.failed),
    unknown: stateless(section.unknown),
    outOfCredits: stateless(section.outOfCredits),
  };
}

/**
 * The place of each block among the blocks of an entry (docs/platform-api.md, Enrichment result).
 * `verify_email` has no block of its own there: its answer arrives in `find_email`.
 */
export const blocksSchema = z
  .strictObject({
    find_email: wirePaths.prefault(['find_email']),
    verify_email: wirePaths.prefault(['find_email']),
    find_phone: wirePaths.prefault(['find_phone']),
    social_enrichment: wirePaths.prefault(['social_enrichment']),
  })
  .prefault({});

const alias = (neutral: string) => wirePaths.prefault(neutral);

/** The shape of a profile around its fields: groups, positions and dates. */
const structureSchema = z
  .strictObject({
    positionGroups: alias('positionGroups'),
    company: alias('company'),
    date: alias('date'),
    profilePositions: alias('profilePositions'),
    start: alias('start'),
    end: alias('end'),
    month: alias('month'),
    year: alias('year'),
  })
  .prefault({});

/** The fields inside the blocks, with their neutral names (docs/platform-api.md, Resources). */
export const fieldsSchema = z
  .strictObject({
    find_email: z.strictObject({ email: alias('email'), status: alias('status') }).prefault({}),
    find_phone: z.strictObject({ phone: alias('phone') }).prefault({}),
    profile: aliasTable(PROFILE_FIELDS),
    company: aliasTable(COMPANY_FIELDS),
    position: aliasTable(POSITION_FIELDS),
    structure: structureSchema,
  })
  .prefault({});

/** The words of e-mail statuses, each with the platform's words for it, in any case; what no list names is `unknown`. */
export const emailStatusesSchema = z
  .strictObject({
    deliverable: statusWords(['deliverable', 'valid', 'verified']),
    risky: statusWords(['risky', 'catch_all', 'catch-all', 'accept_all']),
    undeliverable: statusWords(['undeliverable', 'invalid']),
    unknown: statusWords(['unknown']),
  } satisfies Record<EmailStatus, z.ZodType>)
  .superRefine((statuses, context) => {
    const seen = new Map<string, string>();
    for (const [status, words] of Object.entries(statuses)) {
      for (const word of words.map((one) => one.toLowerCase())) {
        const other = seen.get(word);
        seen.set(word, status);
        if (other === undefined || other === status) continue;
        const message = `"${word}" is also a word for ${other}: name both lists, and the word in one of them`;
        context.addIssue({ code: 'custom', path: [status], message });
      }
    }
  })
  .prefault({});

function statusWords(neutral: readonly string[]) {
  return z
    .array(z.string().min(1).max(100))
    .max(50)
    .readonly()
    .default([...neutral]);
}
