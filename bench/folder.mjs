// node bench/folder.mjs: how long a command takes over a drop folder whose 1,000 files of 1 MB are all done.
// BEFORE=FOLDER: the same by the Sluice that was built there, to compare.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AT_ONCE, inFolder, MAIN, measured, record, round, withSandbox } from './kit.mjs';

const FILES = 1_000;
const BYTES = 1_000_000;
const ROUNDS = 7;

await inFolder(async (folder) => {
  mkdirSync(join(folder, 'inbox'));
  for (let i = 0; i < FILES; i += 1) {
    const lines = `first_name,last_name,website\nFirst${i},Last${i},company${i}.com\n`;
    const name = join(folder, 'inbox', `${String(i).padStart(4, '0')}.csv`);
    writeFileSync(name, lines.padEnd(BYTES, '\n'));
  }
  await withSandbox(AT_ONCE, async ({ url }) => {
    const start = async (main, name, ...more) => {
      const files = ['--state', join(folder, `${name}.db`), '--out', join(folder, `${name}.csv`)];
      const asks = ['--ask', 'find_email', '--url', url, '--set', 'rate=off'];
      const job = ['enrich', join(folder, 'inbox/*.csv'), ...files, ...asks];
      // 1: the sandbox fails about 2 % on purpose.
      return measured([main, ...job, '--json', ...more], { codes: [0, 1] });
    };
    const median = async (...args) => {
      // The first does the files; the second finds them done, and their last change over.
      for (let i = 0; i < 2; i += 1) await start(...args);
      const runs = [];
      for (let i = 0; i < ROUNDS; i += 1) runs.push(await start(...args));
      const of = (key) => round(runs.map((run) => run[key]).toSorted((a, b) => a - b)[3]);
      return { seconds: of('seconds'), cpu_seconds: of('cpuSeconds') };
    };
    const now = await median(MAIN, 'now');
    const verified = await median(MAIN, 'now', '--verify');
    const { BEFORE } = process.env;
    const before =
      BEFORE === undefined
        ? undefined
        : await median(join(BEFORE, 'dist/bundle/sluice.js'), 'before');
    record('folder', { files: FILES, bytes: BYTES, ...now, verified, before });
  });
});
