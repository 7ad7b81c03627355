// The parts of a dialect that describe results: the call by ticket, the body of an answer, and inside it the blocks and
// the fields of each block. Our names on the left, the platform's on the right: a list of paths, tried in order.
import * as z from 'zod';
import { COMPANY_FIELDS, type EmailStatus, PROFILE_FIELDS } from '../model/result.js';
import { parseDuration } from '../model/text/time.js';
import { guessed, KEYS, key, section, shown } from './keys.js';
import {
  aliasTable,
  callMethod,
  innerPath,
  pathsUpTo,
  placeholdersOf,
  ticketPaths,
  wirePaths,
} from './parts.js';
import { type Signals, statelessSignals, stateSignals, wireSignals } from './signal.js';

const EVERY_FORM = 'a time between two reads is written "30s" or "5m"';

export const resultSchema = z
  .strictObject({
    method: key(callMethod('GET', 'POST'), 'The method of the call.', shown('GET /enrich/{id}')),
    path: key(
      ticketPaths().default('/enrich/{id}'),
      'The path of the call. It holds `{id}`, the ticket, exactly once, unless `result.id` says where the ticket is.',
    ),
    batchPath: key(
      ticketPaths().nullable().default(null),
      'The path for the ticket of a whole bulk call (`bulk.answer.batchTicket`); null is `result.path`.',
    ),
    id: key(
      innerPath.nullable().default(null),
      'The place of the ticket in the body of a POST. Then no path holds `{id}`.',
    ),
    every: key(
      z
        .string(EVERY_FORM)
        .refine((text) => parseDuration(text) !== undefined, EVERY_FORM)
        .default('0s')
        .register(KEYS, { form: 'time, like `5m`' }),
      'The least time between two reads of one ticket.',
    ),
  })
  .superRefine(({ id, method, path, batchPath }, context) => {
    for (const [key, one] of Object.entries({ path, batchPath })) {
      const paths = typeof one === 'string' ? [one] : Object.values(one ?? {});
      const count = id === null ? 1 : 0;
      if (paths.every((each) => placeholdersOf(each).length === count)) continue;
      const rule =
        id === null
          ? 'holds {id} exactly once, unless result.id says where it is in the body'
          : 'has no {id}, since result.id says where it is in the body';
      context.addIssue({ code: 'custom', path: [key], message: `the path ${rule}` });
    }
    if (id === null || method === 'POST') return;
    const message = 'a GET has no body for the ticket: set result.method to POST';
    context.addIssue({ code: 'custom', path: ['id'], message });
  })
  .nullable()
  .prefault({});

/** A platform may send a whole profile beside each answer. */
const ignoredPaths = pathsUpTo(200);

const readSchema = section('The answer to a read by ticket.', {
  entries: key(
    wirePaths.prefault(['data']),
    'A list of entries, or one object; `.` is the body itself.',
    shown('Enrichment result'),
  ),
  ticket: key(wirePaths.prefault(['id']), 'The ticket, in an entry.', shown('Enrichment result')),
  metadata: key(
    wirePaths.prefault(['metadata']),
    'The text of ours that came back, in an entry.',
    guessed('the bulk call, but that there is one'),
  ),
  blocks: key(
    wirePaths.prefault(['data']),
    'The object that holds the blocks, in an entry.',
    shown('Enrichment result'),
  ),
  pending: key(stateSignals.prefault([{ status: 202 }]), 'There is no result yet.'),
  done: key(
    stateSignals.prefault([]),
    'The result is there, whatever it holds. Sluice goes by the values; a word there that is in no list is odd, if no value is beside it.',
  ),
  notFound: key(stateSignals.prefault([]), 'There is no result, and there will be none.'),
  failed: key(
    wireSignals.prefault([{ at: 'type', values: ['enrichmentError'] }]),
    'The enrichment failed.',
  ),
  unknown: key(
    stateSignals.prefault([{ status: 404 }, { status: 410 }]),
    "The ticket is not known. It is asked for again until the lead's deadline.",
  ),
  outOfCredits: key(
    wireSignals.prefault([]),
    'The result comes when there are credits again: the run stops sending, and the ticket is read again later.',
  ),
  reason: key(
    wirePaths.prefault(['error']),
    'The reason of a failure, in an entry or in the body.',
  ),
  ignored: key(
    ignoredPaths.prefault([]),
    'Values that say nothing of the result and need not be read, in an entry, with everything below them.',
  ),
});

