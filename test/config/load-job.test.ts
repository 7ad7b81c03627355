import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadJob } from '../../src/config/load-job.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { problemOf } from '../platform/test-server.js';
import { lineOf } from './line-of.js';

const folder = tempFolder();
const file = join(folder, 'nightly.yaml');
const SECRET = 'hunter2';

const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['PLATFORM', 'platform.example'],
  ['DAY', '2024-05-01'],
  ['SLUICE_URL', 'https://platform.example'],
  ['SLUICE_USERNAME', 'ada'],
  ['SLUICE_PASSWORD', SECRET],
  ['WITH_PASSWORD', `https://ada:${SECRET}@platform.example`],
  ['NESTED', '${DAY}'],
]);

async function load(text: string) {
  await writeFile(file, text);
  return loadJob(file, (name) => VARIABLES.get(name));
}

describe('a job file', () => {
  it('is read as it stands, and nothing is filled in', async () => {
    expect(await load('input: leads.csv\n')).toEqual({ input: 'leads.csv' });
    const text = [
      'input: [a.csv, "b/*.csv"]',
      'out: out.csv',
      'ask: [find_email, find_phone]',
      'map: {firstName: fname, email: ""}',
      'rate: 20/2s',
      'concurrency: 5',
      'positions: wide:3',
      'fresh-for: 30d',
      'excel: true',
      'delimiter: "\\t"',
    ];
    expect(await load(text.join('\n'))).toEqual({
      input: ['a.csv', 'b/*.csv'],
      out: 'out.csv',
      ask: ['find_email', 'find_phone'],
      map: { firstName: 'fname', email: '' },
      rate: '20/2s',
      concurrency: 5,
      positions: 'wide:3',
      'fresh-for': '30d',
      excel: true,
      delimiter: '\t',
    });
  });

  it('may state a port as the number that it is', async () => {
    const job = await load('input: x\nlisten: 8640\n');
    expect(job).toMatchObject({ listen: '8640' });
  });

  it('may use variables of the environment in any text', async () => {
    const job = await load(
      'input: ["${DAY}.csv"]\nurl: https://${PLATFORM}/v2\nout: ${DAY}-${DAY}.csv\n',
    );
    expect(job).toEqual({
      input: ['2024-05-01.csv'],
      url: 'https://platform.example/v2',
      out: '2024-05-01-2024-05-01.csv',
    });
    expect(await load('input: x\nurl: ${SLUICE_URL}\n')).toMatchObject({
      url: 'https://platform.example',
    });
  });

  it('does not fill in what a variable holds, nor what merely looks like one', async () => {
    expect(await load('input: ${NESTED}\n')).toEqual({ input: '${DAY}' });
    expect(await load('input: $DAY {DAY} ${DAY\n')).toEqual({ input: '$DAY {DAY} ${DAY' });
  });

  it('may repeat a value by an anchor', async () => {
    expect(await load('input: &f leads.csv\nout: *f\n')).toEqual({
      input: 'leads.csv',
      out: 'leads.csv',
    });
  });

  it('may name an account in a path or an address, where it is no credential', async () => {
    const job = await load('input: in/ada@example.com.csv\nurl: https://p.example/a@b\n');
    expect(job).toEqual({ input: 'in/ada@example.com.csv', url: 'https://p.example/a@b' });
  });
});

