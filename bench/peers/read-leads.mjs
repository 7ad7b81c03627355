// node read-leads.mjs IN.csv STATE: the first step of a run alone, by the run's own code: read, mapped, normalised,
// fingerprinted, deduplicated and stored, with each commit synced; prints how many leads are in the store.
import { NEUTRAL_DIALECT } from '../../dist/dialect/dialect.js';
import { digest } from '../../dist/identity/digest.js';
import { domainOwner } from '../../dist/identity/domain-owner.js';
import { registrableDomain } from '../../dist/identity/registrable-domain.js';
import { openLeadReader } from '../../dist/input/open-lead-reader.js';
import { Backlog } from '../../dist/run/backlog.js';
import { ingest } from '../../dist/run/ingest.js';
import { openSqliteStore } from '../../dist/store/sqlite/open-sqlite-store.js';

const [input, state] = process.argv.slice(2);
const reader = await openLeadReader([input], { standardInput: process.stdin });
const store = openSqliteStore(state);
const output = { out: '-', positions: 'current', bom: false, excel: false, formulaGuard: true };
const plan = {
  job: 'bench',
  account: 'a',
  ask: ['find_email'],
  terms: 't',
  signature: 's',
  freshForMs: 0,
  output,
};
const run = await store.startRun({ ...plan, sources: reader.sources }, Date.now());
const { requires: requirements, prices } = NEUTRAL_DIALECT;
const terms = {
  account: 'a',
  ask: ['find_email'],
  map: {},
  requirements,
  prices,
  registrableDomain,
  domainOwner,
  digest,
};
const clock = { now: () => Date.now() };
const context = {
  run,
  terms,
  store,
  clock,
  backlog: new Backlog(),
  limit: undefined,
  freshForMs: 1,
  deadlineMs: 1,
};
await ingest({ ...context, observe: () => undefined, drain: new AbortController().signal }, reader);
console.log((await store.tally(run.id)).leads);
await store.close();
