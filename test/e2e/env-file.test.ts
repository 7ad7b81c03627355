// What the file .env of a folder may decide, and what it may not: it may be a stranger's, who wants credentials,
// files of this machine, or to have something run.
import { spawnSync } from 'node:child_process';
import { chmodSync, symlinkSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTerminal, talk } from '../helpers/at-terminal.js';
import { MAIN } from '../helpers/command-line.js';
import { answering, startServer } from '../helpers/counting-server.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import {
  complaintOf,
  csv,
  hostCommands,
  openWorkdir,
  people,
  type Workdir,
} from '../helpers/workdir.js';

hostCommands();
const sandbox = await startSandboxProcess('--latency 20ms', '1000/1s');
const stranger = await startServer(answering({ schema: {} }));
const ENRICH = 'enrich leads.csv --out out.csv --ask find_email --rate off --quiet';
const JOB = 'input: leads.csv\nout: out.csv\nask: [find_email]\nrate: off\n';
const BOTH = 'SLUICE_USERNAME=sandbox\nSLUICE_PASSWORD=sandbox\n';
const THEIRS = `SLUICE_URL=${stranger.url}\n`;

/** Without credentials in the environment unless they are given. */
function withEnvFile(text: string, credentials?: Readonly<Record<string, string>>): Workdir {
  return openWorkdir(undefined, credentials ?? {})
    .write('leads.csv', csv(people(2)))
    .write('.env', text)
    .write('jobs/nightly.yaml', `${JOB}url: ${sandbox.url}\n`);
}

const OURS = { SLUICE_USERNAME: 'sandbox', SLUICE_PASSWORD: 'sandbox' };

// Used nowhere else, for 127.0.0.1, and good for a hundred years.
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+YDVERYLLFfnMVN5
fRfdLhLOsb/4Hy1svEO+DgQETyahRANCAAS9AWCXtn4xmGBFIvwOTaIcomGA1qqJ
e0kc/xIIhoS9JALgq9CxAcyu1HNCCZjoq3/nkEu22lFEtAO/YV5tQpys
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIUAlaLlnwbP81plsiAfCAEW9CLJk8wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjA2NTExM1oYDzIxMjYxMDI5
MDY1MTEzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAS9AWCXtn4xmGBFIvwOTaIcomGA1qqJe0kc/xIIhoS9JALgq9CxAcyu
1HNCCZjoq3/nkEu22lFEtAO/YV5tQpyso2QwYjAdBgNVHQ4EFgQU87usl1+XSG2x
/DzsiH4XYzG902cwHwYDVR0jBBgwFoAU87usl1+XSG2x/DzsiH4XYzG902cwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
IFeeBPF5XBMRBRJ2k028PuccpXe4hXxaJPkcEWiF7m76AiEAo0anhe1KiZmMMvkv
Svwfp1xE92GBwEbgNDvs999tTaA=
-----END CERTIFICATE-----`;

async function startUntrusted() {
  const asked: string[] = [];
  const server = createServer(
    { key: KEY, cert: CERTIFICATE },
    (request: IncomingMessage, response: ServerResponse) => {
      asked.push(String(request.headers.authorization));
      response.end('{}');
    },
  );
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}`, asked, close: () => server.close() };
}

