// What a user does, as plain data: a sequence of steps can be drawn, shrunk, printed and written down as a test.
import * as fc from 'fast-check';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The jobs of the world: an input with flags, or a job file. */
const JOBS = ['a.csv', 'b.csv', 'c.csv', 'grown.csv', 'one.yaml', 'two.yaml'] as const;
/** `many.csv` is too long to be drawn often, and `drawn.csv` is asked for a sample of it alone. */
export type JobName = (typeof JOBS)[number] | 'many.csv' | 'drawn.csv';

/** An address, if it is not said otherwise: `both` is that and a profile, `contact` that and a number. */
export const ASKED = ['both', 'contact', 'phone'] as const;
export type Asked = (typeof ASKED)[number];

/** One run of a command that may pay. */
export interface Wish {
  readonly job: JobName;
  readonly ask?: Asked | undefined;
  /** Only what a lead has no address or number of its own for; it does not go with profiles. */
  readonly onlyMissing?: true | undefined;
  readonly freshFor?: '1ms' | '1h' | '30d' | undefined;
  readonly budget?: number | undefined;
  readonly stopBelow?: '90 % of 1' | '60 % of 3' | undefined;
  readonly limit?: number | undefined;
  /** Others are not asked; which, the platform's ledger does not care. */
  readonly sample?: number | undefined;
  readonly submit?: 'single' | 'bulk' | undefined;
  readonly collect?: 'webhook' | 'hybrid' | undefined;
  readonly deadline?: '1ms' | '1s' | undefined;
  readonly other?: true | undefined;
  readonly resend?: true | undefined;
  /** Its leads go into a contact list as well. */
  readonly list?: true | undefined;
  readonly keep?: '30d' | undefined;
  /** What differs from the run before goes into a table of its own. */
  readonly changes?: true | undefined;
  /** The call to the store or the wire at which it dies. */
  readonly diesAt?: number | undefined;
}

/** How the dialect file stands: right, or looking in a wrong place. */
export const DIALECTS = ['right', 'wrong blocks', 'wrong field', 'wrong entries'] as const;
export type DialectState = (typeof DIALECTS)[number];

/**
 * What the platform does: all is well, its answers get lost, it refuses, they are empty while they are new, or when they are
 * first read, it has no credits left for more than a few.
 */
export const WEATHERS = [
  'calm',
  'lossy',
  'refusing',
  'empty',
  'empty at first read',
  'poor',
] as const;
export type Weather = (typeof WEATHERS)[number];

export const SHOWS = [
  'plan a.csv',
  'plan two.yaml',
  'status',
  'runs',
  'explain',
  'export',
  'report',
  'prune --dry-run',
  'forget',
  'audit',
] as const;

const OUTCOMES = ['not_found', 'failed', 'timed_out', 'uncertain'] as const;

export const STEERINGS = ['cancel', 'pause', 'retry', 'prune', 'forget', 'status'] as const;

export type Step =
  | ({ readonly do: 'enrich' } & Wish)
  /** The same once more, as after an end that one does not like; it dies no more. */
  | { readonly do: 'again' }
  /** Planned first, and the forecast is held against what is paid then. */
  | ({ readonly do: 'plan and enrich' } & Wish)
  | { readonly do: 'two at once'; readonly one: Wish; readonly other: Wish }
  /** A person steers while it is at work. */
  | {
      readonly do: 'meanwhile';
      readonly wish: Wish;
      readonly what: (typeof STEERINGS)[number];
      readonly afterMs: number;
    }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'dialect'; readonly is: DialectState }
  | { readonly do: 'weather'; readonly is: Weather }
  /** Between two runs the input of a job gets a column that would be guessed before the one that was. */
  | { readonly do: 'add column'; readonly ask?: Asked | undefined }
  /** Between two runs over a sample the input gets more lines. */
  | { readonly do: 'add lines'; readonly sample: number }
  | { readonly do: 'cancel'; readonly run: number }
  | {
      readonly do: 'retry';
      readonly run: number;
      readonly only: (typeof OUTCOMES)[number];
      readonly anew?: true | undefined;
    }
  | { readonly do: 'pause' | 'resume'; readonly job: JobName }
  | {
      readonly do: 'prune';
      readonly olderThan: '1ms' | '30d';
      readonly freshFor?: '1ms' | undefined;
    }
  | { readonly do: 'forget' | 'suppress'; readonly person: number }
  /** What the table of a job has found is taken for an account, as if it had been bought elsewhere, and asked for then. */
  | { readonly do: 'import'; readonly job: JobName; readonly other?: true | undefined }
  | { readonly do: 'replay'; readonly job: JobName }
  | { readonly do: 'show'; readonly what: (typeof SHOWS)[number]; readonly run: number };

/** Of `outOf` as often there is none. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>, outOf = 2): fc.Arbitrary<T | undefined> =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: outOf - 1 }, { arbitrary, weight: 1 });

/** Without the keys that are undefined: what is printed can be pasted. */
function bare<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}

