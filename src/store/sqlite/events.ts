// The journal of events: each kept once, and read in the order in which they came.
import type Database from 'better-sqlite3';
import type {
  Disturbance,
  EventFilter,
  ReceivedEvent,
  StoredEvent,
} from '../../ports/store/events.js';
import {
  type EventRange,
  type EventRow,
  happenedAt,
  toStoredEvent,
} from '../deliveries/event-rows.js';
import type { Verbs } from './database/transactions.js';

export function prepareEvents(db: Database.Database) {
  const disturbances = db.prepare<[number, number], Disturbance>(
    `SELECT scope, type, count(*) AS count, max(happened_at) AS lastAt FROM events
     WHERE type IN ('sendLimitReached', 'connectionIssue') AND happened_at BETWEEN ? AND ?
     GROUP BY scope, type ORDER BY scope, type`,
  );

  // A filter has any of five parts, and the statement has a condition for each of them.
  const read = (filter: EventFilter, { order, after, limit }: EventRange): StoredEvent[] => {
    const { sql, values } = conditionsOf(filter);
    const rows = db
      .prepare<(string | number)[], EventRow>(
        `SELECT id AS number, type, happened_at AS happenedAt, received_at AS receivedAt, body
         FROM events WHERE id > ?${sql} ORDER BY id ${order} LIMIT ?`,
      )
      .all(after, ...values, limit);
    return rows.map(toStoredEvent);
  };

  return {
    eventsAfter: (number, filter, limit) => read(filter, { order: 'ASC', after: number, limit }),
    lastEvents: (filter, limit) => read(filter, { order: 'DESC', after: 0, limit }).toReversed(),
    disturbances: (from, to) => disturbances.all(from, to),
  } satisfies Partial<Verbs>;
}

/** False where it is there already. Inside another verb's transaction. */
export function prepareKeepEvent(db: Database.Database) {
  const insert = db.prepare<[string, string, string, number, number, string]>(
    `INSERT OR IGNORE INTO events (scope, event_id, type, happened_at, received_at, body)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );

  return (received: ReceivedEvent): boolean => {
    const { body, event, receivedAt, scope } = received;
    const at = happenedAt(received);
    return insert.run(scope, event.id, event.type, at, receivedAt, body).changes > 0;
  };
}

function conditionsOf({ types, campaignId, lead, since, until }: EventFilter) {
  const conditions: [sql: string, ...values: (string | number)[]][] = [];
  if (types !== undefined) {
    const names = JSON.stringify(types);
    const isIn = 'IN (SELECT value FROM json_each(?))';
    conditions.push([`(type ${isIn} OR json_extract(body, '$.type') ${isIn})`, names, names]);
  }
  if (campaignId !== undefined) {
    conditions.push(["json_extract(body, '$.campaignId') = ?", campaignId]);
  }
  if (lead !== undefined) {
    const leadIs = "json_extract(body, '$.leadId') = ?";
    const emailIs = "lower(json_extract(body, '$.leadEmail')) = ?";
    conditions.push([`(${leadIs} OR ${emailIs})`, lead, lead.toLowerCase()]);
  }
  if (since !== undefined) conditions.push(['happened_at >= ?', since]);
  if (until !== undefined) conditions.push(['happened_at < ?', until]);
  return {
    sql: conditions.map(([sql]) => ` AND ${sql}`).join(''),
    values: conditions.flatMap(([, ...values]) => values),
  };
}
