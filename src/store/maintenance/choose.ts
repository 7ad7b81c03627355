// Finds everything about a person in the state. All tables are read, a page at a time, and matched here.
import { namesPerson } from '../../model/ask.js';
import { toInputs } from '../../model/enrichment/stored-request.js';
import type { MappedInput } from '../../model/mapping/mapping.js';
import type { PersonMatch } from '../../model/person-match.js';
import { foundPerson } from '../../model/suppression.js';
import type { JsonObject, JsonValue } from '../../model/text/json.js';
import { readResult } from '../enrichments/result-format.js';
import { visitCells } from '../lead-cells.js';
import { fewOf, type Sql } from '../sql.js';
import { FORGOTTEN_TICKET, isAbout } from './forgetting.js';

const ROWS_MAX = 2_000;

export interface Chosen {
  readonly enrichments: Set<number>;
  readonly leads: Map<number, Set<number>>;
  readonly deliveries: Set<number>;
  readonly events: Set<number>;
  readonly rejects: Set<number>;
  /** Tickets of the enrichments: a delivery may name nothing else. */
  readonly tickets: Set<string>;
  names: number;
}

interface Found<T> {
  readonly id: number;
  readonly value: T;
}

export async function choose(sql: Sql, match: PersonMatch): Promise<Chosen> {
  const chosen: Chosen = {
    enrichments: new Set(),
    leads: new Map(),
    deliveries: new Set(),
    events: new Set(),
    rejects: new Set(),
    tickets: new Set(),
    names: 0,
  };
  const { enrichments, rejects } = chosen;
  const isTheirs = (text: string) => isAbout(match, text);
  await addWhere(
    enrichments,
    pagesOf<string>(sql, 'enrichments', 'id', 'inputs'),
    (text) => isTheirs(text) || match.isNamed(toInputs(text)),
  );
  const unread = pagesOf<string>(sql, 'unread_answers', 'enrichment_id', 'body');
  await addWhere(enrichments, unread, isTheirs);
  const results = pagesOf<Uint8Array>(sql, 'results', 'enrichment_id', 'body');
  await addWhere(enrichments, results, (body) => {
    const result = readResult(body);
    return match.inJson(result as JsonObject) || match.isNamed(foundPerson(result));
  });
  const runs = await sql.rows<{ id: number; mapping: string }>('SELECT id, mapping FROM runs');
  const mappings = new Map(
    runs.map(({ id, mapping }) => [id, JSON.parse(mapping) as readonly MappedInput[]]),
  );
  await visitCells(sql, (run, position, cells) => {
    if (match.inJson(cells) || match.isInLine(cells, mappings.get(run) ?? [])) {
      addLead(chosen.leads, run, position);
    }
  });
  await addWhatBelongs(sql, chosen);
  const tickets = await sql.list<string>(
    'SELECT ticket FROM enrichments WHERE ticket <> $1 AND id = ANY ($2::bigint[])',
    [FORGOTTEN_TICKET, [...enrichments]],
  );
  for (const ticket of tickets) chosen.tickets.add(ticket);
  await chooseDeliveries(sql, match, chosen);
  await chooseEvents(sql, match, chosen);
  await addWhere(rejects, pagesOf<string>(sql, 'rejects', 'id', 'raw'), (text) =>
    match.inText(text),
  );
  chosen.names = await countNames(sql, match);
  return chosen;
}

/** Adds the enrichments of the leads that name the person, and the leads of the enrichments about the person. */
export async function addWhatBelongs(sql: Sql, { enrichments, leads }: Chosen): Promise<void> {
  await addLeadsOf(sql, enrichments, leads);
  await addOtherSteps(sql, leads);
  for (const [runId, positions] of leads) {
    const theirs = await sql.rows<{ id: number; inputs: string }>(
      `SELECT DISTINCT e.id, e.inputs FROM leads l JOIN enrichments e ON e.id = l.enrichment_id
       WHERE l.run_id = $1 AND l.position = ANY ($2::integer[])`,
      [runId, [...positions]],
    );
    // A company that was asked for is that of its other people too.
    for (const { id, inputs } of theirs) {
      if (namesPerson(Object.keys(toInputs(inputs)))) enrichments.add(id);
    }
  }
  // What was found for the person also stands in enrichments that name them otherwise.
  const others = await sql.list<number>(
    'SELECT DISTINCT enrichment_id FROM stands WHERE from_id = ANY ($1::bigint[])',
    [[...enrichments]],
  );
  for (const id of others) enrichments.add(id);
  await addLeadsOf(sql, enrichments, leads);
}

async function addLeadsOf(
  sql: Sql,
  enrichments: Chosen['enrichments'],
  leads: Chosen['leads'],
): Promise<void> {
  const rows = await sql.rows<{ run: number; position: number }>(
    'SELECT run_id AS run, position FROM leads WHERE enrichment_id = ANY ($1::bigint[])',
    [[...enrichments]],
  );
  for (const { run, position } of rows) addLead(leads, run, position);
}

