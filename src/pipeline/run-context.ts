// What every step of a run shares.
import type { Ask } from '../domain/ask.js';
import type { MappingWish } from '../domain/mapping.js';
import type { RegistrableDomain } from '../domain/normalise.js';
import type { PollSchedule } from '../domain/poll-schedule.js';
import type { Clock } from '../domain/ports/clock.js';
import type { Platform } from '../domain/ports/platform.js';
import type { Store } from '../domain/ports/store.js';
import type { Run } from '../domain/run.js';
import type { RunObserver } from '../domain/run-event.js';
import type { Prices, Requirements } from '../domain/terms.js';
import type { Backlog } from './backlog.js';

/** How leads are turned into requests; the same for a run and for a plan. */
export interface AskingTerms {
  readonly account: string;
  readonly ask: readonly Ask[];
  readonly map: MappingWish;
  readonly requirements: Requirements;
  readonly prices: Prices;
  readonly registrableDomain: RegistrableDomain;
  readonly digest: (text: string) => Uint8Array;
}

export interface RunContext {
  readonly run: Run;
  readonly terms: AskingTerms;
  readonly store: Store;
  readonly platform: Platform;
  /** Resolves once the platform has answered a question that costs nothing; asked once, before anything is paid for. */
  readonly whenReady: () => Promise<void>;
  readonly clock: Clock;
  readonly observe: RunObserver;
  readonly backlog: Backlog;
  readonly schedule: PollSchedule;
  /** Requests in flight at most, of each kind. */
  readonly concurrency: number;
  /** Leads read at most, or undefined for all. */
  readonly limit: number | undefined;
  /** When this process took up the run. */
  readonly startedAt: number;
  readonly freshForMs: number;
  readonly deadlineMs: number;
  /** Aborted when the run shall end early: nothing new starts, what is under way is saved. */
  readonly drain: AbortSignal;
}
