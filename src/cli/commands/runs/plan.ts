// sluice plan JOB|FILE: reads and costs everything, sends nothing.
import { forecastJson } from '../../../app/plan/forecast-json.js';
import type { JobForecast } from '../../../app/plan/plan-job.js';
import {
  type MoneyMax,
  moneyOf,
  totalOf,
  type WaterfallForecast,
} from '../../../app/plan/plan-waterfall.js';
import { tellMapping } from '../../../app/results/tell-line.js';
import type { JobSettings } from '../../../app/settings/job-settings.js';
import { describeSize } from '../../../app/state/describe-size.js';
import { amountOf, type Money, tellAmount, tellMoney } from '../../../model/credits.js';
import type { MappedInput } from '../../../model/mapping/mapping.js';
import { type CapState, leftOf, tellCap, tellUse } from '../../../model/schedule/caps.js';
import type { Forecast } from '../../../model/tally.js';
import { printable } from '../../../model/text/printable.js';
import type { Detection } from '../../../ports/lead-reader.js';
import type { ListPlan } from '../../../run/list-leads.js';
import { isStateThere } from '../../../store/open-store.js';
import { command, JSON_OPTION } from '../../command.js';
import { commandEnvironment, noteSecretFile } from '../../command-environment.js';
import { settingsOf, withJobFlags } from '../../job-flags.js';
import { describeDetection } from '../../print/describe-event.js';
import {
  formatCount,
  formatDuration,
  formatNumber,
  formatTable,
  IN_PART,
  keyLines,
  PRICES_ASSUMED,
} from '../../print/format.js';
import { CREDENTIALS_OPTION, FOLDER_OPTIONS } from './run.js';

export const planCommand = command({
  builder: (yargs) =>
    withJobFlags(yargs)
      .positional('job', {
        type: 'string',
        demandOption: true,
        describe: 'A job file, the name of one in jobs/, or an input file with --ask',
      })
      .nargs('job', 1) // so that - is a file
      .options({ ...FOLDER_OPTIONS, ...JSON_OPTION, ...CREDENTIALS_OPTION }),
  handler: async (args) => {
    // Loaded only here: otherwise a shell would wait for it to complete the words of a command.
    const { planJob } = await import('../../../app/plan/plan-job.js');
    const { planList } = await import('../../../app/plan/plan-run.js');
    const settings = await settingsOf(args.job, args);
    // The files of a drop folder are read one by one, and most have the same columns.
    let said = '';
    const known = new Set<string>();
    if (args.credentials !== undefined) noteSecretFile(args.credentials);
    const environment = commandEnvironment();
    const options = {
      environment,
      standardInput: process.stdin,
      again: args.again,
      verify: args.verify,
      onMapped: (mapping: readonly MappedInput[]) => {
        const columns = tellMapping(mapping);
        if (!args.json && columns !== said) console.log(`Columns: ${columns}`);
        said = columns;
      },
      onDetected: (detection: Detection) => {
        const { what, value } = detection;
        if (!args.json && !known.has(`${what} ${value}`)) console.log(describeDetection(detection));
        known.add(`${what} ${value}`);
      },
    };
    if (settings.waterfall !== undefined) {
      const { environmentOf } = await import('../../../app/queue/accounts.js');
      const { planWaterfall } = await import('../../../app/plan/plan-waterfall.js');
      const held = await environmentOf(environment, args.credentials);
      const steps = await planWaterfall(settings, { ...options, environmentOf: held });
      return { json: waterfallJson(steps), lines: waterfallLines(steps) };
    }
    const forecast = await planJob(settings, options);
    const newState = `There is no state file ${settings.state} yet: nothing that was paid for before is known.`;
    const list = planList(settings, Date.now());
    return {
      json: forecastJson(forecast),
      lines: [
        ...(isStateThere(settings.state) ? [] : [newState]),
        ...forecastLines(forecast, settings, list),
        ...stateLine(forecast),
      ],
    };
  },
});

