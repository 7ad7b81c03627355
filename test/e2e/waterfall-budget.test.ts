// A budget in money over all steps of a waterfall: never exceeded, whatever dies in between.
import { describe, expect, test } from 'vitest';
import type { Ask } from '../../src/model/ask.js';
import { inBrief } from '../helpers/long.js';
import type { SandboxProcess } from '../helpers/sandbox-process.js';
import {
  type ChainStep,
  jobOf,
  judgeWaterfall,
  openPlace,
  RUN,
  readLedgers,
  startThree,
} from '../helpers/waterfall.js';
import { CREDENTIALS, complaintOf, people } from '../helpers/workdir.js';

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

interface StepTold {
  readonly step: Name;
  readonly credits: number;
  readonly money: string;
  readonly known: number;
  readonly asks: readonly { readonly ask: Ask; readonly asked: number; readonly found: number }[];
}

const inEuros = (thousandths: number): string =>
  `${(thousandths / 1000).toFixed(thousandths < 100 ? 3 : 2).replace(/(\.\d\d)0$/, '$1')} EUR`;

test.concurrent('what was paid is told in money, by step and in all, as the ledgers say', async () => {
  const { sandboxes, steps } = await startThree();
  const dir = openPlace(steps, people(30)).write('job.yaml', jobOf(priced(steps)));
  const ended = await dir.sluice([
    ...RUN.replace(' --quiet', '').split(' '),
    '--budget',
    '12 EUR',
    '--report',
    'page.html',
  ]);
  expect(ended.code).toBe(0);
  const all = inEuros(await paidIn(sandboxes));
  const told = await dir.sluice('status 1 --state state.db');
  await dir.sluice('report 1 --state state.db --out again.html');
  const ledgers = await readLedgers(steps);
  const {
    credits,
    money,
    steps: bySteps,
  } = JSON.parse((await dir.sluice('status 1 --state state.db --json')).stdout) as {
    credits: null;
    money: string;
    steps: StepTold[];
  };
  expect({ credits, money }).toEqual({ credits: null, money: all });
  const texts = [ended.stderr, told.stdout];
  const pages = [dir.text('page.html'), dir.text('again.html')];
  for (const text of texts) expect(text).toContain(`cost            ${all}`);
  for (const page of pages) expect(page).toContain(`<span class="value">${all}</span>`);
  for (const { asks, credits: paid, known, money: ofStep, step } of bySteps) {
    expect(known).toBe(0);
    for (const { ask, asked, found } of asks) {
      const of = (ledgers.get(step) ?? []).filter(({ entry }) => entry.ask.includes(ask));
      const isHit = (one: (typeof of)[number]) =>
        (ask === 'find_phone' ? one.phone : ask === 'find_email' ? one.email : one.status) !==
        undefined;
      expect({ step, ask, asked, found }).toEqual({
        step,
        ask,
        asked: of.length,
        found: of.filter(isHit).length,
      });
    }
    const { charged } = await sandboxes[step].ledger();
    expect({ step, paid, ofStep }).toEqual({
      step,
      paid: charged,
      ofStep: inEuros(charged * PRICES[step]),
    });
    for (const text of texts)
      expect(text).toMatch(new RegExp(`^  ${step} .* ${charged}  +${ofStep}\\b`, 'm'));
    for (const page of pages) expect(page).toContain(ofStep);
  }
  const runs = await dir.sluice('runs --state state.db');
  expect(runs.stdout).toContain(all);
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
        /^Step (first|second|check): The budget of 1\.00 EUR over all steps leaves /,
      );
      const paid = await paidIn(sandboxes);
      expect(paid).toBeGreaterThan(500);
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
      /The budget of 2\.00 EUR over all steps leaves .* by unfinished runs that this one replaced\)/,
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
