// node plain.mjs IN.csv URL OUT.csv [CONCURRENCY] [profiles]: what a good engineer writes in an afternoon. The same
// reading, the same requests, the same table; everything in memory, no store, no retry, no limit: what dies is lost, and
// paid for again. With `profiles` it asks for the profile too, and writes each of its columns.
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify';
import pLimit from 'p-limit';
import { Pool } from 'undici';

const [input, url, output, concurrency = '50', what] = process.argv.slice(2);
const hasProfiles = what === 'profiles';
const pool = new Pool(url, { connections: Number(concurrency) });
const headers = {
  authorization: `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}`,
};
const limit = pLimit(Number(concurrency));

async function enrich(lead) {
  const query = new URLSearchParams({
    findEmail: 'true',
    ...(hasProfiles && { socialEnrichment: 'true' }),
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
    const { find_email: email, social_enrichment: profile } = answer.data?.[0]?.data ?? {};
    const found = { enrichment_id: id, email: email?.email, email_status: email?.status };
    return hasProfiles ? { ...lead, ...found, ...profileOf(profile) } : { ...lead, ...found };
  }
}

const PROFILE = `
socialUrl socialMemberId socialClassicId firstName lastName picture locationName
tagline industry summary languages skills companyName companyLinkedinUrl occupation
companyDomain companyId companyWebsite companyDescription companyFoundedOn
companyEmployeesOnSocial companyIndustry companyLogo companyType companyHeadQuarter
companySize`
  .trim()
  .split(/\s+/);
const COMPANY = `
id name socialUrl socialUrlSalesNav logo domain website industry description
employeesOnSocial foundedOn headQuarter size type`
  .trim()
  .split(/\s+/);

/** The profile, and its current position: the first without an end. */
function profileOf(profile) {
  const group = profile?.positionGroups?.find(({ date }) => date.end.year === undefined);
  const position = group?.profilePositions.find(({ date }) => date.end.year === undefined);
  const row = {};
  for (const name of PROFILE) row[`profile_${name}`] = profile?.[name];
  row.position_title = position?.title;
  row.position_description = position?.description;
  row.position_company_name = position?.companyName;
  row.position_start = monthOf(position?.date.start);
  row.position_end = monthOf(position?.date.end);
  row.position_group_start = monthOf(group?.date.start);
  row.position_group_end = monthOf(group?.date.end);
  for (const name of COMPANY) row[`company_${name}`] = group?.company[name];
  return row;
}

function monthOf(date) {
  if (date?.year === undefined) return undefined;
  return date.month === undefined
    ? String(date.year)
    : `${date.year}-${String(date.month).padStart(2, '0')}`;
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
