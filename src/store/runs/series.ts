// The counts of a run over time. Its requests are noted by the process that sends them; its answers are counted in the rows
// of its leads and enrichments when someone asks.
import { fromThousandths } from '../../model/credits.js';
import { toAsks } from '../../model/enrichment/stored-request.js';
import {
  addHistograms,
  BUCKETS_MAX,
  boundOf,
  fitTimeline,
  type Histogram,
  type SeriesBucket,
  STEP_MAX,
  toBuckets,
  WIDTH_MS_MIN,
} from '../../model/report/series.js';
import type { RequestCounts } from '../../ports/store/runs.js';
import { IS_API } from '../enrichments/known-answers.js';
import type { Sql } from '../sql.js';
import { read, type Verbs, write } from '../verb.js';

interface Head {
  readonly widthMs: number;
  readonly http: string;
}

const NOTHING: Head = { widthMs: WIDTH_MS_MIN, http: '[]' };
const NONE: AskedRow = { startedAt: 0, endedAt: null, leads: 0, asked: 0, awaited: 0 };
const HEAD = 'SELECT width_ms, http FROM series WHERE run_id = $1';
const REQUESTS = `SELECT at, submits, polls, others, peak, throttled, paused_ms
  FROM series_buckets WHERE run_id = $1 ORDER BY at`;
const SUMS = ['submits', 'polls', 'others', 'throttled', 'paused_ms'];
const ADD = `ON CONFLICT (run_id, at) DO UPDATE SET peak = greatest(series_buckets.peak, excluded.peak),
  ${SUMS.map((name) => `${name} = series_buckets.${name} + excluded.${name}`).join(', ')}`;

function stepText(ms: string, low: number, high: number): string {
  if (low === high) return String(low);
  const middle = Math.ceil((low + high) / 2);
  return `CASE WHEN ${ms} < ${boundOf(middle)} THEN ${stepText(ms, low, middle - 1)} ELSE ${stepText(ms, middle, high)} END`;
}

/** More than there are steps: the last one stands for an answer whose latency does not count. */
const STEPS = 64;
const NO_STEP = STEPS - 1;
const KNOWN = -1;
/**
 * By one number: the bucket of width $2, and the step of the latency of what the run itself sent. Those that were
 * known before it began, at $3, or came after its end, at $4, have no bucket.
 */
const SETTLED = `SELECT CASE WHEN e.settled_at < $3 THEN ${KNOWN} WHEN e.settled_at > $4 OR e.state = 'timed_out' THEN -2
    ELSE e.settled_at / CAST($2 AS INTEGER) * ${STEPS} + CASE WHEN ${IS_API} AND e.ticket IS NOT NULL
      THEN ${stepText('e.settled_at - e.submitted_at', 0, STEP_MAX)} ELSE ${NO_STEP} END END AS place,
    count(*) AS leads, count(*) FILTER (WHERE e.state = 'found') AS found,
    count(*) FILTER (WHERE e.state = 'not_found') AS not_found, count(*) FILTER (WHERE e.state = 'failed') AS failed,
    sum(CASE WHEN ${IS_API} THEN e.thousandths ELSE 0 END)::bigint AS thousandths,
    count(*) FILTER (WHERE e.run_id = l.run_id AND e.paid_by <> l.run_id) AS on_their_way
  FROM leads l JOIN enrichments e ON e.id = l.enrichment_id
  WHERE l.run_id = $1 AND e.settled_at IS NOT NULL GROUP BY 1`;
const ASKED = `SELECT r.started_at, r.ended_at, count(l.position) AS leads,
    count(l.enrichment_id) AS asked,
    (SELECT count(*) FROM enrichments e WHERE e.run_id = $1 AND e.state = 'awaiting' AND e.paid_by <> $1) AS awaited
  FROM runs r LEFT JOIN leads l ON l.run_id = r.id WHERE r.id = $1 GROUP BY r.id`;