describe('a job file is refused by file, line and key', () => {
  it.each<[string, string, RegExp, number?]>([
    ['input: x\n\noutt: a.csv\n', 'outt', /"outt" is not a key .* Did you mean "out"\?/],
    ['input: x\nFresh_For: 1d\n', 'Fresh_For', /Did you mean "fresh-for"\?/],
    ['input: x\nmap:\n  emial: mail\n', 'map.emial', /Did you mean "email"\?/],
    ['input: x\nmap:\n  telephone: tel\n', 'map.telephone', /Known here: email, /],
    [
      'input: x\nlist:\n  name: x\n  wher: a=1\n',
      'list.wher',
      /"list\.wher" is not a key that is known here\. Did you mean "where"\?$/,
    ],
    ['input: x\nlist: { name: x, zzzzzz: 1 }\n', 'list.zzzzzz', /Known here: name, where\.$/],
    [
      "input: x\nlist:\n  name: ''\n",
      'list.name',
      /"list\.name": a contact list needs a name that is not empty\.$/,
    ],
    [
      "input: x\nlist:\n  name: x\n  where: ''\n",
      'list.where',
      /"list\.where": an expression is not empty; leave it out to choose every row\.$/,
    ],
    [
      'input: x\nzzzzzzz: 1\n',
      'zzzzzzz',
      /is not a key that is known here\. Known here: input, out, /,
    ],
    ['out: x.csv\n', 'input', /"input": name a file to read, a glob/, 1],
    ['', 'input', /"input": name a file to read, a glob/, 1],
    ['input: []\n', 'input', /"input"/],
    ['input: x\nlimit: many\n', 'limit', /"limit"/],
    ['input: x\nurl: 7\n', 'url', /"url": a text is wanted: put it in quotes\.$/],
    [
      'input: x\nout: { positions: p.csv }\n',
      'out',
      /"out": the table of the people is missing: give --out, or the key people beside .*\.$/,
    ],
    [
      'input: x\nout:\n  people: a.csv\n  positions: "-"\n',
      'out.positions',
      /only the table of the people goes to standard output\.$/,
    ],
    ['input: x\nurl:\n', 'url', /"url": it has no value/],
    ['input: x\nbom: "yes"\n', 'bom', /it is true or false/],
    ['input: x\nconcurrency: 0\n', 'concurrency', /"concurrency"/],
    ['input: x\nlimit: 1.5\n', 'limit', /"limit"/],
    ['input: x\nask: find_email\n', 'ask', /"ask": .* list/],
    ['input: x\nask:\n  - find_email\n  - find_fax\n', 'ask.1', /find_phone/, 4],
    ['input: x\nask: []\n', 'ask', /"ask"/],
    ['input: x\ndeadline: 2 hours\n', 'deadline', /30d, 2h, 90m or 10s/],
    ['input: x\ntimeout: 2m\n', 'timeout', /like 45s, from 1s to 90s/],
    ['input: x\nfresh-for: 0d\n', 'fresh-for', /30d, 2h, 90m or 10s/],
    ['input: x\nrate: 20 per 2s\n', 'rate', /20\/2s, \[20\/2s, 100\/60s\], or off/],
    ['input: x\npositions: wide:99\n', 'positions', /wide:N/],
    ['input: x\ndelimiter: "#"\n', 'delimiter', /a delimiter is tab/],
    ['input: x\nformat: xml\n', 'format', /it is one of csv, ndjson/],
    ['input: x\nlisten: 99999\n', 'listen', /PORT or HOST:PORT/],
    ['input: x\nnotify: a.sh\n', 'notify', /below it: url, command, on\.$/],
    ['input: x\nmap: [a]\n', 'map', /below it: email, socialUrl, /],
    [
      'zzzzzz: 1\nbom: 2\ninput: x\nout: 1\nmap: { emial: x }\n',
      'zzzzzz',
      /"zzzzzz" .* Line 2: "bom": .* Line 4: "out": .* Line 5: "map\.emial" .*"email"\?$/,
    ],
    [
      Array.from({ length: 900 }, (_, at) => `nothing${at}: x\n`).join('') + 'input: x\n',
      'nothing0',
      / Line 10: .*\. And 890 more\.$/,
      1,
    ],
    ['- a\n', '', /the file/, 1],
    [
      'input: x\nurl: https://${NOWHERE}/\n',
      'url',
      /\$\{NOWHERE\} is an environment variable .* not set, or set to nothing/,
    ],
    ['input: x\nmap:\n  email: ${}\n', 'map.email', /\$\{\} is an environment variable/],
    ['input:\n  - x\n  - ${NOWHERE}\n', 'input.1', /NOWHERE/, 3],
    ['input: x\nmap: &m\n  email: *m\n', 'map.email', /nested/],
  ])('for %.80j', async (text, key, message, at) => {
    const line = at ?? lineOf(text, key);
    const problem = await problemOf(() => load(text));
    expect(problem.code).toBe('usage');
    expect(problem.message).toContain(`Job ${file}, line ${line}: `);
    expect(problem.message).toMatch(message);
  });

  it.each([
    'input: {\n',
    'input: x\ninput: y\n',
    '--- {}\n--- {}\n',
    `input: ${'['.repeat(50_000)}`,
  ])('for YAML that is none: %.20j', async (text) => {
    const problem = await problemOf(() => load(text));
    expect(problem.code).toBe('usage');
    expect(problem.message).toMatch(/line \d: not YAML: /);
  });

  it('for aliases that would explode, or lead nowhere', async () => {
    const levels = Array.from({ length: 9 }, (_, i) => {
      const inner = i === 0 ? 'x' : `*a${i - 1}`;
      return `a${i}: &a${i} [${Array.from({ length: 9 }, () => inner).join(', ')}]`;
    });
    for (const text of [levels.join('\n'), 'input: *nobody\n', 'input: &a [*a]\n']) {
      expect((await problemOf(() => load(text))).code).toBe('usage');
    }
  });
});

