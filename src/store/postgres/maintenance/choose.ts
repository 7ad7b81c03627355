// What is about a person, anywhere in the state. Everything is read, a page at a time, and matched here.
import type { PersonMatch } from '../../../model/person-match.js';
import type { JsonValue } from '../../../model/text/json.js';
import { FORGOTTEN_TICKET, isAbout } from '../../maintenance/forgetting.js';
import type { Sql } from '../database/database.js';

/** Rows and characters of a page; a single row may have more. */
const ROWS_MAX = 2_000;
const LENGTH_MAX = 8_000_000;

/** By their ids, and leads by run and position. */
export interface Chosen {
  readonly enrichments: Set<number>;
  readonly leads: Map<number, Set<number>>;
  readonly deliveries: Set<number>;
  readonly events: Set<number>;
  readonly rejects: Set<number>;
  /** Of the enrichments: a delivery may name nothing else. */
  readonly tickets: Set<string>;
  /** Runs and files that are named for them. */
  names: number;
}

interface TextRow {
  readonly id: number;
  readonly text: string;
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
  await addWhere(enrichments, textsOf(sql, 'enrichments', 'id', 'inputs'), (text) =>
    isAbout(match, text),
  );
  for (const table of ['results', 'unread_answers']) {
    const texts = textsOf(sql, table, 'enrichment_id', 'body');
    await addWhere(enrichments, texts, (text) => isAbout(match, text));
  }
  await chooseLeads(sql, match, chosen);
  await addWhatBelongs(sql, chosen);
  const tickets = await sql.rows<{ ticket: string }>(
    'SELECT ticket FROM enrichments WHERE ticket <> $1 AND id = ANY ($2::bigint[])',
    [FORGOTTEN_TICKET, [...enrichments]],
  );
  for (const { ticket } of tickets) chosen.tickets.add(ticket);
  await chooseDeliveries(sql, match, chosen);
  await chooseEvents(sql, match, chosen);
  await addWhere(rejects, textsOf(sql, 'rejects', 'id', 'raw'), (text) => match.inText(text));
  chosen.names = await countNames(sql, match);
  return chosen;
}

/** Enrichments of leads that name them, and leads of enrichments that were asked or answered with them. */
export async function addWhatBelongs(sql: Sql, { enrichments, leads }: Chosen): Promise<void> {
  for (const [runId, positions] of leads) {
    const theirs = await sql.rows<{ id: number }>(
      `SELECT DISTINCT enrichment_id AS id FROM leads
       WHERE run_id = $1 AND position = ANY ($2::integer[]) AND enrichment_id IS NOT NULL`,
      [runId, [...positions]],
    );
    for (const { id } of theirs) enrichments.add(id);
  }
  const rows = await sql.rows<{ run: number; position: number }>(
    'SELECT run_id AS run, position FROM leads WHERE enrichment_id = ANY ($1::bigint[])',
    [[...enrichments]],
  );
  for (const { run, position } of rows) addLead(leads, run, position);
}

function addLead(leads: Chosen['leads'], run: number, position: number): void {
  const known = leads.get(run) ?? new Set();
  leads.set(run, known.add(position));
}

async function* textsOf(
  sql: Sql,
  table: string,
  key: string,
  text: string,
  where = 'true',
): AsyncGenerator<TextRow> {
  for (let last = 0; ; ) {
    const page = await sql.rows<TextRow>(
      `SELECT id, text FROM (
         SELECT *, sum(octet_length(text)) OVER (ORDER BY id) - octet_length(text) AS before FROM (
           SELECT ${key} AS id, ${text} AS text FROM ${table} WHERE ${key} > $1 AND ${where} ORDER BY ${key} LIMIT ${ROWS_MAX}
         ) AS next) AS page
       WHERE before < ${LENGTH_MAX} ORDER BY id`,
      [last],
    );
    yield* page;
    const end = page.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
}

async function addWhere(
  ids: Set<number>,
  texts: AsyncIterable<TextRow>,
  isTheirs: (text: string) => boolean,
): Promise<void> {
  for await (const { id, text } of texts) if (isTheirs(text)) ids.add(id);
}

async function chooseLeads(sql: Sql, match: PersonMatch, { leads }: Chosen): Promise<void> {
  const runs = await sql.rows<{ id: number }>('SELECT id FROM runs WHERE NOT is_cleared');
  for (const { id: run } of runs) {
    for await (const { id, text } of textsOf(
      sql,
      'leads',
      'position',
      'cells',
      `run_id = ${run}`,
    )) {
      if (match.inJson(JSON.parse(text) as JsonValue)) addLead(leads, run, id);
    }
  }
}

async function chooseDeliveries(sql: Sql, match: PersonMatch, chosen: Chosen): Promise<void> {
  const { deliveries, enrichments, tickets } = chosen;
  const keyed = await sql.rows<{ id: number }>(
    'SELECT id FROM deliveries WHERE enrichment_id = ANY ($1::bigint[])',
    [[...enrichments]],
  );
  for (const { id } of keyed) deliveries.add(id);
  const bodies = textsOf(sql, 'delivery_bodies', 'delivery_id', 'body');
  await addWhere(deliveries, bodies, (text) => isAbout(match, text, tickets));
}

interface EventBody {
  readonly leadId?: unknown;
  readonly leadEmail?: unknown;
  readonly forgotten?: unknown;
}

/** Events that name the lead by its id alone belong to the same person. */
async function chooseEvents(sql: Sql, match: PersonMatch, { events }: Chosen): Promise<void> {
  const bodies = () => textsOf(sql, 'events', 'id', `scope || ' ' || body`);
  const theirs = new Set<string>();
  for await (const { text } of bodies()) {
    const { event, key } = readEvent(text);
    const isTheirs = event.leadEmail !== undefined && match.inJson(event.leadEmail as JsonValue);
    if (isTheirs && event.leadId !== undefined) theirs.add(key);
  }
  await addWhere(events, bodies(), (text) => {
    const { body, event, key } = readEvent(text);
    if (event.forgotten !== undefined) return false;
    return isAbout(match, body) || (event.leadId !== undefined && theirs.has(key));
  });
}

/** Of a scope, a blank and a body. */
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

/**
 * A name in a file's path stays, so that no other job takes its place; so does a name in a column of tables yet to
 * come.
 */
async function countNames(sql: Sql, match: PersonMatch): Promise<number> {
  const plans = await sql.rows<{ columns: string; plan: string }>('SELECT columns, plan FROM runs');
  const paths = await sql.rows<{ path: string }>(
    `SELECT path FROM read_files UNION ALL SELECT path FROM written_files UNION ALL SELECT path FROM hashed_files`,
  );
  return (
    plans.filter(({ columns, plan }) => isAbout(match, columns) || isAbout(match, plan)).length +
    paths.filter(({ path }) => match.inJson([path])).length
  );
}
