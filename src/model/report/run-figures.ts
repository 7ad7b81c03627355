// What the report of a run and the pages of `sluice ui` show: every number, and no text of a page.
import type { LeadStatus } from '../answer.js';
import type { Ask } from '../ask.js';
import type { Run, ShownState } from '../run.js';
import type { RateLimit } from '../schedule/rate.js';
import type { RunTally } from '../tally.js';
import type { OpenCharges } from './open-charges.js';
import type { Histogram, Timeline } from './series.js';

export interface RunFigures {
  readonly run: Run;
  readonly state: ShownState;
  /** When this was looked at. */
  readonly at: number;
  readonly tally: RunTally;
  readonly cost: CostFigures;
  /** Null for a run that began before these were counted, and for one that was pruned. */
  readonly time: TimeFigures | null;
  readonly trouble: TroubleFigures;
  /** Null where the rows were not read: this takes minutes where there are millions. */
  readonly quality: QualityFigures | null;
  /** Rows of leads; null unless they were asked for, since they show persons. */
  readonly samples: SampleFigures | null;
}

/** Credits. */
export interface CostFigures {
  readonly paid: number;
  /** Null while a process works on the run. */
  readonly charges: OpenCharges | null;
  /** Null where the job has no budget, or a run of an earlier release did not keep it. */
  readonly budget: number | null;
  /** The most that was expected when the leads were read; null where that is not known. */
  readonly forecastMax: number | null;
  readonly arePricesAssumed: boolean;
  /** In the order of the run; null where the run asks for several things, and the rows were not read. */
  readonly byAsk: readonly AskCost[] | null;
}

export interface AskCost {
  readonly ask: Ask;
  /** Leads for which it was asked, and of them those with a value. */
  readonly asked: number;
  readonly found: number;
  /** Leads whose value this run paid for; the others' was known before, or comes with another line. Null where the rows were not read. */
  readonly paidNow: number | null;
  /** What this run paid for it; null where prices are not known and one answer had more to pay for than this. */
  readonly credits: number | null;
}

export interface TimeFigures extends Timeline {
  /** Null without a limit, and where it is not known. */
  readonly limit: RateLimit | null;
  /** The least time that the limit allowed, in ms, when the leads were read; null where there is none. */
  readonly forecastMs: number | null;
  /** From the claim of a send to its answer, in ms, by the way in which the answer came. */
  readonly polled: Histogram;
  readonly delivered: Histogram;
  /** Polls that an answered enrichment took. */
  readonly polls: Histogram;
  /** How long the platform took to answer a request, in ms. */
  readonly http: Histogram;
}

/** A line of an input file. */
export interface PlaceOfLine {
  readonly source: number;
  readonly line: number;
}

export interface Trouble {
  readonly status: LeadStatus;
  readonly reason: string;
  readonly leads: number;
  /** The first of them, in input order; empty where the rows were not read. */
  readonly places: readonly PlaceOfLine[];
  /** The command that helps, if one does. */
  readonly command: string | null;
}

export interface TroubleFigures {
  /** Most frequent first, at most 20. */
  readonly reasons: readonly Trouble[];
  readonly rejects: readonly (PlaceOfLine & { readonly reason: string })[];
  /** What disturbed the run, a sentence each: paused, the account blocked. */
  readonly disturbances: readonly string[];
  /** What to do next, a sentence each, with the command. */
  readonly advice: readonly string[];
}

export interface QualityFigures {
  /** In the order of the table. */
  readonly columns: readonly FillRate[];
  readonly emailStatus: readonly { readonly status: string; readonly leads: number }[];
  /** E-mail addresses found, by whether their domain is the company's; `unknown` where either is not known. */
  readonly domainMatch: { readonly yes: number; readonly no: number; readonly unknown: number };
  readonly answers: AnswerAges;
}

/** Of a column that Sluice adds, in leads of all leads of the run. */
export interface FillRate {
  readonly column: string;
  /** Leads with a value. */
  readonly filled: number;
  /** Null where the input has no column for the same thing. */
  readonly own: OwnFill | null;
}

/** Of the input's own column for the same thing. */
export interface OwnFill {
  readonly column: string;
  /** Leads with a value in it. */
  readonly filled: number;
  /** Leads with a value in it, or one that was found. */
  readonly either: number;
}

/** Leads with an answer, by where it came from. */
export interface AnswerAges {
  readonly paidNow: number;
  /** Shared with another line of this run, which paid. */
  readonly shared: number;
  /** From the state, by age when the run began: up to so many days, the last without an end (null). */
  readonly known: readonly { readonly daysMax: number | null; readonly leads: number }[];
}

/** A few leads as the table shows them. Long cells are cut. */
export interface SampleFigures {
  readonly columns: readonly string[];
  readonly rows: readonly (PlaceOfLine & { readonly cells: readonly string[] })[];
}
