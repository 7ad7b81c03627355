// Which leads of a run show what, in memory: a byte for each lead, read from the store once in so many seconds. Leads of any
// outcome and reason, however rare, are found in it at once; the store keeps no index of them, which each of its writes
// would pay for. It may be some seconds old: whoever shows a lead reads it anew.
import type { StatusOfLead } from '../../../ports/store/runs.js';
import type { Store } from '../../../ports/store/store.js';

/** Of a position that was not looked at. */
const UNSEEN = 0;
/** Of whatever has no byte left of its own: it may be anything. */
const OTHER = 255;
const PORTION = 2_000;

export type StatusWords = Omit<StatusOfLead, 'position'>;
/** Whether leads that show this are looked for; `null` shows what nothing is known of. */
export type IsWanted = (shown: StatusWords | null) => boolean;

export interface Found {
  readonly positions: readonly number[];
  /** Up to where it was looked, or where that begins while it is not known; null: to the end, or to the first lead. */
  readonly reached: number | null;
}

export interface StatusMap {
  /** Whether every lead was looked at once, and when the last of them was. */
  readonly wholeAt: number | null;
  /** How long that took, in ms. */
  readonly tookMs: number;
  /** False where it does not tell what the lead shows. */
  knows(position: number): boolean;
  /** Looks at some thousand leads more, beginning anew after the last one; resolves with whether that was the last one. */
  lookFurther(): Promise<boolean>;
  /** Up to `limit` leads after, or before, the position, in this direction. */
  find(isWanted: IsWanted, from: number, direction: 'after' | 'before', limit: number): Found;
}

export function createStatusMap(
  store: Pick<Store, 'statuses'>,
  runId: number,
  now: () => number,
): StatusMap {
  let codes = new Uint8Array(PORTION);
  const words: StatusWords[] = [];
  const codeByKey = new Map<string, number>();
  /** The last position that any pass has looked at. */
  let seenTo = 0;
  let pass = { reached: 0, startedAt: now() };
  let wholeAt: number | null = null;
  let tookMs = 0;

  const codeOf = ({ position: _position, ...shown }: StatusOfLead): number => {
    const { askedAgain, inPart, reason, status } = shown;
    const key = `${status} ${askedAgain ?? ''} ${reason?.length ?? ''} ${reason ?? ''} ${inPart ?? ''}`;
    const known = codeByKey.get(key);
    if (known !== undefined) return known;
    if (words.length + 1 >= OTHER) return OTHER;
    words.push(shown);
    codeByKey.set(key, words.length);
    return words.length;
  };

  return {
    get wholeAt() {
      return wholeAt;
    },
    get tookMs() {
      return tookMs;
    },
    async lookFurther() {
      const { reached, startedAt } = pass;
      const portion = await store.statuses(runId, reached, PORTION);
      const last = portion.at(-1)?.position ?? reached;
      if (last >= codes.length) codes = enlarged(codes, last + 1);
      for (const one of portion) codes[one.position] = codeOf(one);
      seenTo = Math.max(seenTo, last);
      if (portion.length === PORTION) {
        pass = { reached: last, startedAt };
        return false;
      }
      wholeAt = now();
      tookMs = wholeAt - startedAt;
      pass = { reached: 0, startedAt: wholeAt };
      return true;
    },
    knows: (position) => codes[position] !== OTHER,
    find(isWanted, from, direction, limit) {
      if (direction === 'before' && wholeAt === null && from - 1 > seenTo) {
        return { positions: [], reached: from };
      }
      const isWantedCode = new Uint8Array(OTHER + 1);
      for (const [n, shown] of words.entries()) isWantedCode[n + 1] = isWanted(shown) ? 1 : 0;
      isWantedCode[UNSEEN] = 0;
      isWantedCode[OTHER] = isWanted(null) ? 1 : 0;
      const positions: number[] = [];
      const step = direction === 'after' ? 1 : -1;
      const start = direction === 'after' ? from + 1 : Math.min(from - 1, seenTo);
      let position = start;
      for (; position >= 1 && position <= seenTo; position += step) {
        if (isWantedCode[codes[position] ?? UNSEEN] === 0) continue;
        positions.push(position);
        if (positions.length === limit) return { positions, reached: position };
      }
      const isEnd = direction === 'before' || wholeAt !== null;
      return { positions, reached: isEnd ? null : Math.max(from, seenTo) };
    },
  };
}

function enlarged(codes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(length, codes.length * 2));
  larger.set(codes);
  return larger;
}
