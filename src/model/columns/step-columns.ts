// The columns of a waterfall: the step that each value is from, and what became of every step that was asked.
import type { LeadAnswer } from '../answer.js';
import type { JsonValue } from '../text/json.js';
import type { Origin } from '../waterfall/provenance.js';
import type { ColumnSpec } from './column-spec.js';

interface StepColumn extends ColumnSpec {
  readonly read: (provenance: NonNullable<LeadAnswer['provenance']>) => JsonValue | undefined;
}

type Value = 'email' | 'phone' | 'profile';

const NAMES: Readonly<Record<Value, string>> = {
  email: 'address',
  phone: 'phone number',
  profile: 'profile, with its positions,',
};

export const STEP_COLUMNS: readonly StepColumn[] = [
  ...(Object.keys(NAMES) as Value[]).flatMap((value): StepColumn[] => [
    {
      name: `${value}_from`,
      type: 'text',
      about: `The step of the waterfall that found the ${NAMES[value]} of this row`,
      read: (provenance) => provenance[value]?.step,
    },
    {
      name: `${value}_found_at`,
      type: 'date and time',
      about: `The time of that step's answer: ISO 8601, UTC`,
      read: (provenance) => timeOf(provenance[value]),
    },
  ]),
  {
    name: 'email_verified_by',
    type: 'text',
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
];

function timeOf(origin: Origin | undefined): string | undefined {
  return typeof origin?.at === 'number' ? new Date(origin.at).toISOString() : undefined;
}