/** Few inputs and few terms: commands shall meet one another. */
const job = fc.oneof(
  { arbitrary: fc.constantFrom('a.csv' as const, 'one.yaml' as const), weight: 3 },
  { arbitrary: fc.constantFrom(...JOBS), weight: 2 },
);
const run = fc.integer({ min: 1, max: 6 });

const wish = fc
  .record({
    job,
    ask: maybe(fc.constantFrom(...ASKED), 3),
    onlyMissing: maybe(fc.constant(true as const), 6),
    freshFor: maybe(fc.constantFrom('1ms' as const, '1h' as const, '30d' as const)),
    budget: maybe(fc.constantFrom(0, 1, 6, 10, 1000), 4),
    stopBelow: maybe(fc.constantFrom('90 % of 1' as const, '60 % of 3' as const), 8),
    limit: maybe(fc.constantFrom(1, 2), 8),
    sample: maybe(fc.constantFrom(1, 2), 8),
    submit: maybe(fc.constantFrom('single' as const, 'bulk' as const)),
    collect: maybe(fc.constantFrom('webhook' as const, 'hybrid' as const), 5),
    deadline: maybe(fc.constantFrom('1ms' as const, '1s' as const), 5),
    other: maybe(fc.constant(true as const), 15),
    resend: maybe(fc.constant(true as const), 10),
    list: maybe(fc.constant(true as const), 8),
    keep: maybe(fc.constant('30d' as const), 4),
  })
  // Drawn with another key, so that the seed of the suite still plays every kind of step.
  .map((one) => bare({ ...one, changes: one.keep === undefined ? (true as const) : undefined }));
/** Most often about where requests leave. */
const diesAt = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 260 }), weight: 1 },
  { arbitrary: fc.integer({ min: 60, max: 150 }), weight: 2 },
);
const dyingWish = fc.tuple(wish, diesAt).map(([one, point]): Wish => ({ ...one, diesAt: point }));
const anyWish = fc.oneof({ arbitrary: wish, weight: 3 }, { arbitrary: dyingWish, weight: 1 });

type Weighted = { readonly weight: number; readonly arbitrary: fc.Arbitrary<Step> };
const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>): Weighted => ({
  weight,
  arbitrary,
});

export const step: fc.Arbitrary<Step> = fc.oneof(
  weighted(
    8,
    anyWish.map((one) => ({ do: 'enrich', ...one })),
  ),
  weighted(5, fc.constant({ do: 'again' })),
  weighted(
    3,
    wish.map((one) => ({ do: 'plan and enrich', ...one })),
  ),
  weighted(2, fc.record({ do: fc.constant('two at once'), one: anyWish, other: anyWish })),
  weighted(
    2,
    fc.record({
      do: fc.constant('meanwhile'),
      wish: anyWish,
      what: fc.constantFrom(...STEERINGS),
      afterMs: fc.constantFrom(1, 700, 1_500),
    }),
  ),
  weighted(
    3,
    fc.record({ do: fc.constant('pass'), ms: fc.constantFrom(2, 2 * MINUTE, 2 * HOUR, 31 * DAY) }),
  ),
  weighted(2, fc.record({ do: fc.constant('dialect'), is: fc.constantFrom(...DIALECTS) })),
  weighted(2, fc.record({ do: fc.constant('weather'), is: fc.constantFrom(...WEATHERS) })),
  weighted(
    2,
    fc
      .record({
        do: fc.constant('add column' as const),
        ask: maybe(fc.constantFrom(...ASKED), 8),
      })
      .map(bare),
  ),
  weighted(1, fc.record({ do: fc.constant('add lines'), sample: fc.constantFrom(1, 2, 5) })),
  weighted(2, fc.record({ do: fc.constant('cancel'), run })),
  weighted(
    2,
    fc
      .record({
        do: fc.constant('retry' as const),
        run,
        only: fc.constantFrom(...OUTCOMES),
        anew: maybe(fc.constant(true as const), 4),
      })
      .map(bare),
  ),
  weighted(2, fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const), job })),
  weighted(
    1,
    fc
      .record({
        do: fc.constant('prune' as const),
        olderThan: fc.constantFrom('1ms' as const, '30d' as const),
        freshFor: maybe(fc.constant('1ms' as const)),
      })
      .map(bare),
  ),
  weighted(2, fc.record({ do: fc.constant('forget'), person: fc.constantFrom(1, 2, 31) })),
  weighted(2, fc.record({ do: fc.constant('suppress'), person: fc.constantFrom(1, 2, 31) })),
  weighted(
    4,
    fc
      .record({
        do: fc.constant('import' as const),
        job: fc.constantFrom('a.csv' as const, 'b.csv' as const, 'one.yaml' as const),
        other: fc.constantFrom(true as const, true as const, undefined),
      })
      .map(bare),
  ),
  weighted(2, fc.record({ do: fc.constant('replay'), job })),
  weighted(2, fc.record({ do: fc.constant('show'), what: fc.constantFrom(...SHOWS), run })),
);
