// What the pages show of a real state, with what is hostile in it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { knownOfPerson } from '../../src/app/results/known-of-person.js';
import { createStarter } from '../../src/app/run/start-command.js';
import { openKeyring } from '../../src/app/state/state-file.js';
import { systemClock } from '../../src/app/system-clock.js';
import type { Run } from '../../src/model/run.js';
import type { Store } from '../../src/ports/store/store.js';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { asText } from '../../src/tell/as-text.js';
import { tellKnown } from '../../src/tell/tell-known.js';
import type { UiContext } from '../../src/ui/page.js';
import { keepUpload } from '../../src/ui/try/uploads.js';
import { accepted } from '../contract/store-bench.js';
import { heldLead, startWaterfall } from '../contract/waterfalls.js';
import { asked, COLUMNS, runPlan, skippedLead } from '../helpers/leads.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { answerTo, contextOf } from './look-at-pages.js';

const HOSTILE = `"><script>alert(1)</script>&'`;
const T0 = Date.UTC(2026, 10, 21, 7, 40, 12);
const TIMES = { at: T0, freshSince: T0 - 1_000, deadlineAt: T0 + 60_000 };

const folder = tempFolder();
let count = 0;
let store: Store;
let context: UiContext;

beforeAll(() => {
  const before = process.cwd();
  process.chdir(folder);
  return () => process.chdir(before);
});

beforeEach(() => {
  const state = join(folder, `${(count += 1)}.db`);
  store = openSqliteStore(state);
  context = contextOf(store, state);
  onTestFinished(() => store.close());
});

async function show(path: string, changes: Partial<UiContext> = {}, form?: URLSearchParams) {
  const page = await answerTo({ ...context, ...changes }, path, form);
  if (!('title' in page)) throw new Error(`${path} is no page.`);
  const { body, isFinal = false, live = [], title } = page;
  const html = String(body);
  const text = html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  return { html, isFinal, live, title, text };
}

/** A finished run with a lead of each of these kinds, on lines 2, 3 and 4, and a line that became no lead. */
async function finishedRun(): Promise<Run> {
  const plan = runPlan({ job: HOSTILE, sources: [`${HOSTILE}.csv`] });
  const run = await store.startRun(plan, T0);
  const leads = [
    { ...asked(1, 'ada'), cells: [HOSTILE] },
    asked(2, 'bob'),
    skippedLead(3, `no name: ${HOSTILE}`),
  ];
  const rejects = [{ source: 0, line: 9, reason: 'unclosed_quote', raw: HOSTILE }];
  await store.ingest(run.id, { columns: COLUMNS, leads, rejects }, TIMES);
  await store.finishReading(run.id);
  const claimed = (await store.claim(run.id, 10, T0)).claimed;
  await store.recordSubmits(claimed.map((one) => ({ ...accepted(one), at: T0 })));
  const result = { find_email: { email: `ada${HOSTILE}@example.com`, status: 'deliverable' } };
  await store.settle([
    { id: claimed[0]?.id ?? 0, at: T0 + 5_000, outcome: 'found', result, credits: 5 },
    { id: claimed[1]?.id ?? 0, at: T0, outcome: 'failed', reason: `refused: ${HOSTILE}` },
  ]);
  await store.endRun(run.id, 'finished', T0 + 60_000);
  return run;
}

describe('the page of a line', () => {
  it('leads to the lines of other runs that share its payment, each in its own file', async () => {
    const first = await store.startRun(runPlan({ sources: ['a.csv', 'b.csv'] }), T0);
    const leads = [asked(1, 'ada'), { ...asked(2, 'ada'), source: 1, line: 2 }];
    await store.ingest(first.id, { columns: COLUMNS, leads, rejects: [] }, TIMES);
    const second = await store.startRun(runPlan({ job: 'other' }), T0);
    await store.ingest(
      second.id,
      { columns: COLUMNS, leads: [asked(1, 'ada')], rejects: [] },
      TIMES,
    );
    const { html, text } = await show('/runs/2/lines/2');
    expect(text).toMatch(/run 1 line 2 of a\.csv , run 1 line 2 of b\.csv/);
    for (const file of [0, 1]) {
      expect(html).toContain(`href="/runs/1/lines/2?file=${file}"`);
      const there = await show(`/runs/1/lines/2?file=${file}`);
      expect(there.html).toContain('href="/runs/2/lines/2"');
    }
  });
});

it('the page of a line names the step that has paid, and leads to the line of its waterfall', async () => {
  const { held, steps } = await startWaterfall(store);
  const none = { columns: COLUMNS, rejects: [] };
  await store.ingest(held.id, { ...none, leads: [heldLead(1, 'ada')] }, TIMES);
  await store.ingest(steps[0].id, { ...none, leads: [asked(1, 'ada')] }, TIMES);
  for (const one of (await store.claim(steps[0].id, 1, T0)).claimed) {
    await store.recordSubmits([{ ...accepted(one), at: T0 }]);
    const result = { find_email: { email: 'ada@example.com' } };
    await store.settle([{ id: one.id, at: T0, outcome: 'found', result, credits: 5 }]);
  }
  const { id } = await store.startRun(runPlan({ job: 'other' }), T0);
  await store.ingest(id, { ...none, leads: [asked(1, 'ada')] }, TIMES);
  const { html, text } = await show(`/runs/${id}/lines/2`);
  const name = `run ${held.id}.first`;
  expect(text).toContain(`nothing here: ${name} paid 5 credits`);
  expect(html).toContain(`<a href="/runs/${held.id}/lines/2">${name} line 2</a>`);
  const known = tellKnown(await knownOfPerson(store, { email: 'ada@example.com' }));
  const told = asText(known.parts).join('\n');
  expect(told).toContain(`by ${name} of chain`);
  expect(told).toContain(`line 2 of leads.csv, ${name} of chain`);
});

