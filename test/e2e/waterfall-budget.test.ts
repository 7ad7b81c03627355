// A budget in money over all steps of a waterfall: never exceeded, whatever dies in between.
import { describe, expect, test } from 'vitest';
import type { Ask } from '../../src/model/ask.js';
import { inBrief } from '../helpers/long.js';
import type { SandboxProcess } from '../helpers/sandbox-process.js';
import { startUi } from '../helpers/ui-process.js';
import {
  type ChainStep,
  jobOf,
  judgeWaterfall,
  openPlace,
  RUN,
  readLedgers,
  startThree,
} from '../helpers/waterfall.js';
import { CREDENTIALS, complaintOf, csv, people } from '../helpers/workdir.js';

/** The price of a credit of each step, in thousandths of a euro. */
const PRICES = { first: 10, second: 20, check: 1 } as const;
type Name = keyof typeof PRICES;

const priced = (steps: readonly ChainStep[], more = ''): ChainStep[] =>
  steps.map((step) => ({
    ...step,
    more: `credit: ${PRICES[step.name as Name] / 1000} EUR${more === '' ? '' : `\n    ${more}`}`,
  }));

/** What all platforms have charged, in thousandths of a euro. */
async function paidIn(sandboxes: Readonly<Record<Name, SandboxProcess>>): Promise<number> {
  let paid = 0;
  for (const name of Object.keys(PRICES) as Name[]) {
    paid += (await sandboxes[name].ledger()).charged * PRICES[name];
  }
  return Math.round(paid * 1000) / 1000;
}

interface AskTold {
  readonly ask: Ask;
  readonly asked: number;
  readonly found: number;
  readonly money: string;
}

interface RunTold {
  readonly credits: number | null;
  readonly money: string;
  readonly steps: readonly {
    readonly step: Name;
    readonly bought: number;
    readonly credits: number;
    readonly money: string;
    readonly known: number;
    readonly reached: number;
    readonly asks: readonly Omit<AskTold, 'money'>[];
  }[];
  readonly by_ask: readonly AskTold[];
}

const inEuros = (thousandths: number): string => {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: thousandths < 100 ? 4 : 2 };
  return `${(thousandths / 1000).toLocaleString('en-US', digits)} EUR`;
};
/** The price of what a step sells, in thousandths of a euro. */
const PRICED = { find_email: 5, find_phone: 20, verify_email: 1 } as const;

