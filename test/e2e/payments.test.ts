// What is paid, and that nothing is paid twice: the sandbox's ledger is the witness.
import { describe, expect, test, vi } from 'vitest';
import type { Running } from '../helpers/command-line.js';
import { startServer } from '../helpers/counting-server.js';
import { type Strike, startHoldingGate } from '../helpers/list-gate.js';
import { COMMAND_MS } from '../helpers/patience.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { countEnrichments } from '../helpers/state.js';
import { csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const ENRICH = 'enrich leads.csv --out out.csv --ask find_email --set rate=off';

interface Summary {
  credits: number;
  enrichments: number;
  from_cache: number;
  leads: number;
  reasons: { status: string; reason: string; leads: number }[];
}

async function openShop() {
  const sandbox = await startSandboxProcess();
  return { sandbox, dir: openWorkdir(sandbox.url) };
}

/** Runs a command that must end well, and hands back its summary. */
async function summaryOf(dir: Workdir, line: string): Promise<Summary> {
  const ended = await dir.sluice(`${line} --json`);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ended.stdout);
}

function sources(dir: Workdir): (string | undefined)[] {
  return dir.rows('out.csv').map((row) => row['source']);
}

/** It finds everybody; of what it accepts while it `loses`, the answer never comes. While it `refuses`, it says 503. */
async function startForgetfulPlatform() {
  let [isLosing, isRefusing] = [false, false];
  let sent = 0;
  const { url } = await startServer((request, response) => {
    const [, route, id] = (request.url ?? '').split('/');
    const result = { id, data: { find_email: { email: 'ada@firm.com', status: 'deliverable' } } };
    if (request.method === 'GET') {
      const isRead = route === 'enrich';
      const read = { type: 'enrichmentDone', data: [result] };
      response.end(JSON.stringify(isRead ? read : { schema: {}, properties: [] }));
      return;
    }
    sent += 1;
    if (isLosing) request.socket.destroy();
    else if (isRefusing) response.writeHead(503).end('{}');
    else response.end(JSON.stringify({ id: `enr_${sent}` }));
  });
  return {
    url,
    sent: () => sent,
    loses: (is: boolean) => void (isLosing = is),
    refuses: (is: boolean) => void (isRefusing = is),
  };
}

const PAID: ReadonlySet<string | undefined> = new Set(['found', 'not_found']);

async function openHeldShop(strike?: () => ReturnType<Strike>) {
  const sandbox = await startSandboxProcess();
  const gate = await startHoldingGate(sandbox.url, strike);
  return { ...gate, dir: openWorkdir(gate.url), sandbox };
}