it('the page of a line that several files have leads to the line of each', async () => {
  const { id } = await store.startRun(runPlan({ sources: ['a.csv', 'b.csv', HOSTILE] }), T0);
  const leads = [asked(1, 'ada'), { ...asked(2, 'bob'), source: 2, line: 2 }];
  const rejects = [{ source: 1, line: 2, reason: 'unclosed_quote', raw: 'x' }];
  await store.ingest(id, { columns: COLUMNS, leads, rejects }, TIMES);
  const { html, text } = await show(`/runs/${id}/lines/2`);
  expect(text).toContain('Line 2 of which file?');
  expect(text).not.toContain('--source');
  expect(html).not.toContain('<script');
  const links = [...html.matchAll(/href="([^"]*lines[^"]*)"/g)].map(([, path]) => path ?? '');
  expect(links).toEqual([0, 1, 2].map((file) => `/runs/${id}/lines/2?file=${file}`));
  const each = await Promise.all(links.map(async (path) => (await show(path)).text));
  expect(each[0]).toContain('Line 2 of a.csv');
  expect(each[1]).toContain('It is not a lead.');
  expect(each[2]).toContain('bob');
});

describe('the pages of a state in which nothing has run', () => {
  it('say what to do first', async () => {
    expect((await show('/')).text).toContain('Nothing has run with this state yet.');
    expect((await show('/')).text).toContain('sluice init leads.csv');
    expect((await show('/jobs')).text).toContain('There is no job yet');
  });
});