/** A lead of a waterfall is the same in the run that holds it and in those of all steps. */
async function addOtherSteps(sql: Sql, leads: Chosen['leads']): Promise<void> {
  const runs = await sql.rows<{ run: number; other: number }>(
    `SELECT r.id AS run, o.id AS other FROM runs r
     JOIN runs o ON o.id = r.step_of OR o.step_of = coalesce(r.step_of, r.id)
     WHERE r.id = ANY ($1::bigint[]) AND o.id <> r.id`,
    [[...leads.keys()]],
  );
  const before = new Map([...leads].map(([run, positions]) => [run, [...positions]]));
  for (const { other, run } of runs) {
    for (const position of before.get(run) ?? []) addLead(leads, other, position);
  }
}

function addLead(leads: Chosen['leads'], run: number, position: number): void {
  const known = leads.get(run) ?? new Set();
  leads.set(run, known.add(position));
}

/** All values of a column or an expression, in the order of a key; if they are long, a few at a time. */
async function* pagesOf<T extends string | Uint8Array | null>(
  sql: Sql,
  table: string,
  key: string,
  value: string,
): AsyncGenerator<Found<T>> {
  const next = `${table} WHERE ${key} > $1 ORDER BY ${key} LIMIT ${ROWS_MAX}`;
  const page = `SELECT ${key} AS id, ${value} AS value FROM ${table} WHERE ${key} > $1 AND ${key} <= $2 ORDER BY ${key}`;
  for (let last = 0; ; ) {
    const keys = await fewOf(sql, key, value, next, [last]);
    if (keys.length === 0) return;
    const end = Math.max(...keys);
    yield* await sql.rows<Found<T>>(page, [last, end]);
    last = end;
  }
}

async function addWhere<T>(
  ids: Set<number>,
  found: AsyncIterable<Found<T>>,
  isTheirs: (value: T) => boolean,
): Promise<void> {
  for await (const { id, value } of found) if (isTheirs(value)) ids.add(id);
}

async function chooseDeliveries(sql: Sql, match: PersonMatch, chosen: Chosen): Promise<void> {
  const { deliveries, enrichments, tickets } = chosen;
  const keyed = await sql.list<number>(
    'SELECT id FROM deliveries WHERE enrichment_id = ANY ($1::bigint[])',
    [[...enrichments]],
  );
  for (const id of keyed) deliveries.add(id);
  const bodies = pagesOf<string | null>(sql, 'deliveries', 'id', 'body');
  await addWhere(deliveries, bodies, (text) => text !== null && isAbout(match, text, tickets));
}

interface EventBody {
  readonly leadId?: unknown;
  readonly leadEmail?: unknown;
  readonly forgotten?: unknown;
}

/** Also those that name the lead by its id alone. */
async function chooseEvents(sql: Sql, match: PersonMatch, { events }: Chosen): Promise<void> {
  const bodies = () => pagesOf<string>(sql, 'events', 'id', `scope || ' ' || body`);
  const theirs = new Set<string>();
  for await (const { value } of bodies()) {
    const { event, key } = readEvent(value);
    const isTheirs = event.leadEmail !== undefined && match.inJson(event.leadEmail as JsonValue);
    if (isTheirs && event.leadId !== undefined) theirs.add(key);
  }
  await addWhere(events, bodies(), (text) => {
    const { body, event, key } = readEvent(text);
    if (event.forgotten !== undefined) return false;
    return (
      isAbout(match, body) || match.inText(body) || (event.leadId !== undefined && theirs.has(key))
    );
  });
}

function readEvent(text: string): { key: string; body: string; event: EventBody } {
  const at = text.indexOf(' ');
  const body = text.slice(at + 1);
  const event = eventOf(body);
  return { key: JSON.stringify([text.slice(0, at), event.leadId]), body, event };
}

function eventOf(body: string): EventBody {
  try {
    return Object(JSON.parse(body)) as EventBody;
  } catch {
    return {};
  }
}

/** Names stay in the path of a file, so that no other job takes its place, and in the columns of future tables. */
async function countNames(sql: Sql, match: PersonMatch): Promise<number> {
  const plans = await sql.rows<{ columns: string; plan: string }>('SELECT columns, plan FROM runs');
  const paths = await sql.list<string>(
    `SELECT path FROM read_files UNION ALL SELECT path FROM written_files UNION ALL SELECT path FROM hashed_files`,
  );
  return (
    plans.filter(({ columns, plan }) => isAbout(match, columns) || isAbout(match, plan)).length +
    paths.filter((path) => match.inJson([path])).length
  );
}