test.concurrent('what a run paid is told in money, by step, by ask and in all, as the ledgers say', async () => {
  const { sandboxes, steps } = await startThree();
  const job = jobOf(priced(steps), 'on-unavailable: skip\n');
  const dir = openPlace(steps, people(34)).write('job.yaml', job);
  await sandboxes.second.giveCredits(0);
  const loud = RUN.replace(' --quiet', '').split(' ');
  const stopped = await dir.sluice([...loud, '--budget', '1 EUR']);
  expect(stopped.code).toBe(6);
  const ui = await startUi(dir, '--port 0 --state state.db');
  const opened = await fetch(await ui.link());
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  let before = new Map<string, number>();

  /** Holds each medium against what the platforms accepted since `before`. */
  const compare = async (run: number, ...more: readonly string[]) => {
    const read = await readLedgers(steps);
    const ledgers = new Map([...read].map(([name, all]) => [name, all.slice(before.get(name))]));
    const told = (await dir.json(`report ${run} --state state.db`)) as unknown as RunTold;
    const status = await dir.json(`status ${run} --state state.db`);
    const { by_ask, money, steps: ofSteps } = told;
    expect(status).toMatchObject({ credits: null, money, by_ask, steps: ofSteps });
    await dir.sluice(`report ${run} --state state.db --out again.html --force`);
    const address = `${ui.origin}/runs/${run}`;
    // Asked for twice, since the rows may not have been read at once.
    await fetch(address, { headers: { cookie } });
    const page = await (await fetch(address, { headers: { cookie } })).text();
    const texts = [(await dir.sluice(`status ${run} --state state.db`)).stdout, ...more];
    const pages = [dir.text('again.html'), page];
    const byAsk = new Map<Ask, number>();
    let all = 0;
    for (const { asks, bought, credits, known, money, reached, step } of told.steps) {
      const entries = ledgers.get(step) ?? [];
      const charged = entries.reduce((sum, { entry }) => sum + entry.credits, 0);
      const paid = charged * PRICES[step];
      all += paid;
      expect({ step, asked: reached - known, credits, money }).toEqual({
        step,
        asked: entries.length,
        credits: charged,
        money: inEuros(paid),
      });
      for (const { ask, asked, found } of asks) {
        const of = entries.filter(({ entry }) => entry.ask.includes(ask));
        const hits = of.filter(({ email, phone, status }) =>
          ask === 'find_phone' ? phone : ask === 'find_email' ? email : status,
        );
        expect({ step, ask, asked, found }).toEqual({
          step,
          ask,
          asked: of.length,
          found: hits.length,
        });
        const cost = hits.length * PRICED[ask as keyof typeof PRICED] * PRICES[step];
        const as = ask === 'verify_email' ? 'find_email' : ask;
        byAsk.set(as, (byAsk.get(as) ?? 0) + cost);
      }
      const each = bought > 0 ? inEuros(paid / bought) : '';
      const row = new RegExp(`^  ${step} .* ${charged}  +${inEuros(paid)} *${each}$`, 'm');
      for (const text of texts) expect(text).toMatch(row);
      for (const one of pages) {
        expect(one).toMatch(new RegExp(`<td[^>]*>${inEuros(paid)}</td>(<td[^>]*>${each}</td>)?`));
      }
    }
    expect(told).toMatchObject({ credits: null, money: inEuros(all) });
    expect(told.by_ask.map(({ ask, money }) => [ask, money])).toEqual(
      Array.from(byAsk, ([ask, cost]) => [ask, inEuros(cost)]),
    );
    for (const text of texts) {
      expect(text).toContain(`cost            ${inEuros(all)}`);
      for (const cost of byAsk.values()) expect(text).toContain(` found; ${inEuros(cost)}`);
    }
    for (const one of pages) {
      expect(one).toContain(`<span class="value">${inEuros(all)}</span>`);
      for (const cost of byAsk.values()) expect(one).toContain(` found; ${inEuros(cost)}`);
    }
    expect((await dir.sluice('runs --state state.db')).stdout).toContain(inEuros(all));
    return { told, counts: new Map([...read].map(([name, { length }]) => [name, length])) };
  };

  await compare(1, stopped.stderr);
  const ended = await dir.sluice([...loud, '--budget', '12 EUR', '--report', 'page.html']);
  expect(ended.code).toBe(1);
  await compare(1, ended.stderr);
  expect(dir.text('page.html')).toContain(`${inEuros(await paidIn(sandboxes))}</span>`);

  // The step that had no credits is asked now, and paid for by the same run.
  await sandboxes.second.giveCredits(null);
  expect((await dir.sluice('retry 1 --state state.db')).code).toBe(0);
  expect((await dir.sluice(RUN)).code).toBe(0);
  before = (await compare(1)).counts;

  // Those whom the first run asked for are known, and cost nothing.
  dir.write('leads.csv', csv(people(30, 11)));
  const further = await dir.sluice(loud);
  expect(further.code).toBe(0);
  const { told } = await compare(5, further.stderr);
  expect(told.steps[0]).toMatchObject({ step: 'first', known: 24, reached: 30 });

  // What the platforms would bill agrees with what was counted, by each account.
  for (const { name, url } of steps) {
    const entries = (await readLedgers(steps)).get(name) ?? [];
    const charges = entries.filter(({ entry }) => entry.credits > 0);
    const lines = charges.map(({ entry: { credits, id } }) => `${id},${credits}\n`);
    dir.write('invoice.csv', `ticket,credits\n${lines.join('')}`);
    const audit = await dir.json(
      `audit invoice.csv --url ${url} --account ${name} --state state.db`,
    );
    const { charged } = await sandboxes[name as Name].ledger();
    expect(audit).toMatchObject({
      unexplained: false,
      findings: { agreed: { charges: charges.length, credits: charged } },
    });
  }
});

