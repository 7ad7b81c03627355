// The state of a replay: what one exchange needs of those before it, and what it gives.
import type { Dialect } from '../../dialect/dialect.js';
import type { Exchange, RecordedLead, RecordedWebhook } from '../../dialect/transcript/recorded.js';
import type { WebhookProofs } from '../../dialect/webhooks.js';
import type { Values } from '../../dialect/wire-calls.js';
import type { Call } from '../wire/exchange.js';
import type { Came, Meaning } from './meaning.js';
import type { Played, Stage } from './stage.js';

export interface Accepted {
  readonly ticket: string;
  readonly lead: RecordedLead;
}

/** The flaw of a webhook that was made with `secret`, a sentence without a full stop; undefined for none. */
export type ProveWebhook = (
  webhooks: WebhookProofs,
  secret: string,
  webhook: RecordedWebhook,
) => string | undefined;

export interface Replay {
  readonly dialect: Dialect;
  readonly stage: Stage;
  readonly prove: ProveWebhook;
  readonly accepted: Map<string, readonly Accepted[]>;
}

export interface Outcome {
  readonly call: string;
  /** Undefined if nothing was written. */
  readonly sent: Call | undefined;
  readonly meanings: readonly Meaning[];
}

/** Plays an exchange with our own client; `values` are those of its path. */
export type Play = (part: Exchange, replay: Replay, values: Values) => Promise<Outcome>;

export function cameOf(
  { answer }: Exchange,
  { dialect }: Replay,
  { isThrottled }: Played<unknown>,
): Omit<Came, 'lead'> {
  return { answer, dialect, isThrottled };
}

const NOBODY: RecordedLead = { inputs: {}, ask: ['find_email'] };

/** The lead of the lines above; the last one of several. */
export function leadOf({ leads }: Exchange): RecordedLead {
  return leads.at(-1) ?? NOBODY;
}
