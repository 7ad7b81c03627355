import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readEnvFile, renderEnvExample } from '../../../src/app/settings/env-file.js';
import {
  isReadFromFile,
  readEnvironment,
  VARIABLES,
} from '../../../src/app/settings/environment.js';
import { SluiceError } from '../../../src/model/errors.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const folder = tempFolder();
let count = 0;

function fileOf(content: string | Uint8Array): string {
  const path = join(folder, `env-${(count += 1)}`);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

/** What the file says beside the variables, by name. */
function read(content: string | Uint8Array, variables: NodeJS.ProcessEnv = {}) {
  const file = readEnvFile(fileOf(content), variables);
  return { file, values: Object.fromEntries(file?.values ?? []) };
}

it('says what is not set elsewhere, and sets no variable', () => {
  const variables = {};
  const { file, values } = read(
    '# mine\nSLUICE_USERNAME=ada\nexport PLACE = "here # there"\n',
    variables,
  );
  expect(values).toEqual({ SLUICE_USERNAME: 'ada', PLACE: 'here # there' });
  expect(file).toMatchObject({ taken: ['SLUICE_USERNAME'], others: ['PLACE'], left: [] });
  expect(file).toMatchObject({ refused: [], isReadByOthers: false });
  expect(variables).toEqual({});
});

it('leaves what is set already, be it set to nothing', () => {
  const { file, values } = read('A=1\nB=2\nC=3\nPATH=4\n', { A: 'mine', B: '', PATH: '/bin' });
  expect(values).toEqual({ C: '3' });
  expect(file).toMatchObject({ others: ['C'], left: ['A', 'B', 'PATH'], refused: [] });
});

it('takes no password where a file of one is set, which would lose against it, nor the reverse', () => {
  const set = { SLUICE_PASSWORD_FILE: '/run/secret', SLUICE_USERNAME: 'ada' };
  const { file } = read('SLUICE_PASSWORD=x\nSLUICE_USERNAME_FILE=y\nSLUICE_URL=z\n', set);
  expect(file).toMatchObject({
    taken: ['SLUICE_URL'],
    left: ['SLUICE_PASSWORD', 'SLUICE_USERNAME_FILE'],
  });
});

it('refuses what steers programs, and files of secrets; passes over what is not filled in', () => {
  const steering = [
    'NODE_OPTIONS',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'PATH',
    'HTTP_PROXY',
    'https_proxy',
    'NO_PROXY',
    'SSL_CERT_FILE',
    'OPENSSL_CONF',
    'GIT_SSH_COMMAND',
    'BASH_ENV',
    'ENV',
    'IFS',
    'SHELL',
    'HOME',
    'TZ',
    'SLUICE_USERNAME_FILE',
    'SLUICE_PASSWORD_FILE',
    'SLUICE_WEBHOOK_SECRET_FILE',
    'SLUICE_UI_PASSWORD_FILE',
  ];
  const others = ['NODES', 'PATHS', 'MY_PATH', 'ENVIRONMENT', 'SLUICE_LEADS_FILE'];
  const text = [...steering, ...others].map((name) => `${name}=x\n`).join('');
  const { file, values } = read(`${text}SLUICE_STATE=\nSLUICE_URL=""\n`);
  expect(file?.refused.toSorted()).toEqual(steering.toSorted());
  expect(file?.others.toSorted()).toEqual(others.toSorted());
  expect(file).toMatchObject({ taken: [], left: [] });
  expect(Object.keys(values).toSorted()).toEqual(others.toSorted());
});

it('reads what Windows writes, and a value of several lines', () => {
  const { values } = read('\uFEFFA=1\r\nB="2\r\n3=4\r\nfive"\r\n\r\nC=6');
  expect(values).toEqual({ A: '1', B: '2\n3=4\nfive', C: '6' });
});

it.each([
  ['no name', 'A=1\n\n=secret\n', 3],
  ['no value', 'A="1\n2"\nsecret\nB=2', 3],
  ['another language', 'SLUICE_PASSWORD: secret\n', 1],
  ['a name of two words', 'MY PASSWORD=secret\n', 1],
])('refuses a line with %s, by its number and without its text', (_, content, line) => {
  const refuse = () => readEnvFile(fileOf(content), {});
  expect(refuse).toThrow(SluiceError);
  expect(refuse).toThrow(`line ${line}: this is not a setting`);
  expect(refuse).not.toThrow('secret');
});

it('refuses what is no text, and what is far too long', () => {
  expect(() => read(Buffer.from('A=1\n', 'utf16le'))).toThrow('it is not UTF-8 text');
  expect(() => read(`A=${'x'.repeat(65_536)}`)).toThrow('larger than');
});

it('says what cannot be looked at, such as a link that leads to itself', () => {
  const path = join(folder, 'loop');
  symlinkSync(path, path);
  expect(() => readEnvFile(path, {})).toThrow(SluiceError);
  expect(() => readEnvFile(path, {})).toThrow('ELOOP');
});

it('is content without a file, and with a folder of that name', () => {
  expect(readEnvFile(join(folder, 'none'), {})).toBeUndefined();
  mkdirSync(join(folder, '.env'));
  expect(readEnvFile(join(folder, '.env'), {})).toBeUndefined();
});

it.skipIf(process.platform === 'win32')('tells when others may read it', () => {
  const path = fileOf('A=1');
  chmodSync(path, 0o640);
  expect(readEnvFile(path, {})?.isReadByOthers).toBe(true);
});

it('the example names every variable that is read, and no other', () => {
  const read = new Set<string>();
  const watch = (set: Readonly<Record<string, string>>) =>
    new Proxy(set, {
      getOwnPropertyDescriptor: (target, name) => {
        read.add(String(name));
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
  // Credentials are asked for one after the other: the second only where the first is there.
  for (const set of [{}, { SLUICE_USERNAME: 'ada' }]) {
    const environment = readEnvironment(watch(set));
    const { queue, state, url } = environment;
    expect([url, state, queue]).toEqual([undefined, undefined, undefined]);
    expect(() => environment.credentials('basic')).toThrow(SluiceError);
    expect(() => environment.credentials({ header: 'x-key', scheme: null })).toThrow(SluiceError);
    environment.webhookSecret();
    environment.uiPassword();
  }
  expect([...read].toSorted()).toEqual(Object.keys(VARIABLES).toSorted());
  const named = [...renderEnvExample().matchAll(/^(?:# )?(SLUICE_\w+)=$/gm)].map(
    ([, name = '']) => name,
  );
  const inFile = Object.keys(VARIABLES).filter(isReadFromFile);
  expect(named.toSorted()).toEqual(inFile.toSorted());
  expect(inFile).not.toContain('SLUICE_QUEUE');
  expect(inFile).not.toContain('SLUICE_PASSWORD_FILE');
});

it('the example sets nothing before it is filled in', () => {
  expect(read(renderEnvExample()).file).toEqual({
    values: new Map(),
    taken: [],
    others: [],
    left: [],
    refused: [],
    emptied: expect.arrayContaining(['SLUICE_USERNAME', 'SLUICE_PASSWORD']),
    isReadByOthers: false,
  });
});
