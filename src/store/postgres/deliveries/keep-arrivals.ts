// Keeps what webhooks brought: each body once for its key, and no more under one key than a platform would send.
// Several listeners may do that at the same moment. Rows of enrichments come before those of deliveries, so that no two
// verbs wait for each other.
import type { Arrival, ArrivalCount, Delivery } from '../../../ports/store/deliveries.js';
import { digestOf, hasRoom, REPEATED_MS, roomKeyOf, roomOf } from '../../deliveries/arrivals.js';
import { IS_REMEMBERED } from '../../enrichments/stored-request.js';
import type { Sql } from '../database/database.js';
import { keepEvents } from '../events.js';
import type { Verbs } from '../verbs.js';

/** Each key has one of so many locks: a batch of many keys takes no more. */
const LOCKS = 256;

interface Arrived {
  readonly delivery: Delivery;
  readonly digest: Buffer;
  readonly key: number | null;
}

/** A delivery that is there; `id` is null for one of this batch. */
interface Kept {
  readonly id: number | null;
  readonly receivedAt: number;
  /** How often it came in this batch. */
  times: number;
}

interface Room {
  readonly before: number;
  bytes: number;
  unkept: number;
}

/** What is there already of what has arrived. */
interface Known {
  readonly ended: ReadonlySet<number | null>;
  /** By digest. */
  readonly same: Map<string, Kept[]>;
  readonly rooms: Map<number, Room>;
}

export const arrivalReads = {
  countUnkept: async (sql) =>
    (
      await sql.row<{ n: number }>(
        'SELECT coalesce(sum(unkept), 0)::bigint AS n FROM delivery_keys',
      )
    )?.n ?? 0,
} satisfies Partial<Verbs>;

export const arrivalWrites = {
  keepArrivals: async (sql, arrivals) => {
    const events = arrivals.filter((arrival) => 'event' in arrival);
    const count = await keepDeliveries(sql, arrivals.filter(isDelivery));
    const kept = await keepEvents(sql, events);
    const repeated = count.repeated + events.length - kept;
    return { ...count, kept: count.kept + kept, repeated };
  },
} satisfies Partial<Verbs>;

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
    const fate = fateOf(one, known);
    if (typeof fate === 'object') kept.push({ ...one, row: fate });
    if (fate === 'overLimit') full.push(one.delivery);
    count[typeof fate === 'object' ? 'kept' : fate] += 1;
  }
  // Its answer may have been among what was not kept.
  await pollNow(sql, full);
  await countAgain(sql, known.same);
  await insert(sql, kept);
  await writeRooms(sql, known.rooms);
  return count;
}

/** Until the transaction ends, no other one keeps anything under these keys, or the same bodies of hooks. */
async function lockKeys(sql: Sql, arrived: readonly Arrived[]): Promise<void> {
  const locks = arrived.map(({ digest, key }) => Math.abs(key ?? digest.readUInt8()) % LOCKS);
  await sql.run('SELECT pg_advisory_xact_lock(8, lock) FROM unnest($1::int[]) AS lock', [
    [...new Set(locks)].sort((a, b) => a - b),
  ]);
}

async function findKnown(sql: Sql, arrived: readonly Arrived[]): Promise<Known> {
  const ids = arrived.flatMap(({ delivery }) => delivery.enrichmentId ?? []);
  const keys = arrived.flatMap(({ key }) => key ?? []);
  // An enrichment that was refused has no ticket: a delivery for it was not expected, and is kept to be looked at.
  const ended = await sql.rows<{ id: number }>(
    `SELECT id FROM enrichments WHERE id = ANY ($1::bigint[]) AND (state = 'found' OR state = 'not_found'
       OR (state = 'failed' AND (ticket IS NOT NULL OR NOT (${IS_REMEMBERED}))))`,
    [ids],
  );
  const rows = await sql.rows<{ id: number; digest: Buffer; receivedAt: number }>(
    `SELECT id, digest, received_at AS "receivedAt" FROM deliveries WHERE digest = ANY ($1::bytea[])`,
    [arrived.map(({ digest }) => digest)],
  );
  const rooms = await sql.rows<{ id: number; bytes: number }>(
    'SELECT id, bytes FROM delivery_keys WHERE id = ANY ($1::bigint[])',
    [keys],
  );
  const same = new Map<string, Kept[]>(arrived.map(({ digest }) => [digest.toString('hex'), []]));
  for (const { digest, id, receivedAt } of rows) {
    same.get(digest.toString('hex'))?.push({ id, receivedAt, times: 0 });
  }
  const before = new Map(rooms.map(({ id, bytes }) => [id, bytes]));
  return {
    ended: new Set(ended.map(({ id }) => id)),
    same,
    rooms: new Map(keys.map((key) => [key, { before: before.get(key) ?? 0, bytes: 0, unkept: 0 }])),
  };
}

