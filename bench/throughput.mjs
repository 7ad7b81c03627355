// npm run bench [-- LEADS]: how many leads a second, and with how much memory, against the sandbox as a
// process of its own, without a rate limit. Every commit is synced to disk, as always.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';

const leads = Number(process.argv[2] ?? 100_000);
const main = new URL('../dist/cli/main.js', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));

try {
  const input = join(folder, 'leads.csv');
  await writeLeads(input, leads);
  const sandbox = await startSandbox();
  const usageFile = join(folder, 'usage.json');
  const probe = join(folder, 'probe.mjs');
  writeFileSync(
    probe,
    `import { writeFileSync } from 'node:fs';
     process.on('exit', () => writeFileSync(${JSON.stringify(usageFile)}, JSON.stringify(process.resourceUsage())));`,
  );
  const startedAt = performance.now();
  const summary = await enrich(input, sandbox.url, probe);
  const seconds = (performance.now() - startedAt) / 1000;
  const usage = JSON.parse(readFileSync(usageFile, 'utf8'));
  const ledger = await (await fetch(`${sandbox.url}/sandbox/ledger`)).json();
  sandbox.process.kill();

  const result = {
    leads,
    seconds: round(seconds),
    leads_per_second: Math.round(leads / seconds),
    peak_memory_mb: Math.round(usage.maxRSS / 1024),
    cpu_ms_per_lead: round((usage.userCPUTime + usage.systemCPUTime) / 1000 / leads),
    polls_per_enrichment: round(ledger.polls / ledger.accepted),
    accepted: ledger.accepted,
    accepted_twice: ledger.doubled.length,
    credits: summary.credits,
    credits_charged: ledger.charged,
    cores: availableParallelism(),
    node: process.version,
    sync: 'FULL',
  };
  mkdirSync(new URL('results/', import.meta.url), { recursive: true });
  writeFileSync(
    new URL(`results/throughput-${leads}.json`, import.meta.url),
    `${JSON.stringify(result, null, 2)}\n`,
  );
  for (const [name, value] of Object.entries(result)) console.log(`${name.padEnd(22)} ${value}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function writeLeads(path, count) {
  const stream = createWriteStream(path);
  stream.write('first_name,last_name,website,city\n');
  for (let i = 0; i < count; i += 1) {
    const line = `First${i},Last${(i * 7) % 99_991},https://www.company${i % 5_000}.com/about,Paris\n`;
    if (!stream.write(line)) await once(stream, 'drain');
  }
  stream.end();
  await finished(stream);
}

async function startSandbox() {
  const child = spawn(
    process.execPath,
    [main, 'sandbox', '--port', '0', '--latency', '0ms', '--rate', 'off'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { process: child, url: /http:\/\/[\d.:]+/.exec(line)[0] };
}

async function enrich(input, url, probe) {
  const flags = [
    '--out',
    join(folder, 'out.csv'),
    '--state',
    join(folder, 'state.db'),
    '--url',
    url,
  ];
  const asks = ['--ask', 'find_email', '--rate', 'off', '--concurrency', '50', '--json'];
  const child = spawn(
    process.execPath,
    ['--import', probe, main, 'enrich', input, ...flags, ...asks],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, SLUICE_USERNAME: 'sandbox', SLUICE_PASSWORD: 'sandbox' },
    },
  );
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  const [code] = await once(child, 'close');
  // 1: the sandbox fails about 2 % on purpose.
  if (code !== 0 && code !== 1) throw new Error(`sluice ended with ${code}`);
  return JSON.parse(text);
}

function round(value) {
  return Math.round(value * 1000) / 1000;
}