describe('a secret in a job file is refused, and not repeated', () => {
  const keys = [
    'password',
    'Password',
    'passwd',
    'username',
    'user',
    'secret',
    'token',
    'api-key',
    'apiKey',
    'API_KEY',
    'auth',
    'authorization',
    'credentials',
  ];

  it.each(keys)('as the key %s, at any depth', async (key) => {
    for (const [text, line] of [
      [`input: x\n${key}: ${SECRET}\n`, 2],
      [`input: x\nmap:\n  ${key}: ${SECRET}\n`, 3],
    ] as const) {
      const problem = await problemOf(() => load(text));
      expect(problem.code).toBe('usage');
      expect(problem.message).toContain(`${file}, line ${line}: `);
      expect(problem.message).toContain(`the key "${key}" has no place in a job`);
      expect(problem.message).toContain('SLUICE_PASSWORD_FILE');
      expect(problem.message).not.toContain(SECRET);
    }
  });

  it.each(['SLUICE_PASSWORD', 'SLUICE_USERNAME', 'SLUICE_WEBHOOK_SECRET', 'SLUICE_PASSWORD_FILE'])(
    'as the variable %s, even where it is not set',
    async (name) => {
      const problem = await problemOf(() => load(`input: x\nout: a-\${${name}}.csv\n`));
      expect(problem).toMatchObject({
        code: 'usage',
        message: expect.stringContaining('line 2: '),
      });
      expect(problem.message).toContain(`\${${name}} has no place in a job`);
      expect(problem.message).not.toContain(SECRET);
    },
  );

  it.each([
    `https://ada:${SECRET}@platform.example`,
    `https://${SECRET}@platform.example/v2`,
    `HTTP://:${SECRET}@platform.example`,
    `https:ada:${SECRET}@platform.example`,
    `"  https://ada:${SECRET}@platform.example"`,
    `https://ada:${SECRET}@platform.example:99999`,
    '${WITH_PASSWORD}',
  ])('in the address %s', async (url) => {
    for (const text of [`input: x\nurl: ${url}\n`, `input: x\nout: ${url}\n`]) {
      const problem = await problemOf(() => load(text));
      expect(problem).toMatchObject({
        code: 'usage',
        message: expect.stringContaining('line 2: '),
      });
      expect(problem.message).toContain('an address with a user name or password has no place');
      expect(problem.message).not.toContain(SECRET);
    }
  });

  it.each([
    `pasword: ${SECRET}`,
    `webhook-secret: ${SECRET}`,
    `limit: ${SECRET}`,
    `out: {a: ${SECRET}}`,
  ])('nor is it repeated where something else is wrong: %s', async (line) => {
    const problem = await problemOf(() => load(`input: x\n${line}\n`));
    expect(problem.message).not.toContain(SECRET);
  });
});