function waterfallJson({ budget, by, leads, refusal, rejects, steps }: WaterfallForecast) {
  const most = moneyOf(steps);
  return {
    leads,
    rejects,
    refusal,
    expected_by_run: by,
    credits_max: totalOf(steps, 'creditsMax'),
    credits_expected: totalOf(steps, 'creditsExpected'),
    money_max: most && moneyJson(most.amount, most.currency),
    budget: budget && moneyJson(amountOf(1, budget), budget.currency),
    steps: steps.map((one) => ({
      step: one.step,
      to_pay_max: one.most,
      to_pay_expected: one.expected,
      credits_max: one.creditsMax,
      credits_expected: one.creditsExpected,
      prices_assumed: one.arePricesAssumed,
      time_ms_min: one.timeMsMin,
    })),
  };
}

function moneyJson(amount: bigint, currency: string) {
  return { amount: Number(amount) / 1e9, currency };
}

function numberOrNothing(value: number | null): string {
  return value === null ? '' : formatNumber(value);
}

const STEP_COLUMNS = ['at most', 'expected', 'credits at most', 'expected', 'least time'];

function waterfallLines(forecast: WaterfallForecast): string[] {
  const { budget, by, leads, steps } = forecast;
  const cells = steps.map((one) => [
    one.step,
    numberOrNothing(one.most),
    numberOrNothing(one.expected),
    numberOrNothing(one.creditsMax),
    numberOrNothing(one.creditsExpected),
    one.timeMsMin === null ? 'no limit' : formatDuration(one.timeMsMin),
  ]);
  const [most, expected] = (['creditsMax', 'creditsExpected'] as const).map((part) =>
    numberOrNothing(totalOf(steps, part)),
  );
  const all = ['all', '', '', most ?? '', expected ?? '', ''];
  const assumed = steps.some(({ arePricesAssumed }) => arePricesAssumed);
  return [
    row('leads', leads),
    ...rejectLines(forecast),
    ...formatTable(['step', ...STEP_COLUMNS], [...cells, all], new Set(STEP_COLUMNS)),
    by === null
      ? 'At most: no step finds what a later one is asked for. What is expected is known after a first run.'
      : `At most: no step finds what a later one is asked for. Expected: by the shares of run ${by}.`,
    ...moneyLines(moneyOf(steps), budget),
    ...(assumed ? [PRICES_ASSUMED] : []),
  ];
}

/** A budget needs the price of every step, so it never stands without the most that they cost. */
function moneyLines(most: MoneyMax | null, budget: Money | null): string[] {
  if (most === null) return [];
  const { amount, currency } = most;
  const money = `money           ${tellAmount(amount, currency)} at most`;
  if (budget === null) return [money];
  const what = amount > amountOf(1, budget) ? STOPS : ENOUGH;
  return [money, `budget          ${tellMoney(1, budget)} over all steps: ${what}`];
}

function stateLine({ stateSize }: JobForecast): string[] {
  return stateSize === null ? [] : [`state           ${describeSize(stateSize)}`];
}

