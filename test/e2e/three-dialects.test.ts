// Platforms that have nothing in common with the neutral one, each described by a YAML file and by nothing else:
// the whole job gives the same table as on the neutral platform, and pays what the dialect says, once. The sandbox
// speaks each of them, and is the judge.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import {
  COUNT,
  FAILED_ONLY,
  JOB,
  leads,
  neutralTable,
  OFF,
  openShop as openShopIn,
  type Shop,
  tableOf,
} from '../helpers/dialect-shop.js';
import { freePort } from '../helpers/free-port.js';
import { listsOf } from '../helpers/list-gate.js';
import { inBrief, isLong } from '../helpers/long.js';
import { complaintOf, hostCommands, openWorkdir, type Row } from '../helpers/workdir.js';

hostCommands();
const ASKS = ['--ask', 'find_email,social_enrichment,find_phone'];
const LIST = ['--list', 'Warm', '--list-where', 'email_status = deliverable'];
/** Every profile has one. */
const PROFILE = 'social_member_id';

// They wait more than they work.
vi.setConfig({ maxConcurrency: 9 });

function fileOf(name: string): string {
  return fileURLToPath(new URL(`dialects/${name}.yaml`, import.meta.url));
}

/** `rate` null: the limit of the dialect. */
function openShop(dialect: string, rate?: string | null, flags?: string): Promise<Shop> {
  return openShopIn(fileOf(dialect), rate, flags);
}

let neutral: readonly Row[] = [];
beforeAll(async () => {
  neutral = await neutralTable(ASKS);
  const statuses = new Set(neutral.map((row) => row['sluice_status']));
  expect(statuses).toEqual(new Set(['failed', 'found', 'not_found']));
  for (const column of ['email', 'phone', PROFILE, 'position_groups']) {
    expect(neutral.some((row) => (row[column] ?? '') !== '')).toBe(true);
  }
});

/** The prices of the dialect files. */
const PRICES: Readonly<Record<string, Readonly<Record<'email' | 'phone' | 'profile', number>>>> = {
  renamed: { email: 2, phone: 11, profile: 7 },
  'shared-ticket': { email: 5, phone: 20, profile: 1 },
  'by-webhook': { email: 1, phone: 20, profile: 4 },
  'by-body': { email: 5, phone: 20, profile: 1 },
  'at-once': { email: 5, phone: 20, profile: 1 },
  'maybe-at-once': { email: 5, phone: 20, profile: 1 },
};

function priceOf(name: string): number {
  const price = PRICES[name] ?? { email: 0, phone: 0, profile: 0 };
  const count = (column: string) => neutral.filter((row) => (row[column] ?? '') !== '').length;
  return (
    count('email') * price.email + count('phone') * price.phone + count(PROFILE) * price.profile
  );
}

async function expectSameJob(name: string, { dir, sandbox }: Shop): Promise<void> {
  expect(tableOf(dir)).toEqual(neutral);
  const charged = priceOf(name);
  // What is answered at once counts as charged from when it would have been ready.
  await sandbox.ready();
  expect(await sandbox.ledger()).toMatchObject({ accepted: COUNT, doubled: [], charged });
  const credits = dir.rows('out.csv').map((row) => Number(row['credits']));
  expect(credits.reduce((sum, one) => sum + one, 0)).toBe(charged);
}

