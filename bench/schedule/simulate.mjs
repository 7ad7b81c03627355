// One job in simulated time: the real pipeline, store, limiter and poll schedule; a clock that jumps to the next
// sleeper, and a platform in memory that counts what arrives.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NEUTRAL_DIALECT } from '../../dist/dialect/dialect.js';
import { digest } from '../../dist/identity/digest.js';
import { domainOwner } from '../../dist/identity/domain-owner.js';
import { createKeyring } from '../../dist/identity/keyring.js';
import { registrableDomain } from '../../dist/identity/registrable-domain.js';
import * as schedules from '../../dist/model/schedule/poll-schedule.js';
import { createDeliveryDecoder } from '../../dist/platform/answers/decode-delivery.js';
import { openLimiter } from '../../dist/platform/limit/limiter.js';
import { redact } from '../../dist/platform/redact/reason.js';
import { Backlog } from '../../dist/run/backlog.js';
import { Readings } from '../../dist/run/collect/readings.js';
import { processRun } from '../../dist/run/process-run.js';
import Database from '../../dist/store/sqlite/database/better-sqlite3.js';
import { openSqliteStore } from '../../dist/store/sqlite/open-sqlite-store.js';
import { randomOf } from './latencies.mjs';

/** A request is half of this on its way, and its answer the other half. */
const ROUND_TRIP_MS = 10;
/** Webhooks of one such span are kept together, as the listener does under load. */
const DELIVERED_EVERY_MS = 10;
const READ_AT_ONCE = 500;
const START_MS = 1_700_000_000_000;
const RESULT = { find_email: { email: 'ada@example.com', status: 'deliverable' } };

/**
 * @param missShare of the leads that the platform does not find
 * @param lag `{ share, fromMs, toMs }`: of the answers, this share says done before its data is there, by so long; or
 *   `{ share, isAtFirstRead }`: its data is not there when it is first read, however late that is
 * @param firstBatch the enrichments that may be under way before a first value was read; undefined if one was
 * @returns `{ tookMs, tickets, firstFoundMs, requests, worstWindow, throttled, polls, lost }`; `lost`: found by the platform, not here
 */