describe.concurrent('an address in .env', () => {
  test.each([
    ENRICH,
    'plan leads.csv --ask find_email',
    'schema people',
    'hooks list',
    'lists create mine',
    'draft ctc_1 drf_1 --owner ada@firm.example',
    'init leads.csv --yes',
  ])('gets no credentials of the environment: %s', async (line) => {
    for (const name of ['SLUICE_USERNAME', 'SLUICE_PASSWORD']) {
      const dir = withEnvFile(THEIRS + BOTH.replace(`${name}=sandbox\n`, ''), { [name]: 'mine' });
      const ended = await dir.sluice(line);
      expect(ended.code).toBe(2);
      expect(complaintOf(ended)).toContain(
        `SLUICE_URL comes from the file .env of this folder, and ${name} from elsewhere`,
      );
    }
    expect(stranger.asked).toEqual([]);
  });

  test('gets no secret of webhooks either, nor what a secret file of the environment holds', async () => {
    const dir = withEnvFile(THEIRS + BOTH).write('secret', 's3cret\n');
    for (const name of ['SLUICE_WEBHOOK_SECRET_FILE', 'SLUICE_PASSWORD_FILE']) {
      const ended = await dir.sluice('hooks add https://h.example/in', {
        env: { [name]: 'secret' },
      });
      expect(ended.code).toBe(2);
      expect(complaintOf(ended)).toContain(name);
    }
    expect(stranger.asked).toEqual([]);
  });

  test('gets no secrets of a credentials file either', async () => {
    const dir = withEnvFile(THEIRS).write('accounts.yaml', 'accounts: {}\n');
    const line = 'worker --credentials accounts.yaml --state postgres://127.0.0.1:1/leads';
    const ended = await dir.sluice(line);
    expect(complaintOf(ended)).toContain(
      'SLUICE_URL comes from the file .env of this folder, and accounts.yaml from elsewhere',
    );
    expect(ended.code).toBe(2);
  });

  test('is told by the doctor', async () => {
    const ended = await withEnvFile(THEIRS, OURS).sluice('doctor');
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/^fail +credentials +SLUICE_URL comes from the file .env/m);
    expect(stranger.asked).toEqual([]);
  });

  test.each(['url', 'public-url'])('is none that a job puts into its %s', async (key) => {
    const text = `${JOB}${key}: \${PLACE}/v1\nnotify: { url: "\${CHAT}" }\n`;
    const said = `PLACE=${stranger.url}\nCHAT=${stranger.url}\n`;
    const dir = withEnvFile(said, OURS).write('jobs/nightly.yaml', text);
    const ended = await dir.sluice('run nightly --quiet');
    expect(ended.code).toBe(2);
    expect(complaintOf(ended)).toMatch(
      /^Job jobs\/nightly.yaml, line 5: PLACE comes from the file .env of this folder, and SLUICE_USERNAME and SLUICE_PASSWORD from elsewhere/,
    );
    expect(stranger.asked).toEqual([]);
  });

  test.each([
    ['notify: { url: "${BASE}/services/${TOKEN}" }', 'BASE', 'TOKEN'],
    ['notify: { url: "${TOKEN}/${BASE}" }', 'BASE', 'TOKEN'],
    ['url: ${BASE}/${TOKEN}', 'BASE', 'TOKEN'],
    ['public-url: ${BASE}/${TOKEN}', 'BASE', 'TOKEN'],
  ])('is not put together with a variable of the environment: %s', async (line, base, token) => {
    const text = `${JOB.replace('rate: off\n', line.startsWith('url') ? '' : 'url: sandbox\n')}${line}\n`;
    const dir = withEnvFile(`BASE=${stranger.url}\n`).write('jobs/nightly.yaml', text);
    const ended = await dir.sluice('run nightly --quiet', { env: { TOKEN: 'https://t0ken' } });
    expect(ended.code).toBe(2);
    expect(complaintOf(ended)).toContain(
      `${base} comes from the file .env of this folder, and ${token} from the environment`,
    );
    expect(ended.stderr).not.toContain('t0ken');
    expect(stranger.asked).toEqual([]);
  });

  test.skipIf(!hasTerminal)('gets no secret that the user types', async () => {
    const line = `'${process.execPath}' '${MAIN}' hooks add https://h.example/in`;
    const dir = withEnvFile(THEIRS + BOTH);
    const { code, said } = await talk(dir.path, line, [['(empty for none): ', 'typed-secret\r']]);
    expect(said).toContain(
      'SLUICE_URL comes from the file .env of this folder, and a secret that is typed from elsewhere',
    );
    expect(code).toBe(2);
    expect(stranger.asked).toEqual([]);
  });

  test('is used with the credentials beside it, and the sandbox with any', async () => {
    const all = withEnvFile(`SLUICE_URL=${sandbox.url}\n${BOTH}`);
    expect(await all.sluice(ENRICH)).toMatchObject({ code: 0, stderr: '' });
    const inProcess = withEnvFile('SLUICE_URL=sandbox\n', OURS);
    expect(await inProcess.sluice('plan leads.csv --ask find_email')).toMatchObject({ code: 0 });
  });

  test('counts for nothing where another is given', async () => {
    const job = await withEnvFile(THEIRS, OURS).sluice('run nightly --quiet');
    const flag = await withEnvFile(THEIRS, OURS).sluice(`${ENRICH} --url ${sandbox.url}`);
    const env = { SLUICE_URL: sandbox.url };
    const variable = await withEnvFile(THEIRS + BOTH).sluice(ENRICH, { env });
    const ok = { code: 0, stderr: '' };
    expect([job, flag, variable]).toMatchObject([ok, ok, ok]);
    expect(stranger.asked).toEqual([]);
  });
});

