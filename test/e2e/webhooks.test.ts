// Results by webhook: a run with its own listener, a `sluice listen` beside it, one registered hook for all.
import { describe, expect, test } from 'vitest';
import { createKeyring } from '../../src/identity/keyring.js';
import { openStore } from '../../src/store/open-store.js';
import { freePort } from '../helpers/free-port.js';
import { inBrief, isLong } from '../helpers/long.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const ENRICH = 'enrich leads.csv --out out.csv --ask find_email --set rate=off --state state.db';
const SECRET = { SLUICE_WEBHOOK_SECRET: 'an agreed word' };

async function openShop(flags?: string) {
  const sandbox = await startSandboxProcess(flags);
  const dir = openWorkdir(sandbox.url);
  dir.write('leads.csv', csv(people(20)));
  return { sandbox, dir, port: await freePort() };
}

function outcomes(dir: Workdir): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of dir.rows('out.csv')) {
    const status = row['sluice_status'] ?? '';
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

async function journalOf(dir: Workdir): Promise<Record<string, unknown>[]> {
  const { stdout } = await dir.sluice('status --deliveries --state state.db --last 1000 --ndjson');
  return stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe.concurrent('results by webhook', () => {
  test.each(inBrief(['bulk'], ['single']))(
    'a run with a listener of its own asks for nothing by polling (%s)',
    async (submit) => {
      const { dir, sandbox, port } = await openShop();
      const ended = await dir.sluice(
        `${ENRICH} --collect webhook --submit ${submit} --set listen=${port} --quiet`,
      );
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(outcomes(dir)['found']).toBeGreaterThan(5);
      const ledger = await sandbox.ledger();
      expect(ledger).toMatchObject({ accepted: 20, doubled: [] });
      // What was empty at first is read once more, and nothing else.
      const misses = outcomes(dir)['not_found'] ?? 0;
      expect(ledger.polls).toBe(misses);
      // The first call asks for few, and goes alone; one of the requests asks for the credits.
      expect(ledger.requests - ledger.polls).toBe(submit === 'bulk' ? 3 : 21);
    },
  );

  test.runIf(isLong)('the table is the one that polling would have written', async () => {
    const { dir, port } = await openShop();
    await dir.sluice(`${ENRICH} --collect webhook --submit bulk --set listen=${port} --quiet`);
    const other = openWorkdir((await startSandboxProcess()).url);
    other.write('leads.csv', csv(people(20)));
    await other.sluice(`${ENRICH} --quiet`);
    const known = ({ enriched_at: _at, enrichment_id: _id, ...row }: Record<string, string>) => row;
    expect(dir.rows('out.csv').map(known)).toEqual(other.rows('out.csv').map(known));
  });

  test('hybrid asks for what was not delivered', async () => {
    const { dir, sandbox, port } = await openShop('--latency 20ms --fault webhook-lost=0.5');
    const ended = await dir.sluice(
      `${ENRICH} --collect hybrid --submit single --set listen=${port} --set deadline=3s --quiet`,
    );
    expect(ended.code).toBe(0);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 20, doubled: [] });
  });

  test('a listener of its own keeps receiving between runs, and beside one', async () => {
    const { dir, sandbox, port } = await openShop('--latency 6s --sigma 0');
    const listener = dir.start(`listen --listen ${port} --state state.db`, { isService: true });
    await listener.says('Ctrl+C stops it');
    const run = dir.start(
      `${ENRICH} --collect webhook --submit single --set listen=${port} --quiet`,
    );
    await sandbox.until(({ accepted }) => accepted >= 20, run);
    run.child.kill('SIGKILL');
    await run.ended;
    await sandbox.until(({ delivered }) => delivered >= 20, listener);
    expect(await journalOf(dir)).toHaveLength(20);
    const polls = (await sandbox.ledger()).polls;
    const again = await dir.sluice(
      `${ENRICH} --collect webhook --submit single --set listen=${port} --quiet`,
    );
    expect(again.code).toBe(0);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 20, doubled: [] });
    expect((await sandbox.ledger()).polls - polls).toBe(outcomes(dir)['not_found'] ?? 0);
  });

  test('what is refused at a genuine address is told by the run, its log, status and deliveries', async () => {
    // No answer comes before the run is stopped.
    const { dir, sandbox, port } = await openShop('--latency 10m --sigma 0');
    const run = dir.start(
      `${ENRICH} --collect hybrid --submit single --set listen=${port} --log-level warn --json`,
    );
    await sandbox.until(({ accepted }) => accepted >= 20, run);
    const store = await openStore(dir.at('state.db'));
    const keyring = createKeyring(await store.signingKey());
    const scope = keyring.scopeOf((await store.findRun(1))?.account ?? '');
    await store.close();
    const post = (key: string, encoding: string, body: string) =>
      fetch(`http://127.0.0.1:${port}/${key}`, {
        method: 'POST',
        headers: { 'content-encoding': encoding },
        body,
      });
    for (const id of [1, 2]) {
      const packed = '{"id":"enr_1","email":"ada@example.com"}';
      const answer = await post(keyring.seal({ kind: 'enrichment', scope, id }), 'zstd', packed);
      expect(answer.status).toBe(415);
    }
    // A stranger fills no state.
    expect((await post('nowhere', 'zstd', '{')).status).toBe(404);
    run.child.kill('SIGTERM');
    const { stderr, stdout } = await run.ended;
    const warned = stderr
      .split('\n')
      .filter((line) => line.includes('deliveries_refused'))
      .map((line) => (JSON.parse(line) as { message: string }).message);
    const said =
      /2 deliveries to this run's address were refused since .*: packed in a form that is not known \(Content-Encoding: zstd\)\./;
    expect(warned).toEqual([
      expect.stringContaining(
        'refused: packed in a form that is not known (Content-Encoding: zstd)',
      ),
      expect.stringMatching(said),
    ]);
    const refused = { reason: 'unknown_encoding', content_encoding: 'zstd', count: 2 };
    expect(JSON.parse(stdout)).toMatchObject({ refused_deliveries: [refused] });
    expect((await dir.sluice('status --state state.db')).stdout).toMatch(said);
    expect(await journalOf(dir)).toContainEqual(
      expect.objectContaining({
        delivery: null,
        times: 2,
        refused: expect.objectContaining(refused),
      }),
    );
    expect((await dir.sluice('status --deliveries --state state.db')).stdout).toMatch(
      /\n2 deliveries were refused since .*: packed in a form that is not known \(Content-Encoding: zstd\)\./,
    );
    // A run that begins after them does not speak of them.
    dir.write('more.csv', 'first_name,last_name,company\nZoe,,\n');
    const other = ENRICH.replace('leads.csv', 'more.csv').replace('out.csv', 'more-out.csv');
    const next = await dir.sluice(`${other} --json`);
    expect(JSON.parse(next.stdout)).toMatchObject({ run: 2, refused_deliveries: [] });
  });

  test('a listener of another state, and one that would refuse what a hook delivers, is told at once', async () => {
    const { dir, sandbox, port } = await openShop();
    const listener = dir.start(`listen --listen ${port} --state state.db`, { isService: true });
    await listener.says('Ctrl+C stops it');
    const other = await dir.sluice(`listen --listen ${port} --state other.db`);
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('--listen') });
    const flags = `--collect webhook --set callback=hook --set listen=${port} --quiet`;
    const ended = await dir.sluice(`${ENRICH} ${flags}`, { env: SECRET });
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('SLUICE_WEBHOOK_SECRET'),
    });
    expect((await sandbox.ledger()).accepted).toBe(0);
  });

  test('one registered hook serves every run, and is not registered twice', async () => {
    const { dir, sandbox, port } = await openShop();
    const flags = `--collect webhook --set callback=hook --set listen=${port} --quiet`;
    for (const submit of ['single', 'bulk']) {
      dir.write('leads.csv', csv(people(10, submit === 'single' ? 1 : 11)));
      const ended = await dir.sluice(`${ENRICH} ${flags} --submit ${submit}`, { env: SECRET });
      expect(ended).toMatchObject({ code: 0, stderr: '' });
    }
    const headers = { authorization: `Basic ${btoa('sandbox:sandbox')}` };
    const hooks = (await (await fetch(`${sandbox.url}/hooks`, { headers })).json()) as unknown[];
    expect(hooks).toHaveLength(2);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 20, doubled: [] });
    for (const name of dir.files()) {
      if (name.startsWith('state.db')) expect(dir.text(name)).not.toContain('an agreed word');
    }
  });

  test('replay settles what came after the run, and sends nothing', async () => {
    const { dir, sandbox, port } = await openShop('--latency 8s --sigma 0');
    const listener = dir.start(`listen --listen ${port} --state state.db`, { isService: true });
    await listener.says('Ctrl+C stops it');
    const flags = `--collect webhook --submit single --set listen=${port} --set deadline=1s`;
    const run = await dir.sluice(`${ENRICH} ${flags} --quiet`);
    expect(run.code).toBe(1);
    expect(outcomes(dir)).toEqual({ timed_out: 20 });
    await sandbox.until(({ delivered }) => delivered >= 20, listener);
    const { requests } = await sandbox.ledger();
    expect((await dir.sluice('status --state state.db')).stdout).toContain('20 deliveries');
    const replayed = await dir.sluice(`replay leads.csv ${ENRICH.split(' leads.csv ')[1]} --json`);
    expect(JSON.parse(replayed.stdout)).toMatchObject({ deliveries: 20 });
    await dir.sluice('export 1 --state state.db --out out.csv');
    expect(outcomes(dir)['found']).toBeGreaterThan(5);
    expect((await sandbox.ledger()).requests).toBe(requests);
  });
});

