// The persons of a comparison are in its files alone, for the browser to keep.
import { compareRuns } from '../../app/report/compare-runs.js';
import { runOf } from '../../app/results/run-of.js';
import { html, type Markup } from '../../html/markup.js';
import { notice } from '../../html/parts.js';
import { wrongUse } from '../../model/errors.js';
import type { CompareFigures } from '../../model/report/compare-figures.js';
import { isOpen, type Run } from '../../model/run.js';
import { cutText, formatCount, formatNumber } from '../../model/text/count.js';
import { formatTime } from '../../model/text/format-time.js';
import { exactText } from '../../model/text/json.js';
import type { Store } from '../../ports/store/store.js';
import { asHtml } from '../../tell/as-html.js';
import { tellCompare } from '../../tell/tell-compare.js';
import { makeFile, stemOf, tableDownloads, tableIn } from '../download-links.js';
import type { Counted } from '../keep-counts.js';
import { liveSection } from '../layout.js';
import { jobLink, link, NAME_MAX, selectField } from '../links.js';
import { memoryOf } from '../memory.js';
import type { Download, PageContent, UiContext, Visit } from '../page.js';
import { PATHS, pathTo, runPath } from '../paths.js';
import { numberIn, textIn } from '../read-query.js';
import { layOutCounted } from '../run/run-page.js';
import { droppedName } from '../try/uploads.js';

/** The number of runs and of columns offered to choose from; the address may name others. */
const RUNS_MAX = 100;
const COLUMNS_MAX = 200;
/** The leads of each run whose values tell whether a column may identify them. */
const LOOKED_AT = 500;

export async function showComparison(context: UiContext, visit: Visit): Promise<PageContent> {
  const { store } = context;
  const { job = '' } = visit.params;
  const runs = await store.listRuns(RUNS_MAX, { job });
  const file = droppedName(context.state, job);
  const name = file ?? job;
  const head = html`<p class="crumbs">${link(PATHS.jobs, 'Jobs')} / ${jobLink(job, file)}</p><h1>Compare two runs of ${name}</h1>`;
  const title = `Compare runs of ${name}`;
  const asked = await runsIn(context, visit);
  const wished = asked.after ?? runs[0];
  if (wished === undefined) {
    throw wrongUse(`There is no run of a job ${job} in this state.`);
  }
  if (runs.length < 2) {
    const why = `${name} has run once with this state: there is nothing to compare it with yet.`;
    return { title, body: html`${head}<p class="empty">${why}</p>` };
  }
  const [older] = await store.listRuns(1, { job, before: wished.id });
  const before = asked.before ?? older ?? wished;
  // No run is older than the first: it is compared with the newest.
  const after = before === wished ? (runs[0] ?? wished) : wished;
  const columns = columnsOfBoth(before, after);
  const isAsked = asked.after !== undefined && asked.before !== undefined;
  const key = isAsked
    ? textIn(visit, 'key')
    : (usualKey(after, columns) ?? (await uniqueColumn(store, [before, after], columns)));
  const query = { before: before.id, after: after.id, key };
  const form = html`${head}${formOf(context, job, runs, columns, query)}`;
  if (!isAsked) return { title, body: form };
  const wish = { before: before.id, after: after.id, key: keysOf(key) };
  const { comparisons } = memoryOf(context);
  comparisons.beginAfter(wish, numberIn(visit, 'again') ?? 0);
  const counted = comparisons.of(wish);
  const total = before.leadCount + after.leadCount;
  const told = counted && layOutComparison({ job, query, total, counted });
  const part = liveSection('comparison', html`${told}`);
  return {
    title: `Run ${before.id} and run ${after.id} of ${name} compared`,
    body: html`${form}${part.markup}`,
    live: [part],
    isFinal: counted?.at != null,
  };
}

export async function openChanges(context: UiContext, visit: Visit): Promise<Download> {
  const { job = '' } = visit.params;
  const { after, before } = await runsIn(context, visit);
  if (after === undefined || before === undefined) {
    throw wrongUse('The address does not name two runs.');
  }
  const wish = { key: keysOf(textIn(visit, 'key')), changes: '-' };
  const stem = `${stemOf(context, job)}-changes-${before.id}-${after.id}`;
  const { file, format } = tableIn(visit, stem);
  return makeFile(context, visit, file, (store, standardOutput) =>
    compareRuns(store, before.id, after.id, { ...wish, format, standardOutput }),
  );
}

/** @throws SluiceError `usage` if one that the address names is not of the job */
async function runsIn({ store }: UiContext, visit: Visit) {
  const { job = '' } = visit.params;
  const [before, after] = await Promise.all(
    ['before', 'after'].map(async (name): Promise<Run | undefined> => {
      const id = numberIn(visit, name);
      if (id === undefined) return undefined;
      const run = await runOf(store, id);
      if (run.job === job) return run;
      throw wrongUse(
        `Run ${id} is one of ${run.job}, and these are the runs of ${job}. The command line compares runs of two jobs.`,
      );
    }),
  );
  return { before, after };
}

