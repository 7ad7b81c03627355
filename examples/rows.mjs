// Leads from memory, and each row as soon as its answer is final: what a program does with its own records, without a
// file to read. The table is written at the end all the same.
//   node examples/rows.mjs OUT
import { describeJob, openSandbox, readEnvironment, runJob, SluiceError } from 'sluice';

const [out] = process.argv.slice(2);
if (out === undefined) {
  console.error('Name a file for the table: node rows.mjs out.csv');
  process.exit(2);
}

// What comes from a database or a CRM, here one after another. An array will do as well.
async function* contacts() {
  yield { id: 'c-1', first: 'Ada', last: 'Lovelace', company: 'engines.example' };
  yield { id: 'c-2', first: 'Grace', last: 'Hopper', company: 'compilers.example' };
  yield { id: 'c-3', first: 'Mary', last: '', company: '' };
  yield { id: 'c-4', first: 'Ada', last: 'Lovelace', company: 'engines.example' };
}

const sandbox = await openSandbox({ latency: { medianMs: 200, sigma: 0.6 } });

const job = describeJob('contacts', {
  out,
  ask: ['find_email'],
  map: { firstName: 'first', lastName: 'last', companyDomain: 'company' },
  url: sandbox.url,
  freshFor: '90d',
  state: `${out}.db`,
});

try {
  const [report] = await runJob(job, {
    environment: readEnvironment({ SLUICE_USERNAME: 'sandbox', SLUICE_PASSWORD: 'sandbox' }),
    leads: contacts(),
    // Here the answer goes back to where the lead is from, by the id that its row has kept. A promise is awaited.
    onRow(row, { line }) {
      console.log(line, row.id, row.sluice_status, row.email);
    },
  });
  console.log(`${report.tally.leads} leads, ${report.tally.credits} credits: ${out}`);
} catch (error) {
  if (!(error instanceof SluiceError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await sandbox.close();
}
