// Under a Node that SQLite's binding was not built for, and where it cannot be loaded at all.
import { describe, expect, test } from 'vitest';
import { PACKAGE } from '../../src/store/sqlite/database/better-sqlite3.js';
import { complaintOf, csv, openWorkdir, people } from '../helpers/workdir.js';

const PRELOAD = new URL('../helpers/other-node.mjs', import.meta.url).href;
const env = { NODE_OPTIONS: `--import ${PRELOAD}`, SLUICE_URL: 'sandbox' };
const ENRICH = 'enrich leads.csv --out out.csv --ask find_email --state state.db';

describe.concurrent('SQLite that was built for another Node', () => {
  const says = `SQLite's binding was built for another Node than this one (${process.version}).`;
  const advice = `Run npm rebuild ${PACKAGE} where Sluice is installed, with the Node that runs it.`;

  test.each([ENRICH, 'status --state state.db', 'plan leads.csv --ask find_email'])(
    'is told by itself: %s',
    async (line) => {
      const dir = openWorkdir()
        .write('leads.csv', csv(people(1)))
        .write('state.db', '');
      expect(await dir.refusal(line, { code: 5, env })).toBe(`${says} ${advice}`);
    },
  );

  test('is told by doctor, which advises no other state file', async () => {
    const dir = openWorkdir().write('state.db', '');
    const ended = await dir.sluice('doctor --state state.db --json', { env });
    expect(ended).toMatchObject({ code: 1, stderr: '' });
    const { checks } = JSON.parse(ended.stdout) as { checks: { check: string }[] };
    expect(checks).toContainEqual({ check: 'sqlite', verdict: 'fail', says, advice });
    expect(checks).toContainEqual(
      expect.objectContaining({ check: 'state', verdict: 'fail', says: `${says} ${advice}` }),
    );
    expect(ended.stdout).not.toContain('--state');
  });

  test('or cannot be loaded for another reason is told in one sentence', async () => {
    const trouble = "libc.so.6: version `GLIBC_2.99' not found\n(required by better_sqlite3.node)";
    const dir = openWorkdir().write('leads.csv', csv(people(1)));
    const ended = await dir.sluice(ENRICH, { env: { ...env, ANOTHER_TROUBLE: trouble } });
    expect(complaintOf(ended)).toMatch(
      /^SQLite's binding cannot be loaded: libc\.so\.6: .* not found \(required by better_sqlite3\.node\)\. Run npm rebuild better-sqlite3/,
    );
  });

  test('or whose package npm left out, since it could not be built', async () => {
    const dir = openWorkdir().write('leads.csv', csv(people(1)));
    const ended = await dir.sluice(ENRICH, { env: { ...env, NO_SQLITE: '1' } });
    expect(complaintOf(ended)).toMatch(
      /^The package better-sqlite3\S* .* could not be built when Sluice was installed\. Install Sluice again /,
    );
  });
});
