// Two runs compared on the pages: the numbers and the persons of `sluice report --compare`, and nothing is written for it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { compareRuns } from '../../../src/app/report/compare-runs.js';
import type { Store } from '../../../src/ports/store/store.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { asHtml } from '../../../src/tell/as-html.js';
import { tellCompare } from '../../../src/tell/tell-compare.js';
import { accepted, T0 } from '../../contract/store-bench.js';
import { asked, runPlan } from '../../helpers/leads.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { lookAtPages } from '../look-at-pages.js';
import type { Browser } from '../server/ui-bench.js';

const JOB = 'crm <b>"';
const PATH = `/jobs/${encodeURIComponent(JOB)}/compare`;
const COLUMNS = ['Record ID', 'name'].map((name) => ({ name, key: name }));
const LEADS = 3_000;
const folder = tempFolder();
const state = join(folder, 'state.db');
let store: Store;

beforeAll(async () => {
  store = openSqliteStore(state);
  await perform(['ada', 'bob', 'eve'], (who) => `${who}@before.example`);
  await perform(
    ['ada', 'bob', 'zoe'],
    (who) => `${who}@${who === 'ada' ? 'after' : 'before'}.example`,
  );
  const many = Array.from({ length: LEADS }, (_, n) => `n${n}`);
  for (let n = 0; n < 2; n += 1) await perform(many, () => null, 'long');
  await perform(['ada'], () => null, 'other');
  for (let n = 0; n < 2; n += 1) await perform(['ada', 'ada'], () => null, 'double');
  return () => store.close();
});

/** A run of leads that are all answered, later than the runs before it. */
async function perform(
  names: readonly string[],
  emailOf: (who: string) => string | null,
  job = JOB,
  columns = COLUMNS,
): Promise<void> {
  const [last] = await store.listRuns(1);
  const at = T0 + 1_000 * (last?.id ?? 0);
  const run = await store.startRun(runPlan({ job }), at);
  const leads = names.map((who, n) => ({
    ...asked(n + 1, `${job} ${who}`),
    cells: [who, `${who}!`],
  }));
  const times = { at, freshSince: at, deadlineAt: at + 9 };
  await store.ingest(run.id, { columns, leads, rejects: [] }, times);
  await store.finishReading(run.id);
  const claimed = (await store.claim(run.id, LEADS, at)).claimed;
  await store.recordSubmits(claimed.map((one) => ({ ...accepted(one), at })));
  await store.settle(
    claimed.map(({ id, request }) => {
      const email = emailOf(request.inputs.firstName?.slice(job.length + 1) ?? '');
      return email === null
        ? { id, at: at + 5, outcome: 'not_found' as const, result: {}, credits: 0 }
        : {
            id,
            at: at + 5,
            outcome: 'found' as const,
            result: { find_email: { email } },
            credits: 0,
          };
    }),
  );
  await store.endRun(run.id, 'finished', at + 6);
}

const open = (seen: Store = store): Promise<Browser> => lookAtPages(seen, state);

/** What the page shows once both runs are read. */
async function compared(browser: Browser, query: string, path = PATH): Promise<string> {
  let text = '';
  await expect
    .poll(async () => {
      ({ text } = await browser.ask(`${path}?${query}`));
      return text;
    })
    .toMatch(/Compared at|could not be compared/);
  return text;
}

const BOTH = 'before=1&after=2&key=Record+ID';

