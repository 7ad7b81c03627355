// The public API as a program uses it: a job from an object to its rows, the example as it stands, and every
// operation of the platform, against the sandbox in this process.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import {
  addHook,
  type Carrying,
  cancelRun,
  describeJob,
  type EnrichmentRequest,
  exportRun,
  type JobFile,
  openSandbox,
  openStore,
  type Permit,
  type PersonRecord,
  Platform,
  pauseJob,
  planJob,
  type Row,
  type RunEvent,
  readEnvironment,
  readRows,
  resumeJob,
  rotateHook,
  runJob,
  SluiceError,
  setCaps,
  suppress,
} from '../src/index.js';
import { inBrief, isLong } from './helpers/long.js';
import { tempFolder } from './helpers/temp-folder.js';
import { csv, parseRows, people } from './helpers/workdir.js';

const sandbox = await openSandbox({ rate: 'off' });
const platform: Platform = Platform.open({
  baseUrl: sandbox.url,
  credentials: { username: 'sandbox', password: 'sandbox' },
  rate: 'off',
});
afterAll(async () => {
  await platform.close();
  await sandbox.close();
});

const ADA: EnrichmentRequest = {
  ask: ['find_email'],
  inputs: { firstName: 'Eve1', lastName: 'Byron', companyDomain: 'firm1.com' },
};

async function permit(): Promise<Permit> {
  const [given] = await platform.reserve('submit', 1);
  if (given === undefined) throw new Error('Without a limit there is always a permit.');
  return given;
}

/** The answer to a ticket, once there is one. */
async function answerTo(ticket: string) {
  for (;;) {
    const answer = await platform.read(ticket, await permit());
    if (answer.kind !== 'pending') return answer;
  }
}

const folder = tempFolder();
const environment = readEnvironment({ SLUICE_USERNAME: 'sandbox', SLUICE_PASSWORD: 'sandbox' });
const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** A job of three people, one of them twice, with a state file of its own. */
function jobOf(name: string, changes: Partial<JobFile> = {}) {
  const at = (file: string) => join(folder, file);
  writeFileSync(at(`${name}.csv`), csv([...people(3), ...people(1)]));
  return describeJob(name, {
    input: at(`${name}.csv`),
    out: at(`${name}-out.csv`),
    ask: ['find_email'],
    url: sandbox.url,
    rate: 'off',
    state: at(`${name}.db`),
    ...changes,
  });
}

async function rowsOf(state: string, run: number, positions?: string): Promise<Row[]> {
  const store = await openStore(state);
  try {
    const rows: Row[] = [];
    for await (const row of readRows(store, run, positions === undefined ? {} : { positions }))
      rows.push(row);
    return rows;
  } finally {
    await store.close();
  }
}

