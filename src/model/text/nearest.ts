// "Did you mean …?": finds the known names closest to a misspelt word.

const NAMES_MAX = 3;
/** A longer word is not a typing mistake, and comparing it would cost its length squared. */
const WORD_LENGTH_MAX = 64;

/** How many letters of a word may be wrong: a share of its length, at least one letter, and at most this many. */
export interface Reach {
  readonly share: number;
  readonly max: number;
}

const NEAR: Reach = { share: 1 / 3, max: 3 };

/** ` Did you mean "enrich"?`; empty if none of the known names is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const [near] = nearestNames(word, known);
  return near === undefined ? '' : ` Did you mean "${near}"?`;
}

/**
 * The nearest first, then in the order given; at most three. Case, `_` and `-` do not count. If none is near, those of
 * which the word is a part, like `phone` of `find_phone`.
 */
export function nearestNames(
  word: string,
  candidates: readonly string[],
  reach: Reach = NEAR,
): string[] {
  const plain = plainOf(word);
  if (plain === '' || plain.length > WORD_LENGTH_MAX) return [];
  const distanceMax = Math.max(1, Math.min(reach.max, Math.floor(plain.length * reach.share)));
  const near = candidates
    .map((name) => ({ name, distance: editDistance(plain, plainOf(name)) }))
    .filter(({ distance }) => distance <= distanceMax)
    .sort((a, b) => a.distance - b.distance);
  if (near.length === 0) {
    const hasPart = (name: string) => name.split(/[-_ ]/).some((part) => plainOf(part) === plain);
    return candidates.filter(hasPart).slice(0, NAMES_MAX);
  }
  // Beside a much nearer name the others would only distract.
  const isClose = ({ distance }: { distance: number }) => distance <= (near[0]?.distance ?? 0) + 1;
  return near
    .filter(isClose)
    .slice(0, NAMES_MAX)
    .map(({ name }) => name);
}

function plainOf(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/g, '');
}

/** Insertions, deletions, replacements and swaps of two neighbours that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