export type AnswerSection = z.output<typeof readSchema>;

export type WebhookSection = AnswerSection & {
  readonly type: readonly string[];
  readonly types: readonly string[];
};

const OWN_PLACES = {
  entries: wirePaths.exactOptional(),
  ticket: wirePaths.exactOptional(),
  metadata: wirePaths.exactOptional(),
  blocks: wirePaths.exactOptional(),
  reason: wirePaths.exactOptional(),
};

const submitSchema = section(
  'The answer to a submission that has the result: the keys of `answer.read`. A key that is not named is as there.',
  {
    ...OWN_PLACES,
    pending: stateSignals.exactOptional(),
    done: stateSignals.exactOptional(),
    notFound: stateSignals.exactOptional(),
    failed: wireSignals.exactOptional(),
    unknown: stateSignals.exactOptional(),
    ignored: ignoredPaths.exactOptional(),
  } satisfies Partial<Record<keyof AnswerSection, z.ZodType>>,
);

const webhookSchema = section(
  'A webhook that brings a result: the keys of `answer.read`, and two more. Signals have no status here. A key that is not named is as there, without the signals that have a status.',
  {
    ...OWN_PLACES,
    pending: statelessSignals.exactOptional(),
    done: statelessSignals.exactOptional(),
    notFound: statelessSignals.exactOptional(),
    failed: statelessSignals.exactOptional(),
    type: key(
      wirePaths.prefault(['type']),
      'The type of the event, in the entry or the body; `[]` where there is none.',
      shown('Enrichment result'),
    ),
    types: key(
      z
        .array(z.string().min(1))
        .max(20)
        .readonly()
        .default(['enrichmentDone', 'enrichmentError'])
        .register(KEYS, { form: 'list of names' }),
      'The types that bring results. A webhook of another type is another event, one without a type is a result.',
      shown('Event types'),
    ),
  } satisfies Partial<Record<keyof WebhookSection, z.ZodType>>,
);

export const answerSchema = z
  .strictObject({ read: readSchema, webhook: webhookSchema, submit: submitSchema })
  .transform(({ read, webhook, submit }) => ({
    read,
    webhook: { ...withoutStatus(read), ...webhook } satisfies WebhookSection,
    submit: { ...read, ...submit } satisfies AnswerSection,
  }))
  .prefault({});

function stateless(signals: Signals): Signals {
  return signals.filter(({ status }) => status === undefined);
}

/** The defaults of a section for messages without a status: a signal with a status never holds there. */
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

export const blocksSchema = z
  .strictObject({
    find_email: wirePaths.prefault(['find_email']),
    verify_email: key(
      wirePaths.prefault(['find_email']),
      'The block that answers a verification; the neutral dialect has none of its own.',
      guessed('where a verification is answered'),
    ),
    find_phone: wirePaths.prefault(['find_phone']),
    social_enrichment: wirePaths.prefault(['social_enrichment']),
  })
  .prefault({});

const alias = (neutral: string) => wirePaths.prefault(neutral);

export const fieldsSchema = z
  .strictObject({
    find_email: section(
      'The fields of an e-mail address; of a verification as well.',
      { email: alias('email'), status: alias('status') },
      shown('Enrichment result'),
    ),
    find_phone: section(
      'The field of a phone number.',
      { phone: alias('phone') },
      shown('Enrichment result'),
    ),
    profile: key(aliasTable(PROFILE_FIELDS), 'The fields of a profile.', shown('Profile')),
    company: key(
      aliasTable(COMPANY_FIELDS),
      'The fields of the company of a position group.',
      shown('Company of a position group'),
    ),
  })
  .prefault({});

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
    .register(KEYS, { form: 'list of words' })
    .default([...neutral]);
}
