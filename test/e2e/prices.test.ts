// Prices that are stated, and prices that are a guess: what plan, summary, budget and balance say of them.
import { describe, expect, test } from 'vitest';
import { startServer } from '../helpers/counting-server.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, people } from '../helpers/workdir.js';

const JOB = 'leads.csv --ask find_email --set rate=off';

async function openShop() {
  const sandbox = await startSandboxProcess();
  return { sandbox, dir: openWorkdir(sandbox.url).write('leads.csv', csv(people(4))) };
}

describe.concurrent('prices', () => {
  test('that are not stated are assumed, in plan, summary, status and budget', async () => {
    const { dir } = await openShop();
    const planned = await dir.sluice(`plan ${JOB} --budget 5`);
    expect(planned.stdout).toMatch(
      /credits +0 .* to 20 .*, prices assumed: state yours, as in --set prices/,
    );
    expect(planned.stdout).toMatch(/budget +5: .*, if the prices are right/);
    const ended = await dir.sluice(`enrich ${JOB} --out out.csv --budget 5 --set concurrency=1`);
    expect(ended).toMatchObject({ code: 6 });
    expect(ended.stderr).toContain('may cost 5 (prices assumed: state them with the key prices)');
    // The summary is printed as well, though an error has stopped the run.
    expect(ended.stderr).toMatch(/^ +found +1\b/m);
    const again = await dir.sluice(`enrich ${JOB} --out out.csv --budget 5 --json`);
    expect(JSON.parse(again.stdout)).toMatchObject({ run: 1, credits: 5 });
    expect(JSON.parse(again.stderr)).toMatchObject({ error: { code: 'budget', exit_code: 6 } });
    expect(await dir.json('status 1')).toMatchObject({ prices_assumed: true });
  });

  test('that a flag or the dialect states are told as fact, fractions included', async () => {
    const { dir } = await openShop();
    dir.write('stated.yaml', 'prices: { find_email: 5 }\n');
    for (const stated of ['--set prices.find_email=0.25', '--dialect stated.yaml']) {
      const planned = await dir.sluice(`plan ${JOB} --json ${stated}`);
      const max = stated.includes('0.25') ? 1 : 20;
      expect(JSON.parse(planned.stdout)).toMatchObject({ prices_assumed: false, credits_max: max });
    }
    const { by_status, credits, prices_assumed } = await dir.json(
      `enrich ${JOB} --out out.csv --set prices.find_email=0.1`,
    );
    expect(prices_assumed).toBe(false);
    expect(credits).toBe(by_status.found / 10);
    const cells = dir.rows('out.csv').map((row) => row['credits']);
    expect(cells.every((cell) => cell === '0.1' || cell === '0')).toBe(true);
    // A price for something else says nothing of this.
    expect(await dir.json(`plan ${JOB} --set prices.find_phone=2`)).toMatchObject({
      prices_assumed: true,
    });
  });

  test('of a wrong form are refused', async () => {
    const { dir } = await openShop();
    for (const wrong of ['find_email=free', 'email=1', 'find_email=0.0001']) {
      const ended = await dir.sluice(`plan ${JOB} --set prices.${wrong}`);
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--set prices') });
    }
  });

  test('that the platform does not charge show in the balance', async () => {
    let left = 1_000;
    const server = await startServer(({ method }, response) => {
      if (method === 'POST') left -= 10;
      const find_email = { email: 'a@b.example', status: 'deliverable' };
      response.end(JSON.stringify({ credits_left: left, data: [{ data: { find_email } }] }));
    });
    const dir = openWorkdir(server.url).write('leads.csv', csv(people(4)));
    const atOnce = 'enrich: { ticket: [], result: always, webhookUrl: null }\nresult: null\n';
    const account = 'account: { path: /account, credits: [credits_left] }\n';
    dir.write('account.yaml', atOnce + account);
    const flags = '--out out.csv --dialect account.yaml --set prices.find_email=3';
    const ended = await dir.sluice(`enrich ${JOB} ${flags}`);
    expect(ended.stdout + ended.stderr).toMatch(
      /balance +1,000 before, 960 after: 40 charged, and/,
    );
  });
});
