// sluice doctor: each kind of trouble is found, none hides another, and nothing is changed or paid for.
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { canBeUnprivileged } from '../helpers/command-line.js';
import { startServer } from '../helpers/counting-server.js';
import { freePort } from '../helpers/free-port.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { damageLeads } from '../helpers/state.js';
import { csv, openPrepared, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const sandbox = await startSandboxProcess('--latency 20ms', '1000/1s');
const SCHEMA = { schema: {}, version: {}, properties: ['lead_id'] };
const CHECKS =
  'node sqlite env_file job dialect state_folder disk state integrity lock input output credentials platform clock rate_limit public_url'.split(
    ' ',
  );

interface Seen {
  readonly code: number | null;
  readonly healthy: boolean;
  /** `verdict: says advice`, by check. */
  readonly of: Readonly<Record<string, string>>;
  /** Names of the checks that failed. */
  readonly failed: readonly string[];
}

type Options = NonNullable<Parameters<Workdir['sluice']>[1]>;

async function doctor(dir: Workdir, words = 'nightly', options: Options = {}): Promise<Seen> {
  const args = ['doctor', ...words.split(' ').filter((word) => word !== ''), '--json'];
  const { code, stdout, stderr } = await dir.sluice(args, options);
  expect(stderr).toBe('');
  const { healthy, checks } = JSON.parse(stdout) as {
    healthy: boolean;
    checks: { check: string; verdict: string; says: string; advice: string | null }[];
  };
  // Whatever is wrong, a script finds the same keys.
  expect(checks.map(({ check }) => check)).toEqual(CHECKS);
  const told = checks.map(({ check, verdict, says, advice }) => [
    check,
    `${verdict}: ${says} ${advice ?? ''}`.trim(),
  ]);
  const failed = checks.filter(({ verdict }) => verdict === 'fail').map(({ check }) => check);
  expect([code, healthy]).toEqual(failed.length === 0 ? [0, true] : [1, false]);
  return { code, healthy, failed, of: Object.fromEntries(told) as Record<string, string> };
}

/** A job that asks the sandbox; without a limit, so that no check waits for one. */
function withJob(more = '', url = sandbox.url): Workdir {
  return writeJob(openWorkdir(), more, url);
}

function writeJob(dir: Workdir, more = '', url = sandbox.url): Workdir {
  return dir
    .write('leads.csv', csv(people(3)))
    .write('out/.keep', '')
    .write(
      'jobs/nightly.yaml',
      `input: leads.csv\nout: out/leads.csv\nask: [find_email]\nurl: ${url}\nrate: off\n${more}`,
    );
}

/** To be prepared: the job, and its run. */
async function runJob(dir: Workdir): Promise<void> {
  writeJob(dir);
  await dir.sluice('run nightly --collect poll --quiet');
}

const withState = (): Promise<Workdir> => openPrepared(runJob);

/** Every file, by its bytes. */
function imageOf(dir: Workdir): Record<string, string> {
  return Object.fromEntries(
    dir.files().map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(dir.at(name)))
        .digest('hex'),
    ]),
  );
}

