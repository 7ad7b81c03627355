// Waterfalls and the answers of their steps, by hand and at random: no step is asked what another one was not asked
// before it, and a step answers what it was asked.
import * as fc from 'fast-check';
import type { LeadAnswer, LeadStatus } from '../../../src/model/answer.js';
import type { Ask } from '../../../src/model/ask.js';
import type { EmailStatus, Result } from '../../../src/model/result.js';
import {
  questionOf,
  type StepAnswers,
  type StepQuestion,
  type Waterfall,
} from '../../../src/model/waterfall/waterfall.js';
import { leadAnswer } from '../../helpers/lead-answer.js';

const EMAIL_WORDS = ['deliverable', 'risky', 'unknown', 'undeliverable'] as const;
export const WANTED: readonly Ask[] = ['find_email', 'social_enrichment', 'find_phone'];
/** Asked for all that is wanted, unless a test says what. */
const EVERYTHING = [...WANTED];

/** The lead of a waterfall as its own run holds it. */
export const HELD = leadAnswer({
  position: 7,
  line: 8,
  status: 'skipped',
  ticket: null,
  source: null,
  enrichedAt: null,
  cells: ['ada', 'example.com'],
});

/** The answer of a step. */
export function answered(
  status: LeadStatus,
  result: Result | null = null,
  changes: Partial<LeadAnswer> = {},
): LeadAnswer {
  const isPaid = status === 'found' || status === 'not_found';
  return {
    ...HELD,
    status,
    result,
    ask: EVERYTHING,
    inputs: { firstName: 'ada', companyDomain: 'example.com' },
    ...(isPaid && { source: 'api', paidBy: 2, enrichedAt: 1_000 }),
    ...changes,
  };
}

export function address(email: string, status?: EmailStatus): Result {
  return { find_email: { email, ...(status !== undefined && { status, platformStatus: status }) } };
}

/** The verdict of a step that was asked about an address. */
export function verdict(email: string, status: EmailStatus): LeadAnswer {
  return answered('found', address(email, status), { ask: ['verify_email'], inputs: { email } });
}

export const NOTHING_ASKED = answered('not_asked', null, { ask: [], inputs: {} });

/** Steps by their asks; `verify_email` alone makes one that verifies. */
export function waterfall(
  steps: readonly (readonly Ask[])[],
  changes: Partial<Waterfall> = {},
): Waterfall {
  return {
    steps: steps.map((ask, n) => ({
      name: `s${n}`,
      ask,
      verifies: ask.includes('verify_email'),
    })),
    accept: ['deliverable'],
    verify: 'open',
    ...changes,
  };
}

const STEPS_MAX = 6;

export const aWaterfall = fc
  .record({
    first: fc.subarray(EVERYTHING, { minLength: 1 }),
    others: fc.array(
      fc.oneof(fc.subarray(EVERYTHING, { minLength: 1 }), fc.constant(['verify_email'])),
      { maxLength: STEPS_MAX - 1 },
    ),
    accept: fc.subarray<EmailStatus>(['deliverable', 'risky', 'unknown'], { minLength: 1 }),
    verify: fc.constantFrom('open' as const, 'all' as const),
  })
  .map(({ first, others, accept, verify }) => waterfall([first, ...others], { accept, verify }));

/** A lead on its way through a waterfall, and the question of each step that it has reached. */
export interface Way {
  readonly waterfall: Waterfall;
  readonly wanted: readonly Ask[];
  readonly answers: StepAnswers;
  readonly questions: readonly StepQuestion[];
}

const ADDRESSES = ['ada@a.example', 'Ada@B.example', 'jörg@müller.example'];

const aDraw = fc.record({
  email: fc.option(fc.constantFrom(...ADDRESSES), { nil: undefined }),
  status: fc.option(fc.constantFrom(...EMAIL_WORDS), { nil: undefined }),
  hasPhone: fc.boolean(),
  hasProfile: fc.boolean(),
  fate: fc.constantFrom('answered', 'answered', 'answered', 'failed', 'open' as const),
  open: fc.constantFrom('queued', 'submitting', 'awaiting', 'uncertain', 'timed_out' as const),
  at: fc.integer({ min: 1, max: 9 }),
  thousandths: fc.integer({ min: 0, max: 9 }),
});
type Draw = typeof aDraw extends fc.Arbitrary<infer D> ? D : never;

/** The answer of a platform to a question. */
function answerTo(question: StepQuestion, draw: Draw, step: number): LeadAnswer {
  if (question.kind === 'none') return NOTHING_ASKED;
  const isToFind = question.kind === 'find';
  const changes: Partial<LeadAnswer> = {
    ask: isToFind ? question.ask : ['verify_email'],
    ...(!isToFind && { inputs: { email: sentAs(question.address) } }),
    credits: draw.thousandths / 1000,
    enrichedAt: draw.at,
    ticket: `t${step}`,
  };
  if (draw.fate === 'open') return answered(draw.open, null, { ...changes, enrichedAt: null });
  if (draw.fate === 'failed') return answered('failed', null, changes);
  const result = isToFind ? found(question.ask, draw, step) : verified(question.address, draw);
  return answered(Object.keys(result).length > 0 ? 'found' : 'not_found', result, changes);
}

function found(ask: readonly Ask[], draw: Draw, step: number): Result {
  const { email, status, hasPhone, hasProfile } = draw;
  return {
    ...(ask.includes('find_email') && email !== undefined && address(email, status)),
    ...(ask.includes('find_phone') && hasPhone && { find_phone: { phone: `+${step}` } }),
    ...(ask.includes('social_enrichment') &&
      hasProfile && { social_enrichment: { tagline: `of ${step}`, positionGroups: [] } }),
  };
}

function verified(email: string, { status }: Draw): Result {
  return status === undefined ? {} : address(email, status);
}

/** The address as a platform is asked about it. */
export function sentAs(email: string): string {
  return email.toLowerCase().replace('müller', 'xn--mller-kva');
}

/** Leads of a waterfall that have come as far as the first step that has not ended. */
export function aWayThrough(of: Waterfall): fc.Arbitrary<Way> {
  const draws = fc.array(aDraw, { minLength: STEPS_MAX, maxLength: STEPS_MAX });
  const wanted = fc.subarray(EVERYTHING, { minLength: 1 });
  return fc.tuple(wanted, draws, fc.nat(STEPS_MAX)).map((drawn) => walk(of, ...drawn));
}

function walk(of: Waterfall, wanted: readonly Ask[], draws: readonly Draw[], reached: number): Way {
  const answers: (LeadAnswer | undefined)[] = of.steps.map(() => undefined);
  const questions: StepQuestion[] = [];
  for (const step of of.steps.keys()) {
    const before = answers[step - 1];
    const waits = before !== undefined && OPEN.includes(before.status);
    if (waits || step > reached) break;
    const question = questionOf(of, step, answers.slice(0, step), wanted);
    questions.push(question);
    answers[step] = answerTo(question, draws[step] as Draw, step);
  }
  return { waterfall: of, wanted, answers, questions };
}

export const aWay: fc.Arbitrary<Way> = aWaterfall.chain(aWayThrough);

export const OPEN: readonly LeadStatus[] = [
  'queued',
  'submitting',
  'awaiting',
  'uncertain',
  'timed_out',
];
