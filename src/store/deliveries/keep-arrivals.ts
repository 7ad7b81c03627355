// Keeps deliveries: each body once for its key, and under one key no more than a platform would send. Several listeners
// may do that at the same moment. Rows of enrichments are locked before those of deliveries, so that no two verbs wait
// for each other.

import { createHash } from 'node:crypto';
import { dueNow, mayBeOutdone } from '../../model/enrichment/answer.js';
import { isAnswer } from '../../model/enrichment/arrows.js';
import type { Enrichment } from '../../model/enrichment/locked.js';
import { isRemembered } from '../../model/enrichment/stored-request.js';
import type {
  Arrival,
  ArrivalCount,
  Delivery,
  RefusedDeliveries,
} from '../../ports/store/deliveries.js';
import { lockRows } from '../enrichments/lock-rows.js';
import { save } from '../enrichments/save.js';
import { keepEvents } from '../events.js';
import type { Sql } from '../sql.js';
import { read, type Verbs, write } from '../verb.js';

/** The number of locks. Each key uses one of them, so a batch of many keys takes no more. */
const LOCKS = 256;
const GOES_ON = 'excluded.first_at - refused_deliveries.last_at <= 3600000';

interface Arrived {
  readonly delivery: Delivery;
  readonly digest: Buffer;
  readonly key: number | null;
}

/** A known delivery; `id` is null if it came in this batch. */
interface Kept {
  readonly id: number | null;
  readonly receivedAt: number;
  times: number;
}

interface Room {
  readonly before: number;
  bytes: number;
  unkept: number;
}

interface Known {
  readonly ended: ReadonlySet<number | null>;
  readonly same: Map<string, Kept[]>;
  readonly rooms: Map<number, Room>;
}

export const arrivalVerbs = {
  countUnkept: read(async (sql) => {
    const sum = 'SELECT coalesce(sum(unkept), 0)::bigint FROM delivery_keys';
    return (await sql.value<number>(sum)) ?? 0;
  }),
  refusedDeliveries: read((sql) =>
    sql.rows<RefusedDeliveries>(
      'SELECT * FROM refused_deliveries ORDER BY scope, reason, encoding',
    ),
  ),
  keepArrivals: write('hot', 'unfenced', async (sql, arrivals) => {
    const events = arrivals.filter((arrival) => 'event' in arrival);
    const count = await keepDeliveries(sql, arrivals.filter(isDelivery));
    const kept = await keepEvents(sql, events);
    const repeated = count.repeated + events.length - kept;
    return { ...count, kept: count.kept + kept, repeated };
  }),
  addRefused: write('hot', 'unfenced', async (sql, refused) => {
    await sql.insert(
      'refused_deliveries',
      // In one order, so that no two listeners wait for each other.
      refused
        .map((one) => ({ ...one }))
        .sort((a, b) => (keyOfRefused(a) < keyOfRefused(b) ? -1 : 1)),
      `ON CONFLICT (scope, reason, encoding) DO UPDATE SET
         count = excluded.count + CASE WHEN ${GOES_ON} THEN refused_deliveries.count ELSE 0 END,
         first_at = CASE WHEN ${GOES_ON} THEN refused_deliveries.first_at ELSE excluded.first_at END,
         last_at = excluded.last_at`,
    );
  }),
} satisfies Partial<Verbs>;

function keyOfRefused({ scope, reason, encoding }: Omit<RefusedDeliveries, 'firstAt' | 'lastAt'>) {
  return [scope, reason, encoding].join(' ');
}

function isDelivery(arrival: Arrival): arrival is Delivery {
  return !('event' in arrival);
}

