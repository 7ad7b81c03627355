import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { type JobFile, jobSchema } from '../../src/config/job-schema.js';
import { parseJob } from '../../src/config/load-job.js';
import { writeJob, writeYaml } from '../../src/config/write-job.js';

const SMALL: JobFile = { input: 'a: b #1.csv', out: '- x.csv', ask: ['find_email'] };
const WHOLE: Required<JobFile> = {
  ...SMALL,
  input: ['in/*.csv', 'more.csv'],
  out: 'out.csv',
  report: 'out/{job}-{run}.html',
  ask: ['find_email', 'find_phone'],
  map: { firstName: 'Prénom: "x"', lastName: '#name', email: '' },
  url: 'https://api.example.com/v1',
  dialect: 'acme.yaml',
  sandbox: true,
  account: 'team A',
  columns: ['first_name', { 'Job title': 'position_title' }],
  key: ['Record ID', 'Team'],
  concurrency: 5,
  rate: '10/1s',
  positions: 'wide:3',
  'fresh-for': '90d',
  keep: '365d',
  'keep-deliveries': '7d',
  limit: 10,
  where: 'country in (FR, DE) and "E Mail" is empty',
  'only-missing': true,
  sample: 50,
  seed: 7,
  fill: { email: 'E-Mail', phone: '#' },
  timeout: '45s',
  deadline: '1h',
  collect: 'hybrid',
  listen: '0.0.0.0:8640',
  'public-url': 'https://leads.example.com',
  callback: 'hook',
  'claim-wait': '2m',
  waterfall: [
    { name: 'a', url: 'https://a.example.com', ask: ['find_email'], prices: { find_email: 2 } },
    { name: 'b', url: 'https://b.example.com', account: 'team B', verifies: 'find_email' },
  ],
  accept: { find_email: ['deliverable', 'risky'] },
  'on-unavailable': 'skip',
  'on-uncertain': 'skip',
  verify: 'all',
  submit: 'bulk',
  list: { name: '{job} of {date}', where: "email_status = 'deliverable'" },
  accounts: 'accounts.yaml',
  'fail-on': ['uncertain', 'failed > 5 %'],
  notify: { url: 'https://chat.example.com/x', command: ['sh', '-c', 'cat'], on: 'trouble' },
  budget: 0,
  credit: '0.012 EUR',
  caps: { day: 6.5, month: '120 EUR', timezone: 'Europe/Vienna' },
  prices: { find_email: 0.5 },
  'same-person': 'exact',
  'pay-anew': true,
  'first-batch': 7,
  'stop-below': '20 % of 200',
  changes: 'changes.csv',
  schedule: '0 2 * * *',
  timezone: 'Europe/Vienna',
  'catch-up': 'none',
  state: 'state.db',
  'metrics-file': 'nightly.prom',
  format: 'csv',
  delimiter: '\t',
  sheet: 'Leads',
  'visible-only': true,
  'header-row': 3,
  encoding: 'utf-8',
  'accept-rejects': '50%',
  'delimiter-out': ';',
  bom: true,
  excel: false,
  'formula-guard': false,
};

const noVariable = () => undefined;

it.each([
  ['small', SMALL],
  ['with every key', WHOLE],
])('a job that is %s is read as it was meant', (_, job) => {
  expect(parseJob(writeJob('nightly', job, undefined), 'jobs/nightly.yaml', noVariable)).toEqual(
    job,
  );
});

it('every key stands below a remark', () => {
  const lines = writeJob('nightly', WHOLE, undefined).split('\n');
  for (const key of Object.keys(jobSchema.shape)) {
    const at = lines.findIndex((line) => line.startsWith(`${key}:`));
    expect(lines[at - 1], key).toMatch(/^# \S/);
  }
});

it('what comes to mind next only waits for its # to be taken away', () => {
  const text = writeJob('nightly', SMALL, undefined);
  expect(text).toContain('\n# budget: 500\n');
  const taken = text.replace(/^# (budget|fresh-for|public-url): /gm, '$1: ');
  expect(parseJob(taken, 'jobs/nightly.yaml', noVariable)).toEqual({
    ...SMALL,
    budget: 500,
    'fresh-for': '30d',
    'public-url': 'https://leads.example.com/sluice',
  });
});

it('an editor is told of the schema on the first line, where there is one', () => {
  expect(writeJob('nightly', SMALL, './job.schema.json')).toMatch(
    /^# yaml-language-server: \$schema=\.\/job\.schema\.json\n# A job/,
  );
  expect(writeJob('nightly', SMALL, undefined)).not.toContain('$schema');
});

const shared = ['a', 'b'];
const VALUE = { flag: 'true', none: null, empty: '', one: shared, two: shared, list: [{ x: [1] }] };

it('YAML is read back as it was written, quotes what would be no text, and has no anchors', () => {
  const text = writeYaml(VALUE);
  expect(parse(text)).toEqual(VALUE);
  expect(text.split('\n').slice(0, 5)).toEqual([
    'flag: "true"',
    'none: null',
    'empty: ""',
    'one: [a, b]',
    'two: [a, b]',
  ]);
});
