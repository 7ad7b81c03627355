// node plain.mjs IN.csv URL OUT.csv [CONCURRENCY]: what a good engineer writes in an afternoon. The same reading, the same requests,
// the same table; everything in memory, no store, no retry, no limit: what dies is lost, and paid for again.
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify';
import pLimit from 'p-limit';
import { Pool } from 'undici';

const [input, url, output, concurrency = '50'] = process.argv.slice(2);
const pool = new Pool(url, { connections: Number(concurrency) });
const headers = {
  authorization: `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}`,
};
const limit = pLimit(Number(concurrency));

async function enrich(lead) {
  const query = new URLSearchParams({
    findEmail: 'true',
    firstName: lead.first_name,
    lastName: lead.last_name,
    companyDomain: new URL(lead.website).hostname.replace(/^www\./, ''),
  });
  const sent = await pool.request({ method: 'POST', path: `/enrich?${query}`, headers });
  const { id } = await sent.body.json();
  for (;;) {
    const asked = await pool.request({ method: 'GET', path: `/enrich/${id}`, headers });
    const answer = await asked.body.json();
    if (asked.statusCode === 202) continue;
    const email = answer.data?.[0]?.data?.find_email;
    return { ...lead, enrichment_id: id, email: email?.email, email_status: email?.status };
  }
}

async function* enriched() {
  const leads = createReadStream(input).pipe(parse({ columns: true, bom: true }));
  // p-limit queues every call it is given: a thousand ahead keep it busy and the order kept.
  const ahead = [];
  for await (const lead of leads) {
    ahead.push(limit(enrich, lead));
    if (ahead.length >= 1_000) yield await ahead.shift();
  }
  yield* ahead;
}

await pipeline(enriched(), stringify({ header: true }), createWriteStream(output));
await pool.close();
