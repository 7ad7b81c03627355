// Two runs joined by a key, as a naive join of what was meant finds it, in both stores; and the table of the changes.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRuns } from '../../../src/app/report/compare-runs.js';
import { keyText } from '../../../src/model/columns/key-census.js';
import type { Result } from '../../../src/model/result.js';
import type { JsonValue } from '../../../src/model/text/json.js';
import type { LeadEntry } from '../../../src/ports/store/enrichments.js';
import type { Store } from '../../../src/ports/store/store.js';
import { openStore } from '../../../src/store/open-store.js';
import { accepted, T0 } from '../../contract/store-bench.js';
import { fingerprintOf, runPlan, skippedLead } from '../../helpers/leads.js';
import { tries } from '../../helpers/long.js';
import { testState } from '../../helpers/postgres.js';
import { readWorkbook } from '../../helpers/read-workbook.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { readAll } from '../../input/read-all.js';

const folder = tempFolder();
let count = 0;
const newPath = (ending: string): string => join(folder, `${(count += 1)}.${ending}`);
const database = await testState();
const COLUMNS = ['Record ID', 'who'].map((name) => ({ name, key: name }));
const ASK = ['find_email', 'social_enrichment'] as const;

/** What the platform says of a person: which of several addresses and companies, and how that is written. */
interface Said {
  readonly kind: 'found' | 'not_found' | 'failed' | 'timed_out' | 'open';
  readonly email: number;
  readonly company: number;
  readonly way: number;
}

interface Lead {
  readonly id: JsonValue;
  readonly who: string;
  readonly isSkipped: boolean;
}

interface Plan {
  readonly leads: readonly Lead[];
  readonly said: Readonly<Record<string, Said>>;
}

const WHO = ['ada', 'Bea', 'cleo', 'дана', 'eve'];
const odd = fc.constantFrom<JsonValue>(
  '1',
  ' 1 ',
  1,
  '01',
  'a',
  'A',
  '',
  ' ',
  null,
  '\0',
  "'; --",
  'é',
  true,
  '=1',
);
const lead = fc.record({
  id: odd,
  who: fc.constantFrom(...WHO),
  isSkipped: fc.constantFrom(false, false, false, true),
});
const said: fc.Arbitrary<Said> = fc.record({
  kind: fc.constantFrom('found', 'found', 'found', 'not_found', 'failed', 'timed_out', 'open'),
  email: fc.nat(2),
  company: fc.nat(2),
  way: fc.nat(1),
});
const plan: fc.Arbitrary<Plan> = fc.record({
  leads: fc.array(lead, { maxLength: 8 }),
  said: fc.record(Object.fromEntries(WHO.map((who) => [who, said]))),
});

function resultOf({ company, email, way }: Said): Result {
  const [address, name] = [`e${email}@acme.com`, `Acme ${company}`];
  return {
    ...(email > 0 && { find_email: { email: way === 1 ? address.toUpperCase() : address } }),
    social_enrichment: {
      positionGroups: [],
      ...(company > 0 && { companyName: way === 1 ? ` ${name.toUpperCase()}` : name }),
    },
  };
}

/** Reads the leads, and sends and settles what they ask for. */
async function perform(store: Store, { leads, said: all }: Plan, at: number): Promise<number> {
  const run = await store.startRun(runPlan({ ask: ASK }), at);
  const entries = leads.map(({ id, isSkipped, who }, n): LeadEntry => {
    if (isSkipped) return { ...skippedLead(n + 1, 'no name'), cells: [id, who] };
    const request = { ask: [...ASK], inputs: { firstName: who } };
    const fingerprint = fingerprintOf(who);
    const place = { position: n + 1, source: 0, line: n + 2, cells: [id, who], note: null };
    return { kind: 'asked', ...place, fingerprint, request };
  });
  const times = { at, freshSince: at, deadlineAt: at + 9 };
  await store.ingest(run.id, { columns: COLUMNS, leads: entries, rejects: [] }, times);
  await store.finishReading(run.id);
  const claimed = (await store.claim(run.id, 100, at)).claimed;
  await store.recordSubmits(claimed.map((one) => ({ ...accepted(one), at })));
  for (const { id, request } of await store.awaited(run.id, 100)) {
    const one = all[request.inputs.firstName ?? ''] as Said;
    const { kind } = one;
    if (kind === 'open') continue;
    const base = { id, at: at + 5 };
    if (kind === 'found' || kind === 'not_found') {
      const result = kind === 'found' ? resultOf(one) : {};
      await store.settle([{ ...base, outcome: kind, result, credits: 0 }]);
    } else await store.settle([{ ...base, outcome: kind, reason: 'broken' }]);
  }
  await store.endRun(run.id, 'finished', at + 6);
  return run.id;
}

