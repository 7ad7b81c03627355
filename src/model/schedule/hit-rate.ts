// The share of the first leads sent for which a platform has to find something, or sending ends (`stop-below`).

export interface HitRate {
  readonly percent: number;
  /** The number of leads by which the platform is judged: those that were sent first. */
  readonly of: number;
}

/** What became of the first leads that were sent: at most `of` of them. */
export interface FirstAnswers {
  readonly found: number;
  /** Those that ended without a value. */
  readonly missed: number;
  /** Those whose answer is still to come. */
  readonly open: number;
}

export const HIT_RATE_FORM =
  'a hit rate is written like "20 % of 200": a share below 100 %, and a number of leads from 1 to 10000';

export function parseHitRate(text: string): HitRate | undefined {
  const [whole, percent, of] =
    /^(\d{1,2}(?:\.\d{1,3})?)\s*%\s*of\s*(\d{1,5})$/.exec(text.trim()) ?? [];
  const rate = { percent: Number(percent), of: Number(of) };
  return whole === undefined || rate.of < 1 || rate.of > 10_000 ? undefined : rate;
}

/** The verdict, once no answer that is still to come can change it. */
export function judgeHits(
  { of, percent }: HitRate,
  { found, missed }: FirstAnswers,
): 'enough' | 'too few' | 'open' {
  if (found * 100 >= percent * of) return 'enough';
  return (of - missed) * 100 < percent * of ? 'too few' : 'open';
}