describe.concurrent('a job that asks for a part of what another one asks, both at work', () => {
  const COUNT = 24;
  const AS = '--set rate=off --submit single --state shared.db';
  const WIDE = `enrich all.csv --out all-out.csv --ask find_email,find_phone ${AS}`;
  const PART = `enrich part.csv --out part-out.csv --ask find_email --set concurrency=1 ${AS}`;

  /** The narrow job has all leads in the state, and waits for the answer to its first request, about somebody else. */
  async function startPart(shop: Awaited<ReturnType<typeof openHeldShop>>): Promise<Running> {
    const { arrived, dir } = shop;
    const others = people(COUNT);
    dir.write('all.csv', csv(others)).write('part.csv', csv([...people(1, COUNT + 1), ...others]));
    const part = dir.start(PART);
    await Promise.race([arrived, part.ended]);
    return part;
  }

  test('pays for nothing that the other one has asked for since', async () => {
    const shop = await openHeldShop();
    const { dir, letGo, sandbox } = shop;
    const part = await startPart(shop);
    expect((await dir.sluice(WIDE)).code).toBe(0);
    letGo();
    expect((await part.ended).code).toBe(0);
    expect(await sandbox.ledger()).toMatchObject({ accepted: COUNT + 1, doubled: [] });
    const [first, ...rest] = dir.rows('part-out.csv');
    expect(first).toMatchObject({ source: 'api' });
    expect(rest).toHaveLength(COUNT);
    const wide = dir.rows('all-out.csv');
    for (const [i, row] of rest.entries()) {
      expect(PAID).toContain(row['sluice_status']);
      expect(row).toMatchObject({ source: 'cache', credits: '0', email: wide[i]?.['email'] });
    }
  });

  test('leaves uncertain what the other one was sending when it was killed', async () => {
    let kill: (() => void) | undefined;
    const shop = await openHeldShop(() => kill && { when: 'after', act: kill });
    const { dir, letGo, sandbox } = shop;
    const part = await startPart(shop);
    const killed = dir.start(WIDE);
    kill = () => void killed.child.kill('SIGKILL');
    expect((await killed.ended).signal).toBe('SIGKILL');
    kill = undefined;
    expect((await dir.sluice(WIDE)).code).toBe(1);
    letGo();
    expect((await part.ended).code).toBe(1);
    expect(await sandbox.ledger()).toMatchObject({ doubled: [] });
    const statuses = (name: string) => dir.rows(name).map((row) => row['sluice_status']);
    const doubts = (all: (string | undefined)[]) => all.map((one) => one === 'uncertain');
    expect(doubts(statuses('part-out.csv').slice(1))).toEqual(doubts(statuses('all-out.csv')));
    expect(statuses('all-out.csv')).toContain('uncertain');
  });
});

