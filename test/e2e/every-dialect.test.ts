// Each ready-made dialect, spoken by the sandbox: a job in it gives the same table as in the neutral one, in every
// column that the platform has, and pays once. How the dialect writes and reads the platform's own words is held in
// test/dialects/: here client and sandbox read the same file.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { loadDialect } from '../../src/config/load-dialect.js';
import type { Dialect } from '../../src/dialect/dialect.js';
import { bulkForm, type Form, singleForm, writtenInputs } from '../../src/dialect/forms.js';
import type { WrittenInput } from '../../src/dialect/question.js';
import { type Ask, INPUTS, isStandard } from '../../src/model/ask.js';
import {
  COUNT,
  leads,
  neutralTable,
  OFF,
  openShop,
  tableOf,
  wishOf,
} from '../helpers/dialect-shop.js';
import { freePort } from '../helpers/free-port.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { hostCommands, type Row } from '../helpers/workdir.js';

hostCommands();
// They wait more than they work.
vi.setConfig({ maxConcurrency: 6 });

const READY_MADE = new URL('../../dialects/', import.meta.url);
const folder = tempFolder();
/** Here no time passes between two reads. */
const FILES = readdirSync(READY_MADE)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => {
    const text = readFileSync(new URL(name, READY_MADE), 'utf8');
    writeFileSync(join(folder, name), text.replace(/^ {2}every: .*$/m, '  every: 0s'));
    return join(folder, name);
  });

interface Way {
  readonly name: string;
  readonly file: string;
  readonly dialect: Dialect;
  readonly submit: 'single' | 'bulk';
  readonly collect: 'poll' | 'webhook';
}

async function waysOf(file: string): Promise<Way[]> {
  const dialect = await loadDialect(file);
  const { bulk, enrich } = dialect;
  const ways: Way[] = [];
  for (const submit of ['single', 'bulk'] as const) {
    if (formOf({ dialect, submit }) === undefined) continue;
    const name = `${basename(file, '.yaml')}, asked ${submit}`;
    const way = { name, file, dialect, submit };
    ways.push({ ...way, collect: 'poll' });
    const callback = submit === 'single' ? enrich?.webhookUrl : bulk.webhookUrl;
    if (callback !== undefined && callback !== null) {
      ways.push({ ...way, name: `${name}, by webhook`, collect: 'webhook' });
    }
  }
  return ways;
}

function formOf({ dialect, submit }: Pick<Way, 'dialect' | 'submit'>): Form | undefined {
  return submit === 'single' ? singleForm(dialect) : bulkForm(dialect);
}

/** The columns of the leads that reach the platform in this way. */
function columnsOf(way: Way): readonly string[] {
  const form = formOf(way);
  if (form === undefined) return [];
  const inputs = Object.fromEntries(INPUTS.map((name) => [name, name]));
  const written = writtenInputs(form, { ask: wishOf(form), inputs }, way.dialect.requires);
  const has = (...parts: WrittenInput[]) =>
    parts.some((part) => form.spots.has(part) && written.has(part));
  return [
    ...(has('email') ? ['mail'] : []),
    ...(has('socialUrl') ? ['profile_url'] : []),
    ...(has('firstName', 'fullName') ? ['first_name', 'last_name'] : []),
    ...(has('companyDomain', 'company') ? ['domain'] : []),
    ...(has('companyName') ? ['company'] : []),
  ];
}

const neutral = new Map<string, Promise<readonly Row[]>>();
function neutralOf(ask: readonly Ask[], columns: readonly string[]): Promise<readonly Row[]> {
  const key = [...ask, ...columns].join();
  const known = neutral.get(key) ?? neutralTable(['--ask', ask.join(',')], columns);
  neutral.set(key, known);
  return known;
}

/** The neutral platform has nothing to compare with asks of a dialect's own (custom-asks.test.ts). */
const WAYS = (await Promise.all(FILES.map(waysOf)))
  .flat()
  .filter((way) => wishOf(formOf(way)).every(isStandard));

describe.concurrent('the same table as in the neutral dialect, paid once', () => {
  test.each(WAYS)('$name', async (way) => {
    const { collect, file, submit } = way;
    const ask = wishOf(formOf(way));
    const columns = columnsOf(way);
    const { dir, enrich, sandbox } = await openShop(file);
    dir.write('leads.csv', leads(columns));
    const how = ['--submit', submit, '--collect', collect, '--ask', ask.join(',')];
    if (collect === 'webhook') how.push('--listen', String(await freePort()));
    await enrich(...how, ...OFF);
    expect(differences(tableOf(dir), await neutralOf(ask, columns), way)).toEqual([]);
    await sandbox.ready();
    const { accepted, charged, doubled } = await sandbox.ledger();
    expect({ accepted, doubled }).toEqual({ accepted: COUNT, doubled: [] });
    const credits = dir.rows('out.csv').map((row) => Number(row['credits']));
    expect(charged).toBeCloseTo(
      credits.reduce((sum, one) => sum + one, 0),
      3,
    );
  });
});

/**
 * Each cell that is another than in the neutral table. Left out is what the platform has no words for: a status, or
 * why one of many in a call got no answer.
 */
function differences(is: readonly Row[], right: readonly Row[], way: Way): string[] {
  const { emailStatuses, fields } = way.dialect;
  const worded = Object.entries(emailStatuses).filter(([, words]) => words.length > 0);
  const statuses = fields.find_email.status.length > 0 ? worded.map(([name]) => name) : [];
  expect(is.length).toBe(right.length);
  return right.flatMap((row, i) => {
    if (row['sluice_status'] === 'failed' && !saysFailure(way)) return [];
    return Object.keys(row).flatMap((column) => {
      const [own = '', theirs = ''] = [is[i]?.[column], row[column]];
      if (own === theirs || (column === 'email_status' && !statuses.includes(theirs))) return [];
      return [`row ${i + 1}, ${column}: "${own.slice(0, 80)}" and not "${theirs.slice(0, 80)}"`];
    });
  });
}

/**
 * One of many that are answered at once has no status of its own; and where a miss is nothing in the place of the person,
 * an answer at once with neither person nor word for a failure is a miss.
 */
function saysFailure({ dialect: { answer, bulk, enrich }, submit }: Way): boolean {
  const { failed, notFound } = answer.submit;
  if (failed.length > 0) return true;
  if (submit === 'bulk') return bulk.result !== 'always';
  const isMissByNothing = notFound.some(({ values = [] }) => values.includes(null));
  return enrich?.result !== 'always' || !isMissByNothing;
}
