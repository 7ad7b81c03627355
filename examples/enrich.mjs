// Enriches a file from a program: a sandbox in this process, a job as an object, progress from its events, and
// what the addresses are worth from its rows. Ctrl+C drains: what is paid for is saved, and the next start continues.
//   node examples/enrich.mjs INPUT OUT
import {
  describeJob,
  openSandbox,
  openStore,
  readEnvironment,
  readRows,
  runJob,
  SluiceError,
} from 'sluice';

const [input, out] = process.argv.slice(2);
if (out === undefined) {
  console.error(
    'Name a file of leads, and where the table goes: node enrich.mjs leads.csv out.csv',
  );
  process.exit(2);
}

const sandbox = await openSandbox({ latency: { medianMs: 200, sigma: 0.6 } });

// What a job file would say. For the real platform, `url` is its address.
const job = describeJob('from-a-program', {
  input,
  out,
  ask: ['find_email'],
  url: sandbox.url,
  limit: 10,
  budget: 100,
  state: `${out}.db`,
});

// Credentials from wherever you keep them. `readEnvironment()` alone takes those of the process.
const environment = readEnvironment({ SLUICE_USERNAME: 'sandbox', SLUICE_PASSWORD: 'sandbox' });

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

let answered = 0;
try {
  const [report] = await runJob(job, {
    environment,
    drain: stop.signal,
    observe(event) {
      if (event.kind === 'leads.complete') console.log(`${event.leads} leads`);
      if (event.kind === 'run.warned') console.warn(event.message);
      if (event.kind !== 'enrichments.settled') return;
      answered += event.enrichments.length;
      console.log(`${event.outcome}: ${event.enrichments.length} (${answered} so far)`);
    },
  });
  const { found, not_found } = report.tally.byStatus;
  console.log(`${found} found, ${not_found} not, ${report.tally.credits} credits: ${out}`);

  const store = await openStore(job.state);
  try {
    const addresses = {};
    for await (const { email_status: status } of readRows(store, report.run.id)) {
      if (status !== null) addresses[status] = (addresses[status] ?? 0) + 1;
    }
    console.log(addresses);
  } finally {
    await store.close();
  }
} catch (error) {
  // What can be expected is a sentence for a person; anything else is a bug.
  if (!(error instanceof SluiceError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await sandbox.close();
}
