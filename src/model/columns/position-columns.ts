// One column for each field of a position, its group and its company (docs/platform-api.md, Position group):
// the same set in every shape but `json`, each with how its cell is read.

import { COMPANY_FIELDS, POSITION_FIELDS } from '../result.js';
import type { JsonValue } from '../text/json.js';
import { formatPartialDate } from '../text/partial-date.js';
import { type ColumnSpec, fieldColumns } from './column-spec.js';
import type { PositionEntry } from './position-order.js';

interface PositionColumn extends ColumnSpec {
  readonly read: (entry: PositionEntry) => JsonValue | undefined;
}

/**
 * Names come without the prefix (`position`, `position_1` …). `company_*` is always the group's
 * company; the name that the position itself states for it is `stated_company_name`.
 */
export const POSITION_COLUMNS: readonly PositionColumn[] = [
  ...fieldColumns(
    POSITION_FIELDS,
    {
      title: 'Title of the position',
      description: 'What the person writes of the position',
      companyName: "The company's name as the position states it",
    },
    (name) => (name === 'company_name' ? 'stated_company_name' : name),
  ).map((column) => ({
    ...column,
    read: ({ position }: PositionEntry) => position?.[column.field],
  })),
  {
    name: 'start',
    type: 'month',
    about: 'When the position began: `2021-03`, or `2021`',
    read: ({ position }) => position && formatPartialDate(position.date.start),
  },
  {
    name: 'end',
    type: 'month',
    about: 'When the position ended; empty while it is current',
    read: ({ position }) => position && formatPartialDate(position.date.end),
  },
  {
    name: 'group_start',
    type: 'month',
    about: 'When the person came to the company',
    read: ({ group }) => formatPartialDate(group.date.start),
  },
  {
    name: 'group_end',
    type: 'month',
    about: 'When the person left the company; empty while they are there',
    read: ({ group }) => formatPartialDate(group.date.end),
  },
  ...fieldColumns(
    COMPANY_FIELDS,
    {
      id: "The company's number on the network",
      name: "The company's name",
      socialUrl: "The company's page on the network",
      socialUrlSalesNav: "The company's page in the network's sales tool",
      logo: "The company's logo",
      domain: "The company's domain",
      website: "The company's website",
      industry: 'Industry of the company',
      description: 'What the company writes of itself',
      employeesOnSocial: 'How many of its employees are on the network',
      foundedOn: 'The year in which the company was founded',
      headQuarter: 'Where its head quarter is',
      size: 'Number of employees, as a range',
      type: 'Legal or ownership type of the company',
    },
    (name) => `company_${name}`,
  ).map((column) => ({
    ...column,
    read: ({ group }: PositionEntry) => group.company[column.field],
  })),
];
