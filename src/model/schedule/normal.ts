// The standard normal distribution, for logarithms of latencies.

/** Less than 1e-15 lies beyond. */
const FAR = 8;

/** The upper tail of the standard normal distribution (Abramowitz and Stegun 26.2.17; off by 1e-7 at most). */
export function shareAbove(deviation: number): number {
  if (deviation > FAR) return 0;
  if (deviation < -FAR) return 1;
  const t = 1 / (1 + 0.2316419 * Math.abs(deviation));
  const series =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = 0.3989422804 * Math.exp((-deviation * deviation) / 2) * series;
  return deviation >= 0 ? tail : 1 - tail;
}

/** Its inverse (Abramowitz and Stegun 26.2.23; off by 5e-4 at most). */
export function deviationAbove(share: number): number {
  const tail = Math.max(1e-9, Math.min(share, 1 - share));
  const t = Math.sqrt(-2 * Math.log(tail));
  const deviation =
    t -
    (2.515517 + t * (0.802853 + t * 0.010328)) /
      (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  return share <= 0.5 ? deviation : -deviation;
}
