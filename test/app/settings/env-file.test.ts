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
  expect(values).toEqual({ SLUICE_USERNAME: 'ada' });
  expect(file).toMatchObject({ taken: ['SLUICE_USERNAME'], others: ['PLACE'], left: [] });
  expect(file).toMatchObject({ isReadByOthers: false });
  expect(variables).toEqual({});
});

it('leaves what is set already, be it set to nothing', () => {
  const text = 'SLUICE_URL=1\nSLUICE_USERNAME=2\nSLUICE_PASSWORD=3\n';
  const { file, values } = read(text, { SLUICE_URL: 'mine', SLUICE_USERNAME: '' });
  expect(values).toEqual({ SLUICE_PASSWORD: '3' });
  expect(file).toMatchObject({ left: ['SLUICE_URL', 'SLUICE_USERNAME'] });
});

it('takes no password where a file of one is set, which would lose against it', () => {
  const { file } = read('SLUICE_PASSWORD=x\nSLUICE_URL=z\n', {
    SLUICE_PASSWORD_FILE: '/run/secret',
  });
  expect(file).toMatchObject({ taken: ['SLUICE_URL'], left: ['SLUICE_PASSWORD'] });
});

it('reads what Windows writes, and a value of several lines', () => {
  const text = '\uFEFFA=1\r\nSLUICE_PASSWORD="2\r\n3=4\r\nfive"\r\n\r\nC=6';
  const { file, values } = read(text);
  expect(values).toEqual({ SLUICE_PASSWORD: '2\n3=4\nfive' });
  expect(file).toMatchObject({ others: ['A', 'C'] });
});

it.each(['pa#ss', 'a#', 'p a#s # s', 'x"y"#'])(
  'refuses a secret that would be cut off: %s',
  (secret) => {
    expect(() => read(`SLUICE_USERNAME=ada\nSLUICE_PASSWORD=${secret}\n`)).toThrow(
      /SLUICE_PASSWORD in .* holds #, after which it would be cut off/,
    );
    // It is not needed.
    expect(read(`SLUICE_PASSWORD=${secret}\n`, { SLUICE_PASSWORD: 'x' }).values).toEqual({});
  },
);

it.each([
  ["'pa#ss' # mine", 'pa#ss'],
  ['"pa#ss"#mine', 'pa#ss'],
  ['secret # mine', 'secret'],
  ['secret\n#SLUICE_PASSWORD=old#er', 'secret'],
])('takes a secret whose end is clear: %s', (written, secret) => {
  expect(read(`SLUICE_PASSWORD=${written}\n`).values).toEqual({ SLUICE_PASSWORD: secret });
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
  expect(inFile).not.toContain('SLUICE_STATE');
  expect(inFile).not.toContain('SLUICE_PASSWORD_FILE');
});

it('the example sets nothing before it is filled in', () => {
  expect(read(renderEnvExample()).file).toEqual({
    values: new Map(),
    taken: [],
    others: [],
    left: [],
    emptied: expect.arrayContaining(['SLUICE_USERNAME', 'SLUICE_PASSWORD']),
    isReadByOthers: false,
  });
});