/** Without a key of both inputs, leads with the same inputs are the same. */
function keysOf(key: string | undefined): readonly string[] {
  return key === undefined ? [] : [key];
}

function columnsOfBoth(before: Run, after: Run): readonly string[] {
  const known = new Set(before.columns.map(({ key }) => key));
  const both = after.columns.filter(({ key }) => known.has(key));
  return both.slice(0, COLUMNS_MAX).map(({ key }) => key);
}

/** The key of the table, if it is one column that both inputs have. */
function usualKey({ output }: Run, columns: readonly string[]): string | undefined {
  const [only = '', ...more] = output.key ?? [];
  return more.length === 0 && columns.includes(only) ? only : undefined;
}

/** The first column whose values differ in each run, but for names and companies, which change. */
async function uniqueColumn(
  store: Store,
  runs: readonly Run[],
  columns: readonly string[],
): Promise<string | undefined> {
  const looked = await Promise.all(
    runs.map(async (run) => ({
      run,
      leads: await store.answers(run.id, { after: 0, limit: LOOKED_AT }),
    })),
  );
  return columns.find((name) =>
    looked.every(({ leads, run }) => {
      const at = run.columns.findIndex(({ key }) => key === name);
      const taken = run.mapping.find(({ index }) => index === at)?.input ?? 'email';
      if (!['email', 'socialUrl'].includes(taken)) return false;
      const values = leads.map(({ cells }) => exactText(cells[at] ?? ''));
      return new Set(values).size === values.length && !values.includes('');
    }),
  );
}

interface CompareQuery {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  /** A column that identifies a lead in both. */
  readonly key?: string | undefined;
}

/** The form, which does not change while a user fills it in. A comparison after it is not older than the form. */
function formOf(
  { clock }: UiContext,
  job: string,
  runs: readonly Run[],
  columns: readonly string[],
  query: CompareQuery,
): Markup {
  const choices = runs.map((run) => ({ value: String(run.id), words: wordsOf(run) }));
  return html`<form class="filters" method="get" action="${pathTo(PATHS.compare, { job })}"><input type="hidden" name="again" value="${clock.now()}">${selectField(
    'before',
    'Before',
    query.before?.toString(),
    choices,
    null,
  )}${selectField('after', 'After', query.after?.toString(), choices, null)}${selectField(
    'key',
    'Who is the same person',
    query.key,
    columns.map((name) => ({ value: name, words: `the same ${cutText(name, NAME_MAX)}` })),
    'the same inputs',
  )}<button class="main">Compare</button><p class="hint">Choose a column that stays when name and company change, such as the id of your CRM. Without one, leads that were asked about with the same inputs are the same person.</p></form>`;
}

function wordsOf({ id, leadCount, startedAt, state }: Run): string {
  const odd = isOpen(state) ? ', goes on' : state === 'finished' ? '' : `, ${state}`;
  return `Run ${id}, ${formatTime(startedAt).slice(0, -3)}, ${formatCount(leadCount, 'lead')}${odd}`;
}

interface Comparison {
  readonly counted: Counted<CompareFigures>;
  readonly job: string;
  readonly query: CompareQuery;
  readonly total: number;
}

/** The numbers; the persons are only in files. */
export function layOutComparison({ counted, job, query, total }: Comparison): Markup {
  const { figures } = counted;
  const again = pathTo(PATHS.compare, { job }, { ...query, again: counted.at ?? 0 });
  const words = { again: 'Compare again', done: 'Compared' };
  const progress = layOutCounted(counted, total, again, words);
  if (figures === null) return progress;
  const { after, before, leads } = figures;
  const who = notice(
    'known',
    html`<p><strong>Who?</strong> ${personsOf(figures)}</p><p class="row">${tableDownloads('the changes', (as) => pathTo(PATHS.changes, { job }, { ...query, as }))}</p>`,
  );
  const sections = asHtml(tellCompare({ figures, changes: null }, 'form').parts);
  // If they have no lead in common, that is said before its consequences.
  const rest = leads.both === 0 ? [sections, who] : [who, sections];
  return html`<div class="stack"><div class="row"><span>From ${link(runPath(before.id), `run ${before.id}`)} to ${link(runPath(after.id), `run ${after.id}`)}.</span>${progress}</div>${rest[0]}</div>${rest[1]}`;
}

/** The persons in the table of changes, with the reason. */
function personsOf({ after, before, leads }: CompareFigures): string {
  const { changed, onlyAfter, onlyBefore } = leads;
  const persons = changed + onlyBefore + onlyAfter;
  if (persons === 0) return 'Nothing changed for any of them.';
  const parts = [
    [changed, 'changed'],
    [onlyBefore, `only in run ${before.id}`],
    [onlyAfter, `only in run ${after.id}`],
  ] as const;
  const split = parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${formatNumber(count)} ${what}`);
  return `${formatCount(persons, 'person is', 'persons are')} in the table of changes: ${split.join(', ')}.`;
}
