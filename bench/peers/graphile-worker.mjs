// node graphile-worker.mjs IN.csv URL OUT.csv CONCURRENCY postgres://...: one job for each lead, its key the line of the
// file. Configured as worker.graphile.org/docs/performance advises: a local queue of concurrency + 1 jobs, completions
// batched for a quarter of a second, a pool of 25. What a killed process had locked is unlocked at the next
// start (docs/error-handling), since only one process works here; it would wait four hours else.
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { Pool } from 'pg';
import { JOB, openAnswers, readLeads, writeTable } from './lead.mjs';

const { concurrency, store } = JOB;
const CONNECTIONS = 25;
const pool = new Pool({ connectionString: store, max: CONNECTIONS });
const answers = await openAnswers(pool);
const logger = new Logger(() => () => undefined);
const preset = {
  worker: {
    concurrentJobs: concurrency,
    localQueue: { size: concurrency + 1 },
    completeJobBatchDelay: 250,
    failJobBatchDelay: 250,
  },
};
const utils = await makeWorkerUtils({ pgPool: pool, logger, preset });
await utils.migrate();

const locked = await pool.query(
  'SELECT DISTINCT locked_by FROM graphile_worker.jobs WHERE locked_by IS NOT NULL',
);
await utils.forceUnlockWorkers(locked.rows.map((row) => row.locked_by));

// Each lead is a job once: its line is the last that was added, or after it.
await pool.query('CREATE TABLE IF NOT EXISTS added (line int)');
const { rows: known } = await pool.query('SELECT coalesce(max(line), 0) AS line FROM added');
for await (const leads of readLeads()) {
  const news = leads.filter(({ line }) => line > known[0].line);
  if (news.length === 0) continue;
  await utils.addJobs(
    news.map((lead) => ({ identifier: 'enrich', payload: lead, jobKey: `lead-${lead.line}` })),
  );
  await pool.query('INSERT INTO added VALUES ($1)', [news.at(-1).line]);
}

const runner = await run({
  pgPool: pool,
  logger,
  preset,
  concurrency,
  noHandleSignals: true,
  parsedCronItems: [],
  taskList: {
    enrich: (lead, { job }) => answers.enrich(lead, job.attempts > 1),
  },
});
const left = 'SELECT 1 FROM graphile_worker.jobs WHERE attempts < max_attempts LIMIT 1';
while ((await pool.query(left)).rowCount > 0)
  await new Promise((resolve) => setTimeout(resolve, 200));
await runner.stop();
await utils.release();
await writeTable(answers.rows());
await pool.end();
