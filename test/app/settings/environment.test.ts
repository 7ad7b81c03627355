import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  environmentWith,
  type FileSettings,
  readEnvironment,
} from '../../../src/app/settings/environment.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { problemOf } from '../../platform/test-server.js';

const folder = tempFolder();
const KEY = { header: 'X-API-Key', scheme: null };
const NO_SETTINGS: FileSettings = { values: new Map(), others: [], left: [], emptied: [] };

function fileOf(text: string): string {
  const path = join(folder, 'secret');
  writeFileSync(path, text);
  return path;
}

describe('the environment', () => {
  it('tells address, state file and log level, and an empty variable is none', () => {
    const told = readEnvironment({
      SLUICE_URL: 'https://p.example',
      SLUICE_STATE: 's.db',
      SLUICE_LOG_LEVEL: 'info',
    });
    expect(told).toMatchObject({ url: 'https://p.example', state: 's.db', logLevel: 'info' });
    const empty = readEnvironment({ SLUICE_URL: '', SLUICE_STATE: '', SLUICE_LOG_LEVEL: '' });
    expect([empty.url, empty.state, empty.logLevel]).toEqual([undefined, undefined, undefined]);
  });

  it('tells any variable that is set and not empty', () => {
    const { variable } = readEnvironment({ DAY: 'monday', NIGHT: '' });
    expect([variable('DAY'), variable('NIGHT'), variable('NOON')]).toEqual([
      'monday',
      undefined,
      undefined,
    ]);
    expect(['constructor', '__proto__', 'toString'].map((name) => variable(name))).toEqual(
      Array(3).fill(undefined),
    );
  });
});

