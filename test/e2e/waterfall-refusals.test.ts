// Waterfalls that cannot be: each is one sentence, before anything is stored or sent.
import { describe, expect, test } from 'vitest';
import { jobOf, openPlace, RUN, startThree } from '../helpers/waterfall.js';
import { people } from '../helpers/workdir.js';

const { sandboxes, steps } = await startThree();
const [first, second, check] = steps as [(typeof steps)[0], (typeof steps)[0], (typeof steps)[0]];
const FIRST = `  - {name: first, url: ${first.url}, account: first}\n`;

/** A job with these steps as they are written here. */
const written = (listed: string, more = '', ask = '[find_email, find_phone]'): string =>
  `input: leads.csv\nout: out.csv\nstate: state.db\nask: ${ask}\n${more}waterfall:\n${listed}`;

const CASES: readonly (readonly [string, string, RegExp])[] = [
  [
    'a step without a platform',
    written(`${FIRST}  - {name: second, account: second}\n`),
    /^The step second states no url\.$/,
  ],
  [
    'two steps of one name',
    jobOf([first, { ...second, name: 'first', ask: ['find_phone'] }]),
    /^The step first is there twice: give each step a name of its own\.$/,
  ],
  [
    'an ask that no step offers',
    jobOf([{ ...first, ask: ['find_email'] }, second]),
    /^No step of the waterfall offers find_phone\.$/,
  ],
  [
    'a verifying step before any finder',
    jobOf([check, first, second]),
    /^The step check verifies addresses, and no step before it finds any\.$/,
  ],
  [
    'a verifying step after finders of other values',
    jobOf([{ ...first, ask: ['find_phone'] }, check, second]),
    /^The step check verifies addresses, and no step before it finds any\.$/,
  ],
  [
    'a verifying step that states asks',
    written(
      `${FIRST}  - {url: ${check.url}, account: check, verifies: find_email, ask: [find_email]}\n`,
    ),
    /a step that verifies states no ask: it asks verify_email/,
  ],
  [
    'a budget of the whole',
    jobOf(steps, 'budget: 100\n'),
    /^A budget in credits is stated for each step of a waterfall; over all of them it is money, like 40 EUR\.$/,
  ],
  [
    'a budget in money, and a step without a price',
    jobOf([{ ...first, more: 'credit: 0.1 EUR' }, second], 'budget: 40 EUR\n'),
    /^The step second does not say what a credit costs in EUR, and the budget over all steps is in EUR: add the key credit, like 0\.012 EUR\.$/,
  ],
  [
    'a budget in another currency than a price',
    jobOf([{ ...first, more: 'credit: 0.1 USD' }, second], 'budget: 40 EUR\ncredit: 0.1 EUR\n'),
    /^The step first does not say what a credit costs in EUR, /,
  ],
  [
    'an ask to verify',
    written(FIRST, '', '[find_email, verify_email]'),
    /^A waterfall verifies by a step of its own: verifies: find_email\.$/,
  ],
  [
    'an account that the file does not name',
    jobOf([first, second]).replace('account: second', 'account: third'),
    /^Step second: accounts\.yaml names no account third\.$/,
  ],
  [
    'two finders of one ask on one account',
    jobOf([first, { ...second, url: first.url }]).replace('account: second', 'account: first'),
    /^The step second asks find_email of the account that the step first asks: /,
  ],
  [
    'the same at another spelling of the address',
    jobOf([first, { ...second, url: `${first.url.replace('http:', 'HTTP:')}/` }]).replace(
      'account: second',
      'account: first',
    ),
    /^The step second asks find_email of the account that the step first asks: /,
  ],
  [
    'the same, beside another step of that account',
    jobOf([
      { ...first, ask: ['find_email'] },
      { ...second, name: 'a', url: first.url, ask: ['find_phone'] },
      { ...second, name: 'b', url: first.url, ask: ['find_phone'] },
    ]).replaceAll(/account: [ab]$/gm, 'account: first'),
    /^The step b asks find_phone of the account that the step a asks: /,
  ],
  [
    'two steps that listen at one port',
    jobOf([first, second], 'collect: webhook\nlisten: 28765\n'),
    /^The step second receives webhooks at port 28765, as the step first does: give one of them another listen\.$/,
  ],
  ['no step at all', written(' []\n'), /a waterfall has a step or more/],
  ['too many steps', written(FIRST.repeat(21)), /a waterfall has 20 steps at most/],
  [
    'a name that a table cannot show',
    jobOf([{ ...first, name: 'a b:c' }]).replace('name: a b:c', 'name: "a b:c"'),
    /a step is named by up to 40 letters, digits, dots, hyphens and underscores/,
  ],
  [
    'a key that a step does not have',
    written(FIRST.replace('account', 'input: x, account')),
    /input/,
  ],
  [
    'an unknown status',
    jobOf(steps, 'accept: {find_email: [fine]}\n'),
    /^accept: no platform of the waterfall says "fine" .* They say deliverable, risky, unknown, valid, /,
  ],
  ['no status', jobOf(steps, 'accept: {find_email: []}\n'), /accept says which addresses/],
  [
    'an address accepted that cannot be delivered to',
    jobOf(steps, 'accept: {find_email: [deliverable, undeliverable]}\n'),
    /accept\.find_email\.1.*accept says which addresses end the search/,
  ],
];

describe.concurrent('refuses', () => {
  test.each(CASES)('%s', async (_, job, sentence) => {
    const dir = openPlace(steps, people(3)).write('job.yaml', job);
    expect(await dir.refusal(RUN)).toMatch(sentence);
    expect(dir.files().filter((name) => /^(state|out)/.test(name))).toEqual([]);
  });

  test('credentials of a step that are missing', async () => {
    const dir = openPlace(steps, people(3));
    expect(await dir.refusal('run job.yaml --quiet')).toMatch(
      /would get the same credentials\. Give --credentials FILE, or the key accounts: it names the accounts first and second/,
    );
    expect(dir.has('state.db')).toBe(false);
  });
});

test('and none of the platforms was asked', async () => {
  for (const sandbox of Object.values(sandboxes)) {
    expect(await sandbox.ledger()).toMatchObject({ requests: 0, accepted: 0 });
  }
});
