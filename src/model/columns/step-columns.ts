// The columns of a waterfall: the step that each value is from, and what became of every step that was asked.
import type { LeadAnswer } from '../answer.js';
import { type Ask, asksOf, type CustomAsks } from '../ask.js';
import { madeOnce } from '../made-once.js';
import type { JsonValue } from '../text/json.js';
import type { Origin } from '../waterfall/provenance.js';
import type { ColumnSpec } from './column-spec.js';

interface StepColumn extends ColumnSpec {
  readonly read: (provenance: NonNullable<LeadAnswer['provenance']>) => JsonValue | undefined;
}

type ReadOrigin = (provenance: NonNullable<LeadAnswer['provenance']>) => Origin | undefined;

const EMAIL_ASKS = asksOf('find_email');

/** The columns of the step that found a value. */
function originColumns(
  name: string,
  asks: readonly Ask[],
  words: string,
  read: ReadOrigin,
): StepColumn[] {
  return [
    {
      name: `${name}_from`,
      type: 'text',
      asks,
      about: `The step of the waterfall that found the ${words} of this row`,
      read: (provenance) => read(provenance)?.step,
    },
    {
      name: `${name}_found_at`,
      type: 'date and time',
      asks,
      about: `The time of that step's answer: ISO 8601, UTC`,
      read: (provenance) => timeOf(read(provenance)),
    },
  ];
}

const NONE: CustomAsks = {};

export function stepColumns(custom: CustomAsks = NONE): readonly StepColumn[] {
  return columnsFor(custom);
}

/** Rows are many, and their columns are always the same. */
const columnsFor = madeOnce((custom: CustomAsks): readonly StepColumn[] => [
  ...originColumns('email', EMAIL_ASKS, 'address', ({ email }) => email),
  ...originColumns('phone', asksOf('find_phone'), 'phone number', ({ phone }) => phone),
  ...originColumns(
    'profile',
    asksOf('social_enrichment'),
    'profile, with its positions,',
    ({ profile }) => profile,
  ),
  ...Object.keys(custom).flatMap((ask) =>
    originColumns(ask, [ask], `values of ${ask}`, (provenance) => provenance.custom?.[ask]),
  ),
  {
    name: 'email_verified_by',
    type: 'text',
    asks: EMAIL_ASKS,
    about: 'The step that verified the address',
    read: (provenance) => provenance.emailVerifiedBy,
  },
  {
    name: 'sluice_tried',
    type: 'text',
    about:
      'What became of each step that was asked, in their order, as `first:not_found second:risky check:rejected`',
    read: ({ tried }) =>
      tried.length === 0
        ? undefined
        : tried.map(({ outcome, step }) => `${step}:${outcome}`).join(' '),
  },
]);

function timeOf(origin: Origin | undefined): string | undefined {
  return typeof origin?.at === 'number' ? new Date(origin.at).toISOString() : undefined;
}
