// Whom a job tells that a run has ended: what they are told, and what they can never change.
import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { startServer } from '../helpers/counting-server.js';
import { isLong } from '../helpers/long.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, csv, openWorkdir, people } from '../helpers/workdir.js';

const sandbox = await startSandboxProcess();
const JOB = 'input: leads.csv\nout: out.csv\nask: [find_email]\n';
const TELL = '#!/bin/sh\ncat >> told.ndjson\nenv > env.txt\necho not to be seen\n';

/** Keeps what it is told; answers with the status. */
async function startChat(status = 200) {
  const told: Record<string, unknown>[] = [];
  const server = await startServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      told.push(JSON.parse(body) as Record<string, unknown>);
      response.writeHead(status).end();
    });
  });
  return { ...server, told };
}

function withJob(notify: string, leads = people(3), url = sandbox.url) {
  const dir = openWorkdir(url)
    .write('leads.csv', csv(leads))
    .write('jobs/nightly.yaml', `${JOB}notify:\n${notify}`)
    .write('tell.sh', TELL);
  chmodSync(dir.at('tell.sh'), 0o755);
  const told = (): Record<string, unknown>[] =>
    dir.has('told.ndjson')
      ? dir
          .text('told.ndjson')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  return { dir, told };
}

const COMMAND = '  command: [./tell.sh]\n';

