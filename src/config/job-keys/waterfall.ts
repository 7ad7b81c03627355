// The keys of a waterfall: platforms that are asked in turn, each with the keys that a job has for its platform.
import * as z from 'zod';
import { type JobKey, plain } from './key.js';
import { choice, job } from './leads.js';
import { payment, platform, webhooks } from './platform.js';

const WAIT_OR_SKIP = {
  schema: z.enum(['wait', 'skip']),
  default: 'wait',
} as const;

const conduct = {
  'on-unavailable': {
    ...WAIT_OR_SKIP,
    meaning:
      'Whether leads of a [waterfall](../waterfall.md#when-a-platform-fails) wait for a step that cannot be asked: it is down, refuses the credentials, or its credits, budget or cap are used up',
    more: 'With `skip` they go on to the next step, and `sluice retry` asks it for those that stay without a value.',
  },
  'on-uncertain': {
    ...WAIT_OR_SKIP,
    meaning:
      'Whether a lead of a waterfall waits at a step of which it is not known if it will answer: the send is uncertain, or has timed out',
    more: 'With `skip` it goes on to the next step; a late answer counts all the same.',
  },
} as const satisfies Readonly<Record<string, JobKey>>;

/** The keys of a job that each step may state for itself. */
const OF_STEP = {
  url: job.url,
  ask: job.ask,
  where: choice.where,
  budget: job.budget,
  'fresh-for': payment['fresh-for'],
  credit: payment.credit,
  prices: payment.prices,
  'first-batch': payment['first-batch'],
  'stop-below': payment['stop-below'],
  ...platform,
  ...webhooks,
  ...conduct,
} as const satisfies Readonly<Record<string, JobKey>>;

const NAME = 'a step is named by up to 40 letters, digits, dots, hyphens and underscores';
const ACCEPT =
  'accept says which addresses end the search: {find_email: [deliverable, risky, unknown], company_matches: true}, or words of the platform for a status';

type StepShape = {
  [K in keyof typeof OF_STEP]: z.ZodOptional<(typeof OF_STEP)[K]['schema']>;
};

const step = z
  .strictObject({
    name: z
      .string()
      .regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,39}$/u, NAME)
      .optional()
      .describe('Name of the step in tables and reports; default: its dialect, or its account'),
    verifies: z
      .literal('find_email')
      .optional()
      .describe('The step asks verify_email for the address that an earlier step has found'),
    ...(Object.fromEntries(
      Object.entries(OF_STEP).map(([name, { meaning, schema }]) => [
        name,
        schema.optional().describe(plain(meaning)),
      ]),
    ) as StepShape),
  })
  .refine(
    ({ ask, verifies }) => ask === undefined || verifies === undefined,
    'a step that verifies states no ask: it asks verify_email',
  );

/** Every key of a step, so that an error can name those that are known. */
export const STEP_KEYS = { name: '', verifies: '', ...OF_STEP };

export type StatedStep = z.output<typeof step>;

export function nameOfStep({ account, dialect, name }: StatedStep, index: number): string {
  return name ?? dialect ?? account ?? `step-${index + 1}`;
}

export const waterfallKeys = {
  waterfall: {
    schema: z
      .array(step, 'a waterfall is a list of steps')
      .min(1, 'a waterfall has a step or more')
      .max(20, 'a waterfall has 20 steps at most')
      .readonly(),
    form: 'list of steps',
    meaning:
      'The [platforms to ask in turn](../waterfall.md), each only for what the ones before it did not find',
    more: 'Each step states its platform, with the keys that a job has for it.',
    mayBeSecret: true,
  },
  accept: {
    schema: z.strictObject(
      {
        find_email: z
          .array(z.string(ACCEPT).regex(/^(?!undeliverable$)\S{1,64}$/, ACCEPT), ACCEPT)
          .min(1, ACCEPT)
          .readonly()
          .optional()
          .describe("Statuses, or the platform's own words for them"),
        company_matches: z
          .boolean()
          .optional()
          .describe('Whether an address is doubtful whose answer shows another company'),
      },
      ACCEPT,
    ),
    default: {},
    otherwise: '`{find_email: [deliverable]}`',
    form: '`find_email`: list, `company_matches`',
    meaning:
      "The addresses that end a [waterfall](../waterfall.md#what-ends-the-search), by their status or the platform's own word for it",
    more: 'An address of a platform that tells no status is accepted. With `company_matches: true` one whose answer shows another company than the one asked about is doubtful: it is shown only if no step finds a better one.',
  },
  verify: {
    schema: z.enum(['open', 'all']),
    default: 'open',
    meaning:
      'The addresses that a step which verifies is asked about: those that are not accepted yet, or all',
  },
  ...conduct,
} as const satisfies Readonly<Record<string, JobKey>>;
