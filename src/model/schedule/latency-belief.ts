// The belief about the platform's latency, learnt from polls alone. A poll says only that an answer was there, or was
// not yet: so each poll is a draw whose chance follows from the latency's distribution, and a pending answer teaches as
// much as an answer that came. It applies Bayes' rule over a grid of log-normal distributions: most enrichments take 5
// to 30 s, and a few take minutes.

/** Medians of the grid, as logarithms of ms: 10 ms to half an hour. */
const MEDIAN_LOG_MIN = Math.log(10);
const MEDIAN_LOG_STEP = 0.15;
const MEDIAN_COUNT = 82;
const SPREADS = [0.15, 0.3, 0.45, 0.6, 0.8, 1.1];
/** The belief before any poll: about ten seconds, and a factor of three either way is nothing unusual. */
const PRIOR_MEDIAN_LOG = Math.log(10_000);
const PRIOR_SPREAD = 1.2;
/** Each poll makes earlier polls count a little less: platforms are faster at night. */
const MEMORY = 0.99;
/** An answer that was this sure to come teaches nothing, and a walk over the grid is not free. */
const CHANCE_SURE = 0.99;
/** No poll counts with a lower chance: a distribution that it refutes can come back when other polls refute it less. */
const CHANCE_MIN = 1e-6;
const CHANCE_MIN_LOG = Math.log(CHANCE_MIN);
/** A distribution that is less likely than the likeliest by this, as a logarithm, has no part in the summary. */
const UNLIKELY = -40;

interface Summary {
  readonly medianLog: number;
  readonly spread: number;
}

export function createLatencyBelief() {
  const cells = SPREADS.flatMap((spread) =>
    Array.from({ length: MEDIAN_COUNT }, (_, i) => {
      const medianLog = MEDIAN_LOG_MIN + i * MEDIAN_LOG_STEP;
      const prior = -(((medianLog - PRIOR_MEDIAN_LOG) / PRIOR_SPREAD) ** 2) / 2;
      return { medianLog, spread, prior, evidence: 0 };
    }),
  );
  let isGrounded = false;
  /** The belief as one log-normal distribution; undefined while a poll is not included yet. */
  let summary: Summary | undefined;

  const learn = (chanceOf: (cell: (typeof cells)[number]) => number): void => {
    for (const cell of cells) {
      const chance = chanceOf(cell);
      // Most distributions of the grid are sure that it is so, or that it is not, and a logarithm takes its time.
      const learnt = chance <= CHANCE_MIN ? CHANCE_MIN_LOG : chance === 1 ? 0 : Math.log(chance);
      cell.evidence = cell.evidence * MEMORY + learnt;
    }
    summary = undefined;
  };

  const summarise = () => {
    let top = Number.NEGATIVE_INFINITY;
    for (const { prior, evidence } of cells) top = Math.max(top, prior + evidence);
    let [weights, logs, squares] = [0, 0, 0];
    for (const { medianLog, spread, prior, evidence } of cells) {
      const log = prior + evidence - top;
      if (log < UNLIKELY) continue;
      const weight = Math.exp(log);
      weights += weight;
      logs += weight * medianLog;
      squares += weight * (medianLog * medianLog + spread * spread);
    }
    const medianLog = logs / weights;
    return { medianLog, spread: Math.sqrt(squares / weights - medianLog * medianLog) };
  };

  return {
    /** Learns that a poll at this age brought nothing; `sinceMs` is the age of the last fruitless poll, 0 for none. */
    sawPending: (ageMs: number, sinceMs: number): void => {
      const [age, since] = [logOf(ageMs), logOf(sinceMs)];
      learn((cell) => left(cell, age) / Math.max(CHANCE_MIN, left(cell, since)));
    },
    /** Learns that the answer came between these ages. */
    sawAnswer: (ageMs: number, sinceMs: number): void => {
      isGrounded = true;
      summary ??= summarise();
      const [age, since] = [logOf(ageMs), logOf(sinceMs)];
      if (left(summary, age) < (1 - CHANCE_SURE) * left(summary, since)) return;
      learn((cell) => 1 - left(cell, age) / Math.max(CHANCE_MIN, left(cell, since)));
    },
    isGrounded: (): boolean => isGrounded,
    /** The age at which this share of the answers that are missing at `sinceMs` has come. */
    quantileMs: (share: number, sinceMs = 0): number => {
      summary ??= summarise();
      const remaining = left(summary, logOf(sinceMs)) * (1 - share);
      const ageMs = Math.exp(summary.medianLog + summary.spread * deviationAbove(remaining));
      return Math.max(ageMs, sinceMs);
    },
  };
}

function logOf(ageMs: number): number {
  return Math.log(Math.max(0, ageMs));
}

/** The share of answers that take longer than an age, which is a logarithm: all, if it is minus infinity. */
function left({ medianLog, spread }: Summary, age: number): number {
  return shareAbove((age - medianLog) / spread);
}

/** Less than 1e-15 lies beyond. */
const FAR = 8;

/** The upper tail of the standard normal distribution (Abramowitz and Stegun 26.2.17; off by 1e-7 at most). */
function shareAbove(deviation: number): number {
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
function deviationAbove(share: number): number {
  const tail = Math.max(1e-9, Math.min(share, 1 - share));
  const t = Math.sqrt(-2 * Math.log(tail));
  const deviation =
    t -
    (2.515517 + t * (0.802853 + t * 0.010328)) /
      (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  return share <= 0.5 ? deviation : -deviation;
}
