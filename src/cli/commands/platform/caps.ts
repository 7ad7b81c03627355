// sluice caps: the most that all jobs together may spend of an account in a day and a month.

import {
  accountNamed,
  demandPlatform,
  nameOfAccount,
} from '../../../app/platform/known-account.js';
import { changeCaps, seeCaps } from '../../../app/state/keep-caps.js';
import { isTimezone } from '../../../config/job-keys/cron.js';
import { isCredits, type Money, parseMoney } from '../../../model/credits.js';
import { wrongUse } from '../../../model/errors.js';
import { amountIn } from '../../../model/schedule/caps.js';
import { printable } from '../../../model/text/printable.js';
import type { Store } from '../../../ports/store/store.js';
import type { Page } from '../../../tell/page.js';
import { tellCaps } from '../../../tell/tell-lists.js';
import { commandEnvironment } from '../../command-environment.js';
import { stateCommand } from '../../open-state.js';
import { PLATFORM_OPTIONS, text } from '../../options.js';

const { url, dialect } = PLATFORM_OPTIONS;
const ACCOUNT = text(
  'Name of the account, or its id- (default: SLUICE_ACCOUNT, else the user name)',
);

const LIST = {
  lists: true,
  handler: async (_args: object, store: Store) => list(store),
} as const;

const listCommand = stateCommand({
  ...LIST,
  command: 'list',
  describe: 'List the caps, with what is spent, reserved and left',
});

const setCommand = stateCommand({
  command: 'set [account]',
  creates: true,
  describe: 'Cap what all jobs may spend of an account in a calendar day or month',
  args: { account: ACCOUNT },
  options: {
    day: text('Credits, or money like "6 EUR", for a day; none for no cap'),
    month: text('The same for a month'),
    credit: text('Price of a credit, for caps in money: "0.012 EUR"'),
    'time-zone': text(
      'Time zone of days and months, like Europe/Vienna (default: as before, or UTC)',
    ),
    url,
    dialect,
  },
  examples: { 'sluice caps set acme --day 500 --month 10000 --time-zone Europe/Vienna': '' },
  prepare: ({ credit, day, month, 'time-zone': timezone, ...args }) => {
    if (day === undefined && month === undefined && timezone === undefined) {
      throw wrongUse('Say how much: --day CREDITS, --month CREDITS, or both.');
    }
    if (timezone !== undefined && !isTimezone(timezone)) {
      throw wrongUse('--time-zone wants a name like UTC or Europe/Vienna.');
    }
    demandPlatform(args, commandEnvironment());
    const price = credit === undefined ? undefined : parseMoney(credit);
    if (credit !== undefined && price === undefined) {
      throw wrongUse('--credit wants money like "0.012 EUR".');
    }
    return { day: creditsOf('day', day, price), month: creditsOf('month', month, price), timezone };
  },
  handler: async (args, store, _path, wish) => {
    const environment = commandEnvironment();
    const name = await nameOfAccount(args, environment);
    const account = await accountNamed(args, environment, store);
    if (!(await changeCaps(store, account, { ...wish, name }))) {
      console.error(
        printable(
          `No run of this state has used the account ${name ?? `id-${account}`} yet. The cap holds for jobs that have this account and the address of --url.`,
        ),
      );
    }
    return list(store);
  },
});

const removeCommand = stateCommand({
  command: 'remove [account]',
  describe: 'Let all jobs spend of an account without a cap; those that a job states stay',
  args: { account: ACCOUNT },
  options: { url, dialect },
  handler: async (args, store) => {
    const environment = commandEnvironment();
    const account = await accountNamed(args, environment, store);
    const name = printable((await nameOfAccount(args, environment)) ?? `id-${account}`);
    const isRemoved = await store.setCaps(account, null);
    return {
      data: { removed: isRemoved },
      lines: isRemoved
        ? `The account ${name} has no cap any more.`
        : `The account ${name} has no cap: "sluice caps" lists those that have.`,
    };
  },
});

/** Undefined if the flag is not given; null takes the cap away. */
function creditsOf(
  flag: 'day' | 'month',
  text: string | undefined,
  price: Money | undefined,
): { credits: number; money: string | undefined } | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  if (parseMoney(text) !== undefined) {
    return { credits: amountIn(text, price, 'caps'), money: text };
  }
  const credits = Number(text);
  if (text.trim() !== '' && credits > 0 && isCredits(credits)) return { credits, money: undefined };
  throw wrongUse(
    `--${flag} wants a number of credits above 0, with three decimals at most, money like "6 EUR", or none.`,
  );
}

async function list(store: Store): Promise<Page> {
  return tellCaps(await seeCaps(store));
}

export const capsCommands = stateCommand({
  ...LIST,
  commands: [listCommand, setCommand, removeCommand],
});
