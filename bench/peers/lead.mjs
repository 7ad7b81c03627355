// The parts that the scripts of the queues share: leads from a CSV file, the two
// requests of a lead, and a table in PostgreSQL that keeps its ticket before anything else is done with it.
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify';
import { Pool as Connections } from 'undici';

const [input, url, output, concurrency, store] = process.argv.slice(2);
export const JOB = { url, concurrency: Number(concurrency), store };
const connections = new Connections(url, { connections: JOB.concurrency });
const headers = { authorization: `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}` };

/** The leads, a thousand at a time; `line` tells one from another when the file is read again. */
export async function* readLeads() {
  let batch = [];
  let line = 0;
  for await (const lead of createReadStream(input).pipe(parse({ columns: true, bom: true }))) {
    batch.push({ line: (line += 1), ...lead });
    if (batch.length < 1_000) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Asks for an e-mail address, which is paid for; its ticket. */
export async function submit(lead) {
  const query = new URLSearchParams({
    findEmail: 'true',
    firstName: lead.first_name,
    lastName: lead.last_name,
    companyDomain: new URL(lead.website).hostname.replace(/^www\./, ''),
  });
  const sent = await connections.request({ method: 'POST', path: `/enrich?${query}`, headers });
  const { id } = await sent.body.json();
  if (id === undefined) throw new Error(`The platform answered ${sent.statusCode}.`);
  return id;
}

/** The row of a ticket. The sandbox answers at once; a 202 fails the job, and the queue tries it again. */
export async function collect({ line: _line, ...lead }, ticket) {
  const asked = await connections.request({ method: 'GET', path: `/enrich/${ticket}`, headers });
  const answer = await asked.body.json();
  if (asked.statusCode !== 200) throw new Error(`The platform answered ${asked.statusCode}.`);
  const found = answer.data[0].data?.find_email;
  return { ...lead, enrichment_id: ticket, email: found?.email, email_status: found?.status };
}

/** Writes the table from what `rows` yields. */
export async function writeTable(rows) {
  await pipeline(rows, stringify({ header: true }), createWriteStream(output));
  await connections.close();
}

/** Tickets and rows in a table of PostgreSQL, each on the disk before the next step. */
export async function openAnswers(pool) {
  await pool.query(
    'CREATE TABLE IF NOT EXISTS answers (line int PRIMARY KEY, ticket text NOT NULL, row jsonb)',
  );
  return {
    /** One lead, from its request to its row. `isRetry`: it may have been sent already. */
    async enrich(lead, isRetry) {
      const kept = isRetry
        ? await pool.query('SELECT ticket FROM answers WHERE line = $1', [lead.line])
        : { rows: [] };
      let [ticket] = kept.rows.map((one) => one.ticket);
      if (ticket === undefined) {
        ticket = await submit(lead);
        await pool.query('INSERT INTO answers (line, ticket) VALUES ($1, $2)', [lead.line, ticket]);
      }
      const row = await collect(lead, ticket);
      await pool.query('UPDATE answers SET row = $2 WHERE line = $1', [lead.line, row]);
    },
    async *rows() {
      for (let line = 0; ; ) {
        const { rows } = await pool.query(
          'SELECT line, row FROM answers WHERE line > $1 AND row IS NOT NULL ORDER BY line LIMIT 1000',
          [line],
        );
        if (rows.length === 0) return;
        yield* rows.map(({ row }) => row);
        line = rows.at(-1).line;
      }
    },
  };
}