describe('a job, from TypeScript', () => {
  it('is planned, run with typed events, listed and exported', async () => {
    const job = jobOf('whole');
    expect(await planJob(job, { environment })).toMatchObject({ leads: 4, duplicates: 1 });
    const events: RunEvent[] = [];
    const [report] = await runJob(job, { environment, observe: (event) => events.push(event) });
    expect(report).toMatchObject({ isFinished: true, tally: { leads: 4, rejects: 0 } });
    expect(events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['run.started', 'leads.complete', 'enrichments.settled', 'run.ended']),
    );
    const settled = events.flatMap((event) =>
      event.kind === 'enrichments.settled' ? [event.enrichments.length] : [],
    );
    expect(settled.reduce((sum, count) => sum + count, 0)).toBe(3);

    const rows = await rowsOf(job.state, report?.run.id ?? 0);
    expect(rows.map((row) => row['first_name'])).toEqual(['Eve1', 'Eve2', 'Eve3', 'Eve1']);
    expect(rows[3]).toMatchObject({ source: 'cache', credits: 0 });
    const store = await openStore(job.state);
    expect(await store.listRuns(9)).toMatchObject([{ id: report?.run.id, job: 'whole' }]);
    const again = await exportRun(store, report?.run.id ?? 0, {
      out: join(folder, 'again.ndjson'),
    });
    await store.close();
    expect(again).toMatchObject({ rows: 4, rejects: null });
  });

  it('reads rows in another shape, and refuses a run or a shape that is none', async () => {
    const job = jobOf('shapes', { ask: ['social_enrichment'] });
    await runJob(job, { environment });
    const [narrow, wide] = [await rowsOf(job.state, 1), await rowsOf(job.state, 1, 'wide:2')];
    expect(Object.keys(wide[0] ?? {})).toContain('position_2_title');
    expect(Object.keys(narrow[0] ?? {})).not.toContain('position_2_title');
    await expect(rowsOf(job.state, 2)).rejects.toThrow('There is no run 2');
    await expect(rowsOf(job.state, 1, 'tall')).rejects.toThrow('positions is current, wide:N');
  });

  it('drains when its signal is aborted, and continues when it is run again', async () => {
    const job = jobOf('drained');
    const stop = new AbortController();
    const [stopped] = await runJob(job, {
      environment,
      drain: stop.signal,
      observe: ({ kind }) => {
        if (kind === 'leads.complete') stop.abort();
      },
    });
    expect(stopped?.isFinished).toBe(false);
    const [report] = await runJob(job, { environment });
    expect(report).toMatchObject({ isFinished: true, run: { id: stopped?.run.id } });
  });

  it('reads and writes streams where it is given some, and says so where it is not', async () => {
    const job = jobOf('streams', { input: '-', out: '-' });
    const written: string[] = [];
    const standardOutput = new Writable({
      write(text, _encoding, done) {
        written.push(String(text));
        done();
      },
    });
    const standardInput = Readable.from([Buffer.from(csv(people(2)))]);
    await runJob(job, { environment, standardInput, standardOutput });
    expect(parseRows(written.join(''))).toHaveLength(2);
    await expect(runJob(job, { environment })).rejects.toThrow('standardInput must be given');
    const store = await openStore(job.state);
    await expect(exportRun(store, 1)).rejects.toThrow('give its stream');
    await store.close();
  });

  it('is checked before it is run', () => {
    const wrong = (changes: object) => () => jobOf('wrong', changes);
    expect(wrong({ ask: ['find_emial'] })).toThrow(
      'Job wrong: "ask.0": "find_emial" is not known. Did you mean "find_email"?',
    );
    expect(wrong({ buget: 3 })).toThrow('Did you mean "budget"?');
    expect(wrong({ url: undefined })).toThrow(SluiceError);
  });

  it('touches nothing of the process', async () => {
    const { env, exitCode } = process;
    const read = new Set<string>();
    const seen = process.eventNames().map((name) => [name, process.listenerCount(name)]);
    process.env = new Proxy(env, {
      get: (target, name: string) => {
        read.add(name);
        return target[name];
      },
    });
    const job = jobOf('quiet');
    try {
      await runJob(job, { environment });
      await expect(runJob(job)).rejects.toThrow('credentials are missing');
    } finally {
      process.env = env;
    }
    expect([...read].filter((name) => name.startsWith('SLUICE'))).toEqual([]);
    expect(process.eventNames().map((name) => [name, process.listenerCount(name)])).toEqual(seen);
    expect(process.exitCode).toBe(exitCode);
  });
});

describe('examples/', () => {
  it.each(
    inBrief(
      [['rows.mjs', [], /^3 c-3 skipped null\n[^]*^4 leads, \d+ credits: /m]],
      [
        [
          'enrich.mjs',
          ['data/sample/legislators-current.csv'],
          /^10 leads\n[^]*^\d+ found, \d+ not, /m,
        ],
      ],
    ),
  )('%s runs as it stands, importing the package by its name', async (name, files, says) => {
    const args = [join('examples', name), ...files, join(folder, `${name}.csv`)];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
    expect(stderr).toBe('');
    expect(stdout).toMatch(says);
  });

  it('has no other program', () => {
    expect(readdirSync(join(ROOT, 'examples')).toSorted()).toEqual(['enrich.mjs', 'rows.mjs']);
  });

  it.runIf(isLong).each([
    ['enrich.mjs', ['nope.csv', 'out.csv'], /^There is no input file nope\.csv.*\n$/],
    ['enrich.mjs', [], /^Name a file of leads.*leads\.csv out\.csv\n$/],
    ['rows.mjs', [], /^Name a file for the table.*out\.csv\n$/],
  ] as const)('%s says in a sentence that %j is not enough', (name, files, says) => {
    const args = [join(ROOT, 'examples', name), ...files];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect(status).toBeGreaterThan(0);
    expect(stderr).toMatch(says);
  });
});

