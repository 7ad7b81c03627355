import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  dialectJsonSchema,
  loadDialect,
  readyMadeDialects,
} from '../../src/config/load-dialect.js';
import { NEUTRAL_DIALECT } from '../../src/dialect/dialect.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { problemOf } from '../platform/test-server.js';
import { lineOf } from './line-of.js';

const folder = tempFolder();

async function load(text: string) {
  const file = join(folder, 'acme.yaml');
  await writeFile(file, text);
  return loadDialect(file);
}

describe('a dialect file', () => {
  it('is the neutral dialect when there is none, or nothing in it', async () => {
    expect(await loadDialect()).toEqual(NEUTRAL_DIALECT);
    expect(await load('')).toEqual(NEUTRAL_DIALECT);
    expect(await load('# nothing\n')).toEqual(NEUTRAL_DIALECT);
  });

  it('changes what it names and nothing else', async () => {
    const dialect = await load(
      'prefix: /v2\nlimits:\n  rate: 5/1s\nemailStatuses:\n  risky: [maybe]\n',
    );
    expect(dialect).toEqual({
      ...NEUTRAL_DIALECT,
      prefix: '/v2',
      limits: { ...NEUTRAL_DIALECT.limits, rate: [{ requests: 5, perMs: 1_000 }] },
      emailStatuses: { ...NEUTRAL_DIALECT.emailStatuses, risky: ['maybe'] },
    });
  });

  it.each<[string, string, RegExp, number?]>([
    [
      'prefix: /v2\nenrich:\n  inputz:\n    email: mail\n',
      'enrich.inputz',
      /Did you mean "inputs"\?/,
    ],
    [
      'fields:\n  profile:\n    firstname: x\n',
      'fields.profile.firstname',
      /Did you mean "firstName"\?/,
    ],
    [
      'limits:\n  throttled:\n    - status: 429\n    - status: 403\n      wort: x\n',
      'limits.throttled.1.wort',
      /"word"/,
    ],
    [
      'webhooks:\n  signature:\n    header: X-Signature\n    hash: sha256\n    encodin: hex\n',
      'webhooks.signature.encodin',
      /Did you mean "encoding"\?/,
    ],
    ['\n\nzzzzzz: 1\n', 'zzzzzz', /Known here: prefix, auth, headers/],
    [
      'prefix: 1\nbogus: 2\n',
      'prefix',
      /: "prefix": a text is wanted: put it in quotes\. Line 2: "bogus" is not a key/,
    ],
    [
      'prices:\n  find_email: five\n',
      'prices.find_email',
      /a price is a number of credits from 0 to 1000000, with three decimals at most/,
    ],
    ['enrich:\n  path: //evil.example/enrich\n', 'enrich.path', /below the base address/],
    ['enrich:\n  path: /a/%2e%2E/b\n', 'enrich.path', /below the base address/],
    [
      'peopleSchema:\n  path: https://evil.example/\n',
      'peopleSchema.path',
      /below the base address/,
    ],
    ['prefix: /v2/\n', 'prefix', /does not end with one/],
    ['limits:\n  rate: 20 per 2s\n', 'limits.rate', /20\/2s/],
    ['limits:\n  throttled:\n    - status: 200\n', 'limits.throttled.0', /needs a "word"/, 3],
    ['requires:\n  find_email: [[name]]\n', 'requires.find_email.0.0', /email/],
    ['answer:\n  read:\n    ticket: a..b\n', 'answer.read.ticket', /joined by dots/],
    ['answer:\n  read:\n    ticket: {a: 1}\n', 'answer.read.ticket', /list of such paths/],
    ['bulk:\n  max: 0\n', 'bulk.max', /1/],
    ['bulk:\n  max: 10001\n', 'bulk.max', /10000/],
    ['bulk:\n  answer:\n    tikcet: id\n', 'bulk.answer.tikcet', /Did you mean "ticket"\?/],
    ['bulk:\n  metadata: .\n', 'bulk.metadata', /"\." means all of it/],
    ['hooks:\n  path: //evil.example/\n', 'hooks.path', /below the base address/],
    ['hooks:\n  remove:\n    path: /hooks\n', 'hooks.remove.path', /\{id\} exactly once/],
    [
      'lists:\n  add:\n    path: /lists/{id}/members\n',
      'lists.add.path',
      /\{listId\} exactly once/,
    ],
    ['lists:\n  add:\n    members: names\n', 'lists.add.members', /objects/],
    [
      'drafts:\n  path: /drafts/{draftId}\n',
      'drafts.path',
      /\{contactId\} and \{draftId\} exactly once/,
    ],
    ['bulk: null\n', 'bulk', /has no bulk call, say bulk: \{ path: null \}/],
    ['- a\n', '', /the file holds no keys/, 1],
    ['hello\n', '', /the file holds no keys/, 1],
    ['limits:\n  rate: 20\n', 'limits.rate', /20\/2s/],
  ])('with %j is refused by file, line and key', async (text, key, message, at) => {
    const line = at ?? lineOf(text, key);
    const problem = await problemOf(() => load(text));
    expect(problem.code).toBe('usage');
    expect(problem.message).toContain(`acme.yaml, line ${line}: `);
    expect(problem.message).toContain(key);
    expect(problem.message).toMatch(message);
  });

  it('that is not there, or far too large, is refused by name', async () => {
    const missing = await problemOf(() => loadDialect(join(folder, 'missing.yaml')));
    expect(missing).toMatchObject({ code: 'usage' });
    expect(missing.message).toMatch(/missing\.yaml cannot be read: ENOENT/);
    const large = await problemOf(() => load('#'.repeat(70_000)));
    expect(large.message).toContain('larger than');
  });
});

