import { type InputName, needsOf, sufficientAsks } from '../model/ask.js';
import { describeLookAlikes, type LookAlike, lookAlikes } from '../model/mapping/look-alikes.js';
import { isFindingAddresses, type MappedColumns } from '../model/mapping/mapping.js';
import { formatCount, formatNumber } from '../model/text/count.js';
import type { NeedTerms } from './run-context.js';
import { knownInputs } from './to-lead-entry.js';

export interface Lack {
  readonly leads: number;
  readonly skipped: number;
  /** None if half of the first records or fewer are skipped. */
  readonly alike: readonly LookAlike[];
}

export function lackOf(judged: MappedColumns, terms: NeedTerms): Lack {
  const { firstValues, mapping } = judged;
  const { ask, requirements } = terms;
  const { length: leads } = firstValues.records;
  const skipped = firstValues.records
    .map(({ cells, flaw }) => (flaw === undefined ? knownInputs(cells, mapping, terms) : {}))
    .filter((inputs) => sufficientAsks(ask, inputs, requirements).asked.length === 0)
    .map((inputs) => Object.keys(inputs) as InputName[]);
  if (skipped.length * 2 <= leads) return { leads, skipped: skipped.length, alike: [] };
  const known = mostFrequent(skipped);
  const look = (alternatives: readonly (readonly InputName[])[]) =>
    lookAlikes(judged, { alternatives, known });
  const all = ask.flatMap((one) => needsOf(requirements, one));
  // A job that finds addresses does not send given ones, so it first looks for other columns.
  const others = look(
    isFindingAddresses(ask) ? all.filter((names) => !names.includes('email')) : all,
  );
  const isForMore = ask.some((one) => one !== 'find_email');
  const alike = others.length === 0 && isForMore ? look(all) : others;
  return { leads, skipped: skipped.length, alike };
}

function mostFrequent(all: readonly (readonly InputName[])[]): readonly InputName[] {
  const counts = new Map<string, number>();
  for (const names of all) counts.set(names.join(), (counts.get(names.join()) ?? 0) + 1);
  return all.toSorted((a, b) => (counts.get(b.join()) ?? 0) - (counts.get(a.join()) ?? 0))[0] ?? [];
}

/** `1,830 of 2,000 leads are skipped: …`; empty if no column is alike, or half of the leads or fewer are skipped. */
export function describeLack({ leads, skipped, alike }: Lack): string {
  if (alike.length === 0 || skipped * 2 <= leads) return '';
  const some = `${formatNumber(skipped)} of ${formatCount(leads, 'lead')}`;
  return `${some} ${leads === 1 ? 'is' : 'are'} skipped: ${describeLookAlikes(alike)}`;
}
