// What a worker tells those who watch it, where its database is there, away and back.
import { expect, it } from 'vitest';
import { openCutter } from '../helpers/connection-cutter.js';
import { freePort } from '../helpers/free-port.js';
import { COMMAND_MS } from '../helpers/patience.js';
import { postgresAddress } from '../helpers/postgres-server.js';
import { csv, people } from '../helpers/workdir.js';
import { openWorkerPlace } from '../helpers/worker-place.js';

const until = { timeout: COMMAND_MS };

it('/healthz and /metrics answer while a worker lives, /readyz while its database answers too', async (context) => {
  const server = new URL(await postgresAddress());
  let line = await openCutter(Number(server.port));
  context.onTestFinished(() => line.close());
  const place = await openWorkerPlace(context, (address) =>
    address.replace(`:${server.port}/`, `:${line.port}/`),
  );
  const { dir, sandbox, sluice, worker } = place;
  dir.write('leads.csv', csv(people(30))).write('out/.keep', '');
  dir.write('jobs/a.yaml', 'input: leads.csv\nout: out/a.csv\nask: [find_email]\nrate: 10/1s\n');
  await sluice('enqueue a');
  const at = `127.0.0.1:${await freePort()}`;
  line.close();
  const running = worker(`--metrics-listen ${at}`);
  await running.says(`Metrics are at http://${at}/metrics.`);
  const ask = async (path: string): Promise<number> => (await fetch(`http://${at}${path}`)).status;
  const metrics = async () => (await fetch(`http://${at}/metrics`)).text();
  expect(await ask('/healthz')).toBe(200);
  expect(await ask('/readyz')).toBe(503);
  expect(await metrics()).toMatch(/^sluice_state_up 0$/m);
  line = await openCutter(Number(server.port), undefined, line.port);
  await expect.poll(() => ask('/readyz'), until).toBe(200);
  await sandbox.until(({ accepted }) => accepted >= 5, running);
  const there = await metrics();
  expect(there).toMatch(/^sluice_state_up 1$/m);
  expect(there).toMatch(/^sluice_worker_runs 1$/m);
  expect(there).toMatch(/^sluice_queue_entries\{state="active"\} 1$/m);
  const submitted = /^sluice_enrichments_submitted_total\{sluice_job="a"\} \d+$/m;
  await expect.poll(metrics, until).toMatch(submitted);

  line.close();
  await expect.poll(() => ask('/readyz'), until).toBe(503);
  expect(await ask('/healthz')).toBe(200);
  const away = await metrics();
  expect(away).toMatch(/^sluice_state_up 0$/m);
  expect(away).not.toMatch(/^sluice_queue_entries/m);
  expect(away).toMatch(submitted);
  expect(running.child.exitCode).toBeNull();

  line = await openCutter(Number(server.port), undefined, line.port);
  await expect.poll(() => ask('/readyz'), until).toBe(200);
  await running.says('Run 1 of a: finished.');
  expect(await sandbox.ledger()).toMatchObject({ accepted: 30, doubled: [] });
  expect(dir.rows('out/a.csv')).toHaveLength(30);
});