describe.concurrent('one enrichment, one payment', () => {
  test('the credits of all runs are what was charged, also where one has taken the place of another', async () => {
    const sandbox = await startSandboxProcess('--latency 2s --sigma 0');
    const dir = openWorkdir(sandbox.url);
    const stdin = csv(people(30));
    const line = `${ENRICH.replace('leads.csv', '-')} --quiet`;
    const first = dir.start(line, { stdin });
    await sandbox.until(({ accepted }) => accepted >= 10, first);
    first.child.kill('SIGINT');
    expect((await first.ended).code).toBe(130);
    expect((await dir.sluice(line, { stdin })).code).toBeLessThan(2);
    const { stdout } = await dir.sluice('runs --ndjson');
    const credits = stdout.match(/(?<="credits":)[\d.]+/g)?.map(Number) ?? [];
    expect(credits).toHaveLength(2);
    const { charged } = await sandbox.ledger();
    expect(credits.reduce((sum, one) => sum + one, 0)).toBe(charged);
  });

  test('duplicates and other spellings of one person share a payment', async () => {
    const { dir, sandbox } = await openShop();
    dir.write(
      'leads.csv',
      csv([
        'Eve1,Byron,firm1.com',
        'Eve2,Byron,firm2.com',
        'Eve1,Byron,firm1.com',
        'EVE1,byron,https://www.Firm1.com/about',
        ' eve1 ,BYRON,info@firm1.com',
      ]),
    );
    const summary = await summaryOf(dir, ENRICH);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 2, distinct: 2, doubled: [] });
    expect(summary).toMatchObject({ leads: 5, enrichments: 2, from_cache: 3 });
    const rows = dir.rows('out.csv');
    expect(new Set([0, 2, 3, 4].map((n) => rows[n]?.['email'])).size).toBe(1);
    expect(rows.map((row) => row['source'])).toEqual(['api', 'api', 'cache', 'cache', 'cache']);
    expect(rows.map((row) => row['credits'])).toEqual(['5', '5', '0', '0', '0']);
  });

  test('a second run pays nothing, one with a new line pays for that, stale results are paid again', async () => {
    const { dir, sandbox } = await openShop();
    dir.write('leads.csv', csv(people(3)));
    await summaryOf(dir, ENRICH);
    const first = dir.rows('out.csv').map((row) => row['email']);

    expect(await summaryOf(dir, ENRICH)).toMatchObject({ credits: 0, from_cache: 3 });
    expect(sources(dir)).toEqual(['cache', 'cache', 'cache']);
    expect(dir.rows('out.csv').map((row) => row['email'])).toEqual(first);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 3 });

    dir.write('leads.csv', csv(people(4)));
    expect(await summaryOf(dir, ENRICH)).toMatchObject({ credits: 5, from_cache: 3 });
    expect(sources(dir)).toEqual(['cache', 'cache', 'cache', 'api']);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 4, doubled: [] });

    await summaryOf(dir, `${ENRICH} --fresh-for 1ms`);
    expect(sources(dir)).toEqual(['api', 'api', 'api', 'api']);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 8, distinct: 4 });
  });

  test('requests that were lost and sent again may have cost something, whoever asks later', async () => {
    const platform = await startForgetfulPlatform();
    const dir = openWorkdir(platform.url).write('leads.csv', csv(people(2)));
    platform.loses(true);
    expect((await dir.sluice(ENRICH)).code).toBe(1);
    platform.loses(false);
    // Another run only shares them, and none is sent again.
    const shared = await dir.sluice(`enrich leads.csv --out b.csv --ask find_email --set rate=off`);
    expect(shared.stderr).toContain('0  requests of another run for 2 leads may be charged');
    await dir.sluice('retry 1 --only uncertain');
    const again = await dir.sluice(`${ENRICH} --json`);
    const may = { may_be_charged: 10 };
    expect(JSON.parse(again.stdout)).toMatchObject(may);
    expect(await dir.json('status 1')).toMatchObject(may);
    expect(await dir.json('report 1')).toMatchObject({ cost: may });
  });

  test('a run after one that lost its answers begins with one request', async () => {
    const platform = await startForgetfulPlatform();
    const dir = openWorkdir(platform.url).write('leads.csv', csv(people(60)));
    platform.loses(true);
    expect((await dir.sluice(ENRICH)).code).toBe(4);
    const first = platform.sent();
    expect(first).toBeGreaterThan(7);
    for (const more of [1, 2]) {
      const ended = await dir.sluice(ENRICH);
      expect(ended.code).toBe(4);
      expect(platform.sent()).toBe(first + more);
      expect(ended.stderr).toContain(
        'The run before ended in the same way, so this one sent a single request.',
      );
      const [last] = ended.stderr.trimEnd().split('\n').slice(-1);
      expect(last).toContain(
        `${first + more} leads were sent, and it is not known whether the platform took them, and charges for them.`,
      );
    }
    platform.loses(false);
    const ended = await dir.sluice(ENRICH);
    expect(ended).toMatchObject({ code: 1 });
    expect(platform.sent()).toBe(60);
    expect(ended.stderr).toContain(`uncertain: ${first + 2} leads were sent`);
  });

  test('also after retry', async () => {
    const platform = await startForgetfulPlatform();
    const dir = openWorkdir(platform.url).write('leads.csv', csv(people(40)));
    platform.loses(true);
    expect((await dir.sluice(ENRICH)).code).toBe(4);
    const first = platform.sent();
    await dir.sluice('retry 1 --only uncertain');
    expect((await dir.sluice(ENRICH)).code).toBe(4);
    expect(platform.sent()).toBe(first + 1);
  });

  test('what the platform says it did not accept costs nothing, and is sent again, with one request first', async () => {
    const platform = await startForgetfulPlatform();
    const dir = openWorkdir(platform.url)
      .write('leads.csv', csv(people(40)))
      .write('d.yaml', 'enrich: { notAccepted: [503] }\n');
    const line = `${ENRICH} --submit single --dialect d.yaml`;
    platform.refuses(true);
    const first = await dir.sluice(line);
    expect(first.code).toBe(4);
    expect(first.stderr).toContain('503');
    expect(await dir.json('status')).toMatchObject({
      credits: 0,
      may_be_charged: 0,
      by_status: { queued: 40, uncertain: 0 },
    });
    const sent = platform.sent();
    expect(sent).toBeGreaterThan(1);
    expect((await dir.sluice(line)).code).toBe(4);
    expect(platform.sent()).toBe(sent + 1);
    platform.refuses(false);
    const last = await summaryOf(dir, line);
    expect(last).toMatchObject({ credits: 200, leads: 40 });
    expect(platform.sent()).toBe(sent + 1 + 40);
  });

  test('requests that were lost leave the answers that stand, and may have cost something', async () => {
    const platform = await startForgetfulPlatform();
    const dir = openWorkdir(platform.url);
    dir.write('leads.csv', csv(people(2)));
    await summaryOf(dir, ENRICH);
    platform.loses(true);
    const again = await dir.sluice(`${ENRICH} --fresh-for 1ms`);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain(
      '2 leads show what was known before, and what was asked now is not certain (2 uncertain).',
    );
    expect(again.stderr).toMatch(
      /credits +0 {2}up to 10 credits more may be charged, for 2 requests without an answer; 2 leads share an answer that was known/,
    );
    expect(again.stderr).not.toContain('cost nothing');
    const stands = {
      sluice_status: 'found',
      sluice_reason: expect.stringMatching(/^an older answer; asked again: uncertain/),
    };
    expect(dir.rows('out.csv')).toMatchObject([stands, stands]);
    const status = await dir.json('status 2');
    expect(status).toMatchObject({ credits: 0, may_be_charged: 10, asked_again: { uncertain: 2 } });
    const report = await dir.json('report 2');
    expect(report.cost).toMatchObject({ paid: 0, may_be_charged: 10 });

    // For another run the answers are fresh, and it has sent nothing.
    platform.loses(false);
    expect(await summaryOf(dir, ENRICH)).toMatchObject({ credits: 0, may_be_charged: 0 });
    expect(platform.sent()).toBe(4);
  });

  test('two jobs at the same time over one state file share', async () => {
    const { dir, sandbox } = await openShop();
    dir.write('a.csv', csv(people(12))).write('b.csv', csv(people(12, 7)));
    const state = '--ask find_email --set rate=off --state shared.db --json';
    const ended = await Promise.all([
      dir.start(`enrich a.csv --out a-out.csv ${state}`).ended,
      dir.sluice(`enrich b.csv --out b-out.csv ${state}`),
    ]);
    expect(ended).toMatchObject([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ]);
    const { charged, ...ledger } = await sandbox.ledger();
    expect(ledger).toMatchObject({ accepted: 18, distinct: 18, doubled: [] });
    const credits = ended.map(({ stdout }): number => JSON.parse(stdout).credits);
    expect(credits.reduce((sum, one) => sum + one, 0)).toBe(charged);
    for (const name of ['a-out.csv', 'b-out.csv']) {
      expect(dir.rows(name).filter((row) => row['sluice_status']?.endsWith('found'))).toHaveLength(
        12,
      );
    }
  });

  test('--limit reads so many leads and no more', async () => {
    const { dir, sandbox } = await openShop();
    dir.write('leads.csv', csv(people(6)));
    expect(await summaryOf(dir, `${ENRICH} --limit 2`)).toMatchObject({ leads: 2 });
    expect(dir.rows('out.csv')).toHaveLength(2);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 2 });
    expect(await summaryOf(dir, ENRICH)).toMatchObject({ leads: 6, from_cache: 2 });
    const fewer = await dir.sluice(`${ENRICH} --limit 3`);
    expect(fewer.stderr).toMatch(
      /^Run \d of leads\.csv \(by the limit, only the first 3 leads will be in out\.csv\)$/m,
    );
    expect(await sandbox.ledger()).toMatchObject({ accepted: 6, doubled: [] });
  });

  test('a lead that the platform failed on costs nothing and is exit 1', async () => {
    const { dir, sandbox } = await openShop();
    dir.write('leads.csv', csv(people(2, 30)));
    const ended = await dir.sluice(ENRICH);
    expect(ended.code).toBe(1);
    expect(dir.rows('out.csv')[1]).toMatchObject({ sluice_status: 'failed', credits: '0' });
    expect(dir.rows('out.csv')[1]?.['sluice_reason']).not.toBe('');
    expect(ended.stderr).toMatch(/failed +1 +50 %\n/);
    expect((await sandbox.ledger()).accepted).toBe(2);
  });
});

