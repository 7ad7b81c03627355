// Handles one delivery after the gate: reads it, opens it, stores it, and only then answers.
import type { FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import type { CorrelationKey } from '../model/correlation-key.js';
import { readEvent } from '../model/events/event-record.js';
import type { GroupedWrites } from '../model/schedule/group-writes.js';
import type { JsonValue } from '../model/text/json.js';
import type { Arrival } from '../ports/store/deliveries.js';
import type { ReceivedEvent } from '../ports/store/events.js';
import { KEY } from './create-gate.js';
import { type OpenedBody, openBody } from './open-body.js';
import type { Proof } from './proof.js';
import { type MemoryBudget, readBody, type Share } from './read-body.js';
import { brokenEvent, REFUSALS, type Refusal, refuse } from './refusals.js';

export interface ReceiverOptions {
  readonly bodyBytesMax: number;
  readonly memory: MemoryBudget;
  readonly proof: Proof;
  /** Our name of an event, by the platform's name. */
  readonly ourEvent: (type: string) => string;
  readonly now: () => number;
  readonly deliveries: Pick<GroupedWrites<Arrival>, 'add'>;
  /** Whether the listener is closing, so that it takes nothing more. */
  readonly isDraining: () => boolean;
}

const RECEIVED = '{"received":true}';
/** A larger body waits for its turn. A single result is smaller, and so are most groups of results. */
const AT_ONCE_BYTES_MAX = 64 * 2 ** 10;
/** The limit for a body whose value is handed on: a value takes several times the memory of its text. */
const VALUE_LENGTH_MAX = 2 ** 20;
/** The limit for events in one body: more than any platform sends at once. */
const EVENTS_MAX = 10_000;

export function createReceiver({
  bodyBytesMax,
  memory,
  proof,
  ourEvent,
  now,
  deliveries,
  isDraining,
}: ReceiverOptions) {
  // Large bodies are read one at a time, each in its own turn of the event loop: small bodies are served in between.
  const inTurn = pLimit(1);

  /** Returns nothing but the arrivals to keep: the bytes of the body can be freed while these are stored. */
  const receive = async (
    request: FastifyRequest,
    share: Share,
  ): Promise<readonly Arrival[] | Refusal> => {
    const bytes = await readBody(request.raw, bodyBytesMax, share);
    if (!Buffer.isBuffer(bytes)) return bytes;
    if (bytes.length > AT_ONCE_BYTES_MAX) {
      await inTurn(() => new Promise((resolve) => setImmediate(resolve)));
      if (isDraining()) return REFUSALS.draining;
    }
    const key = request.getDecorator<CorrelationKey>(KEY);
    const opened = openBody({ bytes, headers: request.headers, kind: key.kind }, proof);
    return 'status' in opened ? opened : arrivalsOf(opened, key, { receivedAt: now(), ourEvent });
  };

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { kind, scope, id } = request.getDecorator<CorrelationKey>(KEY);
    // A hook's deliveries concern the whole account.
    const share = memory.openShare(kind === 'hook' ? undefined : `${kind} ${scope} ${id}`);
    try {
      const arrivals = await receive(request, share);
      if ('status' in arrivals) return refuse(request, reply, arrivals, scope);
      await Promise.all(arrivals.map((arrival) => deliveries.add(arrival)));
      void reply.type('application/json').send(RECEIVED);
    } catch {
      // The listener's `keep` option has reported the reason; the platform only has to know that it must repeat.
      refuse(request, reply, REFUSALS.notStored);
    } finally {
      share.release();
    }
  };
}

/**
 * The arrivals in a body. Events come from hooks alone: with the key of one lead they could be made up. At a hook a
 * record of a known type is an event; every other record may be a result, and a record of an unknown type is kept as
 * both. Several events in an array are kept one by one.
 */
function arrivalsOf(
  { text: body, value }: OpenedBody,
  { kind, scope, id }: CorrelationKey,
  { receivedAt, ourEvent }: { receivedAt: number } & Pick<ReceiverOptions, 'ourEvent'>,
): readonly Arrival[] | Refusal {
  const delivery = {
    scope,
    receivedAt,
    enrichmentId: kind === 'enrichment' ? id : null,
    callId: kind === 'batch' ? id : null,
    body,
    value: body.length <= VALUE_LENGTH_MAX ? value : undefined,
  };
  if (kind !== 'hook') return [delivery];
  const isArray = isJsonArray(value);
  const records = isArray ? value : [value];
  // The first record decides: an array may be large, and usually holds results.
  if (readEvent(records[0] ?? null, ourEvent).kind === 'other') return [delivery];
  if (records.length > EVENTS_MAX) return REFUSALS.tooLarge;
  const events: ReceivedEvent[] = [];
  let areKnown = true;
  for (const record of records) {
    const read = readEvent(record, ourEvent);
    if (read.kind === 'broken') return brokenEvent(read.problem);
    if (read.kind === 'event') {
      const own = isArray ? JSON.stringify(record) : body;
      events.push({ scope, receivedAt, event: read.event, body: own });
    }
    areKnown &&= read.kind === 'event' && read.isKnown;
  }
  return areKnown ? events : [...events, delivery];
}

function isJsonArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
