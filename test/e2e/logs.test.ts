// Logs of whole runs: what stands in them, what never does, and that they end no run.
import { openSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RUN_EVENT_CATALOGUE, type RunEvent } from '../../src/model/telemetry/observe.js';
import { snakeCase } from '../../src/model/text/json.js';
import { freePort } from '../helpers/free-port.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, people } from '../helpers/workdir.js';

const PASSWORD = 'Tr0ub4dor&3-hunter2';
const ENV = { SLUICE_USERNAME: 'analyst@example.com', SLUICE_PASSWORD: PASSWORD };
const ENRICH = 'enrich leads.csv --out out.csv --ask find_email,find_phone --state state.db';
const OF_EVERY_LINE = ['level', 'time', 'pid', 'event', 'job', 'run'];

type Line = Readonly<Record<string, unknown>> & { readonly event: RunEvent['kind'] };

/** Each line parsed; throws for one that is no JSON or has fields that the catalogue does not list. */
function linesOf(stderr: string): Line[] {
  return stderr
    .trimEnd()
    .split('\n')
    .map((text) => {
      const line = JSON.parse(text) as Line;
      const { fields, level: usual } = RUN_EVENT_CATALOGUE[line.event];
      const { result = 'ok' } = line as { readonly result?: string };
      const level = ['ok', 'stopped'].includes(result) ? usual : 'warn';
      expect(line).toMatchObject({ level, time: expect.any(String), pid: expect.any(Number) });
      const own = Object.keys(line).filter((name) => !OF_EVERY_LINE.includes(name));
      expect(own).toEqual(fields.map(snakeCase));
      return line;
    });
}

const LEADS = [
  'first_name,last_name,domain,email,phone,note',
  ...people(12).map(
    (lead, i) => `${lead},eve${i}@mail.example,+33 6 12 34 56 ${10 + i},a note ${i}`,
  ),
  'Zebediah,Quackenbush,,,,nothing to ask for',
  '"broken',
  '',
].join('\n');

