// Finds the input's column for the same thing as a column that Sluice adds, and whether a lead has a value in it.
import { domainOwner } from '../../identity/domain-owner.js';
import { registrableDomain } from '../../identity/registrable-domain.js';
import type { InputName } from '../../model/ask.js';
import type { Column } from '../../model/lead.js';
import { type FoundColumn, nameOfMapped } from '../../model/mapping/find-column.js';
import { type MappedInput } from '../../model/mapping/mapping.js';
import { holdsOwn, lookForOwn, type OwnWish } from '../../model/mapping/own-columns.js';
import { normaliseInput } from '../../model/normalise.js';
import type { JsonValue } from '../../model/text/json.js';
import { mappedText } from '../../run/to-lead-entry.js';
import { shownColumns } from './shown-columns.js';

export interface OwnColumn {
  readonly name: string;
  readonly index: number;
  holds(cells: readonly JsonValue[]): boolean;
}

/** The input that is the same thing as a column of the table. */
const INPUT_OF: Readonly<Record<string, InputName>> = {
  email: 'email',
  social_url: 'socialUrl',
  social_first_name: 'firstName',
  social_last_name: 'lastName',
  company_name: 'companyName',
  company_domain: 'companyDomain',
};

interface InputShape {
  readonly columns: readonly Column[];
  readonly mapping: readonly MappedInput[];
  /** The user's own columns that the table fills. */
  readonly fill: OwnWish | undefined;
}

/** The input's own column for one that Sluice adds; undefined if there is none. */
export function findOwn(
  column: string,
  { columns, fill, mapping }: InputShape,
): OwnColumn | undefined {
  const shown = shownColumns(columns);
  if (column === 'phone') {
    return asOwn(lookForOwn(columns, 'phone', fill ?? {}), shown, (text) =>
      holdsOwn('phone', text, registrableDomain),
    );
  }
  const input = INPUT_OF[column];
  if (input === undefined) return undefined;
  const mapped = mapping.find((one) => one.input === input);
  // A job that finds addresses sends none, so the column of existing addresses feeds no input.
  const found = mapped ?? (input === 'email' ? lookForOwn(columns, input, fill ?? {}) : undefined);
  return asOwn(
    found,
    shown,
    (text) => normaliseInput(input, text, registrableDomain, domainOwner).kind === 'value',
  );
}

function asOwn(
  found: FoundColumn | undefined,
  shown: readonly Column[],
  isValue: (text: string) => boolean,
): OwnColumn | undefined {
  if (found === undefined) return undefined;
  return {
    name: nameOfMapped({ ...found, column: shown[found.index] ?? found.column }),
    index: found.index,
    holds: (cells) => {
      const text = mappedText(found, cells);
      return text !== undefined && text !== '' && isValue(text);
    },
  };
}