export async function simulate({
  leads,
  bulkMax,
  collect,
  latencyMs,
  rate,
  seed = 1,
  missShare = 0,
  lag,
  firstBatch,
  concurrency = 20,
}) {
  // Memory where there is some: what is measured is decisions, not the disk.
  const folder = mkdtempSync(join(tmpdir(), 'sluice-schedule-'));
  const path = join(folder, 'state.db');
  const clock = createClock();
  const store = openSqliteStore(path);
  const backlog = new Backlog();
  const keyring = createKeyring(new Uint8Array(32).fill(7));
  const scope = keyring.scopeOf('acc');
  const isDelivered = collect !== 'poll';
  const known = firstBatch === undefined ? ['find_email'] : [];
  const answers = drawAnswers(latencyMs, seed, missShare, lag);
  const platform = createPlatform(clock, rate, answers, isDelivered, async (bodies) => {
    const receivedAt = clock.now();
    await store.keepArrivals(
      bodies.map(({ body, key }) => {
        const opened = keyring.open(key);
        const enrichmentId = opened.kind === 'enrichment' ? opened.id : null;
        return { scope, enrichmentId, receivedAt, body };
      }),
    );
    backlog.expectDeliveries();
  });
  try {
    const run = await store.startRun(PLAN, clock.now());
    const work = processRun(
      {
        run,
        terms: {
          account: 'acc',
          ask: ['find_email'],
          map: {},
          requirements: NEUTRAL_DIALECT.requires,
          arePricesAssumed: false,
          prices: NEUTRAL_DIALECT.prices,
          registrableDomain,
          domainOwner,
          digest,
        },
        store,
        platform,
        whenReady: () => Promise.resolve(true),
        takesSingles: true,
        clock,
        observe: () => undefined,
        backlog,
        readings: new Readings('neutral', known),
        schedule: SCHEDULES[collect](),
        callbacks: {
          keyring,
          scope,
          decode: createDeliveryDecoder(NEUTRAL_DIALECT),
          redact,
          urlFor: (key) => (isDelivered ? `https://here.example/${keyring.seal(key)}` : undefined),
          isDelivered,
          claimWaitMs: isDelivered ? 60_000 : 0,
        },
        bulkMax,
        budget: undefined,
        firstBatch,
        concurrency,
        gatherMs: 0,
        limit: undefined,
        startedAt: START_MS,
        freshForMs: 86_400_000,
        deadlineMs: 3_600_000,
        drain: new AbortController().signal,
      },
      readerOf(leads),
      false,
    );
    const { problem } = await clock.drive(work);
    if (problem !== undefined) throw problem;
    const tookMs = clock.now() - START_MS;
    const answered = answersOf(path);
    const tickets = platform.tickets.map((ticket) => ({
      ...ticket,
      answeredAt: answered.get(ticket.id)?.at,
    }));
    if (answered.size !== leads) throw new Error(`${answered.size} of ${leads} were answered.`);
    const foundAt = [...answered.values()].filter(({ isFound }) => isFound).map(({ at }) => at);
    const firstFoundMs = Math.min(...foundAt) - START_MS;
    const lost = tickets.filter(({ id, isMiss }) => !isMiss && !answered.get(id).isFound).length;
    return { tookMs, tickets, lost, firstFoundMs, ...platform.told() };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const SCHEDULES = {
  poll: schedules.createPollSchedule,
  hybrid: schedules.createOverdueSchedule,
  webhook: schedules.createDeadlineSchedule,
};

const PLAN = {
  job: 'bench',
  account: 'acc',
  address: 'here',
  ask: ['find_email'],
  map: {},
  terms: 't1',
  signature: 's1',
  sources: ['leads.csv'],
  deadlineMs: 1_800_000,
  freshForMs: 0,
  arePricesAssumed: false,
  prices: NEUTRAL_DIALECT.prices,
  output: { out: 'out.csv', positions: 'current', bom: false, excel: false, formulaGuard: true },
};

/** When each ticket's answer was known, and whether it found something. */
export function answersOf(path) {
  const db = new Database(path, { readonly: true });
  const rows = db
    .prepare(
      "SELECT ticket, settled_at AS at, state = 'found' AS isFound FROM enrichments WHERE state IN ('found', 'not_found', 'failed')",
    )
    .all();
  db.close();
  return new Map(rows.map(({ ticket, at, isFound }) => [ticket, { at, isFound: isFound === 1 }]));
}

/** What the platform will answer to each submission: when it says done, whether it finds, and how late the data is. */
function drawAnswers(
  latencyMs,
  seed,
  missShare,
  { share = 0, fromMs = 0, toMs = 0, isAtFirstRead = false } = {},
) {
  const random = randomOf(seed + 1_000);
  return latencyMs.map((ms) => {
    const isMiss = random() < missShare;
    const isLate = random() < share;
    const lagMs = fromMs + random() * (toMs - fromMs);
    return {
      latencyMs: ms,
      isMiss,
      lagMs: isLate ? lagMs : 0,
      readsFirst: isLate && isAtFirstRead,
    };
  });
}

function readerOf(leads) {
  const columns = ['first_name', 'last_name', 'domain'].map((name) => ({ key: name, name }));
  return {
    sources: ['leads.csv'],
    signature: () => Promise.resolve('s1'),
    async *batches() {
      for (let from = 0; from < leads; from += READ_AT_ONCE) {
        const count = Math.min(READ_AT_ONCE, leads - from);
        const records = Array.from({ length: count }, (_, i) => ({
          source: 0,
          line: from + i + 2,
          cells: [`Ada${from + i}`, 'Doe', 'example.com'],
        }));
        yield { columns, records, rejects: [] };
      }
    },
  };
}

function createPlatform(clock, rate, answers, isDelivered, deliver) {
  const limiter = openLimiter({ limit: rate === 'off' ? [] : [rate], clock });
  const perMs = rate === 'off' ? 2_000 : rate.perMs;
  const arrivals = [];
  const tickets = [];
  let worstWindow = 0;
  let throttled = 0;
  let polls = 0;
  let first = 0;

  const within = async (permit, answer) => {
    if ((await limiter.start(permit)) !== 'started') throw new Error('A request was not let go.');
    await clock.sleep(ROUND_TRIP_MS / 2);
    arrivals.push(clock.now());
    while (arrivals[first] <= clock.now() - perMs) first += 1;
    const count = arrivals.length - first;
    worstWindow = Math.max(worstWindow, count);
    if (rate !== 'off' && count > rate.requests) throttled += 1;
    const answered = answer();
    await clock.sleep(ROUND_TRIP_MS / 2);
    limiter.finish(permit);
    return answered;
  };

  /** By the moment of their delivery, so that one sleeper serves all of one moment. */
  const due = new Map();
  const expect = (ticket, key, metadata) => {
    const atMs = Math.ceil(ticket.readyAt / DELIVERED_EVERY_MS) * DELIVERED_EVERY_MS;
    const entry = { id: ticket.id, data: resultOf(ticket, ticket.readyAt), metadata };
    const body = JSON.stringify({ type: 'enrichmentDone', data: [entry] });
    const bodies = due.get(atMs) ?? [];
    bodies.push({ body, key });
    if (bodies.length > 1) return;
    due.set(atMs, bodies);
    void clock.sleep(atMs - clock.now()).then(() => deliver(bodies));
  };

  const accept = (callbackUrl, metadata) => {
    const position = tickets.length;
    const id = `enr_${String(position).padStart(12, '0')}`;
    const ticket = {
      id,
      ...answers[position],
      readyAt: clock.now() + answers[position].latencyMs,
      polls: 0,
    };
    tickets.push(ticket);
    if (isDelivered) expect(ticket, callbackUrl.slice(callbackUrl.lastIndexOf('/') + 1), metadata);
    return { kind: 'accepted', ticket: id };
  };

  return {
    tickets,
    told: () => ({ requests: arrivals.length, worstWindow, throttled, polls }),
    bulkMax: 500,
    readEveryMs: 0,
    readsTickets: true,
    takesCallback: { single: true, bulk: true },
    reserve: (...wish) => limiter.reserve(...wish),
    submit: (_request, permit, { callbackUrl }) => within(permit, () => accept(callbackUrl)),
    submitMany: (items, permit, { callbackUrl }) =>
      within(permit, () => ({
        kind: 'answered',
        items: items.map(({ key }) => accept(callbackUrl, key)),
      })),
    readKey: ({ ticket }) => ticket,
    readAll: async ([{ ticket: id }], permit) => [
      await within(permit, () => {
        const ticket = tickets[Number(id.slice(4))];
        polls += 1;
        ticket.polls += 1;
        if (clock.now() < ticket.readyAt) return { kind: 'pending' };
        const result = resultOf(ticket, clock.now());
        ticket.wasRead = true;
        return { kind: 'done', result };
      }),
    ],
    leastMs: (requests) => limiter.leastMs(requests),
    readsTogether: false,
    close: () => Promise.resolve(),
  };
}

function resultOf({ isMiss, readyAt, lagMs, readsFirst, wasRead = false }, at) {
  return isMiss || at < readyAt + lagMs || (readsFirst && !wasRead) ? {} : RESULT;
}

/** Time stands still while anything can go on without it, then jumps to the next sleeper. */
function createClock() {
  let nowMs = START_MS;
  const sleepers = new Map();

  const wakeNext = () => {
    let atMs = Infinity;
    for (const at of sleepers.keys()) if (at < atMs) atMs = at;
    if (atMs === Infinity) throw new Error('Stuck: everything waits and nothing will wake it.');
    nowMs = Math.max(nowMs, atMs);
    const woken = sleepers.get(atMs);
    sleepers.delete(atMs);
    for (const wake of woken) wake();
  };

  return {
    now: () => nowMs,
    sleep: (ms, signal) => {
      if (signal?.aborted === true) return Promise.resolve();
      return new Promise((resolve) => {
        // A timer of 0 ms is a turn of the event loop, not a wait.
        if (ms <= 0) return setImmediate(resolve);
        const atMs = nowMs + ms;
        const together = sleepers.get(atMs) ?? new Set();
        sleepers.set(atMs, together);
        const wake = () => {
          together.delete(wake);
          if (together.size === 0 && sleepers.get(atMs) === together) sleepers.delete(atMs);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        together.add(wake);
        signal?.addEventListener('abort', wake);
      });
    },
    async drive(work) {
      let isDone = false;
      const end = () => {
        isDone = true;
      };
      work.then(end, end);
      for (;;) {
        await settled();
        if (isDone) return work;
        wakeNext();
      }
    },
  };
}

/** Until two turns of the event loop leave nothing to do. */
async function settled() {
  for (let idleTurns = 0; idleTurns < 2; ) {
    await new Promise((resolve) => setImmediate(resolve));
    idleTurns = process.getActiveResourcesInfo().includes('Immediate') ? 0 : idleTurns + 1;
  }
}
