// A state file that nothing has run with: where its name was mistyped, everything is paid for again.
import { utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { freePort } from '../helpers/free-port.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const sandbox = await startSandboxProcess();
// Another state file does not know the table: the run with it has one of its own.
const enrich = (out: string): string =>
  `enrich leads.csv --out ${out} --ask find_email --set rate=off`;
const ENRICH = enrich('out.csv');
const NOTHING_KNOWN = 'what was paid for before is not known here.';

function withLeads(): Workdir {
  return openWorkdir(sandbox.url).write('leads.csv', csv(people(1)));
}

describe.concurrent('a new state file', () => {
  test('is told of in one line, once, and in the log', async () => {
    const dir = withLeads();
    const first = await dir.sluice(ENRICH);
    expect(first.stderr).toContain(
      `The state file data/sluice.db holds no run yet: ${NOTHING_KNOWN}\n`,
    );
    expect((await dir.sluice(ENRICH)).stderr).not.toContain('no run yet');
    const log = await dir.sluice(`${enrich('other.csv')} --state other.db --log-level info`);
    expect(log.stderr).toMatch(/"event":"state\.new",.*"path":"other\.db"/);
    expect(log.stderr).not.toContain('no run yet');
  });

  test('is told of with --quiet as well where it is made beside another one', async () => {
    const dir = withLeads();
    expect((await dir.sluice(`${ENRICH} --quiet`)).stderr).toBe('');
    const line = `${enrich('second.csv')} --state data/sluise.db --quiet`;
    expect((await dir.sluice(line)).stderr).toBe(
      `sluice: The state file data/sluise.db, beside data/sluice.db, holds no run yet: ${NOTHING_KNOWN} If that is not wanted, look at --state and SLUICE_STATE.\n`,
    );
    expect((await dir.sluice(line)).stderr).toBe('');
    // `beside` is the one that was used last.
    const at = new Date();
    utimesSync(dir.at('data/sluice.db'), at, new Date(at.getTime() + 60_000));
    const { stderr } = await dir.sluice(`${enrich('third.csv')} --state data/json.db --json`);
    expect(JSON.parse(stderr).warning.message).toMatch(
      /^The state file data\/json\.db, beside data\/sluice\.db, holds no run yet: /,
    );
  });

  test('is told of by who listens, and a plan says that there is none', async () => {
    const dir = withLeads();
    const plan = await dir.sluice('plan leads.csv --ask find_email --state typo.db');
    expect(plan.stdout).toContain(
      'There is no state file typo.db yet: nothing that was paid for before is known.\n',
    );
    expect(dir.files()).toEqual(['leads.csv']);
    const listening = dir.start(`listen --listen ${await freePort()} --state typo.db`);
    await listening.says('Listening at');
    listening.child.kill('SIGTERM');
    expect((await listening.ended).stderr).toContain(
      `The state file typo.db holds no run yet: ${NOTHING_KNOWN}`,
    );
  });
});
