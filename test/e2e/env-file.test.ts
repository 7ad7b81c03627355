// What the file .env of a folder may decide, and what it may not: it may be a stranger's, who wants credentials,
// files of this machine, or to have something run.
import { spawnSync } from 'node:child_process';
import { chmodSync, symlinkSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { hasTerminal, talk } from '../helpers/at-terminal.js';
import { MAIN } from '../helpers/command-line.js';
import { answering, startServer } from '../helpers/counting-server.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const sandbox = await startSandboxProcess('--latency 20ms', '1000/1s');
const stranger = await startServer(answering({ schema: {} }));
const ENRICH = 'enrich leads.csv --out out.csv --ask find_email --set rate=off --quiet';
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
      expect(await dir.refusal(line)).toContain(
        `SLUICE_URL comes from the file .env of this folder, and ${name} from elsewhere`,
      );
    }
    expect(stranger.asked).toEqual([]);
  });

  test('gets no secret of webhooks either, nor what a secret file of the environment holds', async () => {
    const dir = withEnvFile(THEIRS + BOTH).write('secret', 's3cret\n');
    for (const name of ['SLUICE_WEBHOOK_SECRET_FILE', 'SLUICE_PASSWORD_FILE']) {
      expect(
        await dir.refusal('hooks add https://h.example/in', {
          env: { [name]: 'secret' },
        }),
      ).toContain(name);
    }
    expect(stranger.asked).toEqual([]);
  });

  test('gets no secrets of a credentials file either', async () => {
    const dir = withEnvFile(THEIRS).write('accounts.yaml', 'accounts: {}\n');
    const line = 'worker --credentials accounts.yaml --state postgres://127.0.0.1:1/leads';
    expect(await dir.refusal(line)).toContain(
      'SLUICE_URL comes from the file .env of this folder, and accounts.yaml from elsewhere',
    );
  });

  test('is told by the doctor', async () => {
    const ended = await withEnvFile(THEIRS, OURS).sluice('doctor');
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/^fail +credentials +SLUICE_URL comes from the file .env/m);
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

const ELSEWHERE =
  'is in the file .env of this folder, which gives only credentials and their address. Set it in the environment, write its value into the job, or name a file that holds it with --env-file.';

describe.concurrent('from .env', () => {
  test.each([
    'SLUICE_STATE=../theirs.db',
    'SLUICE_QUEUE=postgresql://me@127.0.0.1:1/leads',
    'SLUICE_ACCOUNT=mine',
    'SLUICE_LOG_LEVEL=trace',
    `SLUICE_PASSWORD_FILE=${import.meta.filename}`,
    'SLUICE_TABLE=t.csv',
  ])('no other variable of Sluice is taken: %s', async (line) => {
    const dir = withEnvFile(`${THEIRS}${BOTH}${line}\n`);
    for (const command of [ENRICH, 'runs', 'worker', 'plan nightly']) {
      expect(await dir.refusal(command)).toBe(`${line.split('=')[0]} ${ELSEWHERE}`);
    }
    expect(stranger.asked).toEqual([]);
    expect(dir.has('../theirs.db')).toBe(false);
  });

  test.each([
    'url: "${PLACE}/v1"',
    'public-url: ${PLACE}',
    'out: "${PLACE}.csv"',
    'input: ${PLACE}',
    'state: ${PLACE}',
    'notify: { command: [sh, -c, "${PLACE}"] }',
    'notify: { url: "https://${PLACE}" }',
    'out: "${NODE_OPTIONS}.csv"',
    'url: ${SLUICE_URL}',
  ])('nothing fills in a job: %s', async (line) => {
    const [key] = line.split(':');
    const others = `${JOB}url: sandbox\n`.split('\n').filter((one) => !one.startsWith(`${key}:`));
    const dir = withEnvFile(`PLACE=${stranger.url}\nNODE_OPTIONS=x\n${THEIRS}`, OURS);
    dir.write('jobs/nightly.yaml', `${line}\n${others.join('\n')}`);
    const ended = await dir.sluice('run nightly --quiet');
    const [, name] = /\$\{(\w+)\}/.exec(line) ?? [];
    expect(complaintOf(ended)).toBe(`Job jobs/nightly.yaml, line 1: ${name} ${ELSEWHERE}`);
    expect(ended.code).toBe(2);
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

  test('nothing reaches a command', async () => {
    const text =
      'NODE_OPTIONS=--no-such\nLD_PRELOAD=/x.so\nhttps_proxy=http://x\nPLACE=leads.csv\n';
    const dir = withEnvFile(text, OURS)
      .write('tell.sh', '#!/bin/sh\nenv > env.txt\n')
      .write('jobs/nightly.yaml', `${JOB}url: ${sandbox.url}\nnotify: { command: [./tell.sh] }\n`);
    chmodSync(dir.at('tell.sh'), 0o755);
    expect(await dir.sluice('run nightly --quiet')).toMatchObject({ code: 0, stderr: '' });
    expect(dir.text('env.txt')).toMatch(/^SLUICE_RUN=1$/m);
    expect(dir.text('env.txt')).not.toMatch(/NODE_OPTIONS|LD_PRELOAD|https_proxy|PLACE/);
  });
});

test('a file of --env-file counts as the environment does', async () => {
  const dir = withEnvFile(THEIRS + BOTH).write(
    'mine.env',
    `SLUICE_URL=${sandbox.url}\nSLUICE_STATE=mine.db\nSLUICE_USERNAME=nobody\nPLACE=leads.csv\n`,
  );
  dir.write('jobs/nightly.yaml', JOB.replace('leads.csv', '${PLACE}'));
  const ended = await dir.sluice('run nightly --quiet --env-file mine.env', {
    env: { SLUICE_USERNAME: 'sandbox' },
  });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect([dir.rows('out.csv').length, dir.has('mine.db')]).toEqual([2, true]);
  expect(stranger.asked).toEqual([]);
  expect(await dir.refusal('status --env-file no.env')).toContain(
    'The file no.env of --env-file cannot be read',
  );
});

describe.concurrent('a file .env', () => {
  test.each(['a device', 'a pipe'])('that is %s ends a command with a sentence', async (what) => {
    const dir = openWorkdir().write('leads.csv', csv(people(1)));
    if (what === 'a pipe') spawnSync('mkfifo', [dir.at('.env')]);
    else symlinkSync('/dev/zero', dir.at('.env'));
    expect(await dir.refusal('status')).toBe(
      'The file .env in this folder cannot be read: it is no plain file. Fix it, or remove it.',
    );
  });

  test('may name a variable alone, as for docker, and say other things to other programs', async () => {
    const dir = withEnvFile(
      `SLUICE_PASSWORD\nSLUICE_USERNAME\nexport SLUICE_URL\nTITLE: mine\n`,
      OURS,
    );
    expect(await dir.sluice('run nightly --quiet')).toMatchObject({ code: 0, stderr: '' });
  });
});