describe.concurrent('a platform that a YAML file describes', () => {
  test.each(
    inBrief(
      [
        ['renamed', 'single'],
        ['by-body', 'bulk'],
      ],
      [
        ['shared-ticket', 'bulk'],
        ['by-webhook', 'single'],
        ['at-once', 'bulk'],
        ['maybe-at-once', 'single'],
        ['renamed', 'bulk'],
        ['shared-ticket', 'single'],
        ['by-webhook', 'bulk'],
        ['by-body', 'single'],
        ['at-once', 'single'],
        ['maybe-at-once', 'bulk'],
      ],
    ),
  )('%s, asked %s: the same table, its own prices and limit, and a list', async (name, submit) => {
    const shop = await openShop(name, null);
    await shop.enrich(...ASKS, ...LIST, '--submit', submit, '--collect', 'poll');
    await expectSameJob(name, shop);
    expect((await shop.sandbox.ledger()).throttled).toBe(0);
    const chosen = neutral.filter((row) => row['email_status'] === 'deliverable');
    const lists = (await listsOf(shop.sandbox.url)).map(({ members }) => members);
    expect(lists.map((members) => members.map(({ email }) => email))).toEqual([
      chosen.map((row) => row['email']),
    ]);
  });

  test.each(
    inBrief(
      [['by-webhook', 'single', 'request']],
      [
        ['by-body', 'bulk', 'request'],
        ['renamed', 'bulk', 'hook'],
        ['by-webhook', 'bulk', 'request'],
        ['by-body', 'single', 'request'],
        ['shared-ticket', 'bulk', 'hook'],
      ],
    ),
  )(
    '%s, asked %s, delivers to the address of a %s, in other words than by id',
    async (name, submit, callback) => {
      const shop = await openShop(name);
      const flags = ['--submit', submit, '--collect', 'webhook', '--callback', callback];
      await shop.enrich(...ASKS, ...OFF, ...flags, '--listen', String(await freePort()));
      await expectSameJob(name, shop);
      const { deliveries, polls } = await shop.sandbox.ledger();
      expect(deliveries).toBe(COUNT);
      // What was empty at first is read once more, by its ticket or that of its bulk call.
      const misses = neutral.filter((row) => row['sluice_status'] === 'not_found').length;
      if (name !== 'shared-ticket') expect(polls).toBe(misses);
    },
  );

  test.runIf(isLong).each(['renamed', 'shared-ticket'])(
    '%s says stop in its own way, and is obeyed',
    async (name) => {
      const shop = await openShop(name, '6/500ms');
      await shop.enrich(...ASKS, ...OFF, '--submit', 'single', '--concurrency', '8');
      await expectSameJob(name, shop);
      expect((await shop.sandbox.ledger()).throttled).toBeGreaterThan(0);
    },
  );

  test.runIf(isLong).each(['shared-ticket', 'renamed'])(
    '%s says in its own way that the account is empty',
    async (name) => {
      const { dir } = await openShop(name, 'off', '--latency 20ms --credits 100');
      const words = [...JOB, ...ASKS, ...OFF, '--dialect', fileOf(name)];
      expect(complaintOf(await dir.sluice(words))).toContain('out of credits');
    },
  );

  test.runIf(isLong)('verified addresses may stand in a block of their own', async () => {
    const asks = ['--ask', 'verify_email'];
    const shop = await openShop('renamed');
    await shop.enrich(...asks, ...OFF);
    expect(tableOf(shop.dir)).toEqual(await neutralTable(asks));
    expect((await shop.sandbox.ledger()).charged).toBe((COUNT - 2) * 3);
  });

  test.runIf(isLong)(
    'leads that can be asked for different things are asked in different bulk calls',
    async () => {
      const shop = await openShop('by-body');
      // Every third lead has no profile, and so nothing to find a phone number by.
      const [head = '', ...lines] = leads().trimEnd().split('\n');
      const some = lines.map((line, i) => (i % 3 === 0 ? line.replace(/https:[^,]*/, '') : line));
      shop.dir.write('leads.csv', [head, ...some, ''].join('\n'));
      await shop.enrich('--ask', 'find_email,find_phone', ...OFF, '--submit', 'bulk');
      const summary = await shop.sandbox.ledger();
      expect(summary).toMatchObject({ accepted: COUNT, doubled: [], throttled: 0 });
      const { dir } = await openShopIn(undefined);
      dir.write('leads.csv', [head, ...some, ''].join('\n'));
      await dir.sluice([...JOB, '--ask', 'find_email,find_phone', ...OFF]);
      expect(tableOf(shop.dir)).toEqual(tableOf(dir));
    },
  );

  test.each(inBrief(['bulk'], ['single']))(
    'answers that come at once (%s) and cannot be read are kept, and read for nothing by a corrected dialect',
    async (submit) => {
      const { dir, enrich, sandbox } = await openShop('at-once');
      const right = readFileSync(fileOf('at-once'), 'utf8');
      dir.write('my.yaml', `${right}fields: { find_email: { email: adress, status: verdict } }\n`);
      // No more than these may be sent before a value was read, by the second command either.
      const how = ['--first-batch', '5', '--submit', submit];
      const flags = ['--dialect', 'my.yaml', '--ask', 'find_email', ...OFF, ...how];
      const stopped = await dir.sluice([...JOB, ...flags]);
      expect(stopped.code).toBe(4);
      expect(stopped.stderr).toContain('without paying again');
      const { accepted } = await sandbox.ledger();
      expect(accepted).toBeGreaterThan(0);
      // Still wrong: what is kept is asked for nowhere.
      expect((await dir.sluice([...JOB, ...flags])).code).toBe(4);
      expect(await sandbox.ledger()).toMatchObject({ accepted, polls: 0 });
      await enrich('--ask', 'find_email', ...OFF, '--submit', submit);
      expect(tableOf(dir)).toEqual(await neutralTable(['--ask', 'find_email']));
      expect(await sandbox.ledger()).toMatchObject({ accepted: COUNT, doubled: [], polls: 0 });
    },
  );

  test('what cannot be asked in one request ends plan, run and doctor before anything is sent', async () => {
    const { dir, sandbox } = await openShop('by-body');
    const flags = ['--ask', 'find_email,verify_email', '--dialect', fileOf('by-body')];
    const message = 'cannot ask for find_email and verify_email in one request (enrich)';
    for (const words of [JOB, ['plan', 'leads.csv']]) {
      const ended = await dir.sluice([...words, ...flags]);
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain(message);
    }
    expect(await sandbox.ledger()).toMatchObject({ accepted: 0, requests: 0 });
  });

  test('the other commands speak it as well', async () => {
    const { dir } = await openShop('renamed');
    const ask = (words: string) => dir.sluice(`${words} --dialect ${fileOf('renamed')}`);
    const added = await ask('hooks add https://a.example/x --type enrichmentDone');
    expect(added.stdout).toMatch(/^Registered hoo_\w+ for enrichmentDone /);
    const [hook = ''] = /hoo_\w+/.exec(added.stdout) ?? [];
    expect(await ask(`hooks remove ${hook}`)).toMatchObject({ stdout: `Removed ${hook}.\n` });
    const draft = await ask('draft ctc_mateo drf_plain --owner usr_ben');
    expect(draft.stdout).toContain('Hola Mateo');
    expect((await ask('schema people')).stdout).toContain('Version of 20240101');
  });

  test('the example of docs/dialects.md runs as it stands, in the sandbox of the process', async () => {
    const path = new URL('../../samples/dialect/my-platform.yaml', import.meta.url);
    const example = readFileSync(path, 'utf8');
    const asks = ['--ask', 'find_email,find_phone'];
    const dir = openWorkdir('sandbox').write('leads.csv', leads()).write('my.yaml', example);
    const flags = [...asks, ...OFF, ...LIST, '--dialect', 'my.yaml', '--submit', 'bulk'];
    expect((await dir.sluice([...JOB, ...flags])).stderr).toMatch(FAILED_ONLY);
    expect(tableOf(dir)).toEqual(await neutralTable(asks));
  });
});