describe.concurrent('one ticket for different people', () => {
  /**
   * Every request gets the same ticket. The second one gets it: before a look that brings an answer; while the answer for
   * the first is on its way; or once the first one is settled.
   */
  async function startMixer(result: object, second: 'before' | 'within' | 'after' = 'before') {
    let sent = 0;
    let looks = 0;
    const count = (which: 'with a ticket' | 'found') => countEnrichments(dir.at('state.db'), which);
    const until = (isSo: () => boolean | Promise<boolean>) =>
      vi.waitUntil(isSo, { timeout: COMMAND_MS, interval: 5 });
    const wait = async (isRead: boolean): Promise<void> => {
      if (second === 'within' && isRead)
        await until(async () => (await count('with a ticket')) === 2);
      if (isRead || sent < 2) return;
      if (second === 'within') await until(() => looks > 0);
      if (second === 'after') await until(async () => (await count('found')) === 1);
    };
    const { url } = await startServer(({ method = '', url: path = '' }, response) => {
      const isRead = path.startsWith('/enrich/');
      if (method === 'POST') sent += 1;
      const read = { type: 'enrichmentDone', data: [{ id: 'job_1', data: result }] };
      const sample = { schema: {}, properties: [] };
      const body = method === 'POST' ? { id: 'job_1' } : isRead ? read : sample;
      const answer = async (): Promise<void> => {
        if (isRead && (second !== 'before' || (await count('with a ticket')) === 2)) looks += 1;
        if (isRead && second === 'before' && looks < 2) response.statusCode = 202;
        await wait(isRead);
        response.end(JSON.stringify(body));
      };
      void answer();
    });
    const dir = openWorkdir(url).write('leads.csv', csv(people(second === 'before' ? 5 : 2)));
    const explain = async (line: number) => await dir.json(`explain 1 ${line} --state state.db`);
    return { dir, explain, sent: () => sent };
  }
  const BOB = { find_email: { email: 'bob@firm9.com', status: 'deliverable' } };
  const MIXED = `${ENRICH} --state state.db --set concurrency=1`;

  test('gives none of them its answer, and ends the sending', async () => {
    const { dir, explain, sent } = await startMixer(BOB);
    expect(await dir.refusal(MIXED, { code: 4 })).toContain(
      'The platform gave the ticket job_1 for lines 2, 3, which are about different people: none of them gets its answer, unless it names one.',
    );
    expect(sent()).toBe(2);
    const [first, second, ...others] = dir.rows('out.csv');
    expect(first).toMatchObject({
      sluice_status: 'failed',
      sluice_reason: 'ticket shared with line 3',
      email: '',
      credits: '5',
    });
    expect(second).toMatchObject({ sluice_reason: 'ticket shared with line 2', email: '' });
    expect(others.map((row) => row['sluice_status'])).toEqual(['queued', 'queued', 'queued']);
    expect(await explain(2)).toMatchObject({
      reason: 'ticket shared with line 3',
      enrichment: { result: BOB },
    });
  });

  test.each([
    ['before', 1],
    ['within', 1],
    ['within', 2],
    ['after', 1],
    ['after', 2],
  ] as const)('gives it to the one that the answer names: %s, %i', async (second, named) => {
    const profile = { firstName: `EVE${named}`, lastName: 'Byron', positionGroups: [] };
    const { dir } = await startMixer({ ...BOB, social_enrichment: profile }, second);
    await dir.sluice(second === 'before' ? MIXED : MIXED.replace('concurrency=1', 'concurrency=2'));
    const rows = dir.rows('out.csv').slice(0, 2);
    const failed = { sluice_status: 'failed', email: '', credits: '5' };
    const found = { sluice_status: 'found', email: 'bob@firm9.com' };
    expect(rows).toMatchObject(named === 1 ? [found, failed] : [failed, found]);
  });
});

