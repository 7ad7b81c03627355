// Handles one delivery after the gate: opens it, stores it, and only then answers.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CorrelationKey } from '../model/correlation-key.js';
import { readEvent } from '../model/events/event-record.js';
import type { GroupedWrites } from '../model/schedule/group-writes.js';
import type { JsonValue } from '../model/text/json.js';
import type { Arrival } from '../ports/store/deliveries.js';
import type { ReceivedEvent } from '../ports/store/events.js';
import type { TakeRoom } from './create-gate.js';
import { type OpenedBody, type OpeningTerms, openBody } from './open-body.js';
import { brokenEvent, KEY, REFUSALS, type Refusal, refuse } from './refusals.js';

export interface ReceiverOptions extends Pick<OpeningTerms, 'proof' | 'readBody' | 'bytesMax'> {
  /** Our name of an event, by the platform's name. */
  readonly ourEvent: (type: string) => string;
  readonly now: () => number;
  readonly deliveries: Pick<GroupedWrites<Arrival>, 'add'>;
  readonly takeRoom: TakeRoom;
}

const RECEIVED = '{"received":true}';
/** The limit for events in one body: more than any platform sends at once. */
const EVENTS_MAX = 10_000;

export function createReceiver({ ourEvent, now, deliveries, takeRoom, ...terms }: ReceiverOptions) {
  /** Nothing but the arrivals is left: the bytes of the body can be freed while these are stored. */
  const take = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<readonly Arrival[] | Refusal> => {
    const key = request.getDecorator<CorrelationKey>(KEY);
    const { body, headers, raw } = request;
    request.body = undefined;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    const opened = await openBody(
      // The gate has taken the type out of `headers`.
      { bytes, headers, type: raw.headersDistinct['content-type']?.[0], kind: key.kind },
      { ...terms, takeRoom: (more) => takeRoom(reply, more) },
    );
    return 'status' in opened ? opened : arrivalsOf(opened, key, { receivedAt: now(), ourEvent });
  };

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const arrivals = await take(request, reply);
    if ('status' in arrivals) return refuse(request, reply, arrivals);
    await Promise.all(arrivals.map((arrival) => deliveries.add(arrival)));
    void reply.type('application/json').send(RECEIVED);
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
