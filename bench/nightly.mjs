// node bench/nightly.mjs: the same command again over an unchanged file of 100,000 leads, all of them answered and fresh.
// BEFORE=FOLDER: the same by the Sluice that was built there, to compare.
import { join } from 'node:path';
import {
  AT_ONCE,
  inFolder,
  MAIN,
  measured,
  record,
  round,
  withSandbox,
  writeLeads,
} from './kit.mjs';

const LEADS = Number(process.env.LEADS ?? 100_000);
const ROUNDS = 5;
const { BEFORE } = process.env;

await inFolder(async (folder) => {
  const input = await writeLeads(join(folder, 'leads.csv'), LEADS);
  await withSandbox(AT_ONCE, async ({ url }) => {
    const start = (main, name) => {
      const files = ['--state', join(folder, `${name}.db`), '--out', join(folder, `${name}.csv`)];
      const asks = ['--ask', 'find_email', '--submit', 'bulk', '--set', 'rate=off'];
      const job = ['enrich', input, ...files, ...asks, '--url', url, '--json'];
      // 1: the sandbox fails about 2 % on purpose.
      return measured([main, ...job], { codes: [0, 1] });
    };
    const mains = { now: MAIN };
    if (BEFORE !== undefined) mains.before = join(BEFORE, 'dist/bundle/sluice.js');
    const runs = {};
    for (const [name, main] of Object.entries(mains)) {
      await start(main, name);
      runs[name] = [];
    }
    // In turn, so that what else the machine does meets both.
    for (let i = 0; i < ROUNDS; i += 1) {
      for (const [name, main] of Object.entries(mains)) runs[name].push(await start(main, name));
    }
    const bestOf = (name) => {
      const of = (key) => round(Math.min(...runs[name].map((run) => run[key])));
      return { seconds: of('seconds'), cpu_seconds: of('cpuSeconds'), peak_mb: of('peakMb') };
    };
    const before = BEFORE === undefined ? undefined : bestOf('before');
    record('nightly', { leads: LEADS, ...bestOf('now'), before });
  });
});
