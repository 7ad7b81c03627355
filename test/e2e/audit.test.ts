// An invoice of the platform against what was sent and paid for: what is wrong on it is found, and nothing else.
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LedgerLine } from '../../src/sandbox/ledger/ledger-file.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { ageEnrichments, ageRuns } from '../helpers/state.js';
import {
  complaintOf,
  csv,
  finishedRun,
  openPrepared,
  openWorkdir,
  type Workdir,
} from '../helpers/workdir.js';

const MONTH_MS = 28 * 86_400_000;
const FLAGS = '--ask find_email --set rate=off --fresh-for 1ms --state state.db --quiet';
const LEADS = 400;

interface Report {
  readonly findings: Readonly<Record<string, { charges: number; credits: number }>>;
  readonly unexplained: boolean;
  readonly sends_without_ticket: number;
  readonly claims: { readonly rows: number } | null;
}

async function audit(dir: Workdir, command: string, flags = '') {
  const ended = await dir.sluice(`${command} --json ${flags}`.trim());
  expect(ended.stderr).toBe('');
  return { ...ended, report: JSON.parse(ended.stdout) as Report };
}

/** Spreads what has happened in seconds over a month: in the sandbox's ledger and in the state. */
function spread(dir: Workdir): void {
  const lines = dir.text('ledger.ndjson').trimEnd().split('\n');
  const all = lines.map((line) => JSON.parse(line) as LedgerLine);
  const accepted = all.filter((line) => line.kind === 'accepted');
  const shifts = new Map<string, number>();
  for (const [i, line] of accepted.entries()) {
    const shift = Math.round(((accepted.length - i) * MONTH_MS) / accepted.length);
    Object.assign(line, { acceptedAt: line.acceptedAt - shift, readyAt: line.readyAt - shift });
    shifts.set(line.id, shift);
  }
  ageEnrichments(dir.at('state.db'), (ticket) => shifts.get(ticket) ?? 0);
  writeFileSync(dir.at('ledger.ndjson'), all.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Makes `sluice sandbox` write the invoice of that ledger. */
async function invoice(dir: Workdir, flags: string, name = 'invoice.csv'): Promise<string> {
  const sandbox = dir.start(
    `sandbox --port 0 --ledger ledger.ndjson --invoice ${name} ${flags}`.trim(),
  );
  await sandbox.says('Ctrl+C');
  sandbox.child.kill('SIGTERM');
  return (await sandbox.ended).stdout;
}

const rowsOf = (dir: Workdir, name = 'invoice.csv') => dir.rows(name);
/** Each way in which a wrong invoice differs from the right one, with the tickets. */
function wrongs(dir: Workdir): Map<string, string> {
  const right = new Map(rowsOf(dir, 'right.csv').map((row) => [row['ticket'], row]));
  const seen = new Set<string>();
  const found = new Map<string, string>();
  const known = new Set(dir.text('ledger.ndjson').match(/enr_[0-9a-f]{32}/g));
  for (const row of rowsOf(dir)) {
    const { ticket = '' } = row;
    const own = right.get(ticket);
    if (own === undefined) found.set(ticket, known.has(ticket) ? 'nothing_found' : 'never_asked');
    else if (seen.has(ticket)) found.set(ticket, 'charged_twice');
    else if (own['credits'] !== row['credits']) found.set(ticket, 'other_price');
    else if (own['date'] !== row['date']) found.set(ticket, 'other_date');
    seen.add(ticket);
  }
  for (const ticket of right.keys()) {
    if (ticket !== undefined && !seen.has(ticket)) found.set(ticket, 'not_charged');
  }
  return found;
}

describe('a month with some hundred charges', () => {
  let dir: Workdir;
  beforeAll(async () => {
    const ledger = 'ledger.ndjson';
    dir = openWorkdir();
    const sandbox = await startSandboxProcess(`--ledger ${dir.at(ledger)} --latency 1ms`);
    const people = Array.from({ length: LEADS }, (_, i) => `Eve${i},Byron,firm${i}.com`);
    dir.write('leads.csv', csv(people));
    const env = { SLUICE_URL: sandbox.url, SLUICE_ACCOUNT: 'acme' };
    const ended = await dir.sluice(`enrich leads.csv --out out.csv ${FLAGS}`, { env });
    // Some fail at the platform, which is no failure of the run.
    expect(ended.code).toBe(0);
    spread(dir);
    url = sandbox.url;
    await invoice(dir, '', 'right.csv');
  }, 300_000);

  let url = '';
  const command = () => `audit invoice.csv --url ${url} --account acme --state state.db`;
  const wrong = () => {
    const counts: Record<string, number> = {};
    for (const way of wrongs(dir).values()) counts[way] = (counts[way] ?? 0) + 1;
    return counts;
  };
  const off = ({ findings }: Report) =>
    Object.fromEntries(
      Object.entries(findings).flatMap(([finding, { charges }]) =>
        charges > 0 && finding !== 'agreed' ? [[finding, charges]] : [],
      ),
    );

  test('that is right has nothing to tell', async () => {
    writeFileSync(dir.at('invoice.csv'), readFileSync(dir.at('right.csv')));
    const { code, report } = await audit(dir, command());
    expect(code).toBe(0);
    expect(off(report)).toEqual({});
    expect(report.findings['agreed']?.charges).toBe(rowsOf(dir).length);
    expect(rowsOf(dir).length).toBeGreaterThan(LEADS / 2);
  });

  test('that is wrong in six ways is wrong in those, and in no other', async () => {
    const said = await invoice(dir, '--overcharge 10% --seed 1');
    expect(Object.keys(wrong()).toSorted()).toEqual([
      'charged_twice',
      'never_asked',
      'not_charged',
      'nothing_found',
      'other_date',
      'other_price',
    ]);
    expect(said).toContain(`${wrongs(dir).size} wrong on purpose`);
    const { code, report } = await audit(dir, command(), '--claims claims.csv');
    expect(code).toBe(1);
    expect(off(report)).toEqual(wrong());
    const claims = new Map(
      dir.rows('claims.csv').map((row) => [row['ticket'] ?? '', row['finding']]),
    );
    expect(claims).toEqual(wrongs(dir));
    const times = dir.rows('claims.csv').map((row) => row['sent_within']);
    const quarter = /^\d{4}-\d\d-\d\dT\d\d:(00|15|30|45)Z\/\d\d:(00|15|30|45)Z$|^$/;
    for (const time of times) expect(time).toMatch(quarter);
    expect(times.join('')).not.toBe('');
    expect(report).toMatchObject({ unexplained: true, claims: { rows: claims.size } });
  });

  test('may have dates that begin with the day, if it is said', async () => {
    const right = dir.text('right.csv');
    dir.write('invoice.csv', right.replace(/(\d{4})-(\d\d)-(\d\d)[^,\n]*/g, '$3/$2/$1'));
    const { code, report } = await audit(dir, command(), '--dates dmy');
    expect(report).toMatchObject({ unexplained: false, unreadable: { count: 0 } });
    expect(code).toBe(0);
  });

  test('may end with a line of totals, and must have tickets', async () => {
    const credits = rowsOf(dir, 'right.csv').reduce((sum, row) => sum + Number(row['credits']), 0);
    dir.write('invoice.csv', `${dir.text('right.csv')}Total,,${credits}\n`);
    const { code, report } = await audit(dir, command());
    expect(code).toBe(0);
    expect(report).toMatchObject({ credits, unexplained: false, unreadable: { count: 0 } });
    dir.write('invoice.csv', `day,credits\n2026-11-02,${credits}\n`);
    const sums = await dir.sluice(command());
    expect(sums.code).toBe(2);
    expect(complaintOf(sums)).toContain('no column of tickets');
    expect(complaintOf(sums)).toContain('--map ticket=COLUMN');
  });

  test('is told the same when its leads are pruned, and people of it were forgotten', async () => {
    await invoice(dir, '--overcharge 10% --seed 1 --force');
    const before = await audit(dir, command(), '--claims before.csv');
    const forgotten = await dir.sluice(
      'state forget companyDomain=firm7.com --yes --state state.db',
    );
    expect(forgotten.code).toBe(0);
    dir.write('other.csv', csv(['Zoe,Zed,zed.com']));
    const env = { SLUICE_URL: 'sandbox' };
    await dir.sluice(`enrich other.csv --out other-out.csv ${FLAGS}`, { env });
    await ageRuns(dir.at('state.db'), MONTH_MS);
    expect(
      await dir.json('state prune --older-than 1d --fresh-for 1ms --yes --state state.db'),
    ).toMatchObject({ runs: 1, enrichments: LEADS });
    const after = await audit(dir, command(), '--claims after.csv');
    expect(after.report.findings).toEqual(before.report.findings);
    expect(after.code).toBe(1);
    const known = (name: string) =>
      dir
        .rows(name)
        .filter((row) => row['finding'] !== 'not_charged')
        .map((row) => `${row['finding']} ${row['ticket']}`)
        .toSorted();
    expect(known('after.csv')).toEqual(known('before.csv'));
    // Their tickets are digests now, so what is not on the list cannot be named by them.
    const missing = dir.rows('after.csv').filter((row) => row['finding'] === 'not_charged');
    expect(missing.map((row) => row['ticket'])).toEqual(missing.map(() => ''));
    expect(missing).toHaveLength(wrong()['not_charged'] ?? 0);
  });
});

test('says what it was told and what it lacks', async () => {
  const dir = await openPrepared(finishedRun);
  const ask = (flags: string) => dir.sluice(`audit invoice.csv --state state.db ${flags}`.trim());
  dir.write('invoice.csv', 'name,note\nada,x\n');
  const nothing = await ask('');
  expect(nothing.code).toBe(2);
  expect(complaintOf(nothing)).toContain('--map');
  dir.write('invoice.csv', 'what,date,credits\nenr_1,2026-11-02,5\nenr_2,soon,5\n');
  const ended = await ask('--map ticket=what');
  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain('charged and never asked');
  expect(ended.stdout).toContain('line 3 (its date cannot be read');
  expect(ended.stdout).toContain('No ticket is known');
  for (const [flags, word] of [
    ['--map tikcet=what', 'Did you mean "ticket"?'],
    ['--map ticket=other', 'does not have'],
    ['--url http://other.example --account acme', 'Nothing was ever sent'],
  ] as const) {
    expect(complaintOf(await ask(flags))).toContain(word);
  }
});
