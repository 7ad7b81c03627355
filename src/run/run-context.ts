import type { Ask, CustomAsks, EnrichmentRequest, Prices, Requirements } from '../model/ask.js';
import type { CorrelationKey, Keyring } from '../model/correlation-key.js';
import type { SluiceError } from '../model/errors.js';
import type { Definitions } from '../model/fingerprint.js';
import type { OwnWish } from '../model/mapping/column-kinds.js';
import type { FormerGuess, MappingWish } from '../model/mapping/mapping.js';
import type { DomainOwner, RegistrableDomain } from '../model/normalise.js';
import type { Run } from '../model/run.js';
import type { HitRate } from '../model/schedule/hit-rate.js';
import type { PollSchedule } from '../model/schedule/poll-schedule.js';
import type { RunObserver } from '../model/telemetry/observe.js';
import type { Clock } from '../ports/clock.js';
import type { DecodeDelivery, Platform } from '../ports/platform.js';
import type { Store } from '../ports/store/store.js';
import type { Backlog } from './backlog.js';
import type { Readings } from './collect/readings.js';

export interface LeadChoice {
  /** An expression over the columns of the input. */
  readonly where?: string;
  /** Chooses only leads that have no answer in these columns of their own. */
  readonly missing?: OwnWish;
  readonly sample?: LeadSample;
}

export interface LeadSample {
  readonly size: number;
  readonly seed: number;
  /** The positions of the leads in the sample (sample.ts). Absent if it is not drawn yet. */
  readonly positions?: ReadonlySet<number>;
}

export interface InputTerms {
  readonly registrableDomain: RegistrableDomain;
  readonly domainOwner: DomainOwner;
  /** Whether the platform takes first and last name as one text, and so also a name of one word. */
  readonly takesWholeName?: boolean;
}

export interface NeedTerms extends InputTerms {
  readonly ask: readonly Ask[];
  readonly requirements: Requirements;
}

/** The terms by which leads become requests; the same for a run and for a plan. */
export interface AskingTerms extends NeedTerms {
  readonly account: string;
  readonly map: MappingWish;
  readonly former?: readonly FormerGuess[];
  readonly choice?: LeadChoice;
  readonly sampled?: readonly string[] | undefined;
  readonly definitions?: Definitions;
  readonly custom?: CustomAsks;
  /** Whether only leads with the same inputs are one person. */
  readonly isExact?: boolean;
  readonly prices: Prices;
  readonly arePricesAssumed: boolean;
  readonly digest: (text: string) => Uint8Array;
}

/** The way in which answers find their enrichment, and the address to which the platform delivers them. */
export interface Callbacks {
  readonly keyring: Keyring;
  readonly scope: string;
  readonly decode: DecodeDelivery;
  /** Removes the values that were asked about from a reason that the platform gave. */
  readonly redact: (reason: string, values: readonly string[]) => string;
  /** The callback URL for a request; undefined if the request carries none. */
  urlFor(key: CorrelationKey): string | undefined;
  /** Whether the platform was asked to deliver, so that results may come without a poll. */
  readonly isDelivered: boolean;
  /** How long to wait for the webhook of an uncertain send (the job's `claim-wait`); 0 if none can come. */
  readonly claimWaitMs: number;
  /** Whether a delivery's body stays when it has settled its leads (the job's `keep-deliveries`). */
  readonly keepsBodies?: boolean;
}

/** The part of a step in money that all steps of its waterfall share. */
export interface StepBudget {
  /** The number of further enrichments that fit, whatever they find. If none seems to fit, it asks the store again. */
  room(): Promise<number>;
  /** Sets the money for up to `count` enrichments aside, before they are claimed. Returns for how many there was some. */
  take(count: number): number;
  /** Those that were claimed of `taken`: the rest of the money is free again. */
  claimed(taken: number, requests: readonly EnrichmentRequest[]): void;
  /** Whether an answer of any step may set money free. */
  mayShrink(): boolean;
  problem(): SluiceError;
}

/** The part of a context that reading and settling both use. */
interface WorkContext {
  readonly terms: AskingTerms;
  readonly store: Store;
  readonly clock: Clock;
  readonly observe: RunObserver;
  /** Every step reads it, and changes it only through its methods. */
  readonly backlog: Readonly<Backlog>;
  readonly schedule: PollSchedule;
  /** Whether leads that cannot be asked for go on to the next step of their waterfall; absent for a run that is no step. */
  readonly setsAside?: boolean;
  readonly startedAt: number;
  readonly deadlineMs: number;
  /** Aborts when the run must end early: nothing new starts, and everything under way is saved. */
  readonly drain: AbortSignal;
}

export interface ReadingContext extends WorkContext {
  readonly run: Run;
  /** The greatest number of leads that are read; undefined for all. */
  readonly limit: number | undefined;
  readonly freshForMs: number;
}

/** The parts that settling uses. A replay of the journal has no run, and asks the platform nothing. */
export interface SettlingContext extends WorkContext {
  readonly run: { readonly id: number | null };
  readonly platform: Pick<Platform, 'leastMs' | 'readEveryMs' | 'readsTickets'> &
    Partial<Pick<Platform, 'readsTogether'>>;
  readonly readings: Readings;
  readonly callbacks: Callbacks;
  /** The greatest number of enrichments in one request; with 1 each is sent by itself. */
  readonly bulkMax: number;
}

export interface RunContext extends ReadingContext, SettlingContext {
  readonly run: Run;
  readonly platform: Platform;
  /**
   * Asks the platform a question that costs nothing, once, before anything is paid for. False if it has none: then the
   * first paid call shows whether it can be asked.
   */
  readonly whenReady: () => Promise<boolean>;
  /** Whether single requests may be sent if the platform has no bulk call after all. */
  readonly takesSingles: boolean;
  /** The number of enrichments that may be under way before the first value was read; undefined for no limit. */
  readonly firstBatch: number | undefined;
  readonly moneyBudget?: StepBudget | undefined;
  readonly stopBelow?: HitRate | undefined;
  /** The credits of the account before the first send, where the platform has told them. */
  readonly balance?: () => number | undefined;
  /** The greatest number of requests under way, for each kind. */
  readonly concurrency: number;
  /** How long work is gathered before it is written or sent, in ms; 0 is one turn of the event loop. */
  readonly gatherMs: number;
}