interface Naive {
  readonly id: JsonValue;
  readonly key: string | null;
  /** Undefined where there is no answer. */
  readonly answer: Said | undefined;
}

/** What each run shows in the end, from what was meant: the second run asks again for all that has an answer. */
function shownBy([first, second]: readonly [Plan, Plan], hasKey: boolean): [Naive[], Naive[]] {
  const askedIn = (one: Plan) =>
    new Set(one.leads.filter(({ isSkipped }) => !isSkipped).map(({ who }) => who));
  const again = askedIn(second);
  const isAnswer = (one: Said | undefined): boolean =>
    one?.kind === 'found' || one?.kind === 'not_found';
  const show = (one: Plan, isFirst: boolean): Naive[] =>
    one.leads.map(({ id, isSkipped, who }) => {
      const own = one.said[who] as Said;
      // What was still awaited is one enrichment, whose answer the second run gets for both.
      const isLeft = own.kind === 'timed_out' || own.kind === 'open';
      const shown = isFirst && isLeft && again.has(who) ? second.said[who] : own;
      const byWho = isSkipped ? null : who.toLowerCase();
      return {
        id,
        key: hasKey ? keyText([id], [{ column: { key: 'id', name: 'id' }, index: 0 }]) : byWho,
        answer: !isSkipped && isAnswer(shown) ? shown : undefined,
      };
    });
  return [show(first, true), show(second, false)];
}

interface Expected {
  readonly leads: object;
  readonly rows: readonly (readonly [JsonValue, string])[];
}

function joinNaively(before: readonly Naive[], after: readonly Naive[]): Expected {
  const firsts = (list: readonly Naive[]) => {
    const map = new Map<string, Naive>();
    for (const one of list) if (one.key !== null && !map.has(one.key)) map.set(one.key, one);
    return map;
  };
  const [left, right] = [firsts(before), firsts(after)];
  const numbers = { both: 0, onlyBefore: 0, onlyAfter: 0, changed: 0, unchanged: 0, notKnown: 0 };
  const rows: [JsonValue, string][] = [];
  for (const [key, { answer: now, id }] of right) {
    const was = left.get(key);
    if (was === undefined) {
      numbers.onlyAfter += 1;
      rows.push([id, 'only_after']);
      continue;
    }
    numbers.both += 1;
    if (was.answer === undefined || now === undefined) {
      numbers.notKnown += 1;
      continue;
    }
    const { answer: old } = was;
    const value = (one: Said, field: 'email' | 'company') =>
      one.kind === 'found' ? one[field] : 0;
    const changes: string[] = [];
    for (const field of ['email', 'company'] as const) {
      const [a, b] = [value(old, field), value(now, field)];
      if (a !== b) changes.push(`${a === 0 ? 'new' : b === 0 ? 'lost' : 'changed'}_${field}`);
    }
    if (old.kind !== now.kind) changes.push(now.kind === 'found' ? 'now_found' : 'no_longer_found');
    numbers[changes.length > 0 ? 'changed' : 'unchanged'] += 1;
    if (changes.length > 0) rows.push([id, changes.join(',')]);
  }
  for (const [key, { id }] of left) {
    if (right.has(key)) continue;
    numbers.onlyBefore += 1;
    rows.push([id, 'only_before']);
  }
  return { leads: numbers, rows };
}