describe('a file of another kind, given by mistake', () => {
  const HASH = '$6$Zk3jY8$1uVq0xFhW';
  it.each([
    ['accounts', `daemon:*:19000:0:99999:7:::\nroot:${HASH}:19000:0:99999:7:::\nada:${HASH}:\n`],
    ['one account', `root:${HASH}:\n`],
    ['accounts, within a key', `input:\n  root:${HASH}: x\n`],
    ['accounts, beside a key', `map:\n  "root:${HASH}": x\ninput: x\n`],
    ['a long word', `input: x\n${HASH.replaceAll('$', 'S').repeat(3)}: x\n`],
    ['an escape', `input: "\\${HASH}"\n`],
    ['a text behind a text', `input: "a" ${HASH}\n`],
    ['a block', `input: |${HASH}\n  x\n`],
    ['an alias', `input: *${HASH}\n`],
    ['a variable', `input: \${${HASH}}\n`],
  ])('is not repeated: %s', async (_, text) => {
    const { code, message } = await problemOf(() => load(text));
    expect(code).toBe('usage');
    expect(message).toMatch(/^Job .*, line \d: /);
    for (const secret of [HASH, HASH.slice(1), HASH.slice(-9), 'daemon']) {
      expect(message).not.toContain(secret);
    }
  });
});

it.each([
  ['brackets', 'input: ', '['],
  ['braces', 'input: ', '{a: '],
  ['lists', 'input:\n', '- '],
  ['keys', 'input:\n', '? '],
  ['tags', 'input: ', '!!str '],
])('a file of nothing but %s is refused by file and line', async (_, start, piece) => {
  const problem = await problemOf(() => load(start + piece.repeat(60_000 / piece.length)));
  expect(problem.code).toBe('usage');
  expect(problem.message).toMatch(/^Job .*, line \d+: not YAML: /);
});

describe('a schedule', () => {
  it('of each form that the queue takes is taken', async () => {
    for (const schedule of [
      '*/5 * * * *',
      '0 2,14 1-15/2 jan-Mar Mon-fri',
      '0 0 L * ?',
      '5 4 29 2 1#2',
    ]) {
      expect(await load(`input: a.csv\nschedule: "${schedule}"\n`)).toMatchObject({ schedule });
    }
  });

  it('that the queue would refuse is refused, with its line', async () => {
    const wrong =
      '61 * * * *|* 24 * * *|* * 0 * *|* * * 13 *|* * * * 8|5-1 * * * *|*/90 * * * *|0 0 30 feb *|* * * *|*,1 * * * *|a * * * *';
    for (const schedule of wrong.split('|')) {
      const problem = await load(`input: a.csv\nschedule: "${schedule}"\n`).catch(String);
      expect(problem, schedule).toMatch(/line 2.*minute \(0-59\)/s);
    }
  });
});

it('a file has no key of the prototype', async () => {
  const problem = await problemOf(() => load('input: x\nmap: { __proto__: { firstName: a } }\n'));
  expect(problem.message).toContain('"map.__proto__" is not a key that is known here');
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
});

it('a file that is not there, is a folder, or is far too large is refused by name', async () => {
  const missing = await problemOf(() => loadJob(join(folder, 'missing.yaml'), () => undefined));
  expect(missing.code).toBe('usage');
  expect(missing.message).toMatch(/job file .*missing\.yaml cannot be read: ENOENT/);
  await mkdir(join(folder, 'folder.yaml'));
  const directory = await problemOf(() => loadJob(join(folder, 'folder.yaml'), () => undefined));
  expect(directory.message).toContain('folder.yaml cannot be read');
  const large = await problemOf(() => load('#'.repeat(70_000)));
  expect(large.message).toContain('larger than');
});
