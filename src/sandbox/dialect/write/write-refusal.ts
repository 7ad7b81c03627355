// What is no result and no success, from the neutral status and `{error}` to a dialect's: in progress, throttled,
// out of credits, and every other error.
import type { Dialect } from '../../../dialect/dialect.js';
import type { WireSignals } from '../../../dialect/parts.js';
import type { JsonValue } from '../../../model/text/json.js';
import { withPlaced } from '../wire-places.js';

export interface Reply {
  readonly status: number;
  readonly body: JsonValue;
}

/** An error whose sentence stands where the dialect has it, with the status and word of its signal if it is one. */
export function writeRefusal(status: number, sentence: string, dialect: Dialect): Reply {
  const signal = signalOf(status, dialect);
  const word = signal?.word ?? '';
  const isSaid = sentence.toLowerCase().includes(word.toLowerCase());
  const text = isSaid ? sentence : `${word}: ${sentence}`;
  const { reason } = dialect.errors;
  const body = withPlaced({}, reason.length === 0 ? ['error'] : reason, text);
  return { status: signal?.status ?? status, body };
}

/** The first of the dialect's signals for what the neutral dialect tells by a status alone. */
function signalOf(status: number, { limits, errors }: Dialect): WireSignals[number] | undefined {
  if (status === 429) return limits.throttled[0];
  return status === 402 ? errors.outOfCredits[0] : undefined;
}

/** By a field where the dialect has one, else by a status. */
export function writePending(ticket: JsonValue | undefined, dialect: Dialect): Reply {
  const { statuses, at, values } = dialect.result.pending;
  const [status = 202] = statuses;
  if (at.length > 0 && values.length > 0) {
    return { status: 200, body: withPlaced({}, at, values[0]) };
  }
  if (status >= 400) return writeRefusal(status, 'There is no result yet.', dialect);
  return { status, body: withPlaced({}, dialect.answer.ticket, ticket) };
}