describe.concurrent('a plan', () => {
  test('says what the run then does, and sends nothing', async () => {
    const { dir, sandbox } = await openShop();
    dir.write('leads.csv', csv(people(3)));
    await summaryOf(dir, ENRICH);
    const before = await sandbox.ledger();

    const lines = [...people(6), ...people(2, 5), 'Eve9,Byron,no domain', 'Eve10,,', 'Eve1,Byron'];
    dir.write('leads.csv', csv(lines));
    const planned = await dir.sluice('plan leads.csv --ask find_email --json');
    expect(planned).toMatchObject({ code: 0, stderr: '' });
    const plan = JSON.parse(planned.stdout);
    expect(plan).toMatchObject({
      leads: 11,
      rejects: 0,
      duplicates: 2,
      already_known: 3,
      on_their_way: 0,
      uncertain: 0,
      to_pay: 3,
      credits_min: 0,
      credits_max: 15,
    });
    expect(await sandbox.ledger()).toEqual(before);

    const run = await summaryOf(dir, ENRICH);
    expect((await sandbox.ledger()).accepted - before.accepted).toBe(plan.to_pay);
    expect(run.from_cache).toBe(plan.duplicates + plan.already_known);
    const skipped = run.reasons.filter(({ status }) => status === 'skipped');
    expect(skipped.map(({ reason, leads }) => ({ reason, leads }))).toEqual(plan.skipped);
    expect(skipped.reduce((sum, { leads }) => sum + leads, 0)).toBe(3);
    expect(run.credits).toBeLessThanOrEqual(plan.credits_max);
    expect(run.credits).toBeGreaterThanOrEqual(plan.credits_min);
    expect(run.credits).toBe((await sandbox.ledger()).charged - before.charged);
  });

  test('says how many of two spellings may be asked for besides, where the first finds nothing', async () => {
    const sandbox = await startSandboxProcess('--knows 0%');
    const dir = openWorkdir(sandbox.url);
    const [name, other] = ['Ada,Lovelace,engines.example', 'Bob,Ross,paint.example'];
    const lines = [`${name},Engines`, `${name},Motors Ltd`, `${other},Paint`, `${other},Paint`];
    dir.write('leads.csv', ['first_name,last_name,domain,company', ...lines, ''].join('\n'));
    const PLAN = 'plan leads.csv --ask find_email';
    expect(await dir.json(PLAN)).toMatchObject({
      duplicates: 2,
      to_pay: 2,
      to_pay_after_misses: 1,
    });
    expect((await dir.sluice(PLAN)).stdout).toMatch(/to pay +2 +enrichments, and up to 1 more of /);
    await summaryOf(dir, ENRICH);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 3 });
  });

  test('counts what a dead process was sending as uncertain, and what a living one sends as on its way', async () => {
    let sent = 0;
    const { url } = await startServer((request, response) => {
      if (request.method === 'POST') sent += 1;
      else response.end(JSON.stringify({ schema: {}, properties: [] }));
    });
    const dir = openWorkdir(url).write('leads.csv', csv(people(1)));
    const run = dir.start(ENRICH);
    await expect.poll(() => sent).toBe(1);
    const PLAN = 'plan leads.csv --ask find_email';
    const planned = async () => await dir.json(PLAN);
    expect(await planned()).toMatchObject({ on_their_way: 1, uncertain: 0, to_pay: 0 });
    run.child.kill('SIGKILL');
    await run.ended;
    expect(await planned()).toMatchObject({ on_their_way: 0, uncertain: 1, to_pay: 0 });
    expect((await dir.sluice(PLAN)).stdout).toMatch(
      /uncertain +1 +may have been accepted before; not sent again, and may have been charged/,
    );
  });
});