describe.concurrent('a log', () => {
  test('of everything tells of no person and no credential, in the fields that are documented', async () => {
    const sandbox = await startSandboxProcess(
      `--latency 50ms --username ${ENV.SLUICE_USERNAME} --password ${PASSWORD} --fault throttle=0.1 --fault html=0.1 --fault error-after=0.2`,
      '20/200ms',
    );
    const dir = openWorkdir(sandbox.url).write('leads.csv', LEADS);
    const port = await freePort();
    const line = `${ENRICH} --set rate=20/200ms --budget 10000 --set listen=${port} --collect hybrid --submit single --set claim-wait=3s --log-level trace`;
    const ended = await dir.sluice(line, { env: ENV });
    expect(ended.stdout).toBe('');
    const events = new Set(linesOf(ended.stderr).map(({ event }) => event));
    const expected: RunEvent['kind'][] = [
      'job.locked',
      'state.new',
      'listener.opened',
      'run.started',
      'run.mapped',
      'leads.read',
      'leads.complete',
      'request.sent',
      'request.answered',
      'platform.ready',
      'budget.reserved',
      'enrichments.claimed',
      'enrichments.submitted',
      'deliveries.kept',
      'deliveries.handled',
      'enrichments.settled',
      'table.exported',
      'run.ended',
      'listener.closed',
      'job.released',
    ];
    for (const event of expected) expect(events).toContain(event);
    const token = Buffer.from(`${ENV.SLUICE_USERNAME}:${PASSWORD}`).toString('base64');
    const found = dir.rows('out.csv').flatMap((row) => Object.entries(row));
    const told = found.filter(([name]) => /name$|domain$|email$|phone$|note$|url$/.test(name));
    const values = new Set(told.map(([, value]) => value).filter((value) => value.length > 5));
    expect(values).toContain('+33 6 12 34 56 10');
    expect([...values].some((value) => value.includes('@firm'))).toBe(true);
    const secrets = [PASSWORD, token, 'analyst@', 'Zebediah', 'Quackenbush', 'Byron', ...values];
    expect(secrets.filter((secret) => ended.stderr.includes(secret))).toEqual([]);
  });

  test('is silent by default and with --quiet, and a word in the environment turns it on', async () => {
    const sandbox = await startSandboxProcess();
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(2)));
    expect((await dir.sluice(`${ENRICH} --quiet`)).stderr).toBe('');
    const info = await dir.sluice(`${ENRICH} --quiet`, { env: { SLUICE_LOG_LEVEL: 'info' } });
    const lines = linesOf(info.stderr);
    expect(lines.map(({ event }) => event)).toContain('run.ended');
    expect(lines.filter(({ level }) => level === 'debug')).toEqual([]);
    const off = { env: { SLUICE_LOG_LEVEL: 'info' } };
    expect((await dir.sluice(`${ENRICH} --quiet --log-level silent`, off)).stderr).toBe('');
    const wrong = await dir.sluice(`${ENRICH} --log-level loud`);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('"loud" is none of') });
  });

  test('has the error that ends a command, and with --json it is told as always too', async () => {
    const dir = openWorkdir('http://127.0.0.1:1').write('leads.csv', csv(people(1)));
    const ended = await dir.sluice(`${ENRICH} --log-level warn`);
    expect(ended.code).toBe(4);
    const lines = linesOf(ended.stderr);
    expect(lines).toContainEqual(
      expect.objectContaining({ event: 'request.failed', became: 'unsent', code: 'ECONNREFUSED' }),
    );
    expect(lines.at(-1)).toMatchObject({ event: 'command.failed', code: 'platform', exit_code: 4 });
    const asJson = await dir.sluice(`${ENRICH} --log-level error --json`);
    const [logged, told] = asJson.stderr.trim().split('\n');
    expect(JSON.parse(logged ?? '')).toMatchObject({ event: 'command.failed' });
    expect(JSON.parse(told ?? '')).toMatchObject({ error: { code: 'platform', exit_code: 4 } });
  });

  test('tells at warn of a run that left leads without an answer, also under --quiet', async () => {
    const sandbox = await startSandboxProcess();
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(['Ada,,']));
    const ended = await dir.sluice(`${ENRICH} --quiet`, { env: { SLUICE_LOG_LEVEL: 'warn' } });
    expect(ended.code).toBe(1);
    expect(linesOf(ended.stderr)).toEqual([
      expect.objectContaining({
        level: 'warn',
        event: 'run.ended',
        result: 'unanswered',
        skipped: 1,
        advice: '"sluice status 1 --state state.db" says why.',
      }),
    ]);
  });

  test('does not hold the header of the input, where a lead may stand', async () => {
    const dir = openWorkdir('http://127.0.0.1:1').write(
      'leads.csv',
      'First name,Lovelace,x.example\n',
    );
    for (const flags of [' --map email=Mail', ' --map lastName=Mail']) {
      const plain = await dir.sluice(ENRICH + flags);
      expect(plain).toMatchObject({ code: 2, stderr: expect.stringContaining('Lovelace') });
      const { code, stderr } = await dir.sluice(`${ENRICH}${flags} --log-level trace`);
      expect(code).toBe(2);
      expect(linesOf(stderr).at(-1)).toMatchObject({ event: 'command.failed', code: 'usage' });
      expect(stderr).not.toContain('Lovelace');
    }
  });

  test('that is no longer read ends no run', async () => {
    const sandbox = await startSandboxProcess();
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(20)));
    const run = dir.start(`${ENRICH} --log-level trace`);
    run.child.stderr?.once('data', () => run.child.stderr?.destroy());
    expect((await run.ended).code).toBe(0);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 20, doubled: [] });
    expect(dir.rows('out.csv')).toHaveLength(20);
  });

  test('of a listener, a replay, a retry and followed events goes the same way', async () => {
    const sandbox = await startSandboxProcess('--latency 8s --sigma 0');
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(5)));
    const port = await freePort();
    const listener = dir.start(`listen --listen ${port} --state state.db --log-level debug`, {
      isService: true,
    });
    await listener.says('listener.opened');
    const flags = `--set rate=off --collect webhook --submit single --set listen=${port} --set deadline=1s`;
    await dir.sluice(`${ENRICH} ${flags} --quiet`);
    await sandbox.until(({ delivered }) => delivered >= 5, listener);
    const replay = `replay leads.csv ${ENRICH.split(' leads.csv ')[1]} --log-level debug`;
    const replayed = linesOf((await dir.sluice(replay)).stderr);
    expect(replayed.map(({ event }) => event)).toEqual(['deliveries.handled', 'journal.replayed']);
    const retried = await dir.sluice('retry 1 --state state.db --log-level debug');
    expect(linesOf(retried.stderr).map(({ event }) => event)).toEqual([
      'job.locked',
      'run.reopened',
      'job.released',
    ]);
    await fetch(`http://127.0.0.1:${port}/nowhere`, { method: 'POST', body: '{}' });
    listener.child.kill('SIGTERM');
    const { stderr } = await listener.ended;
    const events = linesOf(stderr);
    expect(events.at(0)).toMatchObject({ event: 'listener.opened', port, is_shared: false });
    expect(events).toContainEqual(expect.objectContaining({ event: 'deliveries.kept' }));
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'deliveries.refused', reason: 'unknown_address' }),
    );
    expect(events.at(-1)).toMatchObject({ event: 'listener.closed' });
  });
});

describe.concurrent('standard error', () => {
  test.runIf(process.platform === 'linux')('on a full disk ends no run either', async () => {
    const sandbox = await startSandboxProcess();
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(5)));
    const full = openSync('/dev/full', 'w');
    const ended = await dir.sluice(`${ENRICH} --log-level trace`, { stderr: full });
    expect(ended.code).toBe(0);
    expect(dir.rows('out.csv')).toHaveLength(5);
  });
});
