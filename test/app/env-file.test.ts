import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadEnvFile } from '../../src/app/env-file.js';
import { SluiceError } from '../../src/domain/errors.js';
import { tempFolder } from '../helpers/temp-folder.js';

const folder = tempFolder();
let count = 0;

function fileOf(content: string | Uint8Array): string {
  const path = join(folder, `env-${(count += 1)}`);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

/** What the variables are after the file was read, and what was said of it. */
function load(content: string | Uint8Array, variables: NodeJS.ProcessEnv = {}) {
  const file = loadEnvFile(fileOf(content), variables);
  return { file, variables };
}

it('sets what nobody has set', () => {
  const { file, variables } = load('# mine\nSLUICE_USERNAME=ada\nexport PLACE = "here # there"\n');
  expect(variables).toEqual({ SLUICE_USERNAME: 'ada', PLACE: 'here # there' });
  expect(file).toEqual({ taken: ['PLACE', 'SLUICE_USERNAME'], left: [], isOpen: false });
});

it('leaves what is set already, be it set to nothing', () => {
  const { file, variables } = load('A=1\nB=2\nC=3\n', { A: 'mine', B: '' });
  expect(variables).toEqual({ A: 'mine', B: '', C: '3' });
  expect(file).toMatchObject({ taken: ['C'], left: ['A', 'B'] });
});

it('takes no password where a file of one is set, which would lose against it, nor the reverse', () => {
  const set = { SLUICE_PASSWORD_FILE: '/run/secret', SLUICE_USERNAME: 'ada' };
  const { file } = load('SLUICE_PASSWORD=x\nSLUICE_USERNAME_FILE=y\nSLUICE_URL=z\n', set);
  expect(file).toMatchObject({
    taken: ['SLUICE_URL'],
    left: ['SLUICE_PASSWORD', 'SLUICE_USERNAME_FILE'],
  });
});

it('takes both where only the file says them, and nothing that is not filled in', () => {
  const { file } = load(
    'SLUICE_PASSWORD=x\nSLUICE_PASSWORD_FILE=y\nSLUICE_STATE=\nSLUICE_URL=""\n',
  );
  expect(file).toMatchObject({ taken: ['SLUICE_PASSWORD', 'SLUICE_PASSWORD_FILE'], left: [] });
});

it('reads what Windows writes, and a value of several lines', () => {
  const { variables } = load('\uFEFFA=1\r\nB="2\r\n3=4\r\nfive"\r\n\r\nC=6');
  expect(variables).toEqual({ A: '1', B: '2\n3=4\nfive', C: '6' });
});

it.each([
  ['no name', 'A=1\n\n=secret\n', 3],
  ['no value', 'A="1\n2"\nsecret\nB=2', 3],
  ['another language', 'SLUICE_PASSWORD: secret\n', 1],
  ['a name of two words', 'MY PASSWORD=secret\n', 1],
])('refuses a line with %s, by its number and without its text', (_, content, line) => {
  const variables = {};
  const refuse = () => loadEnvFile(fileOf(content), variables);
  expect(refuse).toThrow(SluiceError);
  expect(refuse).toThrow(`line ${line}: this says nothing`);
  expect(refuse).not.toThrow('secret');
  expect(variables).toEqual({});
});

it('refuses what is no text, and what is far too long', () => {
  expect(() => load(Buffer.from('A=1\n', 'utf16le'))).toThrow('it is not UTF-8 text');
  expect(() => load(`A=${'x'.repeat(300_000)}`)).toThrow('larger than');
});

it('is content without a file, and with a folder of that name', () => {
  expect(loadEnvFile(join(folder, 'none'), {})).toBeUndefined();
  mkdirSync(join(folder, '.env'));
  expect(loadEnvFile(join(folder, '.env'), {})).toBeUndefined();
});

it.skipIf(process.platform === 'win32')('tells when others may read it', () => {
  const path = fileOf('A=1');
  chmodSync(path, 0o640);
  expect(loadEnvFile(path, {})?.isOpen).toBe(true);
});