describe('where the pages are only to be looked at', () => {
  it('the numbers are those of the command', async () => {
    const browser = await open();
    const page = await compared(browser, BOTH);
    const { figures } = await compareRuns(store, 1, 2, { key: ['Record ID'] });
    expect(figures.leads).toMatchObject({ both: 2, changed: 1, onlyBefore: 1, onlyAfter: 1 });
    const sections = String(asHtml(tellCompare({ figures, changes: null }).parts)).match(
      /<h2 id="fields">.*/s,
    )?.[0];
    expect(page).toContain(sections);
    expect(page).toContain(
      '3 persons are in the table of changes: 1 changed, 1 only in run 1, 1 only in run 2.',
    );
    expect(page).not.toMatch(/ada|before\.example/);
  });

  it.each(['csv', 'xlsx', 'ndjson', 'parquet'] as const)(
    'the persons as .%s are those of the command, and nothing is written',
    async (format) => {
      const browser = await open();
      const before = [readdirSync(folder), await store.knownFiles()];
      const answer = await browser.begin(`${PATH}/changes?as=${format}&${BOTH}`);
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(JOB)}-changes-1-2.${format}`,
      });
      const got = await buffer(answer);
      expect([readdirSync(folder), await store.knownFiles()]).toEqual(before);
      const changes = join(folder, `changes.${format}`);
      await compareRuns(store, 1, 2, { key: ['Record ID'], changes });
      expect(got.equals(readFileSync(changes))).toBe(true);
    },
  );
});

describe('the form', () => {
  it('offers the runs and the columns of both, and begins with the newest two', async () => {
    const browser = await open();
    const { text } = await browser.ask(PATH);
    expect(text.match(/<option value="\d" selected>Run \d/g)).toEqual([
      '<option value="1" selected>Run 1',
      '<option value="2" selected>Run 2',
    ]);
    expect(text).toContain('<option value="Record ID" selected>the same Record ID</option>');
    expect(text).not.toContain('Compared at');
    // No column tells its leads apart.
    const doubled = await browser.ask('/jobs/double/compare');
    expect(doubled.text).toContain('<option value="Record ID">the same Record ID</option>');
    // The first run has none before it: it is compared with the newest.
    const first = await browser.ask(`${PATH}?after=1`);
    expect(first.text.match(/\d" selected>Run \d/g)).toEqual([
      '1" selected>Run 1',
      '2" selected>Run 2',
    ]);
    expect((await browser.ask('/runs/1')).text).toContain(`${PATH}?after=1"`);
    expect((await browser.ask('/jobs/other/compare')).text).toContain('nothing to compare it with');
    expect((await browser.ask('/runs/5')).text).not.toContain('/compare');
  });

  it('compares by the inputs without a column, and says what another would do in words of the form', async () => {
    const page = await compared(await open(), 'before=1&after=2');
    expect(page).toContain('a column of your own that stays tells who it is');
    expect(page).not.toContain('--key');
  });

  it.each([
    ['before=1&after=5', 'Run 5 is one of other'],
    ['before=x&after=1', 'needs a number for the before'],
  ])('is refused for %s', async (query, sentence) => {
    const browser = await open();
    for (const path of [PATH, `${PATH}/changes`]) {
      const { status, text } = await browser.ask(`${path}?${query}`);
      expect([path, status]).toEqual([path, 400]);
      expect(text).toContain(sentence);
    }
    expect((await browser.ask(`${PATH}/changes`)).text).toContain('does not name two runs');
  });

  it('says on its page that a column is not there', async () => {
    const browser = await open();
    const page = await compared(browser, 'before=1&after=2&key=Record+Id');
    expect(page).toContain('Did you mean &quot;Record ID&quot;?');
    expect((await browser.ask(`${PATH}/changes?before=1&after=2&key=x`)).status).toBe(400);
  });
});

it('the runs are read no further for browsers that have gone', async () => {
  let portions = 0;
  let go = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const browser = await open({
    ...store,
    answers: async (run, ...args) => {
      if (run !== 3) return store.answers(run, ...args);
      portions += 1;
      await gate;
      return store.answers(run, ...args);
    },
  });
  const leave = browser.leave('/jobs/long/compare/changes?before=3&after=4');
  await expect.poll(() => portions).toBe(1);
  leave();
  // Whose answer comes after the server has seen it go.
  await browser.ask('/jobs');
  go();
  await compared(browser, 'before=3&after=4', '/jobs/long/compare');
  expect(portions).toBeLessThanOrEqual(1 + LEADS / 100 + 1);
});
