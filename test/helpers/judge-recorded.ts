// Judges a recorded answer under a dialect, as in a run; sends nothing.
import type { Dialect } from '../../src/dialect/dialect.js';
import { isBulkAnswer, judgeBulk } from '../../src/platform/answers/judge-bulk.js';
import { isResult, judgeRead } from '../../src/platform/answers/judge-read.js';
import { judgeSubmit } from '../../src/platform/answers/judge-submit.js';
import type { Asked } from '../../src/platform/answers/problems.js';
import { isThrottled } from '../../src/platform/answers/status-kind.js';
import { openTicket } from '../../src/platform/answers/ticket.js';
import type { Answer } from '../../src/platform/wire/exchange.js';
import type { Headers } from '../../src/platform/wire/headers.js';
import type { Sent } from '../../src/platform/wire/sender.js';
import type { BulkAnswer, BulkItem, ReadAnswer, SubmitAnswer } from '../../src/ports/platform.js';

/** An answer as it came. */
export interface Recorded {
  readonly status: number;
  readonly headers?: Headers;
  readonly text: string;
}

/** The address that the reasons and problems name. */
interface Place {
  readonly url: string;
  readonly dialect: Dialect;
}

/** The answer to a single submission; `key` is the metadata that it was sent with. */
export function judgeRecordedSubmit(recorded: Recorded, place: Place, key?: string): SubmitAnswer {
  const asked = askedAt(place);
  const isSuccess = (answer: Answer) => judgeSubmit(answer, asked, key).kind === 'accepted';
  return judgeSubmit(sentOf(recorded, asked, isSuccess), asked, key);
}

/** The answer to a bulk call of these items. */
export function judgeRecordedBulk(
  recorded: Recorded,
  items: readonly BulkItem[],
  place: Place,
): BulkAnswer {
  const asked = askedAt(place);
  const sent = sentOf(recorded, asked, (answer) => isBulkAnswer(answer, asked));
  return judgeBulk(sent, { items, asked, askedOf: () => asked });
}

/**
 * Judges the answer to a read by a ticket, in the form in which a run has it: the ticket of an item of a bulk call is
 * sealed with its key. Unread values are in `odd`.
 */
export function judgeRecordedRead(recorded: Recorded, ticket: string, place: Place): ReadAnswer {
  const asked = askedAt(place);
  const sent = sentOf(recorded, asked, (answer) => isResult(answer, asked));
  return judgeRead(sent, openTicket(ticket, place.dialect), asked);
}

function askedAt({ url, dialect }: Place): Asked {
  return { url, dialect, hidden: [] };
}

function sentOf(
  { status, headers = {}, text }: Recorded,
  { dialect }: Asked,
  isSuccess: (answer: Answer) => boolean,
): Sent {
  const answer = { kind: 'answered', status, headers, text } as const;
  const isHeld = isThrottled(answer, dialect, isSuccess);
  return isHeld ? { kind: 'throttled', status, attempts: 1 } : answer;
}
