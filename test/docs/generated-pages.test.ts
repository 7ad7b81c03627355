// The reference pages that `npm run generate` makes, against the code that they are made from.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderPages } from '../../scripts/docs/pages.js';
import { EXIT } from '../../src/cli/exit-codes.js';
import { describeColumns } from '../../src/model/columns/output-columns.js';
import { EVENT_CATALOGUE } from '../../src/model/events/event-catalogue.js';
import { METRICS } from '../../src/model/telemetry/metric-catalogue.js';
import { RUN_EVENT_CATALOGUE } from '../../src/model/telemetry/observe.js';
import { openWorkdir } from '../helpers/workdir.js';

const PAGES = [
  'docs/columns.md',
  'docs/events.md',
  'docs/exit-codes.md',
  'docs/logs-and-metrics.md',
  'docs/reference/commands.md',
  'docs/reference/dialect-keys.md',
  'docs/reference/environment.md',
  'docs/reference/errors.md',
  'docs/reference/job-keys.md',
  'docs/reference/library.md',
  'llms.txt',
  'skills/sluice/SKILL.md',
];

let pages: Readonly<Record<string, string>> = {};
const pageOf = (path: string): string => pages[path] ?? '';

beforeAll(async () => {
  const dir = openWorkdir();
  const dist = new URL('../../dist/', import.meta.url);
  pages = await renderPages(async (words) => (await dir.sluice(['help', ...words])).stdout, dist);
});

it('has no page that is not listed here', () => {
  expect(Object.keys(pages).toSorted()).toEqual(PAGES);
});

describe.each(PAGES)('%s', (path) => {
  it('is what the code says', () => {
    const written = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    expect(written, `${path} is out of date: npm run generate`).toBe(pageOf(path));
  });

  it('has tables whose rows all have as many cells as their head', () => {
    for (const table of pageOf(path).match(/(?:^\|.*\n)+/gm) ?? []) {
      const widths = table
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/(?<!\\)\|/).length);
      expect(new Set(widths).size, table).toBe(1);
    }
  });
});

it('docs/reference/library.md has every export, functions with what they take and give', async () => {
  const page = pageOf('docs/reference/library.md');
  const api: Readonly<Record<string, unknown>> = await import('../../src/index.js');
  for (const name of Object.keys(api)) expect(page).toContain(`\n### ${name}\n`);
  expect(page).toMatch(
    /^function runJob\(job: JobSettings, wishes\?: RunOptions\): Promise<.*>;$/m,
  );
  expect(page).toMatch(/^function openStore\(/m);
  expect(page).toMatch(/^interface RunOptions \{$/m);
});

it('docs/columns.md names every column of every shape', () => {
  const shapes = [
    { kind: 'current' },
    { kind: 'wide', count: 1 },
    { kind: 'long' },
    { kind: 'json' },
  ] as const;
  for (const { name } of shapes.flatMap((shape) => describeColumns(shape))) {
    expect(pageOf('docs/columns.md')).toContain(`| \`${name}\` | `);
  }
});

it('docs/events.md names every event', () => {
  for (const { type } of EVENT_CATALOGUE) {
    expect(pageOf('docs/events.md')).toContain(`| \`${type}\` | `);
  }
});

it('docs/logs-and-metrics.md names every event and every metric', () => {
  const page = pageOf('docs/logs-and-metrics.md');
  for (const kind of Object.keys(RUN_EVENT_CATALOGUE)) expect(page).toContain(`| \`${kind}\` | `);
  for (const { name } of Object.values(METRICS)) expect(page).toContain(`| \`${name}\` | `);
});

it('docs/exit-codes.md has one row for each code, in order', () => {
  const rows = pageOf('docs/exit-codes.md').matchAll(/^\| (\d+) \| ([\w-]+) \|/gm);
  expect([...rows].map(([, code, name]) => [name, Number(code)])).toEqual(Object.entries(EXIT));
});