/** The rows of an NDJSON table. */
function linesOf(path: string): Record<string, JsonValue>[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

const STATES = [
  { name: 'a file', runs: 25, open: () => openStore(newPath('db')) },
  {
    name: 'a database',
    runs: 8,
    open: async () => {
      await database.empty();
      return openStore(database.address);
    },
  },
];

describe.each(STATES)('two runs in $name', ({ open, runs }) => {
  it.each([true, false])('are joined as a naive join does it; with a key: %s', async (hasKey) => {
    await fc.assert(
      fc.asyncProperty(plan, plan, async (first, second) => {
        const store = await open();
        try {
          await perform(store, first, T0);
          await perform(store, second, T0 + 1_000);
          const changes = newPath('ndjson');
          const key = hasKey ? ['Record ID'] : undefined;
          const report = await compareRuns(store, 1, 2, { key, changes });
          const [before, after] = shownBy([first, second], hasKey);
          const expected = joinNaively(before, after);
          expect(report.figures.leads).toEqual(expected.leads);
          const rows = linesOf(changes);
          expect(report.changes).toMatchObject({ out: changes, rows: rows.length });
          expect(rows.map((row) => row['changes'])).toEqual(expected.rows.map(([, told]) => told));
          if (hasKey)
            expect(rows.map((row) => row['Record ID'])).toEqual(expected.rows.map(([id]) => id));
          for (const [side, list] of [
            ['before', before],
            ['after', after],
          ] as const) {
            const { forgotten, leads, repeated, suppressed, withoutKey } = report.figures[side];
            const keys = list.flatMap(({ key: text }) => text ?? []);
            expect(leads).toBe(list.length);
            expect(withoutKey + suppressed + forgotten).toBe(list.length - keys.length);
            expect(repeated).toBe(keys.length - new Set(keys).size);
          }
          for (const outcomes of Object.values(report.figures.fields)) {
            const sum = Object.values(outcomes).reduce((all, one) => all + one, 0);
            expect(sum).toBe(report.figures.leads.both);
          }
        } finally {
          await store.close();
        }
      }),
      { numRuns: tries(runs) },
    );
  });
});

const ADA: Said = { kind: 'found', email: 1, company: 1, way: 0 };
const lines = (...ids: readonly JsonValue[]): Lead[] =>
  ids.map((id) => ({ id, who: 'ada', isSkipped: false }));

async function twoRuns(before: Said, after: Said, ids: readonly JsonValue[] = ['1']) {
  const store = await openStore(newPath('db'));
  await perform(store, { leads: lines(...ids), said: { ada: before } }, T0);
  await perform(store, { leads: lines(...ids), said: { ada: after } }, T0 + 1_000);
  return store;
}

describe('the table of changes', () => {
  it.each(['csv', 'tsv', 'xlsx', 'ndjson.gz', 'parquet'])(
    'is its owner’s alone as .%s',
    async (ending) => {
      const store = await twoRuns(ADA, { ...ADA, email: 2 });
      const changes = newPath(ending);
      const umask = process.umask(0o022);
      await compareRuns(store, 1, 2, { changes });
      process.umask(umask);
      expect(statSync(changes).mode & 0o777).toBe(0o600);
      // It is known as ours, and replaced.
      await compareRuns(store, 1, 2, { changes });
      await store.close();
    },
  );

  it('has key, names and both values, also in a workbook', async () => {
    const store = await twoRuns(ADA, { ...ADA, company: 2 }, ['=7']);
    const changes = newPath('xlsx');
    await compareRuns(store, 1, 2, { changes, key: ['Record ID'] });
    const [sheet] = await readWorkbook(readFileSync(changes));
    const [header = [], row = []] = sheet?.rows ?? [];
    const cells = Object.fromEntries(header.map((name, n) => [String(name), row[n]]));
    expect(cells).toMatchObject({
      'Record ID': '=7',
      name: 'ada',
      changes: 'changed_company',
      not_known: 'phone',
      status_before: 'found',
      email_before: 'e1@acme.com',
      email_after: 'e1@acme.com',
      company_before: 'Acme 1',
      company_after: 'Acme 2',
      line_before: 2,
    });
    expect(sheet?.rows).toHaveLength(2);
    const { columns, records } = await readAll(changes);
    expect(columns.map(({ name }) => name)).toEqual(header);
    expect(records).toHaveLength(1);
    expect(records[0]?.cells.slice(0, 3)).toEqual(['=7', 'ada', 'changed_company']);
    await store.close();
  });

  it('replaces nothing that is not ours', async () => {
    const store = await twoRuns(ADA, ADA);
    const changes = newPath('csv');
    writeFileSync(changes, 'mine');
    await expect(compareRuns(store, 1, 2, { changes })).rejects.toThrow('--changes');
    expect(readFileSync(changes, 'utf8')).toBe('mine');
    await compareRuns(store, 1, 2, { changes, force: true });
    await store.close();
  });
});

describe('what cannot be known', () => {
  it('is said: one answer for both, and an answer that came after the run had ended', async () => {
    const store = await twoRuns({ ...ADA, kind: 'timed_out' }, ADA);
    const { figures } = await compareRuns(store, 1, 2);
    expect(figures).toMatchObject({ shared: 1, leads: { both: 1, unchanged: 1 } });
    expect(figures.before).toMatchObject({ late: 1, unanswered: {} });
    expect(figures.after.late).toBe(0);
    await store.close();
  });
});

describe('is refused', () => {
  it('a key that no input has', async () => {
    const store = await twoRuns(ADA, ADA);
    const comparing = compareRuns(store, 1, 2, { key: ['Record Id'] });
    await expect(comparing).rejects.toThrow('Did you mean "Record ID"?');
    await store.close();
  });
});