/** Without those that were answered without a send: they had become known before their turn came. */
const TO_PAY = `SELECT e.sent, count(*) AS count FROM leads l JOIN enrichments e ON e.id = l.enrichment_id
  WHERE l.run_id = $1 AND l.is_first AND (e.paid_by IS NOT NULL OR e.settled_at IS NULL) GROUP BY e.sent`;

interface SettledRow extends Pick<SeriesBucket, 'failed' | 'found' | 'notFound'> {
  readonly place: number;
  readonly leads: number;
  readonly thousandths: number;
  readonly onTheirWay: number;
}

interface AskedRow {
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly leads: number;
  readonly asked: number;
  readonly awaited: number;
}

export async function beginSeries(sql: Sql, runId: number): Promise<void> {
  await sql.insert('series', [{ runId, ...NOTHING }]);
}

async function insertRequests(sql: Sql, runId: number, buckets: readonly SeriesBucket[]) {
  const rows = buckets.map(({ at, others, pausedMs, peak, polls, submits, throttled }) => {
    return { runId, at, submits, polls, others, peak, throttled, pausedMs };
  });
  await sql.insert('series_buckets', rows, ADD);
}

async function fit(sql: Sql, runId: number, widthMs: number): Promise<void> {
  const requests = await sql.rows<RequestCounts>(REQUESTS, [runId]);
  if (requests.length <= BUCKETS_MAX) return;
  const fitted = fitTimeline({ widthMs, buckets: toBuckets(requests, widthMs) });
  await sql.run('DELETE FROM series_buckets WHERE run_id = $1', [runId]);
  await insertRequests(sql, runId, fitted.buckets);
  await sql.run('UPDATE series SET width_ms = $1 WHERE run_id = $2', [fitted.widthMs, runId]);
}

export const seriesVerbs = {
  series: read(async (sql, runId) => {
    const { http, widthMs } = (await sql.row<Head>(HEAD, [runId])) ?? NOTHING;
    const requests = await sql.rows<RequestCounts>(REQUESTS, [runId]);
    const asked = (await sql.row<AskedRow>(ASKED, [runId])) ?? NONE;
    const toPay = await sql.rows<{ sent: string; count: number }>(TO_PAY, [runId]);
    const { endedAt, startedAt } = asked;
    const until = endedAt ?? Number.MAX_SAFE_INTEGER;
    const settled = await sql.rows<SettledRow>(SETTLED, [runId, widthMs, startedAt, until]);
    const answered = settled.filter(({ place }) => place >= 0);
    const known = settled.find(({ place }) => place === KNOWN)?.leads ?? 0;
    const answers: number[] = [];
    for (const { leads, place } of answered) {
      const step = place % STEPS;
      if (step === NO_STEP) continue;
      while (answers.length <= step) answers.push(0);
      answers[step] = (answers[step] ?? 0) + leads;
    }
    const counts = answered.map(({ failed, found, notFound, place, thousandths }) => ({
      at: Math.floor(place / STEPS) * widthMs,
      failed,
      found,
      notFound,
      credits: fromThousandths(thousandths),
    }));
    return {
      ...fitTimeline({ widthMs, buckets: toBuckets([...requests, ...counts], widthMs) }),
      asked: {
        leads: asked.leads,
        expected: asked.asked - known,
        toPay: toPay.map(({ count, sent }) => ({ ask: toAsks(sent), count })),
        onTheirWay: settled.reduce((sum, one) => sum + one.onTheirWay, asked.awaited),
      },
      histograms: { answers, http: JSON.parse(http) as Histogram },
    };
  }),
  noteRequests: write('hot', async (sql, runId, { http, seconds }) => {
    const head = await sql.row<Head>(`${HEAD} FOR UPDATE`, [runId]);
    if (head === undefined) return;
    await insertRequests(sql, runId, toBuckets(seconds, head.widthMs));
    await fit(sql, runId, head.widthMs);
    const known = addHistograms(JSON.parse(head.http) as Histogram, http);
    await sql.run('UPDATE series SET http = $1 WHERE run_id = $2', [JSON.stringify(known), runId]);
  }),
} satisfies Partial<Verbs>;
