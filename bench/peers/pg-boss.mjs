// node pg-boss.mjs IN.csv URL OUT.csv CONCURRENCY postgres://...: one job for each lead. Its workers fetch in batches, again
// at once while batches are full (`burstWhenBatchFull`), as its documentation advises for throughput; each job of a batch
// ends by itself (`perJobResults`). A job whose process was killed comes back when its heartbeat fails: 10 s, the least.
import { Pool } from 'pg';
import { PgBoss } from 'pg-boss';
import { JOB, openAnswers, readLeads, writeTable } from './lead.mjs';

const { concurrency, store } = JOB;
const CONNECTIONS = 25;
const QUEUE = 'enrich';
const WORKERS = 4;
const pool = new Pool({ connectionString: store, max: CONNECTIONS });
const answers = await openAnswers(pool);
const boss = new PgBoss({
  connectionString: store,
  schedule: false,
  monitorIntervalSeconds: 10,
  superviseIntervalSeconds: 10,
});
boss.on('error', (error) => console.error(error));
await boss.start();
if (!(await boss.getQueue(QUEUE)))
  await boss.createQueue(QUEUE, { retryLimit: 5, heartbeatSeconds: 10 });

// A lead is never a job twice: the file is read again from where its last batch ended.
const { rows: known } = await pool.query(
  "SELECT coalesce(max((data->>'line')::int), 0) AS line FROM pgboss.job WHERE name = $1",
  [QUEUE],
);
for await (const leads of readLeads()) {
  const jobs = leads.filter(({ line }) => line > known[0].line).map((data) => ({ data }));
  if (jobs.length > 0) await boss.insert(QUEUE, jobs);
}

await boss.work(
  QUEUE,
  {
    localConcurrency: WORKERS,
    batchSize: Math.ceil(concurrency / WORKERS),
    burstWhenBatchFull: true,
    pollingIntervalSeconds: 0.5,
    includeMetadata: true,
    perJobResults: true,
  },
  (jobs) =>
    Promise.all(
      jobs.map(({ id, data, retryCount }) =>
        answers.enrich(data, retryCount > 0).then(
          () => ({ id, status: 'completed' }),
          (error) => ({ id, status: 'failed', output: { message: error.message } }),
        ),
      ),
    ),
);
const left = `SELECT 1 FROM pgboss.job WHERE name = $1 AND state < 'completed' LIMIT 1`;
while ((await pool.query(left, [QUEUE])).rowCount > 0)
  await new Promise((resolve) => setTimeout(resolve, 200));
await boss.stop();
await writeTable(answers.rows());
await pool.end();
