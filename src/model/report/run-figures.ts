// The numbers of a run's report and of the pages of `sluice ui`, without any text of a page.
import type { StoredList } from '../../ports/store/contact-lists.js';
import type { RefusedDeliveries } from '../../ports/store/deliveries.js';
import type { Disturbance } from '../../ports/store/events.js';
import type { KeptTask, LockHolder } from '../../ports/store/jobs.js';
import type { StateSize } from '../../ports/store/maintenance.js';
import type { LeadStatus } from '../answer.js';
import type { Ask } from '../ask.js';
import type { Money } from '../credits.js';
import type { Run, ShownState } from '../run.js';
import type { CapState } from '../schedule/caps.js';
import type { RateLimit } from '../schedule/rate.js';
import type { RunTally } from '../tally.js';
import type { BudgetUse } from './next-step.js';
import type { OpenCharges } from './open-charges.js';
import type { AskedLeads, Histogram, Timeline } from './series.js';

export interface RunFigures {
  readonly run: Run;
  readonly state: ShownState;
  /** The time at which the state was read. */
  readonly at: number;
  readonly tally: RunTally;
  readonly cost: CostFigures;
  readonly time: TimeFigures;
  readonly trouble: TroubleFigures;
  readonly seen: SeenBeside;
  /** Null if the rows were not read: that takes minutes for millions of them. */
  readonly quality: QualityFigures | null;
}

export interface SeenBeside {
  /** Deliveries of all runs in the state. */
  readonly pendingDeliveries: number;
  /** Disturbances by events of its account between its start and its end, or until now if it has not ended. */
  readonly disturbances: readonly Disturbance[];
  /** Deliveries to its account that were refused meanwhile, though their key was genuine. */
  readonly refused: readonly RefusedDeliveries[];
  /** Null if the run fills no list. */
  readonly list: StoredList | null;
  readonly pausedAt: number | null;
  /** Whether a process works on it; false once the run has ended. */
  readonly isAtWork: boolean;
  /** That process; null if there is none, or it is not known. */
  readonly worker: LockHolder | null;
  /** Null if it waits for no worker. */
  readonly task: KeptTask | null;
  /** Null if it has no budget. */
  readonly budget: BudgetUse | null;
  /** The caps under which it sends; none once it has ended. */
  readonly caps: readonly CapState[];
  readonly stateSize: StateSize;
}

/** The costs, in credits. */
export interface CostFigures {
  /** Whether the embedded sandbox makes up the answers and the credits; absent if that is not known. */
  readonly isMadeUp?: boolean;
  readonly paid: number;
  readonly charges: OpenCharges;
  /** Null if the job has no budget. */
  readonly budget: number | null;
  readonly caps?: readonly CapState[];
  /** The most that was expected when the leads were read; null if that is not known. */
  readonly forecastMax: number | null;
  readonly arePricesAssumed: boolean;
  /** The costs in the order of the run's asks; null if the run asks for several things, and the rows were not read. */
  readonly byAsk: readonly AskCost[] | null;
}

export interface AskCost {
  readonly ask: Ask;
  /** Leads with this ask; `found` are those with a value. */
  readonly asked: number;
  readonly found: number;
  /** Leads whose value this run paid for: not known before, nor with another line. Null if the rows were not read. */
  readonly paidNow: number | null;
  /** The credits that this run paid for it; null if prices are not known and one answer paid for more than this. */
  readonly credits: number | null;
  /** The same in money, of all steps of a waterfall; undefined unless all credits have a price, in one currency. */
  readonly money?: Money | undefined;
}

export interface TimeFigures extends Timeline {
  /** Null without a limit, and if it is not known. */
  readonly limit: RateLimit | null;
  readonly asked: AskedLeads;
  /** The least time that the limit allowed, in ms, when the leads were read; null if there is none. */
  readonly forecastMs: number | null;
  /** The time from the claim of a send to its answer, in ms. */
  readonly answers: Histogram;
  /** The time that the platform took to answer a request, in ms. */
  readonly http: Histogram;
  /** Those of the steps of a waterfall, which sends nothing itself; absent for any other run. */
  readonly steps?: readonly { readonly run: Run; readonly time: TimeFigures }[];
}

export interface PlaceOfLine {
  readonly source: number;
  readonly line: number;
}

export interface Trouble {
  readonly status: LeadStatus;
  readonly reason: string;
  readonly leads: number;
  /** The first lines, in input order; empty if the rows were not read. */
  readonly places: readonly PlaceOfLine[];
  readonly command: string | null;
}

export interface TroubleFigures {
  /** The reasons, most frequent first, at most 20. */
  readonly reasons: readonly Trouble[];
  readonly rejects: readonly (PlaceOfLine & { readonly reason: string })[];
  /** Sentences about what disturbed the run: pauses, a blocked account. */
  readonly disturbances: readonly string[];
  readonly advice: readonly string[];
}

export type MatchCount = Record<'yes' | 'no' | 'unknown', number>;

export interface QualityFigures {
  readonly columns: readonly FillRate[];
  readonly emailStatus: readonly { readonly status: string; readonly leads: number }[];
  /** E-mail addresses found, by whether their domain is the company's; `unknown` if either is not known. */
  readonly domainMatch: Readonly<MatchCount>;
  /** Profiles found, by whether they have the name, and the company, that was asked about. */
  readonly nameMatch: Readonly<MatchCount>;
  readonly companyMatch: Readonly<MatchCount>;
  readonly answers: AnswerAges;
}

/** The filling of a column that Sluice adds, over all leads of the run. */
export interface FillRate {
  readonly column: string;
  readonly filled: number;
  /** Null if the input has no column for the same thing. */
  readonly own: OwnFill | null;
}

export interface OwnFill {
  readonly column: string;
  readonly filled: number;
  /** Leads with a value in it, or one that was found. */
  readonly either: number;
}

export interface AnswerAges {
  /** Also misses, which may cost nothing. */
  readonly askedNow: number;
  /** Answers that are shared with another line of this run, which paid. */
  readonly shared: number;
  /** Answers from the state, by their age when the run began: up to `daysMax` days; null for the last group. */
  readonly known: readonly { readonly daysMax: number | null; readonly leads: number }[];
}