describe.concurrent('a budget over all steps', () => {
  test.each(inBrief(['wait'], ['skip']))(
    'is not exceeded, says so, and goes on once it is raised: %s',
    async (conduct) => {
      const { sandboxes, steps } = await startThree();
      const dir = openPlace(steps, people(20));
      const more = `on-unavailable: ${conduct}\n`;
      const job = (budget: string): string => jobOf(priced(steps), `budget: ${budget}\n${more}`);
      dir.write('job.yaml', job('1 EUR'));
      const planned = await dir.sluice('plan job.yaml --credentials accounts.yaml');
      expect(planned.stdout).toMatch(/^money {11}\d+\.\d\d EUR at most$/m);
      expect(planned.stdout).toMatch(/^budget {10}1\.00 EUR over all steps: may stop the run/m);
      expect(await dir.refusal(RUN, { code: 6 })).toMatch(
        /^Step (first|second|check): The budget of 1\.00 EUR over all steps left /,
      );
      const paid = await paidIn(sandboxes);
      expect(paid).toBeGreaterThan(500);
      const again = await dir.sluice('plan job.yaml --credentials accounts.yaml --state state.db');
      expect(again.stdout).toMatch(
        new RegExp(
          `^budget {10}${inEuros(paid)} spent of 1\\.00 EUR over all steps.*: may stop`,
          'm',
        ),
      );
      expect(paid).toBeLessThanOrEqual(1_000);
      // Twice is no way to spend it twice.
      expect((await dir.sluice(RUN)).code).toBe(6);
      expect(await paidIn(sandboxes)).toBeLessThanOrEqual(1_000);

      dir.write('job.yaml', job('100 EUR'));
      expect(await dir.sluice(RUN)).toMatchObject({ code: 0 });
      const judged = await judgeWaterfall(steps, dir.rows('out.csv'));
      expect(judged).toMatchObject({ problems: [], unused: [] });
    },
  );

  const PLAIN = ['run job.yaml --quiet', { env: CREDENTIALS }] as const;
  /** The same job with one platform, at another price of a credit. */
  const plain = ({ url, account, name }: ChainStep, credit: string): string =>
    `input: leads.csv
out: out.csv
state: state.db
ask: [find_email]
url: ${url}
account: ${account ?? name}
rate: off
credit: ${credit}
budget: 2 EUR
`;

  test('counts in money where the account of a job changes', async () => {
    const { sandboxes, steps } = await startThree();
    const dir = openPlace(steps, people(60));
    const [first, second] = steps as [ChainStep, ChainStep, ChainStep];
    dir.write('job.yaml', plain(first, '0.04 EUR'));
    expect((await dir.sluice(...PLAIN)).code).toBe(6);
    dir.write('job.yaml', plain(second, '0.01 EUR'));
    expect((await dir.sluice(...PLAIN)).code).toBe(6);
    const charged = async (of: SandboxProcess) => (await of.ledger()).charged;
    const paid = (await charged(sandboxes.first)) * 4 + (await charged(sandboxes.second));
    expect(paid).toBeGreaterThan(150);
    expect(paid).toBeLessThanOrEqual(200);
    // It may become a waterfall, and the budget is the same one.
    dir.write('job.yaml', jobOf(priced(steps.slice(0, 2)), 'budget: 2 EUR\n'));
    expect(complaintOf(await dir.sluice(RUN))).toMatch(
      /The budget of 2\.00 EUR over all steps left .* by unfinished runs that this one replaced\)/,
    );
  });

  test.each(inBrief([4], [1, 2, 7, 10, 13]))(
    'holds over processes that are killed, at %d accepted',
    async (accepted) => {
      const { sandboxes, steps } = await startThree();
      const dir = openPlace(steps, people(20));
      const chain = priced(steps, 'concurrency: 4');
      dir.write('job.yaml', jobOf(chain, 'budget: 0.8 EUR\n'));
      for (const at of ['first', 'second'] as const) {
        const running = dir.start(RUN);
        await sandboxes[at].until((ledger) => ledger.accepted >= accepted, running);
        running.child.kill('SIGKILL');
        await running.ended;
      }
      await dir.sluice(RUN);
      await dir.sluice(`${RUN} --resend-uncertain`);
      expect(await paidIn(sandboxes)).toBeLessThanOrEqual(800);
      expect(dir.rows('out.csv')).toHaveLength(20);
    },
  );
});
