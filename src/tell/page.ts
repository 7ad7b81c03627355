// What is told of a subject, without a medium: `tell…` makes a page of plain data, and as-text.ts, as-html.ts and as-json.ts
// render it.
import type { Chart } from '../html/charts/plot.js';
import type { DataColumn, Tone } from '../html/parts.js';
import type { LeadStatus } from '../model/answer.js';

export interface Page {
  readonly title: string;
  readonly parts: readonly Part[];
  /** What `--json` prints, as as-json.ts spells it: an object, or several, each on a line. */
  readonly data: object | readonly object[];
}

export type Part =
  | Facts
  | Table
  | Bars
  | { readonly kind: 'steps'; readonly title: string; readonly steps: readonly Step[] }
  /** What a page is about: `Run 7 of nightly: 12 leads, finished`. */
  | {
      readonly kind: 'heading';
      readonly text: Value;
      readonly about?: string;
      readonly mark?: Value;
    }
  /** Sentences; `isBig`: what a page says first. Without a tone they are a paragraph, and only a page shows the title. */
  | {
      readonly kind: 'note';
      readonly tone?: Tone;
      readonly title?: string;
      readonly text: Value;
      readonly more?: readonly Value[];
      readonly isBig?: boolean;
    }
  | { readonly kind: 'command'; readonly command: string }
  | (Chart & { readonly kind: 'chart' })
  | Section;

/** Parts under a heading, to which `id` leads by a `short` name; as text they follow without it. */
export interface Section {
  readonly kind: 'section';
  readonly id: string;
  readonly title: string;
  readonly short?: string;
  readonly parts: readonly Part[];
}

/** On a page, `flow`: beside each other, `figures`: as large numbers, `big`: in large letters. `list`: texts that are broken. */
export interface Facts {
  readonly kind: 'facts';
  readonly title?: string;
  /** Whether a page has a button to copy each. */
  readonly areCopied?: boolean;
  readonly shape?: 'list' | 'flow' | 'figures' | 'big';
  readonly facts: readonly Fact[];
}

/** A name and its value; one of which the value is null is left out. */
export interface Fact {
  readonly name: string;
  readonly value: Value;
  readonly about?: string | undefined;
  /** What the value consists of, one below the other. */
  readonly more?: readonly Value[];
}

export interface Table {
  readonly kind: 'table';
  readonly title: string;
  /** Whether it stands by itself: then its title is for those who do not see it. */
  readonly isAlone?: boolean;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
  /** The sentence in place of a table without rows. */
  readonly empty: string;
  readonly about?: string;
  readonly isStacked?: boolean;
  readonly isBrief?: boolean;
}

export type Column = Omit<DataColumn, 'sort'>;

/** Counts as parts of a whole. `isStacked`: on a page one bar of all. */
export interface Bars {
  readonly kind: 'bars';
  readonly title: string;
  readonly about?: string;
  readonly bars: readonly Bar[];
  /** The whole; by default the largest count. */
  readonly of?: number;
  readonly isStacked?: boolean;
  readonly empty?: string;
  readonly isWide?: boolean;
  /** Sentences below them. */
  readonly notes?: readonly string[];
}

export interface Bar {
  readonly name: Value;
  readonly count: number;
  /** The count as it is written, if not by its digits. */
  readonly text?: Value;
  readonly tone: Tone;
  readonly about?: string | undefined;
  readonly more?: readonly Value[];
  /** A mark on the bar at an earlier count. */
  readonly before?: number | null;
}

/** What happened; without a time if that is not known, or it lasts. */
export interface Step {
  readonly name: string;
  readonly at: number | null;
  readonly tone: Tone;
  readonly text: Value;
  readonly facts?: readonly Fact[];
}

/** Several follow one another. */
export type Value = string | number | null | Moment | Ref | Mark | Shares | Code | readonly Value[];

/** In UTC as text; `isAgo`: on a page by the time since then. */
export interface Moment {
  readonly at: number;
  readonly isAgo?: boolean;
}

/** A subject that may have a page. */
export type Target =
  | { readonly to: 'run'; readonly run: number }
  | {
      readonly to: 'line';
      readonly run: number;
      readonly line: number;
      /** The file's place among those of the run, if it has read several. */
      readonly file?: number | undefined;
    }
  | { readonly to: 'job' | 'runs' | 'start'; readonly job: string }
  | {
      readonly to: 'leads';
      readonly run: number;
      readonly outcome?: LeadStatus;
      readonly reason?: string;
      readonly step?: string;
    }
  | { readonly to: 'section'; readonly id: string };

export type Ref = Target & { readonly text: string };

/** A word with a tone. */
export interface Mark {
  readonly tone: Tone;
  readonly mark: string;
}

/** On a page one bar; as text nothing, since the numbers are beside it. */
export interface Shares {
  readonly shares: readonly {
    readonly name: string;
    readonly value: number;
    readonly tone: Tone;
  }[];
}

/** A command within a sentence, or below a fact. */
export interface Code {
  readonly code: string;
}