describe.concurrent('where all is well', () => {
  test('it says so, changes nothing and pays nothing', async () => {
    const own = await startSandboxProcess('--latency 20ms', '1000/1s');
    const dir = withJob('', own.url);
    await dir.sluice('run nightly --quiet');
    const [before, paid] = [imageOf(dir), await own.ledger()];
    const seen = await doctor(dir);
    expect(seen.failed).toEqual([]);
    expect(seen.of).toMatchObject({
      job: expect.stringMatching(/^ok: nightly asks for find_email/),
      state: expect.stringMatching(/^ok: data\/sluice\.db: .* schema \d+\.$/),
      integrity: 'ok: data/sluice.db is undamaged.',
      lock: 'ok: No process is working.',
      input: 'ok: leads.csv: firstName = first_name, lastName = last_name, companyDomain = domain.',
      output: 'ok: out/leads.csv can be written.',
      platform: `ok: ${own.url} answers, and takes the credentials.`,
      clock: expect.stringMatching(/^ok: /),
      rate_limit: expect.stringMatching(
        /^warn: The platform states a limit of 1,000 requests, and rate is/,
      ),
      public_url: 'skipped: The job fetches its results, and nothing is delivered.',
    });
    expect(imageOf(dir)).toEqual(before);
    const { accepted, charged, requests } = await own.ledger();
    expect([accepted, charged, requests]).toEqual([paid.accepted, paid.charged, paid.requests + 1]);
  });

  test('it tells people in a line for each check, and the sum at the end', async () => {
    const dir = withJob();
    const ended = await dir.sluice('doctor nightly');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const lines = ended.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(CHECKS.length + 3);
    expect(lines[0]).toMatch(/^verdict {2}check/);
    expect(lines[1]).toMatch(/^ok {7}node {10}Node \d/);
    expect(lines.at(-1)).toMatch(/^Everything is ready for a run/);
  });

  test('without a job it checks what it can, in an empty folder too', async () => {
    const dir = openWorkdir();
    const { of, failed } = await doctor(dir, '');
    expect(failed).toEqual([]);
    expect(of['state']).toContain('There is no state file data/sluice.db yet');
    expect(of['platform']).toContain('skipped: No platform is named');
    expect(of['input']).toBe('skipped: No job is named.');
    expect(dir.files()).toEqual([]);
    const there = await doctor(dir, `--url ${sandbox.url} --rate off`);
    expect(there.of['platform']).toMatch(/^ok: /);
    expect(dir.files()).toEqual([]);
  });

  test('its request keeps to the limit, whoever asks before it and after it', async () => {
    const tight = await startSandboxProcess('--latency 0ms', '1/2s');
    const dir = openWorkdir(tight.url);
    await dir.sluice('schema people --rate 1/2s');
    expect((await doctor(dir, '--rate 1/2s')).of['platform']).toMatch(/^ok: /);
    await dir.sluice('schema people --rate 1/2s');
    expect(await tight.ledger()).toMatchObject({ requests: 3, throttled: 0, worstWindow: 1 });
  });
});

describe.concurrent('trouble with the platform', () => {
  test('a wrong password, and none', async () => {
    const dir = withJob();
    const wrong = await doctor(dir, 'nightly', { env: { SLUICE_PASSWORD: 'guess' } });
    expect(wrong.failed).toEqual(['platform']);
    expect(wrong.of['platform']).toMatch(/refused the credentials .*Check SLUICE_USERNAME/);
    expect(wrong.of['clock']).toMatch(/^ok: /);
    const alone = await doctor(dir, 'nightly', { env: { SLUICE_PASSWORD: '' } });
    expect(alone.of['credentials']).toBe('ok: Only a user name is set.');
    expect(alone.failed).toEqual(['platform']);
    const env = { SLUICE_USERNAME: '', SLUICE_PASSWORD: '' };
    const none = await doctor(dir, 'nightly', { env });
    expect(none.failed).toEqual(['credentials']);
    expect(none.of['credentials']).toContain('set SLUICE_USERNAME and SLUICE_PASSWORD');
    expect(none.of['platform']).toBe('skipped: Without credentials there is nothing to ask.');
  });

  test('a platform that is not there', async () => {
    const { failed, of } = await doctor(withJob('', `http://127.0.0.1:${await freePort()}`));
    expect(failed).toEqual(['platform']);
    expect(of['platform']).toContain('could not be reached');
    expect(of['clock']).toBe('skipped: No answer came.');
  });

  test('an address with a password in it, which is not repeated', async () => {
    const dir = withJob();
    dir.write('jobs/nightly.yaml', dir.text('jobs/nightly.yaml').replace(/^url:.*\n/m, ''));
    const env = { SLUICE_URL: 'https://me:geheim@x.example/v1' };
    const { failed, of } = await doctor(dir, 'nightly', { env });
    expect(failed).toEqual(['platform']);
    expect(of['platform']).toContain('holds credentials, which belong in SLUICE_USERNAME');
    expect(JSON.stringify(of)).not.toContain('geheim');
  });

  test('a clock that is an hour off, and a limit below ours', async () => {
    const late = await startServer((_, response) => {
      response.setHeader('date', new Date(Date.now() + 3_600_000).toUTCString());
      response.setHeader('x-ratelimit-limit', '5');
      response.setHeader('x-ratelimit-remaining', '4');
      response.end(JSON.stringify(SCHEMA));
    });
    const { failed, of } = await doctor(withJob('', late.url), 'nightly --rate 20/1s');
    expect(failed).toEqual([]);
    expect(of['clock']).toMatch(/^warn: This machine's clock is 3[56]\d\d s behind the platform's/);
    expect(of['rate_limit']).toBe(
      'warn: The platform states a limit of 5 requests, and 20/1s is kept to. Lower the rate: no more than 5 at a time.',
    );
    expect(late.asked).toEqual(['GET /schema/people']);
  });
});

