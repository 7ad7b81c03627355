// A state that cannot be used: exit 5 (2 where it is none), one sentence, and not a byte of it changed.
import { chmodSync, linkSync, readFileSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { canBeUnprivileged } from '../helpers/command-line.js';
import { answering, startServer } from '../helpers/counting-server.js';
import { changeForeign, makeNewer } from '../helpers/state.js';
import { complaintOf, csv, openWorkdir, type Workdir } from '../helpers/workdir.js';

const silent = await startServer(answering({}));

const ENRICH = 'enrich leads.csv --out out.csv --ask find_email --state state.db';

function withLeads(): Workdir {
  return openWorkdir(silent.url).write('leads.csv', csv(['Jane,Doe,acme.com']));
}

/** Runs a command, which must not touch the state file, and hands back its one sentence. */
async function refusal(dir: Workdir, line: string, isUnprivileged = false): Promise<string> {
  const before = readFileSync(dir.at('state.db'));
  const files = dir.files();
  const ended = await dir.sluice(line, { isUnprivileged });
  expect(ended).toMatchObject({ code: 5, stdout: '' });
  expect(readFileSync(dir.at('state.db')).equals(before)).toBe(true);
  expect(dir.files()).toEqual(files);
  expect(silent.asked).toEqual([]);
  return complaintOf(ended);
}

describe.concurrent('a state file that cannot be used is exit 5 and left untouched', () => {
  test.each([ENRICH, 'status --state state.db'])('text, for %s', async (line) => {
    const dir = withLeads().write('state.db', 'not a database\n'.repeat(100));
    expect(await refusal(dir, line)).toBe(
      'The state file state.db cannot be opened: it is not a state file. Restore it from a backup (made by sluice state backup) if it was one. Another file, named with --state, knows nothing of what is paid for.',
    );
  });

  test('the database of another program', async () => {
    const dir = withLeads();
    changeForeign(dir.at('state.db'), 'CREATE TABLE bookmarks (url TEXT)');
    expect(await refusal(dir, ENRICH)).toContain('state.db is a database of another program');
  });

  test('one with a second name, whose log the other name does not read', async () => {
    const dir = withLeads();
    await openSqliteStore(dir.at('state.db')).close();
    linkSync(dir.at('state.db'), dir.at('other.db'));
    expect(await refusal(dir, ENRICH)).toMatch(
      /^The state file state\.db has another name as well/,
    );
  });

  test('a state file of a newer Sluice', async () => {
    const dir = withLeads();
    await openSqliteStore(dir.at('state.db')).close();
    makeNewer(dir.at('state.db'));
    expect(await refusal(dir, ENRICH)).toMatch(/was written by a newer Sluice \(schema 999;/);
  });

  test.skipIf(!canBeUnprivileged)('a read-only one', async () => {
    const dir = withLeads();
    await openSqliteStore(dir.at('state.db')).close();
    chmodSync(dir.at('state.db'), 0o444);
    expect(await refusal(dir, ENRICH, true)).toBe(
      'The state file state.db cannot be opened: permission is denied. Fix that. Another file, named with --state, knows nothing of what is paid for.',
    );
  });

  test('a folder', async () => {
    const dir = withLeads().write('state/keep', '');
    expect(await dir.refusal(ENRICH.replace('state.db', 'state'), { code: 5 })).toContain(
      'The state file state cannot be opened: it is a folder',
    );
    expect(silent.asked).toEqual([]);
  });

  test.each(['status', 'runs', 'runs --json', 'plan leads.csv --ask find_email'])(
    'below a file, and behind a link to nowhere, for %s',
    async (line) => {
      const file = withLeads().write('data', 'no folder');
      const link = withLeads();
      symlinkSync('/nowhere/at/all', link.at('data'));
      for (const dir of [file, link]) {
        expect(await dir.sluice(line)).toMatchObject({ code: 5, stdout: '' });
      }
    },
  );

  test.each([ENRICH, 'status'])('none but memory, for %s', async (line) => {
    const dir = withLeads();
    expect(
      await dir.refusal(`${line.replace(' --state state.db', '')} --state :memory:`),
    ).toContain('Name a file, or a database');
    expect(silent.asked).toEqual([]);
    const doctor = await dir.sluice('doctor --state :memory: --url sandbox');
    expect(doctor.stdout).toMatch(/^fail +state .*Name a file, or a database/m);
    expect(doctor.code).toBe(1);
  });

  test.each(['status', 'runs', 'ui --port 0'])(
    'one in a folder that is not there, for %s',
    async (line) => {
      const dir = withLeads();
      expect(await dir.refusal(line, { code: 5, env: { SLUICE_STATE: 'mounted/state.db' } })).toBe(
        'There is no state file mounted/state.db, nor its folder: nothing has run with it. Name another with --state.',
      );
      expect(dir.files()).toEqual(['leads.csv']);
    },
  );

  test('one that cannot be looked at, for status', async () => {
    const dir = withLeads();
    expect(
      await dir.refusal('status', { code: 5, env: { SLUICE_STATE: 'leads.csv/state.db' } }),
    ).toContain('cannot be opened: its folder is a file');
  });
});

test('a copy asks for what it needs, and makes nothing where there is nothing', async () => {
  const dir = openWorkdir();
  expect(complaintOf(await dir.sluice('state copy no.db new.db'))).toContain('is not there');
  expect(dir.files()).toEqual([]);
  expect(complaintOf(await dir.sluice('state copy a.db'))).toContain('needs one more argument');
});
