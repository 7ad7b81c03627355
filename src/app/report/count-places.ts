// Counts the first leads with each reason, as places in the input.
import type { LeadAnswer } from '../../model/answer.js';
import type { PlaceOfLine } from '../../model/report/run-figures.js';
import type { StatusReason } from '../../model/tally.js';

const PLACES_MAX = 5;

export function createPlaceCount(reasons: readonly StatusReason[]) {
  const places = new Map<StatusReason, PlaceOfLine[]>();
  const byText = new Map<string, PlaceOfLine[]>();
  for (const one of reasons) {
    const found: PlaceOfLine[] = [];
    places.set(one, found);
    byText.set(keyOf(one.status, one.reason), found);
  }

  return {
    add({ askedAgain, file: source, line, reason, status }: LeadAnswer): void {
      if (reason === null) return;
      const found =
        askedAgain === undefined
          ? byText.get(keyOf(status, reason))
          : byText.get(keyOf(askedAgain, reasonAgain(askedAgain, reason)));
      if (found !== undefined && found.length < PLACES_MAX) found.push({ source, line });
    },
    placesOf: (one: StatusReason): readonly PlaceOfLine[] => places.get(one) ?? [],
  };
}

function keyOf(status: string, reason: string): string {
  return `${status} ${reason}`;
}

/** The part of a row's reason about the newer request, without the words about the older answer. */
function reasonAgain(askedAgain: string, reason: string): string {
  const head = `an older answer; asked again: ${askedAgain} (`;
  return reason.startsWith(head) ? reason.slice(head.length, -1) : reason;
}
