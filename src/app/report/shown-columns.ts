// The names of the input's columns in a report, which shows no person: if the header is missing, its names are values
// of a lead.
import type { Column } from '../../model/lead.js';
import { nameOfMapped } from '../../model/mapping/find-column.js';
import type { Run } from '../../model/run.js';
import type { RunTally } from '../../model/tally.js';

/** An e-mail address, a web address or a phone number. */
const LEAD_VALUE = /^[^\s@]{1,64}@[^\s@.]{1,63}\.[^\s@]{1,255}$|^https?:\/\/|^\+?[\d ().-]{7,40}$/i;

/** The columns with names that may be shown: with their places as names if one of the names is a value. */
export function shownColumns(columns: readonly Column[]): readonly Column[] {
  if (!columns.some(({ name }) => LEAD_VALUE.test(name.trim()))) return columns;
  return columns.map((_, n) => ({ key: `column ${n + 1}`, name: `column ${n + 1}` }));
}

/** The same for the reasons, which name the columns that fed inputs. */
export function shownTally(tally: RunTally, { columns, mapping }: Run): RunTally {
  const shown = shownColumns(columns);
  if (shown === columns) return tally;
  const withoutNames = <R extends { readonly reason: string }>(one: R): R => {
    const reason = mapping.reduce(
      (text, mapped) =>
        text.replaceAll(nameOfMapped(mapped), shown[mapped.index]?.name ?? 'a column'),
      one.reason,
    );
    return { ...one, reason };
  };
  return {
    ...tally,
    reasons: tally.reasons.map(withoutNames),
    inPart: { ...tally.inPart, reasons: tally.inPart.reasons.map(withoutNames) },
  };
}