describe('credentials', () => {
  it('come from their variables, to the letter', () => {
    const variables = { SLUICE_USERNAME: ' ada ', SLUICE_PASSWORD: 'pä:ss\n' };
    expect(readEnvironment(variables).credentials('basic')).toEqual({
      username: ' ada ',
      password: 'pä:ss\n',
    });
  });

  it.each([
    ['hunter2', 'hunter2'],
    ['hunter2\n', 'hunter2'],
    ['hunter2\r\n', 'hunter2'],
    ['hunter2\n\n', 'hunter2\n'],
    [' hun ter2 ', ' hun ter2 '],
    ['pä:ss', 'pä:ss'],
  ])('in a file with %j are %j', (text, password) => {
    const variables = { SLUICE_USERNAME: 'ada', SLUICE_PASSWORD_FILE: fileOf(text) };
    expect(readEnvironment(variables).credentials('basic')).toEqual({ username: 'ada', password });
  });

  it('come from the variable where both are set, and from the file where it is empty', () => {
    const path = fileOf('from the file');
    const both = { SLUICE_USERNAME: 'from the variable', SLUICE_USERNAME_FILE: path };
    const environment = readEnvironment({
      ...both,
      SLUICE_PASSWORD: '',
      SLUICE_PASSWORD_FILE: path,
    });
    expect(environment.credentials('basic')).toEqual({
      username: 'from the variable',
      password: 'from the file',
    });
  });

  it.each(['SLUICE_USERNAME', 'SLUICE_USERNAME_FILE'])(
    'with a colon in what %s gives are refused, unlike a password with one',
    async (variable) => {
      const given = variable === 'SLUICE_USERNAME' ? 'ada:1' : fileOf('ada:1');
      const variables = { [variable]: given, SLUICE_PASSWORD: 'hun:ter2' };
      const problem = await problemOf(() => readEnvironment(variables).credentials('basic'));
      expect(problem).toMatchObject({ code: 'usage', message: expect.stringContaining(variable) });
      expect(problem.message).toMatch(
        /^The user name that \S+ gives has a colon, which HTTP Basic/,
      );
      expect(problem.message).not.toContain('ada');
    },
  );

  it.each([
    ['SLUICE_USERNAME', { SLUICE_PASSWORD: 'hunter2' }],
    ['SLUICE_PASSWORD', { SLUICE_USERNAME: 'ada' }],
  ])('without %s are refused with what to set', async (variable, variables) => {
    const problem = await problemOf(() => readEnvironment(variables).credentials('basic'));
    expect(problem).toMatchObject({ code: 'usage', message: expect.stringContaining(variable) });
    expect(problem.message).not.toContain('hunter2');
  });

  const emptied = { SLUICE_USERNAME: '', SLUICE_PASSWORD: 'pw' };
  it.each<[string, Partial<FileSettings>, NodeJS.ProcessEnv]>([
    ['in the environment', {}, emptied],
    [
      'in the environment, with the password in .env',
      { values: new Map([['SLUICE_PASSWORD', 'pw']]) },
      { SLUICE_USERNAME: '' },
    ],
    ['in the environment, which states both', { left: ['SLUICE_USERNAME'] }, emptied],
    ['in .env', { values: new Map([['SLUICE_PASSWORD', 'pw']]), emptied: ['SLUICE_USERNAME'] }, {}],
  ])('hold an empty user name that is set to nothing %s', (_, file, variables) => {
    const environment = environmentWith({ ...NO_SETTINGS, ...file }, variables);
    expect(environment.credentials('basic')).toEqual({ username: '', password: 'pw' });
  });

  it('hold an empty password beside a user name', () => {
    const environment = readEnvironment({ SLUICE_USERNAME: 'key', SLUICE_PASSWORD: '' });
    expect(environment.credentials('basic')).toEqual({ username: 'key', password: '' });
  });

  it.each<[string, Partial<FileSettings>, NodeJS.ProcessEnv, string]>([
    [
      'both are set to nothing',
      {},
      { SLUICE_USERNAME: '', SLUICE_PASSWORD: '' },
      'SLUICE_USERNAME',
    ],
    [
      'the environment empties what .env sets, beside a password of .env',
      { values: new Map([['SLUICE_PASSWORD', 'pw']]), left: ['SLUICE_USERNAME'] },
      { SLUICE_USERNAME: '' },
      'SLUICE_USERNAME',
    ],
    [
      'a line of .env is not filled in yet, and the password is elsewhere',
      { emptied: ['SLUICE_USERNAME'] },
      { SLUICE_PASSWORD: 'pw' },
      'SLUICE_USERNAME',
    ],
  ])('are missing where %s', async (_, file, variables, variable) => {
    const environment = environmentWith({ ...NO_SETTINGS, ...file }, variables);
    const problem = await problemOf(() => environment.credentials('basic'));
    expect(problem).toMatchObject({ code: 'usage', message: expect.stringContaining(variable) });
  });

  it('of a dialect with a key are SLUICE_API_KEY, or its file', () => {
    expect(readEnvironment({ SLUICE_API_KEY: 'k 1' }).credentials(KEY)).toEqual({ apiKey: 'k 1' });
    const inFile = readEnvironment({ SLUICE_API_KEY: '', SLUICE_API_KEY_FILE: fileOf('k2\n') });
    expect(inFile.credentials(KEY)).toEqual({ apiKey: 'k2' });
  });

  it.each([
    ['SLUICE_API_KEY', KEY, { SLUICE_USERNAME: 'ada', SLUICE_PASSWORD: 'pw' }],
    ['SLUICE_USERNAME', 'basic' as const, { SLUICE_API_KEY: 'pw' }],
  ])(
    'name %s where the dialect asks for it and only others are set',
    async (variable, auth, variables) => {
      const problem = await problemOf(() => readEnvironment(variables).credentials(auth));
      expect(problem).toMatchObject({ code: 'usage', message: expect.stringContaining(variable) });
      expect(problem.message).toMatch(/set, and the "auth" of the dialect asks for something else/);
      expect(problem.message).not.toContain('pw');
    },
  );

  it.each(['two\nlines', ' ', 'clé', 'ends with a blank '])(
    'in a key that no header carries, %j, are refused and not repeated',
    async (apiKey) => {
      const problem = await problemOf(() =>
        readEnvironment({ SLUICE_API_KEY: apiKey }).credentials(KEY),
      );
      expect(problem).toMatchObject({
        code: 'usage',
        message: expect.stringContaining('SLUICE_API_KEY'),
      });
      expect(problem.message).not.toContain(apiKey.trim() || apiKey.repeat(9));
    },
  );

  it('are both named where both are missing', async () => {
    const problem = await problemOf(() => readEnvironment({}).credentials('basic'));
    expect(problem.message).toBe(
      "The platform's credentials are missing: set SLUICE_USERNAME and SLUICE_PASSWORD, also in the file .env of this folder, or SLUICE_USERNAME_FILE and SLUICE_PASSWORD_FILE to a file instead.",
    );
  });

  it.each(['', '\n', '\r\n'])('in a file that holds only %j are refused', async (text) => {
    const path = fileOf(text);
    const variables = { SLUICE_USERNAME: 'ada', SLUICE_PASSWORD_FILE: path };
    const problem = await problemOf(() => readEnvironment(variables).credentials('basic'));
    expect(problem).toMatchObject({
      code: 'usage',
      message: `The file that SLUICE_PASSWORD_FILE names is empty: ${path}.`,
    });
  });

  it('in a file that is not there, or is a folder, are refused by variable and path', async () => {
    const directory = join(folder, 'directory');
    mkdirSync(directory);
    for (const path of [join(folder, 'missing'), directory]) {
      const variables = { SLUICE_USERNAME_FILE: path, SLUICE_PASSWORD: 'hunter2' };
      const problem = await problemOf(() => readEnvironment(variables).credentials('basic'));
      expect(problem).toMatchObject({
        code: 'usage',
        message: expect.stringContaining('SLUICE_USERNAME_FILE'),
      });
      expect(problem.message).toContain(`SLUICE_USERNAME_FILE names cannot be read: ${path}`);
    }
  });
});

