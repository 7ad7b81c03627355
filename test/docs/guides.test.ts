// The guides, done as they are written. Every block ```sh of a guide runs in order, in one bash in a folder with a
// file of leads, against a sandbox; so does `<!-- sh: … -->`, which stands where the reader edits a file. A block
// that cannot run here is ```console: it installs, asks a person, or names the reader's own platform.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { MAIN } from '../helpers/command-line.js';
import { isLong } from '../helpers/long.js';
import { readWorkbook } from '../helpers/read-workbook.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { openWorkdir } from '../helpers/workdir.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RUNS = /^```sh\n([\s\S]*?)^```|^<!-- sh: (.*) -->$/gm;
const LEADS = readFileSync(join(ROOT, 'data/sample/leads.csv'), 'utf8');
const JOBS = readdirSync(join(ROOT, 'jobs')).filter((name) =>
  /^(?!legislators).*\.yaml$/.test(name),
);

const sandbox = await startSandboxProcess('--latency 200ms');

/** Runs a guide to its end, and returns its folder and what was said. */
async function follow(guide: string) {
  const workdir = openWorkdir().write('leads.csv', LEADS);
  const text = readFileSync(join(ROOT, guide), 'utf8');
  const steps = [...text.matchAll(RUNS)].map(([, block, hidden]) => block ?? hidden ?? '');
  mkdirSync(workdir.at('bin'));
  writeFileSync(workdir.at('bin/sluice'), `#!/bin/sh\nexec node "${MAIN}" "$@"\n`);
  chmodSync(workdir.at('bin/sluice'), 0o755);
  const script = ['set -eo pipefail', ...steps.flatMap((step) => ['set -x', step])].join('\n');
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script], {
    cwd: workdir.path,
    env: {
      PATH: `${workdir.at('bin')}${delimiter}${process.env['PATH'] ?? ''}`,
      PLATFORM: sandbox.url,
    },
  });
  return { workdir, said: stdout + stderr };
}

describe.concurrent('a guide', () => {
  it('leads from nothing to a job for the real platform', async () => {
    const { workdir, said } = await follow('docs/getting-started.md');
    expect(said).toContain('Everything is ready for a run.');
    expect(workdir.rows('data/out/leads.csv')).toMatchObject([
      { sluice_status: 'found', source: 'cache', credits: '0' },
      { sluice_status: 'found', source: 'cache', credits: '0' },
      { sluice_status: 'not_found' },
      { sluice_status: 'skipped' },
    ]);
    const entries = await sandbox.entries();
    expect(entries.length).toBeGreaterThanOrEqual(2);
  });

  it.runIf(isLong)('leads through a file that is enriched once', async () => {
    const { workdir, said } = await follow('docs/one-off.md');
    const [sheet] = await readWorkbook(readFileSync(workdir.at('for-excel.xlsx')));
    expect(sheet?.rows).toHaveLength(3);
    for (const name of ['enriched.csv', 'real.csv', 'piped.csv']) {
      expect([name, workdir.rows(name).length]).toEqual([name, 4]);
    }
    expect(workdir.text('for-programs.ndjson')).toContain('"sluice_status":"');
    expect(said).toContain('Line 2 of leads.csv, in run 1');
  });
});

it.each(isLong ? JOBS : ['once.yaml', 'by-webhook.yaml'])(
  'the job to copy %s runs in the sandbox as it stands',
  async (name) => {
    const workdir = openWorkdir()
      .write('data/sample/leads.csv', LEADS)
      .write('inbox/leads.csv', LEADS)
      .write('data/out/.keep', '')
      .write('out/.keep', '')
      .write(`jobs/${name}`, readFileSync(join(ROOT, 'jobs', name), 'utf8'));
    const { code } = await workdir.sluice(
      `run jobs/${name} --url sandbox --set listen=0 --set rate=off`,
    );
    const [table = ''] = workdir.files().filter((path) => /out\/[^.].*\.csv$/.test(path));
    expect(code).toBe(0);
    expect(workdir.rows(table)).toHaveLength(4);
  },
);
