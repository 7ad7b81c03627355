// Where most leads would be skipped, plan, init and enrich name the unused columns that look like what is missing.
import { describe, expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { openWorkdir } from '../helpers/workdir.js';

const LEADS = `First name,Last name,Website,Website 2
Ada,Lovelace,,engines.example
Bob,Ross,,paint.example
Eve,Byron,,poems.example
`;
const ADVICE = "companyDomain is missing. Website 2 looks like it: --map companyDomain='Website 2'";
const ASK = '--ask find_email --state state.db --set rate=off';

describe.concurrent('a table whose columns are the wrong ones', () => {
  test('is told by plan, init and enrich, with the flag that helps', async () => {
    const sandbox = await startSandboxProcess('--latency 50ms');
    const dir = openWorkdir(sandbox.url).write('leads.csv', LEADS);
    const init = await dir.sluice('init leads.csv --yes --name wrong');
    expect(init.stdout).toContain(`Of the first 3 leads 3 would be skipped: ${ADVICE}`);
    const plan = await dir.sluice('plan wrong --state state.db');
    expect(plan.stdout).toContain(`3 of 3 leads are skipped: ${ADVICE}`);
    expect(await dir.json('plan wrong --state state.db')).toMatchObject({
      advice: `3 of 3 leads are skipped: ${ADVICE}`,
    });
    const enrich = await dir.sluice(`enrich leads.csv --out out.csv ${ASK}`);
    expect(enrich.stderr).toContain(`3 of 3 leads are skipped: ${ADVICE}`);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 0 });
    const map = ['--map', 'companyDomain=Website 2'];
    const again = await dir.sluice([...`enrich leads.csv --out out.csv ${ASK}`.split(' '), ...map]);
    expect(again.stderr).not.toContain('are skipped');
    expect(await sandbox.ledger()).toMatchObject({ accepted: 3 });
  });

  test('is refused by init with a column that looks right, where nothing could be asked', async () => {
    const sandbox = await startSandboxProcess('--latency 50ms');
    const dir = openWorkdir(sandbox.url);
    dir.write('leads.csv', 'First name,Last name,Firm web 2\nAda,Lovelace,engines.example\n');
    const init = await dir.sluice('init leads.csv --yes');
    expect(init.code).toBe(2);
    expect(init.stderr).toContain("--map companyDomain='Firm web 2'. Its columns are:");
  });
});