async function keepDeliveries(sql: Sql, deliveries: readonly Delivery[]): Promise<ArrivalCount> {
  const count = { kept: 0, repeated: 0, alreadyAnswered: 0, overLimit: 0 };
  if (deliveries.length === 0) return count;
  const arrived = deliveries.map((delivery) => ({
    delivery,
    digest: digestOf(delivery),
    key: roomKeyOf(delivery),
  }));
  await lockKeys(sql, arrived);
  const known = await findKnown(sql, arrived);
  const kept: (Arrived & { row: Kept })[] = [];
  const full: Delivery[] = [];
  for (const one of arrived) {
    const judged = judgeArrival(one, known);
    if (typeof judged === 'object') kept.push({ ...one, row: judged });
    if (judged === 'overLimit') full.push(one.delivery);
    count[typeof judged === 'object' ? 'kept' : judged] += 1;
  }
  // The answer may have been among the deliveries that were not kept.
  await pollNow(sql, full);
  await countAgain(sql, known.same);
  await insert(sql, kept);
  await writeRooms(sql, known.rooms);
  return count;
}

/** Until the transaction ends, no other transaction keeps deliveries under these keys, or the same bodies of hooks. */
async function lockKeys(sql: Sql, arrived: readonly Arrived[]): Promise<void> {
  // SQLite has one writer. `Sql.lock` for each key would take a round trip to the server each.
  if (sql.kind === 'sqlite') return;
  const locks = arrived.map(({ digest, key }) => Math.abs(key ?? digest.readUInt8()) % LOCKS);
  await sql.run('SELECT pg_advisory_xact_lock(8, lock) FROM unnest($1::int[]) AS lock', [
    [...new Set(locks)].sort((a, b) => a - b),
  ]);
}

async function findKnown(sql: Sql, arrived: readonly Arrived[]): Promise<Known> {
  const ids = arrived.flatMap(({ delivery }) => delivery.enrichmentId ?? []);
  const keys = arrived.flatMap(({ key }) => key ?? []);
  const named = await sql.rows<NamedRow>(
    'SELECT id, state, ticket, inputs, send_count FROM enrichments WHERE id = ANY ($1)',
    [ids],
  );
  const rows = await sql.rows<{ id: number; digest: Buffer; receivedAt: number }>(
    `SELECT id, digest, received_at FROM deliveries WHERE digest = ANY ($1)`,
    [arrived.map(({ digest }) => digest)],
  );
  const rooms = await sql.rows<{ id: number; bytes: number }>(
    'SELECT id, bytes FROM delivery_keys WHERE id = ANY ($1)',
    [keys],
  );
  const same = new Map<string, Kept[]>(arrived.map(({ digest }) => [digest.toString('hex'), []]));
  for (const { digest, id, receivedAt } of rows) {
    same.get(digest.toString('hex'))?.push({ id, receivedAt, times: 0 });
  }
  const before = new Map(rooms.map(({ id, bytes }) => [id, bytes]));
  return {
    ended: new Set(named.filter(isAnswered).map(({ id }) => id)),
    same,
    rooms: new Map(keys.map((key) => [key, { before: before.get(key) ?? 0, bytes: 0, unkept: 0 }])),
  };
}

type NamedRow = Pick<Enrichment, 'id' | 'state' | 'ticket' | 'inputs' | 'sendCount'>;

/** A refused enrichment has no ticket: a delivery for it was not expected, and is kept for people to look at. */
function isAnswered(row: NamedRow): boolean {
  const { inputs, state, ticket } = row;
  if (mayBeOutdone(row)) return false;
  if (state === 'failed') return ticket !== null || !isRemembered({ inputs });
  return isAnswer(state);
}