describe.concurrent('from .env', () => {
  test('no file of the machine is read as a secret', async () => {
    const dir = withEnvFile(
      `${THEIRS}SLUICE_USERNAME=sandbox\nSLUICE_PASSWORD_FILE=${import.meta.filename}\n`,
    );
    const ended = await dir.sluice(ENRICH);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('\nsluice: SLUICE_PASSWORD_FILE is not read from the file .env');
    expect(stranger.asked).toEqual([]);
  });

  test('nothing reaches Node: certificates are checked', async () => {
    const untrusted = await startUntrusted();
    const dir = withEnvFile('NODE_TLS_REJECT_UNAUTHORIZED=0\n', OURS);
    const ended = await dir.sluice(`schema people --rate off --url ${untrusted.url}`);
    untrusted.close();
    expect(untrusted.asked).toEqual([]);
    expect(ended.code).toBe(4);
  });

  test('nothing reaches a command, and what is not read is told once', async () => {
    const text =
      'NODE_OPTIONS=--no-such\nLD_PRELOAD=/x.so\nhttps_proxy=http://x\nPLACE=leads.csv\n';
    const dir = withEnvFile(text, OURS)
      .write('tell.sh', '#!/bin/sh\nenv > env.txt\n')
      .write('jobs/nightly.yaml', `${JOB}url: ${sandbox.url}\nnotify: { command: [./tell.sh] }\n`);
    chmodSync(dir.at('tell.sh'), 0o755);
    const told =
      'LD_PRELOAD, NODE_OPTIONS, https_proxy are not read from .env: set them in the environment if you need them, and take them out of the file.';
    const ended = await dir.sluice('run nightly --quiet');
    expect(ended).toMatchObject({ code: 0, stderr: `sluice: ${told}\n` });
    expect(dir.text('env.txt')).toMatch(/^SLUICE_RUN=1$/m);
    expect(dir.text('env.txt')).not.toMatch(/NODE_OPTIONS|LD_PRELOAD|https_proxy|PLACE/);
    const json = await dir.sluice('status --json');
    expect(JSON.parse(json.stderr)).toEqual({ warning: { message: told } });
    const logged = await dir.sluice('run nightly --log-level warn');
    expect(JSON.parse(logged.stderr)).toEqual({ warning: { message: told } });
  });

  test.each([
    ['out: "${NODE_OPTIONS}.csv"', 'NODE_OPTIONS is not read from the file .env'],
    ['notify: { command: ["${TELL}"] }', 'TELL comes from the file .env of this folder'],
    ['notify: { command: [sh, -c, "${TELL}"] }', 'TELL comes from the file .env of this folder'],
  ])('a job is not filled with what steers programs: %s', async (line, says) => {
    const dir = withEnvFile('NODE_OPTIONS=x\nTELL=./tell.sh\n', OURS);
    dir.write('jobs/nightly.yaml', `input: leads.csv\nask: [find_email]\nurl: sandbox\n${line}\n`);
    const ended = await dir.sluice('plan nightly');
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(`sluice: Job jobs/nightly.yaml, line 4: ${says}`);
  });

  test.each([
    ['out', '/aliases.csv'],
    ['out', '../aliases.csv'],
    ['out', 'jobs/../../aliases.csv'],
    ['out', '~/aliases.csv'],
    ['out', 'link.csv'],
    ['out', 'linked/aliases.csv'],
    ['out', 'deeper/../aliases.csv'],
    ['report', '../aliases.html'],
    ['metrics-file', '../aliases.prom'],
    ['state', '../aliases.db'],
    ['dialect', '../aliases.yaml'],
    ['input', '../*/leads.csv'],
    ['input', '{.,}./*/leads.csv'],
    ['input', '{x,../*/leads}.csv'],
    ['input', '.\\./*/leads.csv'],
  ])('%s is no file outside the folder: %s', async (key, place) => {
    const whole = new Map(
      [...JOB.trim().split('\n'), 'url: sandbox'].map(
        (line) => line.split(': ') as [string, string],
      ),
    );
    const text = [...whole.set(key, '"${PLACE}"')].map((pair) => pair.join(': ')).join('\n');
    const dir = withEnvFile('')
      .write('../aside/leads.csv', csv(people(2)))
      .write('jobs/nightly.yaml', text);
    symlinkSync('../aliases.csv', dir.at('link.csv'));
    symlinkSync('..', dir.at('linked'));
    symlinkSync('../aside', dir.at('deeper'));
    dir.write('.env', `PLACE=${place === '/aliases.csv' ? dir.at('../aliases.csv') : place}\n`);
    const ended = await dir.sluice('run nightly --quiet');
    expect(complaintOf(ended)).toMatch(
      /^Job jobs\/nightly.yaml, line \d: PLACE comes from the file .env of this folder, and leads out of it/,
    );
    expect(ended.code).toBe(2);
    const ends = ['csv', 'html', 'prom', 'db'];
    expect(ends.filter((end) => dir.has(`../aliases.${end}`))).toEqual([]);
  });

  test('no state file outside the folder is made', async () => {
    const dir = withEnvFile('SLUICE_STATE=../theirs.db\n');
    const ended = await dir.sluice(`${ENRICH} --url sandbox`);
    expect(complaintOf(ended)).toContain(
      'SLUICE_STATE comes from the file .env of this folder, and leads out of it',
    );
    expect(ended.code).toBe(2);
    expect(dir.has('../theirs.db')).toBe(false);
  });

  test.each([
    ['report: "out/${CLIENT}.html"', 'a page beside the tables'],
    ['out: { people: out.csv, positions: "out/${CLIENT}.csv" }', 'a further table'],
    ['columns: [&x "out/${CLIENT}.csv"]\nout: { people: *x }', 'a text that stands elsewhere'],
    ['out: { people: "${BASE}${CLIENT}.csv" }', 'a text that the environment begins'],
  ])('no file outside the folder is named within a key: %s, %s', async (line) => {
    const dir = withEnvFile('CLIENT=../../x\n', OURS).write('out/.keep', '');
    const text = line.includes('out: {') ? JOB.replace('out: out.csv\n', '') : JOB;
    dir.write('jobs/nightly.yaml', `${text}url: sandbox\n${line}\n`);
    const ended = await dir.sluice('run nightly --quiet', { env: { BASE: 'out/' } });
    expect(complaintOf(ended)).toContain(
      'CLIENT comes from the file .env of this folder, and leads',
    );
    expect(ended.code).toBe(2);
    expect(['csv', 'html'].filter((end) => dir.has(`../x.${end}`))).toEqual([]);
  });

  test.each([
    ['SLUICE_STATE', 'runs'],
    ['SLUICE_STATE', `${ENRICH} --url sandbox`],
    ['SLUICE_STATE', 'export 1'],
    ['SLUICE_QUEUE', 'worker'],
    ['SLUICE_QUEUE', 'enqueue nightly'],
  ])('no database is named: %s, for %s', async (name, command) => {
    const dir = withEnvFile(`${name}=postgresql://me@127.0.0.1:1/leads\n`, OURS);
    const ended = await dir.sluice(command);
    expect(complaintOf(ended)).toContain(
      `${name} comes from the file .env of this folder, and that file names no database`,
    );
    expect(ended.code).toBe(2);
  });

  test.each(['${WHERE}', '${BASE}://${WHERE}', 'postgres://me@db.internal/${WHERE}'])(
    'no database is named by a part of a job: %s',
    async (state) => {
      const where = state === '${WHERE}' ? 'postgres://me@127.0.0.1:1/leads' : 'theirs';
      const dir = withEnvFile(`WHERE=${where}\n`, OURS);
      dir.write('jobs/nightly.yaml', `${JOB}url: sandbox\nstate: "${state}"\n`);
      const ended = await dir.sluice('run nightly --quiet', { env: { BASE: 'postgres' } });
      expect(complaintOf(ended)).toContain(
        'WHERE comes from the file .env of this folder, and that file names no database',
      );
      expect(ended.code).toBe(2);
    },
  );

  test('a path goes on below what the job or the environment says', async () => {
    const dir = withEnvFile('CLIENT=north/a..b\nSLUICE_STATE=deep/state.db\n', OURS).write(
      'jobs/nightly.yaml',
      'url: sandbox\ninput: ./leads.csv\nout: "${BASE}/${CLIENT}.csv"\nask: [find_email]\n',
    );
    const base = `../below-${basename(dir.path)}`;
    dir.write(`${base}/north/x`, '');
    const ended = await dir.sluice('run nightly --quiet', { env: { BASE: base } });
    expect(ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining('comes from') });
    expect([dir.has(`${base}/north/a..b.csv`), dir.has('deep/state.db')]).toEqual([true, true]);
  });

  test('a job is filled with the rest', async () => {
    const dir = withEnvFile(`PLACE=leads.csv\nSLUICE_TABLE=t.csv\n${BOTH}`).write(
      'jobs/nightly.yaml',
      `url: ${sandbox.url}\ninput: "\${PLACE}"\nout: "\${SLUICE_TABLE}"\nask: [find_email]\nrate: off\n`,
    );
    expect(await dir.sluice('run nightly --quiet')).toMatchObject({ code: 0, stderr: '' });
    expect(dir.rows('t.csv')).toHaveLength(2);
  });
});