/** Notes what is to be written; the row of a delivery that is to be kept. */
function fateOf(
  { delivery, digest, key }: Arrived,
  { ended, rooms, same }: Known,
): Kept | Exclude<keyof ArrivalCount, 'kept'> {
  const { enrichmentId, receivedAt } = delivery;
  const room = key === null ? undefined : rooms.get(key);
  // A delivery for a forgotten person would bring them back.
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
  if (room !== undefined) room.bytes += roomOf(delivery);
  const kept = { id: null, receivedAt, times: 1 };
  there.push(kept);
  return kept;
}

/** Once for each enrichment: the holder of a key could otherwise make us poll it all day. */
async function pollNow(sql: Sql, deliveries: readonly Delivery[]): Promise<void> {
  const ids = deliveries.map(({ enrichmentId }) => enrichmentId);
  if (ids.every((id) => id === null)) return;
  await sql.run('SELECT 1 FROM enrichments WHERE id = ANY ($1::bigint[]) ORDER BY id FOR UPDATE', [
    ids,
  ]);
  await sql.run(
    `UPDATE enrichments e SET poll_at = least(e.poll_at, soon.at)
     FROM (SELECT id, min(at) AS at FROM unnest($1::bigint[], $2::bigint[]) AS asked (id, at) GROUP BY id) AS soon
     WHERE e.id = soon.id AND e.state = 'awaiting' AND e.poll_count = 0`,
    [ids, deliveries.map(({ receivedAt }) => receivedAt)],
  );
}

async function countAgain(sql: Sql, same: Known['same']): Promise<void> {
  const again = [...same.values()].flat().filter(({ id, times }) => id !== null && times > 0);
  if (again.length === 0) return;
  const ids = again.map(({ id }) => id);
  await sql.run('SELECT 1 FROM deliveries WHERE id = ANY ($1::bigint[]) ORDER BY id FOR UPDATE', [
    ids,
  ]);
  await sql.run(
    `UPDATE deliveries d SET times = d.times + came.times
     FROM unnest($1::bigint[], $2::int[]) AS came (id, times) WHERE d.id = came.id`,
    [ids, again.map(({ times }) => times)],
  );
}

async function insert(
  sql: Sql,
  kept: readonly (Arrived & { readonly row: Kept })[],
): Promise<void> {
  if (kept.length === 0) return;
  const deliveries = kept.map(({ delivery }) => delivery);
  await sql.run(
    `WITH came AS MATERIALIZED (
       SELECT nextval(pg_get_serial_sequence('deliveries', 'id')) AS id, *
       FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::int[], $6::bytea[], $7::text[])
         AS row (scope, enrichment_id, call_id, received_at, times, digest, body)),
     bodies AS (INSERT INTO delivery_bodies (delivery_id, body) SELECT id, body FROM came),
     pending AS (INSERT INTO pending_deliveries (scope, delivery_id) SELECT scope, id FROM came)
     INSERT INTO deliveries (id, scope, enrichment_id, call_id, received_at, times, digest)
     SELECT id, scope, enrichment_id, call_id, received_at, times, digest FROM came`,
    [
      deliveries.map(({ scope }) => scope),
      deliveries.map(({ enrichmentId }) => enrichmentId),
      deliveries.map(({ callId }) => callId),
      deliveries.map(({ receivedAt }) => receivedAt),
      kept.map(({ row }) => row.times),
      kept.map(({ digest }) => digest),
      deliveries.map(({ body }) => body),
    ],
  );
}

async function writeRooms(sql: Sql, rooms: Known['rooms']): Promise<void> {
  const changed = [...rooms].filter(([, { bytes, unkept }]) => bytes + unkept > 0);
  if (changed.length === 0) return;
  await sql.run(
    `INSERT INTO delivery_keys AS k (id, bytes, unkept)
     SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::int[]) AS came (id, bytes, unkept) ORDER BY id
     ON CONFLICT (id) DO UPDATE SET bytes = k.bytes + excluded.bytes, unkept = k.unkept + excluded.unkept`,
    [
      changed.map(([id]) => id),
      changed.map(([, { bytes }]) => bytes),
      changed.map(([, { unkept }]) => unkept),
    ],
  );
}
