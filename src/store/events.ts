import type {
  Disturbance,
  EventFilter,
  ReceivedEvent,
  StoredEvent,
} from '../ports/store/events.js';
import { parsed, type Sql, type Value } from './sql.js';
import { read, type Verbs } from './verb.js';

export const eventVerbs = {
  events: read(async (sql, filter, range) => {
    const isLast = 'last' in range;
    const values: Value[] = isLast ? [0, range.last] : [range.after, range.limit];
    const conditions = conditionsOf(filter, (value) => `$${values.push(value)}`);
    const rows = await sql.rows(
      `SELECT id AS number, type, happened_at, received_at, body AS record
       FROM events WHERE ${['id > $1', ...conditions].join(' AND ')}
       ORDER BY id ${isLast ? 'DESC' : 'ASC'} LIMIT $2`,
      values,
    );
    const events = rows.map((row) => parsed<StoredEvent>(row, 'record'));
    return isLast ? events.toReversed() : events;
  }),
  disturbances: read((sql, from, to) =>
    sql.rows<Disturbance>(
      `SELECT scope, type, count(*) AS count, max(happened_at) AS last_at FROM events
       WHERE type IN ('sendLimitReached', 'connectionIssue') AND happened_at BETWEEN $1 AND $2
       GROUP BY scope, type ORDER BY scope, type`,
      [from, to],
    ),
  ),
} satisfies Partial<Verbs>;

/** `place` adds a value to the statement, and returns its parameter. */
function conditionsOf(
  { types, campaignId, lead, since, until }: EventFilter,
  place: (value: Value) => string,
): string[] {
  const conditions: string[] = [];
  if (types !== undefined) {
    const isIn = `= ANY (${place(types)})`;
    conditions.push(`(type ${isIn} OR json_field(body, 'type') ${isIn})`);
  }
  if (campaignId !== undefined) {
    conditions.push(`json_field(body, 'campaignId') = ${place(campaignId)}`);
  }
  if (lead !== undefined) {
    const email = place(lead.toLowerCase());
    conditions.push(
      `(json_field(body, 'leadId') = ${place(lead)} OR lower(json_field(body, 'leadEmail')) = ${email})`,
    );
  }
  if (since !== undefined) conditions.push(`happened_at >= ${place(since)}`);
  if (until !== undefined) conditions.push(`happened_at < ${place(until)}`);
  return conditions;
}

/** One verb at a time: a reader that continues after a number misses no event committed later under a smaller one. */
export async function keepEvents(sql: Sql, events: readonly ReceivedEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  await sql.lock('events');
  const rows = events.map(({ body, event, receivedAt, scope }) => ({
    scope,
    eventId: event.id,
    type: event.type,
    happenedAt: event.at ?? receivedAt,
    receivedAt,
    body,
  }));
  return sql.insert('events', rows, 'ON CONFLICT DO NOTHING');
}