describe.concurrent('a file .env', () => {
  test.each(['a device', 'a pipe'])('that is %s ends a command with a sentence', async (what) => {
    const dir = openWorkdir().write('leads.csv', csv(people(1)));
    if (what === 'a pipe') spawnSync('mkfifo', [dir.at('.env')]);
    else symlinkSync('/dev/zero', dir.at('.env'));
    const ended = await dir.sluice('status');
    expect(complaintOf(ended)).toBe(
      'The file .env in this folder cannot be read: it is no plain file. Fix it, or remove it.',
    );
    expect(ended.code).toBe(2);
  });

  test('may name a variable alone, as for docker, and say other things to other programs', async () => {
    const dir = withEnvFile(
      `SLUICE_PASSWORD\nSLUICE_USERNAME\nexport SLUICE_URL\nTITLE: mine\n`,
      OURS,
    );
    expect(await dir.sluice('run nightly --quiet')).toMatchObject({ code: 0, stderr: '' });
  });

  test('is outranked by a variable that is set to nothing, which is told', async () => {
    const dir = withEnvFile(`SLUICE_URL=${sandbox.url}\n${BOTH}`);
    const says = (name: string) =>
      `${name} is set to nothing in the environment, which outranks the file .env: unset it there.`;
    const password = await dir.sluice(ENRICH, { env: { SLUICE_PASSWORD: '' } });
    expect(complaintOf(password)).toContain(says('SLUICE_PASSWORD'));
    for (const line of [ENRICH, 'hooks list', 'doctor']) {
      const url = await dir.sluice(line, { env: { SLUICE_URL: '' } });
      expect(url.stdout + url.stderr, line).toContain(says('SLUICE_URL'));
    }
  });
});