/** Decides about a delivery, and notes what is to be written. Returns its row if it is kept. */
function judgeArrival(
  { delivery, digest, key }: Arrived,
  { ended, rooms, same }: Known,
): Kept | Exclude<keyof ArrivalCount, 'kept'> {
  const { enrichmentId, receivedAt } = delivery;
  const room = key === null ? undefined : rooms.get(key);
  // A delivery for a forgotten person would bring that person's data back.
  if (room !== undefined && enrichmentId !== null && ended.has(enrichmentId)) {
    room.unkept += 1;
    return 'alreadyAnswered';
  }
  const there = same.get(digest.toString('hex')) ?? [];
  const repeated = there.find((one) => one.receivedAt > receivedAt - REPEATED_MS);
  if (repeated !== undefined) {
    repeated.times += 1;
    return 'repeated';
  }
  if (room !== undefined && !hasRoom(delivery, room.before + room.bytes)) {
    room.unkept += 1;
    return 'overLimit';
  }
  if (room !== undefined) room.bytes += Buffer.byteLength(delivery.body) + ROW_BYTES;
  const kept = { id: null, receivedAt, times: 1 };
  there.push(kept);
  return kept;
}

async function pollNow(sql: Sql, deliveries: readonly Delivery[]): Promise<void> {
  const locked = await lockRows(
    sql,
    deliveries.flatMap(({ enrichmentId }) => enrichmentId ?? []),
  );
  for (const { enrichmentId, receivedAt } of deliveries) {
    const row = enrichmentId === null ? undefined : locked.rows.get(enrichmentId);
    if (row !== undefined) dueNow(locked, row, receivedAt);
  }
  await save(sql, locked);
}

async function countAgain(sql: Sql, same: Known['same']): Promise<void> {
  const again = [...same.values()]
    .flat()
    .flatMap(({ id, times }) => (id !== null && times > 0 ? [{ id, times }] : []));
  if (again.length === 0) return;
  const rows = await sql.rows<{ id: number; times: number }>(
    'SELECT id, times FROM deliveries WHERE id = ANY ($1) ORDER BY id FOR UPDATE',
    [again.map(({ id }) => id)],
  );
  const more = new Map(again.map(({ id, times }) => [id, times]));
  await sql.update(
    'deliveries',
    ['id'],
    rows.map(({ id, times }) => ({ id, times: times + (more.get(id) ?? 0) })),
  );
}

async function insert(
  sql: Sql,
  kept: readonly (Arrived & { readonly row: Kept })[],
): Promise<void> {
  await sql.insert(
    'deliveries',
    kept.map(({ delivery, digest, row }) => ({
      ...delivery,
      times: row.times,
      digest,
    })),
  );
}

async function writeRooms(sql: Sql, rooms: Known['rooms']): Promise<void> {
  const changed = [...rooms].filter(([, { bytes, unkept }]) => bytes + unkept > 0);
  await sql.insert(
    'delivery_keys',
    changed.map(([id, { bytes, unkept }]) => ({ id, bytes, unkept })).sort((a, b) => a.id - b.id),
    `ON CONFLICT (id) DO UPDATE SET bytes = delivery_keys.bytes + excluded.bytes,
       unkept = delivery_keys.unkept + excluded.unkept`,
  );
}

/** The limit for the bytes of the bodies under one key. The body that passes it is the last one that is kept. */
const LEAD_BYTES_MAX = 2 ** 20;
const CALL_BYTES_MAX = 64 * 2 ** 20;
const ROW_BYTES = 100;

/** Platforms repeat a delivery for hours. After a day it may be the answer to another request, in the same words. */
const REPEATED_MS = 24 * 60 * 60_000;

/** The digest of a delivery, 128 bits: deliveries with the same digest are the same. */
function digestOf({ scope, enrichmentId, callId, body }: Delivery): Buffer {
  const key = `${scope} ${enrichmentId} ${callId}\n`;
  return createHash('sha256').update(key).update(body).digest().subarray(0, 16);
}

/** The id in `delivery_keys` under which the bytes of a delivery are counted; null if no limit applies. */
function roomKeyOf({ callId, enrichmentId }: Delivery): number | null {
  return enrichmentId ?? (callId === null ? null : -callId);
}

function hasRoom({ enrichmentId }: Delivery, bytes: number): boolean {
  return bytes < (enrichmentId === null ? CALL_BYTES_MAX : LEAD_BYTES_MAX);
}