describe('the platform, from TypeScript', () => {
  it('is asked whether all is right', async () => {
    await platform.check();
  });

  it('enriches one, and many at once', async () => {
    const one = await platform.submit(ADA, await permit());
    if (one.kind !== 'accepted') throw new Error(one.kind);
    expect(await answerTo(one.ticket)).toMatchObject({ kind: 'done' });

    const item = { request: { ...ADA, ask: ['social_enrichment'] as const }, key: 'key-1' };
    const many = await platform.submitMany([item], await permit());
    if (many.kind !== 'answered') throw new Error(many.kind);
    const [first] = many.items;
    expect(first).toMatchObject({ kind: 'accepted', ticket: expect.stringMatching(/^enr_/) });
  });

  it('tells the fields of its people', async () => {
    const { schema, properties, version } = await platform.readPeopleSchema();
    const person: PersonRecord = schema;
    expect(properties).toEqual(Object.keys(person));
    expect(version?.type).toBe('date');
  });

  it('creates a list, and takes members once', async () => {
    const created = await platform.createList('From a program', await permit());
    if (created.kind !== 'created') throw new Error(created.kind);
    const members = [{ email: 'ada@example.com' }, { email: 'bob@example.com' }];
    const { id } = created.list;
    expect(await platform.addToList(id, members)).toEqual({ added: 2, alreadyIn: 0 });
    expect(await platform.addToList(id, members)).toEqual({ added: 0, alreadyIn: 2 });
  });

  it('registers, lists and removes a hook', async () => {
    const targetUrl = 'https://crm.example.com/hook';
    const limits = { campaignId: 'cam_spring', isFirst: true, zapId: 'zap-7' };
    const wish = { targetUrl, type: 'emailsReplied', secret: 'a word', ...limits };
    const { id } = await platform.addHook(wish);
    const { hooks } = await platform.listHooks();
    expect(hooks).toMatchObject([{ id, targetUrl, type: 'emailsReplied' }]);
    expect(JSON.stringify(hooks)).not.toContain('a word');
    expect(await platform.removeHook(id)).toBe(true);
    expect(await platform.removeHook(id)).toBe(false);
  });

  it('gives a draft to its owner, by id or login', async () => {
    for (const owner of ['usr_ada', 'ada@harbour.example']) {
      const draft = await platform.readDraft('ctc_priya', 'drf_welcome', owner);
      expect(draft).toMatchObject({ id: 'drf_welcome', channel: 'email', source: 'api' });
    }
  });
});

describe('requests, carried by a program', () => {
  const seen: string[] = [];
  const carrying: Carrying = async (url, request, send) => {
    const answer = await send(url, request);
    seen.push(`${request.method} ${new URL(url).pathname} ${answer.status}`);
    expect(request.headers['authorization']).toMatch(/^Basic /);
    return answer;
  };

  it('are seen by it, in a run without a table, whose rows are handed on', async () => {
    const { out: _out, ...stated } = jobOf('carried').stated;
    const job = describeJob('carried', stated);
    const rows: unknown[] = [];
    const [report] = await runJob(job, {
      environment,
      carrying,
      onRow: (row) => rows.push(row['first_name']),
    });
    expect(report).toMatchObject({ isFinished: true, tally: { leads: 4 } });
    expect(rows.map(String).toSorted()).toEqual(['Eve1', 'Eve1', 'Eve2', 'Eve3']);
    const posts = seen.filter((one) => one.startsWith('POST '));
    expect(posts).toEqual(Array.from({ length: 3 }, () => 'POST /enrich 200'));
    expect(existsSync(join(folder, 'carried-out.csv'))).toBe(false);
    await expect(runJob(job, { environment })).rejects.toThrow('The output is missing');
  });

  it.each<[string, Carrying, object]>([
    [
      'in the place of the platform',
      async () => Response.json({ id: 'enr_mine' }),
      { kind: 'accepted', ticket: 'enr_mine' },
    ],
    [
      'and fail, which may be after they were sent',
      () => Promise.reject(new Error('torn')),
      { kind: 'uncertain' },
    ],
    [
      'to an address where nothing listens',
      (url, request, send) => send(url, request),
      { kind: 'unsent' },
    ],
    [
      'by another response that is made of it',
      async (url, request, send) => {
        const other = url.replace('http://127.0.0.1:1', sandbox.url);
        await expect(send(other, request)).rejects.toThrow('send goes to http://127.0.0.1:1 alone');
        const answer = await fetch(other, request);
        return new Response(await answer.text(), answer);
      },
      { kind: 'unsent', problem: { message: expect.stringContaining('401') } },
    ],
    [
      'once, however often it is sent',
      async (url, request, send) => {
        const answers = await Promise.allSettled([send(url, request), send(url, request)]);
        throw answers[1]?.status === 'rejected' ? answers[1].reason : new Error('sent twice');
      },
      { kind: 'uncertain', reason: expect.stringContaining('send sends a request once') },
    ],
  ])('are answered %s', async (_, carrying, outcome) => {
    const options = { baseUrl: 'http://127.0.0.1:1', rate: 'off', carrying };
    const own = Platform.open({ ...options, credentials: { username: 'a', password: 'b' } });
    const [given] = await own.reserve('submit', 1);
    expect(await own.submit(ADA, given as Permit)).toMatchObject(outcome);
    await own.close();
  });

  it('keep to a rate that is written as in a job', () => {
    const credentials = { username: 'a', password: 'b' };
    const open = () => Platform.open({ baseUrl: sandbox.url, credentials, rate: '20 in 2s' });
    expect(open).toThrow('rate: a rate is written like 20/2s');
  });
});