function forecastLines(
  forecast: JobForecast,
  { budget, credit, payAnew }: Pick<JobSettings, 'budget' | 'credit' | 'payAnew'>,
  list: Pick<ListPlan, 'name' | 'where'> | null,
): string[] {
  const { inPart, notAsked, paidAnew, skipped } = forecast;
  return [
    row('leads', forecast.leads),
    ...rejectLines(forecast),
    ...optional('skipped', leadsOf(skipped), 'cost nothing'),
    ...reasonLines(skipped),
    ...(forecast.advice === '' ? [] : [printable(`                  ${forecast.advice}`)]),
    ...optional('not asked', leadsOf(notAsked), 'not chosen; cost nothing'),
    ...reasonLines(notAsked),
    ...optional('in part', leadsOf(inPart), IN_PART),
    ...reasonLines(inPart),
    ...optional('duplicates', forecast.duplicates, 'share the payment of another line'),
    ...optional('already paid', forecast.alreadyPaid, 'answered by results that are still fresh'),
    ...optional('on their way', forecast.onTheirWay, 'asked by an earlier run, not paid again'),
    ...optional(
      'uncertain',
      forecast.uncertain,
      'may have been accepted before; not sent again, and may have been charged',
    ),
    row('to pay', forecast.toPay, 'enrichments'),
    ...optional(
      'paid anew',
      leadsOf(paidAnew),
      payAnew ? KNOWN : `${KNOWN}; a run asks before it pays`,
    ),
    ...paidAnew.map(({ keep, known, leads, run }) =>
      printable(
        `                  ${formatNumber(leads)} ${known}, as in run ${run}: kept by ${keep}`,
      ),
    ),
    ...betterGuessLines(forecast),
    `credits         ${formatNumber(forecast.creditsMin)} (nothing found) to ${formatNumber(forecast.creditsMax)} (everything found)${forecast.arePricesAssumed ? `, ${PRICES_ASSUMED}` : ''}`,
    ...(credit === undefined
      ? []
      : [`money           ${tellMoney(forecast.creditsMax, credit)} at most`]),
    ...budgetLine(forecast, budget),
    ...forecast.caps.map((cap) => capLine(forecast, cap)),
    ...timeLine(forecast.timeMsMin),
    ...listLine(list),
    ...(forecast.key === null
      ? []
      : keyLines(forecast.key).map((line) => `key             ${line}`)),
  ];
}

function rejectLines({ refusal, rejects }: Pick<JobForecast, 'refusal' | 'rejects'>): string[] {
  return [
    ...optional('rejects', rejects, 'lines that cannot be read as leads'),
    ...(refusal === '' ? [] : [printable(`                  a run would not begin: ${refusal}`)]),
  ];
}

const KNOWN = 'leads among them that are known';

type Reasons = Forecast['inPart'];

function leadsOf(reasons: readonly { readonly leads: number }[]): number {
  return reasons.reduce((sum, { leads }) => sum + leads, 0);
}

function reasonLines(reasons: Reasons): string[] {
  return reasons.map(
    ({ reason, leads }) => `                  ${formatNumber(leads)} ${printable(reason)}`,
  );
}

function betterGuessLines({ betterGuess: better }: Forecast): string[] {
  if (better === undefined) return [];
  const { creditsMax, flags, leads } = better;
  const cost =
    leads === 0
      ? 'at no cost'
      : `${formatCount(leads, 'lead')} more to pay, up to ${formatCount(creditsMax, 'credit')}`;
  return [
    'columns         as in the last run of this job, so that nothing is paid for anew',
    printable(`                  a new job would take ${flags} (${cost})`),
  ];
}

function listLine(list: Pick<ListPlan, 'name' | 'where'> | null): string[] {
  if (list === null) return [];
  const { name, where } = list;
  const who = where === undefined ? 'every lead' : `the leads where ${where}`;
  return [printable(`list            ${name}: ${who}, if an e-mail or profile is known`)];
}

const STOPS = 'may stop the run before the end';
const ENOUGH = 'enough, whatever is found';

function budgetLine(
  { arePricesAssumed, creditsMax }: Forecast,
  budget: number | undefined,
): string[] {
  if (budget === undefined) return [];
  const what = creditsMax > budget ? STOPS : ENOUGH;
  const assumed = arePricesAssumed ? ', if the prices are right' : '';
  return [`budget          ${formatNumber(budget)}: ${what}${assumed}`];
}

function capLine({ creditsMax }: Forecast, cap: CapState): string {
  const what = creditsMax > leftOf(cap) ? STOPS : ENOUGH;
  return `cap             ${tellCap(cap)}: ${tellUse(cap)}; ${what}`;
}

function timeLine(timeMsMin: number | null): string[] {
  if (timeMsMin === null) return ['time            no rate limit is set'];
  if (timeMsMin === 0) return [];
  return [`time            at least ${formatDuration(timeMsMin)} at the rate limit`];
}

function optional(name: string, value: number, about: string): string[] {
  return value === 0 ? [] : [row(name, value, about)];
}

function row(name: string, value: number, about = ''): string {
  return `${name.padEnd(13)} ${formatNumber(value).padStart(9)}${about === '' ? '' : `  ${about}`}`;
}
