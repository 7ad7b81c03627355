// The part of each step of a waterfall: in the row of a lead, and in the numbers of a run.
import type { Ask } from '../ask.js';
import type { Money } from '../credits.js';

/** The origin of a value, by the name of the step and the time of its answer. */
export interface Origin {
  readonly step: string;
  readonly at: number | null;
}

export interface Provenance {
  readonly email?: Origin | undefined;
  readonly emailVerifiedBy?: string | undefined;
  readonly phone?: Origin | undefined;
  readonly profile?: Origin | undefined;
  /** Of each custom ask with values. */
  readonly custom?: Readonly<Record<string, Origin | undefined>>;
  /** The outcome of each step that was asked, in their order. */
  readonly tried: readonly Tried[];
}

export interface Tried {
  readonly step: string;
  /** Its outcome; of an address that it found or verified, the status by its own word. */
  readonly outcome: string;
}

export interface StepTally {
  readonly step: string;
  /** Leads for which it was asked. */
  readonly reached: number;
  /** Those among them that this run need not have asked for: known before, or asked for with another line. */
  readonly known: number;
  /** The leads of which this run asked each, and those with a value. */
  readonly asks: readonly { readonly ask: Ask; readonly asked: number; readonly found: number }[];
  /** Leads for which it found, or could verify, something. */
  readonly found: number;
  /** Leads that show an address of it at an accepted status, or another value; addresses that it verified as such. */
  readonly accepted: number;
  /** Those among them that this run has paid for. */
  readonly bought: number;
  /** Leads that show an address of it that is not accepted; addresses that it could neither accept nor reject. */
  readonly held: number;
  /** Leads whose address of it was rejected; addresses that it rejected. */
  readonly rejected: number;
  /** Leads that wait for it: for its answer, or to be sent. */
  readonly waiting: number;
  readonly credits: number;
  /** The price of one of its credits; null if it is not stated. */
  readonly credit: Money | null;
}
