// What is kept of a job for a worker on another machine.
import { expect, it } from 'vitest';
import { readTask, writeTask } from '../../../src/app/queue/task.js';
import { describeJob } from '../../../src/app/settings/describe-job.js';
import { loadDialect, readyMadeDialects } from '../../../src/config/load-dialect.js';
import { isStated } from '../../../src/config/stated-keys.js';

const STATED = {
  input: 'leads.csv',
  out: 'out.csv',
  ask: ['find_email'],
  url: 'https://p.example',
  account: 'acme',
  dialect: 'inkwell',
  notify: { url: 'https://chat.example/secret' },
  state: 'here.db',
  rate: '10/1s',
} as const;

it('is the job as it was stated, on another machine, without what may be a secret', async () => {
  const [name = 'neutral'] = readyMadeDialects();
  const settings = describeJob('nightly', STATED);
  const dialect = await loadDialect(name);
  const text = writeTask({ settings, dialect });
  expect(text).not.toContain('secret');
  const task = readTask(text, 'nightly', 'postgres://db/leads');
  const stated = { ...settings.stated };
  for (const key of ['notify', 'dialect', 'state'] as const) delete stated[key];
  expect(task.settings).toMatchObject({
    job: 'nightly',
    stated: expect.objectContaining(stated),
    state: 'postgres://db/leads',
    account: 'acme',
    rate: [{ requests: 10, perMs: 1_000 }],
    notify: undefined,
  });
  expect(task.dialect).toEqual(dialect);
  expect(isStated(task.dialect, 'enrich')).toBe(isStated(dialect, 'enrich'));
});

it('has the dialect and the account of each step of a waterfall, and the name of none of its files', async () => {
  const waterfall = [
    { url: 'https://a.example', account: 'a', dialect: 'mine.yaml' },
    { name: 'second', url: 'https://b.example', account: 'b' },
  ];
  const settings = describeJob('nightly', { ...STATED, waterfall });
  const dialect = await loadDialect();
  const mine = await loadDialect(readyMadeDialects()[0]);
  const steps = [
    { name: 'mine.yaml', account: '1', dialect: mine },
    { name: 'second', account: '2', dialect },
  ];
  const text = writeTask({ settings, dialect }, steps);
  const task = readTask(text, 'nightly', 's.db');
  expect(task.settings.waterfall).toEqual([
    { name: 'mine.yaml', url: 'https://a.example', account: 'a' },
    { name: 'second', url: 'https://b.example', account: 'b' },
  ]);
  expect(task.steps).toEqual(steps.map(({ account, dialect: own }) => ({ account, dialect: own })));
});

it('of another form is refused, with what to do', () => {
  for (const text of ['{"version":2}', 'no JSON', '{"version":1,"job":{"no":1},"dialect":{}}']) {
    expect(() => readTask(text, 'nightly', 's.db')).toThrow('use the same version');
  }
});

it('of more than a megabyte is refused', async () => {
  const where = `a = "${'x'.repeat(1_000_000)}"`;
  const settings = describeJob('nightly', { ...STATED, where });
  const dialect = await loadDialect();
  expect(() => writeTask({ settings, dialect })).toThrow('too long');
});