describe.concurrent('the end of a run', () => {
  test('is told to an address and a command: the summary, the exit code, and no person’s name', async () => {
    const chat = await startChat();
    const { dir, told } = withJob(`  url: \${CHAT}\n${COMMAND}`);
    const env = {
      CHAT: `${chat.url}/T0P-SECRET`,
      SLUICE_WEBHOOK_SECRET: 's3cret',
      HOME: '/home/x',
    };
    expect(await dir.sluice('run nightly -q', { env })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const status = JSON.parse((await dir.sluice('status --json')).stdout) as object;
    expect(told()).toEqual([
      {
        ...status,
        rows: 3,
        changed_cells: [],
        duration_ms: expect.any(Number),
        // The process of the run still has its log.
        state_log_bytes: expect.any(Number),
        exit_code: 0,
        error: null,
        text: 'nightly: run 1 finished, 3 leads (3 found), 15 credits (prices assumed), exit code 0.',
      },
    ]);
    expect(chat.told).toEqual(told());
    expect(chat.asked).toEqual(['POST /T0P-SECRET']);
    expect(dir.text('told.ndjson')).not.toMatch(/Eve|Byron|firm1/);
    const seen = dir.text('env.txt');
    expect(seen).toMatch(/^SLUICE_RUN=1$/m);
    expect(seen).toMatch(/^SLUICE_JOB=nightly$/m);
    expect(seen).toMatch(/^SLUICE_EXIT_CODE=0$/m);
    expect(seen).toMatch(/^HOME=\/home\/x$/m);
    expect(seen).not.toMatch(/SLUICE_(USERNAME|PASSWORD|WEBHOOK_SECRET)/);
  });

  test('is told whatever ended it: a budget, a pause, a platform, another process, no run at all', async () => {
    const { dir, told } = withJob(COMMAND);
    expect((await dir.sluice('run nightly -q --budget 5')).code).toBe(6);
    await dir.sluice('pause nightly');
    expect((await dir.sluice('run nightly -q')).code).toBe(8);
    await dir.sluice('resume nightly');
    const wrong = { env: { SLUICE_PASSWORD: 'guess' } };
    const refused = await dir.sluice('run nightly -q', wrong);
    expect(refused.code).toBe(4);
    const missing = await dir.sluice('run nightly -q --dialect none.yaml');
    expect(missing.code).toBe(2);
    expect(told()).toMatchObject([
      {
        run: 1,
        state: 'stopped_at_budget',
        exit_code: 6,
        error: expect.stringContaining('budget'),
      },
      { run: 1, state: 'paused', exit_code: 8, error: expect.stringContaining('paused') },
      { run: 1, state: 'stopped_by_error', exit_code: 4, error: complaintOf(refused) },
      { run: null, job: 'nightly', state: null, exit_code: 2, error: complaintOf(missing) },
    ]);
    expect(told()[3]?.['by_status']).toEqual({});
    const ofRuns = told().slice(0, 3);
    expect(new Set(ofRuns.map((one) => Object.keys(one).join())).size).toBe(1);
    expect(told()[0]?.['text']).toMatch(/^nightly: run 1 stopped at budget, /);
    expect(told()[3]?.['text']).toMatch(/^nightly: no run, exit code 2\. The dialect file none/);
  });

  test('may be told before it: the account has fewer credits than the run may need', async () => {
    const platform = await startServer((_, response) => {
      const find_email = { email: 'a@b.example', status: 'deliverable' };
      response.end(JSON.stringify({ credits_left: 12, data: [{ data: { find_email } }] }));
    });
    const keys = `${COMMAND}  on: [failed]\ndialect: account.yaml\nprices: {find_email: 5}\n`;
    const { dir, told } = withJob(keys, people(3), platform.url);
    const atOnce = 'enrich: { ticket: [], result: always, webhookUrl: null }\nresult: null\n';
    dir.write('account.yaml', `${atOnce}account: { path: /account, credits: [credits_left] }\n`);
    const ended = await dir.sluice('run nightly');
    const said = 'The account has 12 credits, and what is to be sent may cost 15.';
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain(said);
    expect(told()).toMatchObject([{ run: 1, state: 'working', exit_code: null, error: null }]);
    expect(told()[0]?.['text']).toMatch(/^nightly: run 1 working, [^.]*\. The account has 12/);
  });

  test.runIf(isLong)('is told after Ctrl+C and a cancel as well', async () => {
    const slow = await startSandboxProcess('--latency 60s');
    const { dir, told } = withJob(COMMAND, people(2), slow.url);
    const first = dir.start('run nightly -q');
    await slow.until(({ accepted }) => accepted >= 2, first);
    first.child.kill('SIGINT');
    expect((await first.ended).code).toBe(130);
    const second = dir.start('run nightly');
    await second.says('Continuing run 1');
    await dir.sluice('cancel 1');
    expect((await second.ended).code).toBe(7);
    expect(told()).toMatchObject([
      { exit_code: 130, error: null },
      { exit_code: 7, state: 'cancelled' },
    ]);
  });

  test('is told only in trouble where the job says so, and of no night without anything new', async () => {
    // The 31st fails in the sandbox.
    const { dir, told } = withJob(`${COMMAND}  on: trouble\n`, people(1));
    expect((await dir.sluice('run nightly -q')).code).toBe(0);
    expect(told()).toEqual([]);
    dir.write('leads.csv', csv(people(1, 31)));
    const ended = await dir.sluice('run nightly -q');
    expect(ended.code).toBe(1);
    expect(ended.stderr).toBe(
      'sluice: Run 2 of nightly: 1 of 1 lead got no answer (1 failed). "sluice status 2" says why.\n',
    );
    expect(told()).toMatchObject([{ run: 2, exit_code: 1, by_status: { failed: 1 } }]);

    const folder = withJob(COMMAND);
    folder.dir.write('jobs/nightly.yaml', `${JOB.replace('leads', 'in/*')}notify:\n${COMMAND}`);
    folder.dir.write('in/a.csv', csv(people(1)));
    for (const count of [1, 1]) {
      expect((await folder.dir.sluice('run nightly -q')).code).toBe(0);
      expect(folder.told()).toHaveLength(count);
    }
  });

  test('is told where the conditions hold that the job names, whatever the exit code is', async () => {
    const { dir, told } = withJob(`${COMMAND}  on: [failed > 30 %]\n`, people(3));
    dir.write('leads.csv', csv([...people(3), ...people(1, 31)]));
    expect((await dir.sluice('run nightly -q')).code).toBe(1);
    expect(told()).toEqual([]);
    dir.write('leads.csv', csv([...people(2), ...people(1, 31)]));
    expect((await dir.sluice(['run', 'nightly', '-q', '--set', 'fail-on=[]'])).code).toBe(0);
    expect((await dir.sluice('run nightly -q --dialect none.yaml')).code).toBe(2);
    expect(told()).toMatchObject([{ exit_code: 0, by_status: { failed: 1 } }, { exit_code: 2 }]);
    expect(await dir.refusal('run nightly -q --set fail-on=[often]')).toContain(
      'a condition is uncertain, timed_out or failed',
    );
  });

  test('changes nothing where no notice gets through: one sentence, and never the address', async () => {
    const chat = await startChat(404);
    const { dir } = withJob('  url: ${CHAT}\n  command: [sh, -c, "echo boo; exit 9"]\n');
    const env = { CHAT: `${chat.url}/T0P-SECRET` };
    const ended = await dir.sluice('run nightly -q', { env });
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    expect(ended.stderr).toBe(
      [
        'sluice: The notice to notify.url failed: it answered 404. The run itself is not affected.',
        'sluice: The notice to notify.command failed: sh ended with exit code 9: boo. The run itself is not affected.',
        '',
      ].join('\n'),
    );
    expect(dir.rows('out.csv')).toHaveLength(3);
    const json = await dir.sluice('run nightly --json', { env });
    expect(
      json.stderr
        .trimEnd()
        .split('\n')
        .map((line) => Object.keys(JSON.parse(line))),
    ).toEqual([['warning'], ['warning']]);
    for (const path of dir.files().filter((path) => path.startsWith('data/'))) {
      expect(dir.text(path)).not.toContain('T0P-SECRET');
    }
  });

  test.each([
    ['  url: file:///etc/T0P-SECRET\n', 'an address begins with http:// or https://'],
    ['  url: https://me:T0P-SECRET@example.com\n', 'an address with a user name or password'],
    ['  on: always\n', 'nothing says where to send it: give url, command, or both'],
    ['  command: ./tell.sh\n', 'a command is a list: [./tell-me.sh, --short]'],
    ['  command: []\n', 'a command is a list that begins with a program'],
    ['  url: ${SLUICE_PASSWORD}\n', 'has no place in a job'],
    ['  ulr: x\n', 'Did you mean "url"?'],
  ])('%j is refused, and not quoted', async (notify, sentence) => {
    const { dir } = withJob(notify);
    const ended = await dir.sluice('run nightly');
    expect(ended.code).toBe(2);
    expect(complaintOf(ended)).toContain(sentence);
    expect(ended.stderr).not.toContain('T0P-SECRET');
  });
});
