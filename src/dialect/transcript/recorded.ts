// The parts of a transcript (docs/dialects.md, Transcripts): exchanges and webhooks, with its writer's notes on each.
import type { Ask, Inputs } from '../../model/ask.js';
import type { JsonObject } from '../../model/text/json.js';

/** A lead whose data a recorded question has, and its asks. */
export interface RecordedLead {
  readonly inputs: Inputs;
  readonly ask: readonly Ask[];
}

/** The meaning of an answer, or of one entry of it, by the writer of the transcript. */
export type Expectation =
  | { readonly kind: 'accepted'; readonly ticket: string | undefined }
  | { readonly kind: 'found'; readonly values: JsonObject | undefined }
  | { readonly kind: 'failed' | 'refused'; readonly reason: string | undefined }
  | { readonly kind: PlainExpectation };

export const PLAIN_EXPECTATIONS = [
  'pending',
  'not_found',
  'unknown',
  'out of credits',
  'throttled',
  'uncertain',
  'other event',
] as const;
type PlainExpectation = (typeof PLAIN_EXPECTATIONS)[number];

/** Names in lower case. */
export type RecordedHeaders = Readonly<Record<string, string>>;

export interface Message {
  readonly headers: RecordedHeaders;
  /** As it stands there, lines joined by line breaks; empty for none. */
  readonly body: string;
}

export interface RecordedQuestion extends Message {
  readonly method: string;
  /** With the query; the origin of a whole address is left out. */
  readonly target: string;
}

export interface RecordedAnswer extends Message {
  readonly status: number;
}

interface Told {
  /** The line of the request line, or of WEBHOOK; the first is 1. */
  readonly line: number;
  /** The meaning of each entry of the answer, in order; one for an answer without entries. Empty if none is stated. */
  readonly expected: readonly Expectation[];
  /** The leads of the lines above; several for a bulk call. Those of an earlier exchange if none stand above. */
  readonly leads: readonly RecordedLead[];
}

export interface Exchange extends Told {
  readonly kind: 'exchange';
  readonly question: RecordedQuestion;
  readonly answer: RecordedAnswer;
  /** Whether leads or asks stand right above: then it is meant as a submission. */
  readonly isAsking: boolean;
}

export interface RecordedWebhook extends Told, Message {
  readonly kind: 'webhook';
  /** The secret that signed it, or that it has to show; undefined if the transcript does not state it. */
  readonly secret: string | undefined;
}

export type TranscriptPart = Exchange | RecordedWebhook;