describe('the secret of webhooks', () => {
  it('comes from its variable or its file, the variable first, and may be missing', () => {
    const path = fileOf('from the file\n');
    const [variable, file] = ['SLUICE_WEBHOOK_SECRET', 'SLUICE_WEBHOOK_SECRET_FILE'];
    const told = (variables: NodeJS.ProcessEnv) => readEnvironment(variables).webhookSecret();
    expect(told({})).toBeUndefined();
    expect(told({ [variable]: '' })).toBeUndefined();
    expect(told({ [variable]: ' s3cret ' })).toBe(' s3cret ');
    expect(told({ [file]: path })).toBe('from the file');
    expect(told({ [variable]: 's3cret', [file]: path })).toBe('s3cret');
  });

  it('that is blank is refused by the variable that gives it', async () => {
    const [variable, file] = ['SLUICE_WEBHOOK_SECRET', 'SLUICE_WEBHOOK_SECRET_FILE'];
    const path = fileOf(' \t\n');
    for (const [name, value] of [
      [variable, '  '],
      [file, path],
    ] as const) {
      const problem = await problemOf(() => readEnvironment({ [name]: value }).webhookSecret());
      expect(problem).toMatchObject({ code: 'usage', message: expect.stringContaining(name) });
      expect(problem.message).toContain(`that ${name} gives is blank`);
    }
  });
});

describe('the password of the pages', () => {
  const told = (variables: NodeJS.ProcessEnv) => readEnvironment(variables).uiPassword();

  it('comes from its variable or its file, and may be missing', () => {
    const path = fileOf('correct horse battery\n');
    expect(told({})).toBeUndefined();
    expect(told({ SLUICE_UI_PASSWORD: 'twelve chars' })).toBe('twelve chars');
    expect(told({ SLUICE_UI_PASSWORD_FILE: path })).toBe('correct horse battery');
  });

  it('that is short is refused by the variable that gives it, and not repeated', async () => {
    const problem = await problemOf(() => told({ SLUICE_UI_PASSWORD_FILE: fileOf('11 letters!') }));
    expect(problem).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('SLUICE_UI_PASSWORD_FILE'),
    });
    expect(problem.message).toContain('needs 12 characters or more');
    expect(problem.message).not.toContain('11 letters!');
  });
});
