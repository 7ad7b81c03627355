// node bench/shared-limit.mjs: four processes that send for one account at the same time, on one state, against one alone
// with as many leads; once on a state file and once on PostgreSQL. Two minutes.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inFolder, record, round, sluice, withSandbox, writeLeads } from './kit.mjs';
import { newState, openServer } from './postgres-server.mjs';

const RATE = '20/1s';
const PROCESSES = 4;
/** Each takes two requests. */
const LEADS = Number(process.env.LEADS ?? 240);
/** How often the ledger is read, in ms. */
const LOOK_MS = 50;

await inFolder(async (folder) => {
  const whole = await writeLeads(join(folder, 'whole.csv'), LEADS, { isFound: true });
  const parts = await writeParts(folder);
  const { address, stop } = await openServer(folder);
  const figures = { rate: RATE, processes: PROCESSES, leads: LEADS };
  try {
    for (const [name, stateOf] of [
      ['file', (which) => join(folder, `${which}.db`)],
      ['database', () => newState(address)],
    ]) {
      const alone = await send([whole], await stateOf('alone'));
      const together = await send(parts, await stateOf('together'));
      const ratio = round(together.requests_per_second / alone.requests_per_second);
      figures[name] = { ratio, together, alone };
    }
  } finally {
    await stop();
  }
  record('shared-limit', figures);
});

/** The same leads in as many files as there are processes. */
async function writeParts(folder) {
  const paths = [];
  for (let part = 0; part < PROCESSES; part += 1) {
    let nth = 0;
    const isWanted = () => {
      nth += 1;
      return nth % PROCESSES === part;
    };
    const path = join(folder, `part${part}.csv`);
    paths.push(await writeLeads(path, LEADS / PROCESSES, { isFound: true, isWanted }));
  }
  return paths;
}

/** Runs a process for each file, all at the same time. Time counts from the first request to the last. */
async function send(inputs, state) {
  return withSandbox(['--latency', '0ms', '--rate', RATE], async ({ url, ledger }) => {
    const how = [
      '--ask',
      'find_email',
      '--submit',
      'single',
      '--collect',
      'poll',
      '--set',
      `rate=${RATE}`,
    ];
    const known = [
      '--set',
      'first-batch=1000000',
      '--json',
      '--force',
      '--url',
      url,
      '--state',
      state,
    ];
    const runs = Promise.all(
      inputs.map((input) => sluice('enrich', input, '--out', `${input}.out.csv`, ...how, ...known)),
    );
    const seconds = await measureSending(ledger, runs);
    await runs;
    const { doubled, requests, throttled, worstWindow } = await ledger();
    return {
      requests,
      requests_per_second: round(requests / seconds),
      worst_window: worstWindow,
      throttled,
      accepted_twice: doubled.length,
    };
  });
}

/** Seconds from the first request to the last. */
async function measureSending(ledger, runs) {
  let isOver = false;
  let [firstMs, lastMs, seen] = [0, 0, 0];
  const ending = runs.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const { requests } = await ledger();
    if (requests > seen) {
      lastMs = performance.now();
      if (seen === 0) firstMs = lastMs;
      seen = requests;
    }
    await sleep(LOOK_MS);
  }
  await ending;
  return (lastMs - firstMs) / 1_000;
}