describe('the pages of a run', () => {
  it('keep what comes from outside as text', async () => {
    const { id } = await finishedRun();
    await store.startRun(runPlan({ job: HOSTILE }), T0);
    const job = `/jobs/${encodeURIComponent(HOSTILE)}`;
    const paths = [
      '/',
      '/jobs',
      job,
      `${job}/compare`,
      `${job}/compare?before=1&after=2&key=name`,
      ...['', '/leads', '/lines/2', '/lines/3', '/lines/9'].map((end) => `/runs/${id}${end}`),
    ];
    for (const path of paths) {
      const { html } = await show(path);
      expect(html).toContain('&lt;script&gt;');
      expect(html).not.toContain('<script');
    }
  });

  it('call the run of a dropped file by its name', async () => {
    const name = `Mai ${HOSTILE}\u202E.csv`;
    const { job } = keepUpload(context.state, { body: Buffer.from('a'), name, at: T0 });
    const { id } = await store.startRun(runPlan({ job }), T0);
    const leads = [asked(1, 'ada')];
    await store.ingest(id, { columns: COLUMNS, leads, rejects: [] }, TIMES);
    const run = `/runs/${id}`;
    const ends = ['', '/leads', '/lines/2', '/cancel', '/retry', '/export'];
    for (const path of ['/', '/jobs', `/jobs/${job}`, ...ends.map((end) => run + end)]) {
      const { html, title } = await show(path);
      expect([path, html.includes('script&gt;&amp;&#39; .csv')]).toEqual([path, true]);
      expect(html + title).not.toMatch(/<script|\u202E/);
    }
    expect((await show('/')).html).toContain(`</a> ${job}</td>`);
    const file = await answerTo(context, `${run}/table`);
    if (!('content' in file)) throw new Error('There is no file.');
    file.content.destroy();
    expect(file.name).toBe(`script-run-${id}.csv`);
  });

  it('lead from each number to its leads', async () => {
    const { id } = await finishedRun();
    const { html } = await show(`/runs/${id}`);
    const links = [...html.matchAll(/href="(\/runs\/\d+\/leads[^"]*)">([\d,]+)</g)].map(
      ([, path = '', leads]) => ({ path: path.replaceAll('&amp;', '&'), leads: Number(leads) }),
    );
    expect(links).toHaveLength(5);
    for (const { leads, path } of links) {
      expect(path).not.toContain('text=');
      const rows = (await show(path)).html.match(/<th scope="row"/g) ?? [];
      expect(rows).toHaveLength(leads);
    }
  });

  it('begin with what was found, at which rate and for how much, and count the rows by themselves', async () => {
    const { id } = await finishedRun();
    await expect.poll(async () => (await show(`/runs/${id}`)).text).toContain('Counted at');
    const { html, text } = await show(`/runs/${id}`);
    const tiles = [...html.matchAll(/class="label">([^<]*)<\/span> <span class="value">([^<]*)/g)];
    expect(tiles.map(([, name, value]) => [name, value])).toEqual([
      ['found', '1'],
      ['hit rate', '100 %'],
      ['credits', '5'],
      ['each, e-mail', '5'],
      ['time', '1 min'],
    ]);
    const [well = '', wrong = ''] = text.split('What went wrong, and');
    expect(well).toContain('skipped: no name');
    expect(wrong).not.toContain('skipped: no name');
    expect(wrong).toContain('failed: refused');
  });

  it('of a waterfall show the speed of each step', async () => {
    const { held, steps } = await startWaterfall(store);
    const rows = { columns: COLUMNS, leads: [asked(1, 'ada')], rejects: [] };
    await store.ingest(held.id, { ...rows, leads: [heldLead(1, 'ada')] }, TIMES);
    await store.ingest(steps[0].id, rows, TIMES);
    const sent = { at: T0, submits: 1, polls: 0, others: 0, peak: 1, throttled: 0, pausedMs: 0 };
    await store.noteRequests(steps[0].id, { seconds: [sent], http: [1] });
    const { text } = await show(`/runs/${held.id}`);
    expect(text).toContain('first: Requests against the limit 1 request; the busiest 1 s had 1');
    expect(text).toContain('first: Response time of the platform');
    expect(text).not.toContain('second: Requests against');
  });

  it('leave out the columns of leads that no lead of the page fills', async () => {
    const { id } = await finishedRun();
    const columnsOf = async (outcome: string): Promise<unknown[]> => {
      const { html } = await show(`/runs/${id}/leads?outcome=${outcome}`);
      return [...html.matchAll(/<th scope="col"[^>]*>(?:<a[^>]*>)?(\w+)</g)].map(
        ([, name]) => name,
      );
    };
    const always = ['Line', 'Who', 'Outcome'];
    expect(await columnsOf('found')).toEqual([...always, 'Found', 'Credits', 'Answered']);
    expect(await columnsOf('skipped')).toEqual([...always, 'Reason']);
  });

  it('count their leads by each facet, with the other wishes, and lead to them', async () => {
    const { id } = await finishedRun();
    const chipsOf = async (path: string) => {
      const { html } = await show(path);
      return Array.from(
        html.matchAll(
          /class="chip" href="([^"]*)"[^>]*>(?:<span[^>]*>✕ <\/span>)?([^<]*) <b>(\d+)/g,
        ),
        ([, link = '', words, leads]) => ({ link: link.replaceAll('&amp;', '&'), words, leads }),
      );
    };
    const chips = await chipsOf(`/runs/${id}/leads`);
    expect(chips.map(({ words }) => words)).toEqual([
      'failed',
      'found',
      'skipped',
      expect.stringContaining('no name: '),
      expect.stringContaining('refused: '),
      'deliverable',
    ]);
    for (const { leads, link } of chips) {
      const { html } = await show(link);
      expect([link, html.match(/<th scope="row"/g)?.length]).toEqual([link, Number(leads)]);
    }
    const chosen = await chipsOf(`/runs/${id}/leads?email=deliverable`);
    expect(chosen.map(({ words }) => words)).toEqual(['found', 'deliverable']);
    expect(chosen[1]?.link).toBe(`/runs/${id}/leads`);
  });

  it('show own columns once they are chosen, also sorted by them, until others are', async () => {
    const { id } = await finishedRun();
    const path = `/runs/${id}/leads`;
    expect((await show(path)).html).not.toContain('data-name="name"');
    expect((await show(`${path}?own=none&own=0`)).html).toContain('data-name="name"');
    const { html } = await show(`${path}?sort=-c0`);
    expect(html).toContain('aria-sort="descending"><a href="/runs/1/leads?sort=c0">name');
    expect((await show(`${path}?own=none`)).html).not.toContain('data-name="name"');
  });

  it('give the chosen leads as tables, of which the page says how many rows they have', async () => {
    const { id } = await finishedRun();
    const { html, text } = await show(`/runs/${id}/leads?text=bob`);
    expect(text).toContain('1 lead of 1 on this page');
    expect(text).toMatch(/failed 1 .*Download these 1 row as CSV XLSX/);
    expect(html).toContain(`href="/runs/${id}/table?text=bob&amp;as=csv"`);
    const rowsOf = async (query: string) => {
      const file = await answerTo(context, `/runs/${id}/table?as=csv&${query}`);
      if (!('content' in file)) throw new Error('There is no file.');
      return (await buffer(file.content)).toString().trim().split('\n').length - 1;
    };
    expect(await rowsOf('')).toBe(3);
    expect(await rowsOf('text=bob')).toBe(1);
    expect(await rowsOf('outcome=found')).toBe(1);
    expect(await rowsOf('outcome=found&text=bob')).toBe(0);
    expect(await rowsOf(`where=${encodeURIComponent('outcome in (found, failed)')}`)).toBe(2);
  });

  it('sort leads by any column, and the same address gives the same page', async () => {
    const { id } = await finishedRun();
    const linesOf = async (query: string) => {
      const { html } = await show(`/runs/${id}/leads?${query}`);
      return [...html.matchAll(/<th scope="row"[^>]*><a[^>]*>(\d+)</g)].map(([, line]) =>
        Number(line),
      );
    };
    expect(await linesOf('sort=-line')).toEqual([4, 3, 2]);
    expect(await linesOf('sort=outcome')).toEqual([3, 2, 4]);
    expect(await linesOf('sort=-outcome')).toEqual([4, 2, 3]);
    expect(await linesOf('sort=-credits')).toEqual([2, 3, 4]);
    expect(await linesOf('sort=-credits&outcome=failed')).toEqual([3]);
    expect(await linesOf('sort=-line&page=2')).toEqual([]);
    const path = `/runs/${id}/leads?sort=-who`;
    expect((await show(path)).html).toBe((await show(path)).html);
    expect((await show(path)).html).toMatch(
      /aria-sort="descending"><a href="\/runs\/1\/leads\?sort=who">Who/,
    );
    await expect(show(`/runs/${id}/leads?sort=odd`)).rejects.toMatchObject({ code: 'usage' });
  });

  it('say that more than ten thousand leads stand by line', async () => {
    const { id } = await store.startRun(runPlan(), T0);
    const leads = Array.from({ length: 10_001 }, (_, n) => skippedLead(n + 1, n === 0 ? 'a' : 'b'));
    await store.ingest(id, { columns: COLUMNS, leads, rejects: [] }, TIMES);
    const { text } = await show(`/runs/${id}/leads?sort=-line`);
    expect(text).toContain('Up to 10,000 chosen leads are sorted by any column.');
    expect(text).toContain('on this page, by line');
    const few = await show(`/runs/${id}/leads?sort=-line&reason=b`);
    expect(few.text).toContain('50 leads of 10,000 on this page, by line, last first');
  });

  it('lead from a lead to those beside it among the chosen ones, in their order', async () => {
    const { id } = await finishedRun();
    const besides = async (query: string) => {
      const { html } = await show(`/runs/${id}/lines/3${query}`);
      return ['prev', 'next'].map(
        (rel) => new RegExp(`rel="${rel}" href="[^"]*/lines/(\\d+)`).exec(html)?.[1],
      );
    };
    expect(await besides('')).toEqual(['2', '4']);
    expect(await besides('?sort=-line')).toEqual(['4', '2']);
    expect(await besides('?outcome=failed')).toEqual([undefined, undefined]);
    const { html } = await show(`/runs/${id}/lines/3?sort=-line&outcome=failed`);
    expect(html).toContain(
      `href="/runs/${id}/leads?outcome=failed&amp;sort=-line&amp;page=1">Leads`,
    );
  });

  it('call a lead by its person or its cells, and say which of the chosen ones it is', async () => {
    const { id } = await finishedRun();
    const headOf = async (path: string) => {
      const { text } = await show(`/runs/${id}/lines/${path}`);
      return /Leads (.*?) What happened/.exec(text)?.[1];
    };
    expect(await headOf('3')).toMatch(/^bob.* 2 of 3 Previous Next .* Line 3 of /);
    expect(await headOf('3?outcome=failed')).toMatch(/^bob.* 1 of 1 /);
    expect(await headOf('3?sort=-line')).toMatch(/^bob.* 2 of 3 /);
    expect(await headOf('3?text=bob')).not.toMatch(/\d of \d/);
    expect(await headOf('9')).toMatch(/^Line 9 of /);
  });

  it('offer for a lead that failed to retry all that did', async () => {
    const { id } = await finishedRun();
    const button = `href="/runs/${id}/retry">Retry all leads that failed…`;
    expect((await show(`/runs/${id}/lines/3`)).html).toContain(button);
    expect((await show(`/runs/${id}/lines/3`, { isReadOnly: true })).html).not.toContain(button);
    expect((await show(`/runs/${id}/lines/2`)).html).not.toContain(`/runs/${id}/retry`);
  });

  it('show the row of a lead as JSON, as the table has it, and how long each event took', async () => {
    const { id } = await finishedRun();
    const { html } = await show(`/runs/${id}/lines/2`);
    const text = /<pre class="command">(\{[^<]*)</.exec(html)?.[1] ?? '';
    const row = JSON.parse(
      text
        .replaceAll('&quot;', '"')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&'),
    );
    expect(row).toMatchObject({
      name: HOSTILE,
      sluice_status: 'found',
      email_status: 'deliverable',
    });
    expect(html).toContain('after 5 s');
    expect(html).toContain('enr_1');
  });

  it('tell the story of a line as explain does, after what was found', async () => {
    const { id } = await finishedRun();
    const { html, text } = await show(`/runs/${id}/lines/2`);
    const order = ['What was found', 'data-copy="ada', 'What happened', 'Its row in the table'];
    const places = order.map((one) => html.indexOf(one));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    for (const said of ['enr_1', 'deliverable', '5 credits, paid by this run for this line']) {
      expect(text).toContain(said);
    }
    expect((await show(`/runs/${id}/lines/4`)).text).toContain(
      'nothing was asked, and nothing paid',
    );
    expect((await show(`/runs/${id}/lines/9`)).text).toContain(
      'it was not read as a lead, and cost nothing',
    );
    await expect(show(`/runs/${id}/lines/7`)).rejects.toMatchObject({ code: 'usage' });
  });

  it('offer no buttons where they only show', async () => {
    const { id } = await finishedRun();
    expect((await show(`/runs/${id}`)).html).toContain(`action="/runs/${id}/retry"`);
    expect((await show(`/runs/${id}`, { isReadOnly: true })).html).not.toMatch(
      /(href|action)="\/runs\/1\/(retry|export|cancel)"/,
    );
  });

  it('say how many leads there are of what is asked for, where that is counted', async () => {
    const { id } = await finishedRun();
    const captionOf = async (query: string) =>
      /<caption[^>]*>([^<]+)/.exec((await show(`/runs/${id}/leads${query}`)).html)?.[1];
    const reason = `reason=${encodeURIComponent(`refused: ${HOSTILE}`)}`;
    expect(await captionOf('')).toBe('3 leads of 3 on this page, by line');
    expect(await captionOf('?after=1')).toBe('2 leads of 3 on this page, by line');
    expect(await captionOf('?outcome=failed')).toBe('1 lead of 1 on this page, by line');
    expect(await captionOf(`?${reason}`)).toBe('1 lead of 1 on this page, by line');
    expect(await captionOf(`?outcome=failed&${reason}`)).toBe('1 lead of 1 on this page, by line');
    expect(await captionOf('?text=bob')).toBe('1 lead of 1 on this page, by line');
  });

  it('tell what each ask came to as it is now, whatever was counted before for the same credits', async () => {
    const { id } = await store.startRun(runPlan(), T0);
    const leads = [asked(1, 'ada'), asked(2, 'bob')];
    await store.ingest(id, { columns: COLUMNS, leads, rejects: [] }, TIMES);
    await store.finishReading(id);
    const { claimed } = await store.claim(id, 10, T0);
    await store.recordSubmits(claimed.map((one) => ({ ...accepted(one), at: T0 })));
    const clock = { ...context.clock, now: () => T0 + 90_000 };
    await show(`/runs/${id}?count=1`, { clock });
    const shown = async () => (await show(`/runs/${id}`, { clock })).text;
    await expect.poll(shown).toContain('Counted at');
    expect(await shown()).toContain('0 of 2 0 % found');
    const result = { find_email: { email: 'ada@example.com' } };
    const found = { at: T0 + 5_000, outcome: 'found', result, credits: 0 } as const;
    await store.settle([{ id: claimed[0]?.id ?? 0, ...found }]);
    expect(await shown()).toContain('1 of 2 50 % found');
  });

  it('offer the retry by a button, and name its command once', async () => {
    const { id } = await finishedRun();
    const { html, text } = await show(`/runs/${id}`);
    expect(html).toMatch(
      />Retry…<\/summary><form class="stack" method="post" action="\/runs\/1\/retry">/,
    );
    expect(html.split('sluice retry')).toHaveLength(2);
    expect(text).toMatch(
      /To look at their tickets again, for nothing: sluice retry 1 --only failed( --state \S+)?, then /,
    );
    const readOnly = await show(`/runs/${id}`, { isReadOnly: true });
    expect(readOnly.html.split('sluice retry')).toHaveLength(2);
    expect(readOnly.html).not.toContain('Retry…');
  });

  it('are refused where there is no such run, and where the address is no number', async () => {
    await expect(show('/runs/7')).rejects.toMatchObject({ code: 'usage' });
    await expect(show('/runs/x/leads')).rejects.toMatchObject({ code: 'usage' });
    const { id } = await finishedRun();
    await expect(show(`/runs/${id}/leads?outcome=odd`)).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('the list of runs', () => {
  it('shows who works on a run, what is left, and that it is live', async () => {
    const run = await store.startRun(runPlan(), Date.now());
    await store.ingest(
      run.id,
      { columns: COLUMNS, leads: [asked(1, 'ada'), skippedLead(2, 'x')], rejects: [] },
      TIMES,
    );
    await store.finishReading(run.id);
    const lock = await store.lockJob('nightly', { pid: process.pid, host: 'here', since: T0 });
    const { isFinal, live, text } = await show('/');
    expect(text).toContain(`process ${process.pid} on here`);
    expect(text).toContain('0 of 2 queued: 1 skipped: 1 50 %');
    expect(text).toContain('working');
    expect(live).toHaveLength(1);
    expect(isFinal).toBe(false);
    if (lock.kind === 'taken') await lock.release();
    expect((await show('/')).text).toContain('cut off');
  });

  it('tells a run that was opened again from one that was cut off, and what to do', async () => {
    const { id, output } = await finishedRun();
    await store.retry(id, ['failed'], { at: T0 + 70_000, deadlineAt: T0 + 90_000 });
    expect((await show('/')).text).toContain('reopened');
    expect((await show('/?state=reopened')).html).toContain(`href="/runs/${id}"`);
    expect((await show('/?state=cut_off')).text).toContain('No run matches.');
    const { html, text } = await show(`/runs/${id}`);
    expect(text).toContain('The run was opened again, and waits to be started');
    expect(text).toContain('was opened again at 2026-11-21 07:41:22 (UTC)');
    expect(text).toContain('Start it as before; it continues.');
    expect(html).toContain('Cancel…');
    expect(html).not.toContain('Continue…');
    await store.changeRun(id, { output, budget: undefined });
    expect((await show(`/runs/${id}`)).text).toContain('The run was cut off');
  });

  it('leads from a run that waits to be started to the start of its job', async () => {
    mkdirSync(join(folder, 'jobs'), { recursive: true });
    writeFileSync(
      join(folder, 'jobs/left.yaml'),
      'input: leads.csv\nout: out.csv\nask: [find_email]\n',
    );
    const { id } = await store.startRun(runPlan({ job: 'left' }), T0);
    expect((await show(`/runs/${id}`)).html).toContain('href="/jobs/left/start">Continue…');
    const mainOf = async () =>
      [...(await show(`/runs/${id}`)).html.matchAll(/button main"[^>]*>([^<]+)/g)].map(
        ([, words]) => words,
      );
    expect(await mainOf()).toEqual(['Continue…']);
    const readOnly = await show(`/runs/${id}`, { isReadOnly: true });
    expect(readOnly.html).not.toContain('Continue…');
    await store.pauseJob('left', T0);
    expect(await mainOf()).toEqual(['Resume…']);
    const paused = (await show(`/runs/${id}`)).text;
    expect(paused).toContain('What next?');
    expect(paused).not.toMatch(/What went wrong|What disturbed/);
    expect(paused).not.toContain('Answers over time');
    await expect
      .poll(async () => (await show(`/runs/${id}`)).text)
      .toContain('No lead has an answer.');
    expect((await show('/jobs/left/resume')).text).toContain('Cost: nothing now.');
    expect((await show(`/runs/${id}`)).html).not.toContain('Continue…');
  });

  it('leads from a run that was replaced to the one in its place, at once who let it go on', async () => {
    const { id } = await store.startRun(runPlan({ job: 'left' }), T0);
    for (const at of [T0, T0 + 1]) await store.startRun(runPlan({ job: 'left' }), at);
    const { html } = await show(`/runs/${id}`);
    expect(html).toContain(`<a href="/runs/${id + 1}">Run ${id + 1}</a> took its place`);
    expect((await show(`/runs/${id}?waited=3`)).html).toContain(`"/runs/${id + 1}" data-goto`);
  });

  it('leaves out the columns that no run fills', async () => {
    const columnsOf = async (): Promise<unknown[]> => {
      const { html } = await show('/');
      return [...html.matchAll(/<th scope="col"[^>]*>([^<]+)</g)].map(([, name]) => name);
    };
    await store.startRun(runPlan(), T0);
    expect((await columnsOf()).slice(-3)).toEqual(['credits', 'begun', 'table']);
    const lock = await store.lockJob('nightly', { pid: process.pid, host: 'here', since: T0 });
    expect((await columnsOf()).slice(-3)).toEqual(['begun', 'worked on by', 'table']);
    if (lock.kind === 'taken') await lock.release();
    await finishedRun();
    expect((await columnsOf()).slice(-4)).toEqual(['took', 'begun', 'table', 'last trouble']);
  });

  it('says of each run what disturbed its own account', async () => {
    const keyring = await openKeyring(store);
    for (const account of ['ada', 'bob']) {
      await store.startRun(runPlan({ job: account, account }), T0);
    }
    const event = { id: 'act_1', type: 'connectionIssue', at: T0 + 1 };
    const body = JSON.stringify({ _id: event.id, type: event.type });
    const scope = keyring.scopeOf('bob');
    await store.keepArrivals([{ scope, receivedAt: T0 + 2, event, body }]);
    const { html } = await show('/');
    const rows = html.split('<tr').filter((row) => row.includes('>Run '));
    expect(rows.map((row) => row.includes('connectionIssue'))).toEqual([true, false]);
  });

  it('is filtered by job and by the state that is shown, a page at a time', async () => {
    for (let n = 0; n < 30; n += 1) {
      const { id } = await store.startRun(runPlan({ job: n % 2 === 0 ? 'even' : 'odd' }), T0);
      if (n < 28) await store.endRun(id, 'cancelled', T0);
    }
    const numbers = ({ html }: { html: string }) =>
      [...html.matchAll(/>Run (\d+)</g)].map(([, id]) => Number(id));
    const first = await show('/');
    expect(numbers(first)).toEqual(Array.from({ length: 25 }, (_, i) => 30 - i));
    const [, older = ''] = /href="([^"]*before=[^"]*)"/.exec(first.html) ?? [];
    expect(numbers(await show(older.replaceAll('&amp;', '&')))).toEqual([5, 4, 3, 2, 1]);
    expect(numbers(await show('/?after=3'))).toEqual(Array.from({ length: 25 }, (_, i) => 28 - i));
    expect(numbers(await show('/?state=cut_off'))).toEqual([30, 29]);
    expect(numbers(await show('/?state=cancelled&job=odd&before=7'))).toEqual([6, 4, 2]);
    expect((await show('/?state=finished')).text).toContain('No run matches.');
  });
});

describe('the jobs', () => {
  it('are those of the folder and those that have run, with what is wrong with them', async () => {
    mkdirSync(join(folder, 'jobs'), { recursive: true });
    writeFileSync(
      join(folder, 'jobs/weekly.yaml'),
      'input: leads.csv\nout: out.csv\nask: [find_email]\nurl: sandbox\nmap:\n  firstName: Vorname\n  email: Mail\nschedule: "0 2 * * 1"\ntimezone: Europe/Vienna\nnotify: { url: https://chat.example/s3cret }\npublic-url: https://leads.example/s3cret\n',
    );
    writeFileSync(join(folder, 'jobs/broken.yaml'), 'input: 3\n');
    await store.startRun(runPlan({ job: 'elsewhere' }), T0);
    await store.pauseJob('weekly', T0);
    const { text } = await show('/jobs');
    expect(text).toMatch(
      /weekly leads\.csv find_email 0 never ! paused none yet: “sluice schedule apply weekly” begins it, by 0 2 \* \* 1 \(Europe\/Vienna\) Start…/,
    );
    const { id } = keepUpload(context.state, { body: Buffer.from('a\n1\n'), name: '', at: T0 });
    const places = (await show(`/try/${id}`)).text;
    expect(places).toContain('where the job weekly asks');
    expect(places).not.toContain('where the job broken asks');
    expect(text).toMatch(/broken ✕ broken Job jobs\/broken\.yaml, line 1/);
    expect(text).toContain('elsewhere');
    expect(text).not.toContain('Files that were enriched');
    const one = await show('/jobs/weekly');
    expect(one.text).toContain('email = Mail, firstName = Vorname');
    expect(one.text).not.toContain('s3cret');
    expect(one.text).toContain('since 2026-11-21 07:40:12 ; nothing is sent for it');
    expect((await show('/jobs/elsewhere')).html).toContain('href="/runs/1"');
    await expect(show('/jobs/none')).rejects.toMatchObject({ code: 'usage' });
  });

  it('that are waterfalls are started with the accounts of their file, for as much money as the plan says', async () => {
    mkdirSync(join(folder, 'jobs'), { recursive: true });
    writeFileSync(
      join(folder, 'jobs/chain.yaml'),
      'input: leads.csv\nout: out.csv\nask: [find_email]\nwaterfall:\n  - {name: first, url: "http://127.0.0.1:1", account: a}\n  - {name: second, url: "http://127.0.0.1:2", account: b}\n',
    );
    const job = readFileSync(join(folder, 'jobs/chain.yaml'), 'utf8');
    const unnamed = job.replace('name: first, ', '').replace(', account: a', '');
    writeFileSync(join(folder, 'jobs/unnamed.yaml'), unnamed);
    expect((await show('/jobs/unnamed')).text).toContain('step-1, second');
    writeFileSync(
      join(folder, 'leads.csv'),
      'First Name,Last Name,Website\nAda,Abel,a.example\nBob,Berg,a.example\n',
    );
    for (const path of ['/jobs', '/jobs/chain']) {
      expect((await show(path)).html).toContain('href="/jobs/chain/start">Start…');
    }
    await expect(show('/jobs/chain/start')).rejects.toThrow('it names the accounts a and b');
    const accounts =
      'accounts:\n  a: {username: a, password: x}\n  b: {username: b, password: y}\n';
    writeFileSync(join(folder, 'accounts.yaml'), accounts, { mode: 0o600 });
    const named = `accounts: accounts.yaml\n${job}`;
    writeFileSync(join(folder, 'jobs/chain.yaml'), named);
    const unpriced = await show('/jobs/chain/start');
    expect(unpriced.text).toContain('at most 10 credits of first, 10 credits of second.');
    expect(unpriced.html).not.toContain('name="budget"');
    writeFileSync(join(folder, 'jobs/chain.yaml'), `credit: 0.02 EUR\n${named}`);
    const { html, text } = await show('/jobs/chain/start');
    expect(text).toContain('Cost: at most 0.40 EUR.');
    expect(html).toContain('name="budget" value="0.40 EUR"');
    for (const budget of ['10', '']) {
      const form = new URLSearchParams({ budget, seen: '0-0' });
      await expect(show('/jobs/chain/start', {}, form)).rejects.toThrow('money, like 40 EUR');
    }
    const plain = 'input: leads.csv\nout: out.csv\nask: [find_email]\nurl: sandbox\n';
    writeFileSync(join(folder, 'jobs/plain.yaml'), `${plain}credit: 0.02 EUR\n`);
    const priced = await show('/jobs/plain/start');
    expect(priced.html).toContain('name="budget" value="0.20 EUR"');
    expect(priced.text).toContain('Spend at most, in made-up EUR');
    const none = new URLSearchParams({ budget: 'much', seen: '0-0' });
    await expect(show('/jobs/plain/start', {}, none)).rejects.toThrow('like 6 or 6.50 EUR');
  });

  it('spend as much money as their form says, with its currency or without, also none', async () => {
    mkdirSync(join(folder, 'jobs'), { recursive: true });
    mkdirSync(join(folder, 'inbox'), { recursive: true });
    for (const name of ['leads', 'inbox/a', 'inbox/b']) {
      writeFileSync(join(folder, `${name}.csv`), 'First Name,Last Name,Website\nA,B,a.example\n');
    }
    const job = 'input: leads.csv\nout: out.csv\nask: [find_email]\nurl: sandbox\ncredit: 2 EUR\n';
    writeFileSync(join(folder, 'jobs/dear.yaml'), job);
    const startedWith = async (budget: string, name = 'dear') => {
      const starter = createStarter([process.execPath, '-e', ''], systemClock);
      const form = new URLSearchParams({ budget, seen: '0-0' });
      const answer = await answerTo({ ...context, starter }, `/jobs/${name}/start`, form);
      if (!('goto' in answer)) throw new Error('Nothing was started.');
      const { html } = await show(answer.goto, { starter });
      return /--budget (?:&#39;)?([^'&<]*\w)/.exec(html)?.[1];
    };
    expect(await startedWith('10')).toBe('10 EUR');
    expect(await startedWith(' 10.50EUR ')).toBe('10.50 EUR');
    expect(await startedWith('3 credits')).toBe('3');
    await expect(startedWith('10 USD')).rejects.toThrow('money in EUR');
    writeFileSync(join(folder, 'jobs/none.yaml'), `${job}where: Website is empty\n`);
    expect((await show('/jobs/none/start')).html).toContain('name="budget" value="0.00 EUR"');
    expect(await startedWith('0.00 EUR', 'none')).toBe('0');
    writeFileSync(join(folder, 'jobs/files.yaml'), job.replace('leads.csv', 'inbox/*.csv'));
    expect((await show('/jobs/files/start')).html).toMatch(/<input type="text" [^>]*name="budget"/);
    const steps =
      'waterfall: [{name: first, url: sandbox, credit: 2 EUR}]\nwhere: Website is empty\n';
    writeFileSync(join(folder, 'jobs/steps.yaml'), job.replace(/url.*\n.*\n/, steps));
    const [, most = ''] =
      /name="budget" value="([^"]*)"/.exec((await show('/jobs/steps/start')).html) ?? [];
    expect(most).toMatch(/^0\.0. EUR$/);
    expect(await startedWith(most, 'steps')).toBe(most);
  });

  it('go on for the same credits as before, which are told in money', async () => {
    mkdirSync(join(folder, 'jobs'), { recursive: true });
    const job = 'input: leads.csv\nout: out.csv\nask: [find_email]\nurl: sandbox\ncredit: 2 EUR\n';
    writeFileSync(join(folder, 'jobs/goes.yaml'), job);
    const credit = { millionths: 2_000_000, currency: 'EUR' };
    const { id } = await store.startRun(runPlan({ job: 'goes', credit, priceMax: 5 }), T0);
    await store.ingest(id, { columns: COLUMNS, leads: [asked(1, 'ada')], rejects: [] }, TIMES);
    await store.finishReading(id);
    const { html, text } = await show(`/runs/${id}`);
    expect(text).toContain('1 lead to send: 10.00 EUR at most');
    const [, budget = '', seen = ''] =
      /name="budget" value="([^"]*)".*name="seen" value="([^"]*)"/.exec(html) ?? [];
    const starter = createStarter([process.execPath, '-e', ''], systemClock);
    await answerTo(
      { ...context, starter },
      '/jobs/goes/resume',
      new URLSearchParams({ budget, seen, run: String(id) }),
    );
    expect((await show('/started/1', { starter })).text).toContain('--budget 5');
  });

  it('of dropped files are named as the file was, and can be started and checked', async () => {
    const { job, jobFile } = keepUpload(context.state, {
      body: Buffer.from('a\n1\n'),
      name: 'Mai.csv',
      at: T0,
    });
    writeFileSync(jobFile, 'input: leads.csv\nout: out.csv\nask: [find_email]\n');
    const { id } = await store.startRun(runPlan({ job }), T0);
    expect((await show(`/runs/${id}`)).html).toContain(`href="/jobs/${job}/start">Continue…`);
    const [own, files = ''] = (await show('/jobs')).html.split('Files that were enriched</h2>');
    expect(own).not.toContain('Mai.csv');
    expect(files).toMatch(new RegExp(`Mai\\.csv</a>.*href="/jobs/${job}/start">Start…`));
    expect((await show('/jobs', { isReadOnly: true })).html).not.toContain('Start…');
    const one = await show(`/jobs/${job}`);
    expect(one.text).toContain(`file ${jobFile}`);
    expect(one.text).toContain('run state found');
    expect(one.html).toContain(`href="/jobs/${job}/start">Start…`);
    for (const action of ['pause', 'resume']) {
      const asking = await show(`/jobs/${job}/${action}`);
      expect(asking.text).toContain('Mai.csv');
      expect(asking.text).not.toContain(job);
      expect(asking.html).toContain(`href="/runs/${id}">Back`);
    }
    rmSync(jobFile);
    await expect(show(`/jobs/${job}/start`)).rejects.toThrow('There is no file of the job');
  });

  it('without a file show no command that would fail, and say what continues them', async () => {
    await store.startRun(runPlan({ job: 'leads.csv' }), T0);
    await store.startRun(runPlan({ job: 'elsewhere' }), T0);
    const enriched = await show('/jobs/leads.csv');
    expect(enriched.text).toContain('the same “sluice enrich” command continues it');
    expect(enriched.text).toMatch(/reads\s+leads\.csv\s+asks\s+find_email/);
    expect((await show('/jobs')).text).toMatch(
      /elsewhere.*Files that were enriched.*leads\.csv\s+find_email\s+1/,
    );
    const other = await show('/jobs/elsewhere');
    expect(other.text).toContain('start it as before; it continues');
    for (const { text } of [enriched, other]) {
      expect(text).not.toContain('sluice plan');
      expect(text).not.toContain('sluice run');
    }
  });

  it('say before a pause whether it stops anything now', async () => {
    const plan = runPlan({ job: 'waiting' });
    const run = await store.startRun(plan, T0);
    const leads = [asked(1, 'ada')];
    await store.ingest(run.id, { columns: COLUMNS, leads, rejects: [] }, TIMES);
    const only = 'so this only affects the next run';
    expect((await show('/jobs/waiting/pause')).text).not.toContain(only);
    await store.finishReading(run.id);
    expect((await show('/jobs/waiting/pause')).text).not.toContain(only);
    await store.claim(run.id, 10, T0);
    expect((await show('/jobs/waiting/pause')).text).toContain(only);
    await store.endRun(run.id, 'cancelled', T0);
    const { html, text } = await show('/jobs/waiting/pause');
    expect(text).toContain(only);
    expect(html).toContain('href="/jobs/waiting">Back');
  });
});

describe('the page to forget people', () => {
  it('says what is known of those who are named, and removes it by its form', async () => {
    const { id } = await finishedRun();
    const textOf = async (of = '') => (await show(`/runs/${id}${of}`)).text;
    await expect.poll(textOf).toContain('email 1 (33 %)');
    expect(await textOf('/leads')).toMatch(/Outcome .*found 1/);
    expect((await show('/forget')).html).toContain('name="companyDomain"');
    const path = '/forget?companyDomain=example.com&email=';
    const { html, text } = await show(path);
    expect(text).toMatch(/Remove 2 leads, .* permanently from .*\? Cost: nothing/);
    expect(html).toContain('>Remove it permanently</button>');
    expect((await show(path, { isReadOnly: true })).html).not.toContain('Remove it permanently');
    const done = await show(path, {}, new URLSearchParams({ suppress: 'yes' }));
    expect(done.text).toMatch(/Removed from .*: 2 leads/);
    expect(done.text).toContain('They are suppressed: no job of this state asks for them again.');
    const again = await show(path);
    expect(again.text).toContain('knows nothing of them');
    expect(again.html).not.toContain('Remove it permanently');
    await expect(show('/forget?firstName=Ada')).rejects.toThrow('name no person');
    // What is counted by itself is counted again.
    await expect.poll(textOf).not.toContain('email 1 (33 %)');
    expect(await textOf()).toContain(
      '2 leads are not shown, since the person is suppressed or was',
    );
    expect(await textOf()).not.toContain('Why leads have no answer');
    expect(await textOf('/leads')).toMatch(/Outcome (failed 2|skipped 1 failed)/);
  });
});
