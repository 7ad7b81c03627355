// node bench/start.mjs: how long until something happens: the help, the status of a state file with a million leads, and
// the first request of a run that is continued with a million leads, half of them done.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import Database from '../dist/store/sqlite/database/better-sqlite3.js';
import { openSqliteStore } from '../dist/store/sqlite/open-sqlite-store.js';
import { inFolder, MAIN, measured, record, round, writeLeads } from './kit.mjs';

const LEADS = Number(process.env.LEADS ?? 1_000_000);
const ROUNDS = 11;
/** The account is an address and a name: a run is continued where both are the same. */
const PORT = 28_640;
const URL_OF_PLATFORM = `http://127.0.0.1:${PORT}`;

/** What the free question before anything is paid for is answered. */
const PEOPLE_SCHEMA = JSON.stringify({
  schema: { email: 'string' },
  version: 1,
  properties: [],
});

await inFolder(async (folder) => {
  const input = await writeLeads(join(folder, 'leads.csv'), LEADS);
  const state = join(folder, 'state.db');
  const files = ['--state', state, '--out', join(folder, 'out.csv'), '--url', URL_OF_PLATFORM];
  const asks = ['--ask', 'find_email', '--submit', 'single', '--collect', 'poll', '--json'];
  const job = ['enrich', input, ...files, ...asks];
  // A budget of nothing: everything is read, nothing is sent, and the run waits to be continued.
  await measured([MAIN, ...job, '--budget', '0'], { codes: [6] });
  settleHalf(state);
  // Each round continues a run that ended in order. After one that was killed, the first request waits for a whole window
  // of the limit besides: it is not known what was sent last.
  const pristine = join(folder, 'pristine.db');
  copyFileSync(state, pristine);

  const status = ['status', '--state', state, '--json'];
  const seconds = async (args) => {
    const runs = [];
    for (let i = 0; i < ROUNDS; i += 1) runs.push((await measured([MAIN, ...args])).seconds);
    return round(runs.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]);
  };
  const node = [];
  for (let i = 0; i < ROUNDS; i += 1) node.push((await measured(['-e', '0'])).seconds);
  const firsts = [];
  for (let i = 0; i < 3; i += 1) {
    firsts.push(await untilFirstRequest(job));
    restore(state, pristine);
  }
  const { toQuestion, toEnrichment } = firsts.toSorted(
    (a, b) => a.toEnrichment - b.toEnrichment,
  )[1];
  const helpSeconds = await seconds(['--help']);
  const halfDone = await seconds(status);
  await settleAll(state);
  record('start', {
    node_s: round(node.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]),
    help_s: helpSeconds,
    leads: LEADS,
    status_half_done_s: halfDone,
    status_finished_s: await seconds(status),
    continued_run_first_request_s: round(toQuestion),
    continued_run_first_enrichment_s: round(toEnrichment),
    state_bytes_per_lead: Math.round(statSync(state).size / LEADS),
  });
});

/** Along the arrows that the schema guards: queued, submitting, awaiting, found. */
function settle(state, condition) {
  const db = new Database(state);
  db.pragma('synchronous = OFF');
  db.exec(`BEGIN;
    UPDATE enrichments SET state = 'submitting', submitted_at = 1, paid_by = run_id, send_count = 1
      WHERE state = 'queued' AND ${condition};
    UPDATE enrichments SET state = 'awaiting', ticket = 'enr_' || lower(hex(randomblob(16))), poll_at = 1,
      deadline_at = 1 WHERE state = 'submitting';
    UPDATE enrichments SET state = 'found', settled_at = 1, poll_at = NULL, thousandths = 5000 WHERE state = 'awaiting';
    INSERT OR IGNORE INTO results (enrichment_id, body)
      SELECT id, CAST('{"find_email":{"email":"ada' || id || '@example.com","status":"deliverable"}}' AS BLOB)
      FROM enrichments WHERE state = 'found';
    COMMIT`);
  db.close();
}

function settleHalf(state) {
  settle(state, `id <= ${LEADS / 2}`);
}

function restore(state, pristine) {
  for (const file of [state, `${state}-wal`, `${state}-shm`]) rmSync(file, { force: true });
  copyFileSync(pristine, state);
}

async function settleAll(state) {
  settle(state, 'TRUE');
  const store = openSqliteStore(state);
  await store.endRun(1, 'finished', Date.now());
  await store.close();
}

/** Seconds from the command's start to its first request, and to the first that asks for an enrichment. */
async function untilFirstRequest(job) {
  const seen = { toQuestion: undefined, toEnrichment: undefined };
  let startedAt = 0;
  let told = () => undefined;
  const told$ = new Promise((resolve) => {
    told = resolve;
  });
  const server = createServer((request, response) => {
    const s = (performance.now() - startedAt) / 1_000;
    seen.toQuestion ??= s;
    if (request.method === 'POST') {
      seen.toEnrichment ??= s;
      told();
      // No answer: the process ends before it would be paid for.
      return;
    }
    response.setHeader('content-type', 'application/json').end(PEOPLE_SCHEMA);
  });
  server.listen(PORT, '127.0.0.1');
  await once(server, 'listening');
  startedAt = performance.now();
  const child = spawn(process.execPath, [MAIN, ...job], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SLUICE_USERNAME: 'sandbox', SLUICE_PASSWORD: 'sandbox' },
  });
  const ended = once(child, 'close');
  await Promise.race([told$, ended]);
  child.kill('SIGKILL');
  await ended;
  server.closeAllConnections();
  server.close();
  if (seen.toEnrichment === undefined) throw new Error('The continued run asked for nothing.');
  return seen;
}
