// One person is paid for once, whatever the file calls the person, and only what is open is asked: by the requests in the
// sandbox's ledger.
import { describe, expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, people } from '../helpers/workdir.js';

const AS = '--set rate=off --state state.db --submit single';
const PHONE = `--ask find_phone ${AS}`;

async function openShop() {
  const sandbox = await startSandboxProcess();
  return { sandbox, dir: openWorkdir(sandbox.url) };
}

describe.concurrent('a person', () => {
  test('is paid for once by files that say more of them from month to month', async () => {
    const { dir, sandbox } = await openShop();
    const all = people(20);
    const file = (month: string, more: string, cells: (i: number) => string, some = all) =>
      dir.write(
        `${month}.csv`,
        [`first_name,last_name,domain${more}`, ...some.map((one, i) => one + cells(i)), ''].join(
          '\n',
        ),
      );
    const find = (month: string) => dir.json(`enrich ${month}.csv --out ${month}-out.csv ${PHONE}`);
    file('january', '', () => '');
    await find('january');
    // Of those who are not found, more inputs may find more: so they are asked again.
    const found = all.filter((_, i) => dir.rows('january-out.csv')[i]?.['phone'] !== '');
    expect(found.length).toBeGreaterThan(2);

    file('february', ',LinkedIn URL', (i) => `,linkedin.com/in/eve-${i}`, found);
    const plan = await dir.json(`plan february.csv ${PHONE}`);
    expect(plan).toMatchObject({ to_pay: 0, already_known: found.length });
    expect((await find('february')).from_cache).toBe(found.length);
    file('march', ',LinkedIn URL,Company', (i) => `,linkedin.com/in/eve-${i},Firm`, found);
    expect((await find('march')).from_cache).toBe(found.length);
    expect((await sandbox.ledger()).accepted).toBe(all.length);
    // Two spellings of a person are two people for whom only the same inputs count.
    const exact = `${PHONE} --set same-person=exact`;
    expect(await dir.json(`plan january.csv ${exact}`)).toMatchObject({ to_pay: 0 });
    const apart = await dir.json(`plan march.csv ${exact}`);
    expect(apart).toMatchObject({ to_pay: found.length });

    const missed = all.filter((one) => !found.includes(one));
    file('april', ',Company', () => ',Firm', missed);
    const anew = { to_pay: missed.length, missed_before: missed.length };
    expect(await dir.json(`plan april.csv ${PHONE}`)).toMatchObject(anew);
    await find('april');
    const first = dir.rows('april-out.csv').findIndex((row) => row['phone'] !== '');
    const line = all.indexOf(missed[first] ?? '') + 2;
    expect(await dir.json(`explain 1 ${line} --state state.db`)).toMatchObject({
      status: 'not_found',
      enrichment: { found_since: { run: 4 } },
    });
  });

  test('is answered for nothing where a budget ends the sending before', async () => {
    const { dir, sandbox } = await openShop();
    const all = people(12);
    dir.write('leads.csv', csv(all));
    const enrich = `enrich leads.csv --out out.csv --ask find_email ${AS} --quiet`;
    expect((await dir.sluice(`${enrich} --budget 0`)).code).toBe(6);
    // Others are first in the queue, and another run asks the same of the last ones, in other words.
    dir.write('more.csv', csv(all.slice(4)));
    await dir.json(`enrich more.csv --out more-out.csv --ask find_email,social_enrichment ${AS}`);
    const { accepted, charged } = await sandbox.ledger();
    const plan = await dir.json(`plan leads.csv --ask find_email ${AS}`);
    expect(plan).toMatchObject({ already_known: 8, to_pay: 4 });
    const again = await dir.sluice(`${enrich} --budget 0 --json`);
    expect(again.code).toBe(6);
    expect(JSON.parse(again.stdout)).toMatchObject({ from_cache: 8, leads: 12 });
    expect(dir.rows('out.csv').map((row) => row['email'])).toEqual([
      '',
      '',
      '',
      '',
      ...dir.rows('more-out.csv').map((row) => row['email']),
    ]);
    expect((await dir.sluice('status 1 --state state.db')).stdout).toContain(
      'and 4 requests are still to send, for 20 credits at most',
    );
    const why = 'not sent: the budget left no room';
    expect(dir.rows('out.csv').map((row) => row['sluice_reason'])).toEqual([
      ...Array<string>(4).fill(why),
      ...Array<string>(8).fill(''),
    ]);
    const told = await dir.json('explain 1 2 --state state.db');
    expect(told).toMatchObject({ status: 'queued', reason: why });
    expect(await sandbox.ledger()).toMatchObject({ accepted, charged });
  });

  test('is asked only for what is open, and the row has all', async () => {
    const { dir, sandbox } = await openShop();
    dir.write('leads.csv', csv(people(36)));
    const first = await dir.json(`enrich leads.csv --out out.csv --ask find_email ${AS}`);
    const both = `leads.csv --ask find_email,social_enrichment ${AS}`;
    const plan = await dir.json(`plan ${both}`);
    expect(plan).toMatchObject({ to_pay: 36, known_in_part: 36, credits_max: 36 });
    const text = await dir.sluice(`plan ${both}`);
    expect(text.stdout).toMatch(/known in part +36 {2}only the rest is asked/);
    const second = await dir.json(`enrich ${both} --out both.csv`);
    expect(second).toMatchObject({ known_in_part: 36 });
    expect((await dir.sluice('status 2 --state state.db')).stdout).toContain(
      '36 leads were asked only for what was not known',
    );
    expect(second.credits).toBeLessThanOrEqual(36);
    const again = await dir.json(`enrich ${both} --out again.csv`);
    expect(again).toMatchObject({ credits: 0, from_cache: 36, known_in_part: 0 });
    const { accepted, charged } = await sandbox.ledger();
    expect({ accepted, charged }).toEqual({
      accepted: 72,
      charged: first.credits + second.credits,
    });
    const emails = (file: string) => dir.rows(file).map((row) => row['email'] ?? '');
    expect(emails('both.csv')).toEqual(emails('out.csv'));
    const line = dir.rows('both.csv').findIndex((row) => row['email'] !== '') + 2;
    const story = await dir.sluice(`explain 2 ${line} --state state.db`);
    expect(story.stdout).toMatch(new RegExp(`Known +find_email from run 1 line ${line}`, 'i'));
  });
});