describe.concurrent('a send of unknown fate', () => {
  test.each(inBrief(['single'], ['bulk']))(
    'is claimed by its webhook, and never sent again (%s)',
    async (submit) => {
      const { dir, sandbox, port } = await openShop('--latency 50ms --fault drop-after=0.4');
      const flags = `--collect webhook --submit ${submit} --set listen=${port} --set claim-wait=5s --quiet`;
      await dir.sluice(`${ENRICH} ${flags}`);
      // The connection may have broken off too often in a row: whatever is left goes out now.
      await fetch(`${sandbox.url}/sandbox/faults`, { method: 'PUT', body: '{}' });
      const ended = await dir.sluice(`${ENRICH} ${flags}`);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(await sandbox.ledger()).toMatchObject({ accepted: 20, distinct: 20, doubled: [] });
      expect(outcomes(dir)['uncertain']).toBeUndefined();
    },
  );

  test.runIf(isLong)('stays uncertain where no webhook comes, and is told so', async () => {
    const { dir, sandbox } = await openShop('--latency 20ms --fault drop-after=0.4');
    await dir.sluice(`${ENRICH} --quiet`);
    await fetch(`${sandbox.url}/sandbox/faults`, { method: 'PUT', body: '{}' });
    const ended = await dir.sluice(ENRICH);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('--resend-uncertain') });
    const ledger = await sandbox.ledger();
    expect(ledger.doubled).toEqual([]);
    expect(outcomes(dir)['uncertain']).toBeGreaterThan(0);
  });
});

describe('what cannot work is said before anything is sent', () => {
  const dir = openWorkdir('https://platform.example.com');
  dir.write('leads.csv', csv(people(1)));
  test.each([
    ['--collect webhook', 'the key public-url'],
    ['--set listen=8640', 'the key public-url'],
    ['--collect hybrid --set public-url=ftp://x', '--set public-url'],
    ['--collect mail', '--collect'],
    ['--set listen=127.0.0.1', '--set listen'],
    ['--set listen=99999', '--set listen'],
    [
      '--collect webhook --set public-url=https://me.example.com --set callback=hook',
      'SLUICE_WEBHOOK_SECRET',
    ],
    ['--budget -1', '--budget'],
    ['--set claim-wait=soon', '--set claim-wait'],
    ['--submit all', '--submit'],
  ])('%s', async (flags, named) => {
    const ended = await dir.sluice([...ENRICH.split(' '), ...flags.split(' ')]);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(named) });
  });
});
