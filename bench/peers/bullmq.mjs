// node bullmq.mjs IN.csv URL OUT.csv CONCURRENCY redis://...: one job for each lead, its id the line of the file; its
// ticket is kept in the job (`updateData`) before the answer is read, its row is what the job returns. Jobs are added in
// bulk; `maxmemory-policy noeviction` and an append-only file, as docs.bullmq.io/guide/going-to-production asks for. A job
// whose process was killed comes back when its lock of 30 s has expired; `maxStalledCount` allows for three kills.
import { Queue, Worker } from 'bullmq';
import { collect, JOB, readLeads, submit, writeTable } from './lead.mjs';

const { concurrency, store } = JOB;
const { hostname: host, port } = new URL(store);
const connection = { host, port: Number(port), maxRetriesPerRequest: null };
const QUEUE = 'enrich';
const queue = new Queue(QUEUE, { connection });

for await (const leads of readLeads()) {
  await queue.addBulk(
    leads.map((data) => ({
      name: 'lead',
      data,
      opts: { jobId: `line-${data.line}`, attempts: 5 },
    })),
  );
}

const worker = new Worker(
  QUEUE,
  async (job) => {
    const { ticket = await submit(job.data), ...lead } = job.data;
    if (job.data.ticket === undefined) await job.updateData({ ...lead, ticket });
    return collect(lead, ticket);
  },
  { connection, concurrency, maxStalledCount: 5 },
);
worker.on('error', (error) => console.error(error));
for (;;) {
  const { waiting, active, delayed, prioritized } = await queue.getJobCounts(
    'waiting',
    'active',
    'delayed',
    'prioritized',
  );
  if (waiting + active + delayed + prioritized === 0) break;
  await new Promise((resolve) => setTimeout(resolve, 200));
}
await worker.close();

async function* rows() {
  for (let start = 0; ; start += 1_000) {
    const jobs = await queue.getJobs(['completed'], start, start + 999, true);
    if (jobs.length === 0) return;
    yield* jobs.map((job) => job.returnvalue);
  }
}
await writeTable(rows());
await queue.close();
