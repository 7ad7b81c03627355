// What every step of a run shares: types alone.
import type { Ask, Prices, Requirements } from '../model/ask.js';
import type { CorrelationKey, Keyring } from '../model/correlation-key.js';
import type { FormerGuess, MappingWish } from '../model/mapping/mapping.js';
import type { OwnWish } from '../model/mapping/own-columns.js';
import type { DomainOwner, RegistrableDomain } from '../model/normalise.js';
import type { Run } from '../model/run.js';
import type { PollSchedule } from '../model/schedule/poll-schedule.js';
import type { RunObserver } from '../model/telemetry/observe.js';
import type { Clock } from '../ports/clock.js';
import type { DecodeDelivery, Platform } from '../ports/platform.js';
import type { Store } from '../ports/store/store.js';
import type { Backlog } from './backlog.js';
import type { Readings } from './collect/readings.js';

/** Which leads are asked, of those that are read. */
export interface LeadChoice {
  /** An expression over the columns of the input. */
  readonly where?: string;
  /** Only leads that lack what is asked for in these columns of their own. */
  readonly missing?: OwnWish;
  readonly sample?: LeadSample;
}

export interface LeadSample {
  readonly size: number;
  readonly seed: number;
  /** Of the leads that are in (sample.ts). Absent: it is not drawn yet. */
  readonly positions?: ReadonlySet<number>;
}

/** How leads are turned into requests; the same for a run and for a plan. */
export interface AskingTerms {
  readonly account: string;
  readonly ask: readonly Ask[];
  readonly map: MappingWish;
  /** What runs that asked the same took their columns for. */
  readonly former?: readonly FormerGuess[];
  /** What enrichments of the state have asked for so far: each of these may be a wider question than a lead's own. */
  readonly asked?: readonly (readonly Ask[])[];
  /** Which leads are asked; absent for all. */
  readonly choice?: LeadChoice;
  /** Which leads samples of the job with this seed have chosen so far (`sampleOf`). */
  readonly sampled?: readonly string[] | undefined;
  readonly requirements: Requirements;
  readonly prices: Prices;
  /** Whether the platform takes first and last name as one text alone, and so also a name of one word. */
  readonly takesWholeName?: boolean;
  /** Whether no price is stated for something that is asked. */
  readonly arePricesAssumed: boolean;
  readonly registrableDomain: RegistrableDomain;
  readonly domainOwner: DomainOwner;
  readonly digest: (text: string) => Uint8Array;
}

/** How answers find their enrichment, and where the platform is asked to deliver them. */
export interface Callbacks {
  readonly keyring: Keyring;
  /** The run's account, as its keys and deliveries name it. */
  readonly scope: string;
  readonly decode: DecodeDelivery;
  /** A reason that the platform gave, without the values that were asked about. */
  readonly redact: (reason: string, values: readonly string[]) => string;
  /** The callback URL for a request; undefined where none goes along. */
  urlFor(key: CorrelationKey): string | undefined;
  /** Whether the platform was asked to deliver, so that results may come without a poll. */
  readonly isDelivered: boolean;
  /** How long to wait for the webhook of an uncertain send (the job's `claim-wait`); 0 where none can come. */
  readonly claimWaitMs: number;
  /** Whether what was delivered stays when it has settled its leads (the job's `keep-deliveries`). */
  readonly keepsBodies?: boolean;
}

export interface RunContext {
  readonly run: Run;
  readonly terms: AskingTerms;
  readonly store: Store;
  readonly platform: Platform;
  /**
   * Asks the platform a question that costs nothing, once, before anything is paid for. False where it has none: then
   * the first paid call is the proof.
   */
  readonly whenReady: () => Promise<boolean>;
  readonly clock: Clock;
  readonly observe: RunObserver;
  /** Read by all; changed by its methods alone. */
  readonly backlog: Readonly<Backlog>;
  readonly readings: Readings;
  readonly schedule: PollSchedule;
  readonly callbacks: Callbacks;
  /** Enrichments that one request asks for at most; 1 sends each by itself. */
  readonly bulkMax: number;
  /** Whether a request for one enrichment will do where there is no bulk call after all. */
  readonly takesSingles: boolean;
  /** Enrichments that may be under way before the first value was read; undefined for no limit. */
  readonly firstBatch: number | undefined;
  /** Credits that the run may commit itself to; undefined for no limit. */
  readonly budget: number | undefined;
  /** The budget as the state has it, where it may change while the run goes on. */
  readonly budgetNow: (() => Promise<number | undefined>) | undefined;
  /** Requests under way at most, of each kind. */
  readonly concurrency: number;
  /** How long work is gathered before it is written or sent, in ms; 0 is one turn of the event loop. */
  readonly gatherMs: number;
  /** Leads read at most, or undefined for all. */
  readonly limit: number | undefined;
  /** When this process took up the run. */
  readonly startedAt: number;
  readonly freshForMs: number;
  readonly deadlineMs: number;
  /** Aborted when the run must end early: nothing new starts, what is under way is saved. */
  readonly drain: AbortSignal;
}

/** What settling needs; a replay of the journal has no run and asks the platform nothing. */
export interface SettlingContext
  extends Pick<
    RunContext,
    | 'backlog'
    | 'bulkMax'
    | 'callbacks'
    | 'clock'
    | 'deadlineMs'
    | 'drain'
    | 'observe'
    | 'readings'
    | 'schedule'
    | 'startedAt'
    | 'store'
    | 'terms'
  > {
  readonly run: { readonly id: number | null };
  readonly platform: Pick<Platform, 'leastMs' | 'readEveryMs' | 'readsTickets'>;
}