describe.concurrent('trouble with the state file', () => {
  test('bytes that have changed in its middle', async () => {
    const dir = await withState();
    const bytes = damageLeads(dir.at('data/sluice.db'));
    const { failed, of } = await doctor(dir);
    expect(failed).toEqual(['integrity']);
    expect(of['integrity']).toMatch(/^fail: data\/sluice\.db is damaged: .* restore it from a/);
    expect(readFileSync(dir.at('data/sluice.db')).equals(bytes)).toBe(true);
  });

  test.skipIf(!canBeUnprivileged)('folders that may not be written', async () => {
    const dir = withJob('state: locked/state.db\n').write('locked/.keep', '');
    for (const folder of ['locked', 'out']) chmodSync(dir.at(folder), 0o555);
    const { failed, of } = await doctor(dir, 'nightly', { isUnprivileged: true });
    expect(failed).toEqual(['state_folder', 'output']);
    expect(of['state_folder']).toMatch(/no file can be made in the folder .*locked/);
    expect(of['output']).toMatch(/no file can be made in the folder .*out: /);
  });

  test('a file that others may read, which a run made for its owner alone', async () => {
    const dir = await withState();
    const made = dir.files().filter((name) => name.startsWith('data/'));
    expect(made.map((name) => statSync(dir.at(name)).mode & 0o777)).toEqual(made.map(() => 0o600));
    chmodSync(dir.at('data/sluice.db'), 0o640);
    const { failed, of } = await doctor(dir);
    expect(failed).toEqual([]);
    expect(of['state_folder']).toMatch(/^warn: Other users .* chmod 600 data\/sluice\.db$/);
  });
});

describe.concurrent('trouble with what was written down', () => {
  test('a job that is wrong hides nothing else', async () => {
    const dir = withJob('bugdet: 5\n').write('.env', 'SLUICE_STATE=data\n');
    const { failed, of } = await doctor(dir, `nightly --url ${sandbox.url} --rate off`);
    expect(failed).toEqual(['env_file', 'job']);
    expect(of['env_file']).toContain('SLUICE_STATE is in the file .env');
    expect(of['job']).toMatch(/line 6: "bugdet" .* mean "budget"/);
    expect(of['input']).toBe('skipped: The job cannot be read.');
    expect(of['platform']).toMatch(/^ok: /);
    expect((await doctor(dir, 'weekly')).of['job']).toContain('no job file jobs/weekly.yaml');
  });

  test('a dialect, an input and a folder that are not there', async () => {
    const dir = withJob('dialect: acme.yaml\n');
    dir.write('jobs/nightly.yaml', dir.text('jobs/nightly.yaml').replace(/leads\.csv/, 'no.csv'));
    dir.write('jobs/nightly.yaml', dir.text('jobs/nightly.yaml').replace('out/', 'nowhere/'));
    const { failed, of } = await doctor(dir);
    expect(failed).toEqual(['dialect', 'input', 'output']);
    expect(of['dialect']).toContain('acme.yaml cannot be read');
    expect(of['input']).toContain('There is no input file no.csv');
    expect(of['output']).toContain('its folder does not exist');
    expect(of['platform']).toBe('skipped: The dialect cannot be read.');
  });

  test('columns that do not suffice for what is asked', async () => {
    const dir = withJob('map: { companyDomain: "" }\n');
    const { failed, of } = await doctor(dir);
    expect(failed).toEqual(['input']);
    expect(of['input']).toContain('Nothing could be asked: find_email needs');
  });

  test('a .env that others may read', async () => {
    const dir = withJob().write('.env', 'SLUICE_API_KEY=key\nSLUICE_USERNAME=other\n');
    chmodSync(dir.at('.env'), 0o644);
    const { of } = await doctor(dir);
    expect(of['env_file']).toBe(
      'warn: .env sets SLUICE_API_KEY. Set already, and so left alone: SLUICE_USERNAME. Other users of this machine may read it. Say: chmod 600 .env',
    );
  });

  test('a .env that says what is not read from there', async () => {
    const dir = withJob().write('.env', 'NODE_OPTIONS=x\nSLUICE_STATE=state.db\n');
    const { failed, of } = await doctor(dir, 'nightly');
    expect(failed).toEqual(['env_file']);
    expect(of['env_file']).toContain('SLUICE_STATE is in the file .env of this folder');
  });
});