describe('a ready-made dialect', () => {
  const folderOf = (...files: readonly string[]) => {
    const made = tempFolder();
    for (const file of files) writeFileSync(join(made, file), 'prefix: /v7\n');
    return made;
  };

  it('is known by its name', async () => {
    const made = folderOf('acme-one.yaml', 'beta.yaml', 'dialect.schema.json');
    expect(readyMadeDialects(made)).toEqual(['acme-one', 'beta']);
    expect(await loadDialect('acme-one', made)).toMatchObject({ prefix: '/v7' });
  });

  it('that there is not is refused, with the nearest name', async () => {
    const problem = await problemOf(() => loadDialect('betta', folderOf('beta.yaml')));
    expect(problem).toMatchObject({ code: 'usage', message: expect.stringContaining('betta') });
    expect(problem.message).toMatch(/no ready-made dialect "betta"\. Did you mean "beta"\?/);
    expect(readyMadeDialects(join(folder, 'gone'))).toEqual([]);
  });

  it('is no file here: a file of its name is asked about, and one without such a name is read', async () => {
    // The tests run in a folder where this name is taken.
    const problem = await problemOf(() => loadDialect('src', folderOf('src.yaml')));
    expect(problem.message).toContain('Write ./src for the file, or rename it.');
    const read = await problemOf(() => loadDialect('src', folderOf()));
    expect(read.message).toContain('The dialect file src cannot be read');
  });
});

describe('the schema for editors', () => {
  it('is what dialects/dialect.schema.json holds', () => {
    const file = new URL('../../dialects/dialect.schema.json', import.meta.url);
    const written: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const current: unknown = JSON.parse(JSON.stringify(dialectJsonSchema()));
    expect(written, 'dialects/dialect.schema.json is out of date: npm run generate').toEqual(
      current,
    );
  });

  it('has every key of a dialect and no other', () => {
    const { properties, additionalProperties } = dialectJsonSchema() as {
      properties: object;
      additionalProperties: boolean;
    };
    expect(Object.keys(properties).toSorted()).toEqual(Object.keys(NEUTRAL_DIALECT).toSorted());
    expect(additionalProperties).toBe(false);
  });
});