describe('steering, from a program', () => {
  const wish = { url: sandbox.url, account: 'sandbox' };

  it('pauses a job, resumes it and cancels its run', async () => {
    const job = jobOf('steered');
    const store = await openStore(job.state);
    expect(await pauseJob(store, 'steered')).toBe(true);
    expect(await pauseJob(store, 'steered')).toBe(false);
    await expect(runJob(job, { environment })).rejects.toMatchObject({ code: 'paused' });
    expect(await resumeJob(store, 'steered', { state: job.state })).toBe(true);
    const [open] = await store.listRuns(1);
    const { byStatus } = await cancelRun(store, open?.id ?? 0);
    expect(byStatus).toMatchObject({ queued: 4 });
    await expect(cancelRun(store, open?.id ?? 0)).rejects.toThrow('there is nothing to cancel');
    await store.close();
  });

  it('caps what an account spends, and takes the cap away', async () => {
    const job = jobOf('capped', { account: 'sandbox' });
    const store = await openStore(job.state);
    expect(await setCaps(store, { ...wish, day: 5, timezone: 'UTC' })).toMatchObject([
      { told: { name: 'sandbox' }, caps: [{ period: 'day', credits: 5 }] },
    ]);
    await expect(setCaps(store, { ...wish, month: -1 })).rejects.toThrow('month: a cap is');
    await expect(runJob(job, { environment })).rejects.toMatchObject({ code: 'cap' });
    expect(await setCaps(store, { ...wish, day: null })).toEqual([]);
    await store.close();
  });

  it('keeps people from being asked for', async () => {
    const job = jobOf('withheld');
    const store = await openStore(job.state);
    const person = { firstName: 'Eve2', lastName: 'Byron', companyDomain: 'firm2.com' };
    expect(await suppress(store, person, { reason: 'asked us to' })).toBe(true);
    expect(await suppress(store, person)).toBe(false);
    await expect(suppress(store, { companyDomain: 'gmail.com' })).rejects.toThrow('many people');
    const [report] = await runJob(job, { environment });
    expect(report?.tally.byStatus).toMatchObject({ skipped: 1 });
    await store.close();
  });
});

describe('the hooks of a listener, from a program', () => {
  const publicUrl = 'https://leads.example.com/sluice';
  const optionsOf = (secret: string) => ({
    url: sandbox.url,
    rate: 'off',
    state: join(folder, 'hooks.db'),
    environment,
    secret,
  });
  const hooksThere = async () =>
    (await platform.listHooks()).hooks.filter(({ targetUrl }) => targetUrl.startsWith(publicUrl));

  it('are registered at an address of its own, and given another secret', async () => {
    const added = await addHook({ publicUrl, type: 'emailsReplied' }, optionsOf('a word'));
    expect(added.targetUrl).toMatch(/^https:\/\/leads\.example\.com\/sluice\/\S+$/);
    const other = await addHook({ publicUrl, type: 'emailsSent' }, optionsOf('a word'));
    const seen: string[][] = [];
    const { hook, isOwn, others } = await rotateHook(added.id, {
      ...optionsOf('another word'),
      onRegistered: ({ hook: { id } }) => seen.push([id]),
    });
    expect(seen).toEqual([[hook.id]]);
    expect({ isOwn, others }).toEqual({ isOwn: true, others: [other.id] });
    expect(hook).toMatchObject({ type: 'emailsReplied' });
    expect(hook.targetUrl).not.toBe(added.targetUrl);
    expect((await hooksThere()).map(({ id }) => id)).toEqual([other.id, hook.id]);
  });

  it('are refused without a secret, and where there is no such hook', async () => {
    const { secret, ...noSecret } = optionsOf('a word');
    await expect(rotateHook('hoo_none', noSecret)).rejects.toThrow('The new secret is missing');
    await expect(rotateHook('hoo_none', { ...noSecret, secret })).rejects.toThrow(
      'There is no webhook hoo_none',
    );
    await expect(addHook({}, noSecret)).rejects.toMatchObject({ code: 'usage' });
  });
});
