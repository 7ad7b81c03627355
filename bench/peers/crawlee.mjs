// node crawlee.mjs IN.csv URL OUT.csv CONCURRENCY: the same requests by a crawler that keeps its queue and its
// results in files, which is what it has for a store: a request for each lead, one more for its answer, a table of all.
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Configuration, Dataset, HttpCrawler, LogLevel, log } from '@crawlee/http';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify';

const [input, url, output, concurrency] = process.argv.slice(2);
const headers = {
  authorization: `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}`,
};
log.setLevel(LogLevel.ERROR);
Configuration.getGlobalConfig().set('persistStorage', true);

const crawler = new HttpCrawler({
  minConcurrency: Number(concurrency),
  maxConcurrency: Number(concurrency),
  maxRequestRetries: 3,
  additionalMimeTypes: ['application/json'],
  // Sessions and proxies are for web sites that do not want to be read.
  useSessionPool: false,
  async requestHandler({ request, json, crawler: own, pushData }) {
    const { lead } = request.userData;
    if (request.method === 'POST') {
      await own.addRequests([{ url: `${url}/enrich/${json.id}`, headers, userData: { lead } }]);
      return;
    }
    const [result] = json.data;
    const found = result.data?.find_email;
    await pushData({
      ...lead,
      enrichment_id: result.id,
      email: found?.email,
      email_status: found?.status,
    });
  },
});

let batch = [];
for await (const lead of createReadStream(input).pipe(parse({ columns: true, bom: true }))) {
  const query = new URLSearchParams({
    findEmail: 'true',
    firstName: lead.first_name,
    lastName: lead.last_name,
    companyDomain: new URL(lead.website).hostname.replace(/^www\./, ''),
  });
  const target = `${url}/enrich?${query}`;
  batch.push({ url: target, uniqueKey: target, method: 'POST', headers, userData: { lead } });
  if (batch.length === 1_000) {
    await crawler.addRequests(batch);
    batch = [];
  }
}
await crawler.addRequests(batch);
await crawler.run();

const dataset = await Dataset.open();
async function* rows() {
  for (let offset = 0; ; offset += 1_000) {
    const { items } = await dataset.getData({ offset, limit: 1_000 });
    if (items.length === 0) return;
    yield* items;
  }
}
await pipeline(rows(), stringify({ header: true }), createWriteStream(output));
