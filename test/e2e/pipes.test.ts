// Standard output that is a pipe: read to its end, closed early, or on a full disk.
import { openSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Ended, Running } from '../helpers/command-line.js';
import { answering, startServer } from '../helpers/counting-server.js';
import { inBrief } from '../helpers/long.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import {
  complaintOf,
  csv,
  openPrepared,
  openWorkdir,
  parseRows,
  people,
  type Workdir,
} from '../helpers/workdir.js';

const sandbox = await startSandboxProcess();
const silent = await startServer(answering({}));

/** More than a pipe holds, and all of it skipped, so that nothing is asked. */
const MANY = csv(Array.from({ length: 1500 }, (_, i) => `Ada${i},Byron,no domain`));
const SILENT_ENRICH = 'enrich leads.csv --ask find_email';

/** To be prepared. */
async function skipMany(dir: Workdir): Promise<void> {
  dir.write('leads.csv', MANY);
  const ended = await dir.sluice(`${SILENT_ENRICH} --out out.csv --url ${silent.url}`);
  expect(ended.code).toBe(1);
}

/** Closes the pipe after its first piece, as `head` does. */
async function head(running: Running): Promise<Ended> {
  running.child.stdout?.once('data', () => running.child.stdout?.destroy());
  return running.ended;
}

describe.concurrent('a pipe', () => {
  test('the table goes to standard output, and what is said about it does not', async () => {
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(3)));
    const ended = await dir.start('enrich leads.csv --out - --ask find_email').ended;
    expect(ended.code).toBe(0);
    expect(parseRows(ended.stdout).map((row) => row['first_name'])).toEqual([
      'Eve1',
      'Eve2',
      'Eve3',
    ]);
    expect(ended.stderr).toMatch(/table +- \(3 rows\)/);
    expect(dir.files().filter((name) => !name.startsWith('data/'))).toEqual(['leads.csv']);
  });

  test('the summary as JSON makes way for the table', async () => {
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(1)));
    const ended = await dir.sluice('enrich leads.csv --out - --ask find_email --json');
    expect(parseRows(ended.stdout)).toHaveLength(1);
    expect(JSON.parse(ended.stderr)).toMatchObject({ leads: 1, out: '-', rows: 1 });
  });

  test('enrich, closed early, is success, and the run is finished', async () => {
    const dir = openWorkdir(silent.url).write('leads.csv', MANY);
    const ended = await head(dir.start(`${SILENT_ENRICH} --out -`));
    expect(ended.code).toBe(0);
    expect(ended.stderr).not.toContain('sluice: ');
    expect(JSON.parse((await dir.sluice('status --json')).stdout)).toMatchObject({
      state: 'finished',
      leads: 1500,
    });
  });

  test('export, runs, status and plan, closed early, are success', async () => {
    const dir = await openPrepared(skipMany, silent.url);
    const lines = inBrief(
      ['export 1 --out -', 'status'],
      ['export 1 --out - --json', 'runs', 'runs --ndjson', 'plan leads.csv --ask find_email'],
    );
    for (const line of lines) {
      expect(await head(dir.start(line)), line).toMatchObject({ code: 0, stderr: '' });
    }
  });

  test('closed before anything is written is success as well', async () => {
    const dir = await openPrepared(skipMany);
    for (const line of inBrief(['runs'], ['export 1 --out -'])) {
      const running = dir.start(line);
      running.child.stdout?.destroy();
      expect(await running.ended, line).toMatchObject({ code: 0, stderr: '' });
    }
  });

  test.skipIf(process.platform !== 'linux')('a full disk behind it is exit 5', async () => {
    const dir = openWorkdir(silent.url).write('leads.csv', MANY);
    const ended = await dir.sluice(`${SILENT_ENRICH} --out -`, {
      stdout: openSync('/dev/full', 'w'),
    });
    expect(complaintOf(ended)).toMatch(
      /^Writing standard output failed: no space is left on the disk\. All results are safe/,
    );
    expect(ended.code).toBe(5);
  });
});