describe.concurrent('trouble with the public address', () => {
  /** A proxy that leaves the path as it is. */
  const passTo = (port: number) => (incoming: IncomingMessage, response: ServerResponse) => {
    const { method, url: path, headers } = incoming;
    const passed = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.writeHead(502).end('<h1>Bad Gateway</h1>'));
    incoming.pipe(passed);
  };

  async function withPublicUrl(urlFor: (port: number) => Promise<string>) {
    const port = await freePort();
    const url = await urlFor(port);
    return { port, dir: withJob(`listen: 127.0.0.1:${port}\npublic-url: ${url}\n`) };
  }

  const throughProxy = async (port: number) => `${(await startServer(passTo(port))).url}/sluice`;

  test('none, where it leads here through a proxy, whether or not a listener runs', async () => {
    const { dir, port } = await withPublicUrl(throughProxy);
    const led = await doctor(dir);
    expect(led.of['public_url']).toMatch(
      new RegExp(`^ok: http://\\S+/sluice leads to the listener at http://127.0.0.1:${port}\\.$`),
    );
    expect(dir.has('data/sluice.db')).toBe(false);
    const listener = dir.start(`listen --listen ${port}`, { isService: true });
    await listener.says('Ctrl+C stops it');
    expect((await doctor(dir)).of['public_url']).toBe(led.of['public_url']);
    listener.child.kill();
    await listener.ended;
    // With a key of its own in the state file, as after the first run.
    expect((await doctor(dir)).of['public_url']).toBe(led.of['public_url']);
  });

  test('the listener of another state there, or on the port', async () => {
    const other = openWorkdir();
    const port = await freePort();
    const listener = other.start(`listen --listen ${port}`, { isService: true });
    await listener.says('Ctrl+C stops it');
    const there = await withPublicUrl(async () => `http://127.0.0.1:${port}`);
    expect((await doctor(there.dir)).of['public_url']).toMatch(
      /^fail: .* the listener of another state answers\./,
    );
    const taken = withJob(`listen: 127.0.0.1:${port}\npublic-url: https://x.example\n`);
    expect((await doctor(taken)).of['public_url']).toMatch(/^fail: .*the port is taken/);
  });

  test('no address at all, and no secret for a hook', async () => {
    const far = withJob('collect: webhook\n', 'http://platform.invalid');
    expect((await doctor(far)).of['public_url']).toMatch(/^fail: .* needs the key public-url/);
    const hook = withJob('collect: webhook\ncallback: hook\nlisten: 127.0.0.1:0\n');
    expect((await doctor(hook)).of['public_url']).toMatch(/^fail: .*SLUICE_WEBHOOK_SECRET/);
  });
});
