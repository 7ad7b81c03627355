// Tells the knowledge of a state about one person, where it came from, and where it went. It sends nothing.
import { existsSync } from 'node:fs';
import type { Inputs } from '../../model/ask.js';
import { nameOfRun, type Run } from '../../model/run.js';
import { identifiersOf } from '../../model/suppression.js';
import type { StoredList } from '../../ports/store/contact-lists.js';
import type { WrittenFile } from '../../ports/store/files.js';
import type { Store } from '../../ports/store/store.js';
import type { AboutPerson, Suppression } from '../../ports/store/suppressions.js';

const LOOKED_AT_ONCE = 1_000;
/** The greatest number of enrichments that are told: of a domain there may be many. */
const TOLD_MAX = 100;

export interface ShownIn {
  readonly run: number;
  /** The run's name for people. */
  readonly name: string;
  /** Null once the run was pruned. */
  readonly job: string | null;
  readonly file: string | null;
  readonly line: number;
  /** The files with its row that were written so far. */
  readonly tables: readonly string[];
  /** The contact list into which chosen leads of the run go; null for none. */
  readonly list: Pick<StoredList, 'name' | 'listId'> | null;
}

export interface KnownAnswer extends Omit<AboutPerson, 'leads' | 'runs'> {
  /** The account that was asked; null once the run was pruned whole. */
  readonly account: string | null;
  /** The name of its run for people. */
  readonly name: string;
  readonly job: string | null;
  readonly shownIn: readonly ShownIn[];
}

export interface KnownOfPerson {
  readonly answers: readonly KnownAnswer[];
  readonly isCut: boolean;
  readonly suppressions: readonly Suppression[];
}

export async function knownOfPerson(store: Store, person: Inputs): Promise<KnownOfPerson> {
  const [suppressions = []] = await store.suppressionsOf([identifiersOf(person)]);
  const found: AboutPerson[] = [];
  for await (const one of enrichmentsAbout(store, [person])) {
    if (found.push(one) > TOLD_MAX) break;
  }
  const tell = teller(store);
  const answers: KnownAnswer[] = [];
  for (const one of found.slice(0, TOLD_MAX)) answers.push(await tell(one));
  return { answers, isCut: found.length > TOLD_MAX, suppressions };
}

/** The enrichments of these people, by the identifiers in their inputs and answers. */
export async function* enrichmentsAbout(
  store: Store,
  people: readonly Inputs[],
): AsyncGenerator<AboutPerson> {
  for (let after: number | null = 0; after !== null; ) {
    const page: Awaited<ReturnType<Store['enrichmentsAbout']>> = await store.enrichmentsAbout(
      people,
      after,
      LOOKED_AT_ONCE,
    );
    yield* page.found;
    after = page.last;
  }
}

const TABLES_TOLD = 20;

/** The files with rows of these runs, as they still are. What changed since them stands in a file of a later run. */
export async function tablesOf(store: Store, runs: readonly number[]): Promise<WrittenFile[]> {
  const { state, written } = await store.knownFiles();
  const jobs: (string | undefined)[] = [];
  for (const id of runs) jobs.push((await store.findRun(id))?.job);
  return written.filter(
    ({ job, path, role, run }) =>
      run !== null &&
      runs.some((id, n) => id === run || (role === 'changes' && id < run && jobs[n] === job)) &&
      role !== 'report' &&
      role !== 'claims' &&
      // Of a state that was moved there are two places. Those of a database are on any machine.
      (state === null || existsSync(path)),
  );
}

export function tellTables(tables: readonly WrittenFile[]): string {
  const again = '"sluice export RUN" writes one again.';
  if (tables.length === 0) return `Tables that were written before are not changed: ${again}`;
  const told = tables.slice(0, TABLES_TOLD).map(({ path, run }) => `${path} (run ${run})`);
  const more = tables.length - told.length;
  return `Tables that were written before still hold them: ${told.join(', ')}${more > 0 ? ` and ${more} more` : ''}. ${again}`;
}

function teller(store: Store): (one: AboutPerson) => Promise<KnownAnswer> {
  const runs = new Map<number, Promise<RunFacts>>();
  const factsOf = (id: number): Promise<RunFacts> => {
    const known = runs.get(id) ?? readRun(store, id);
    runs.set(id, known);
    return known;
  };
  return async ({ leads, runs: _runs, ...one }) => {
    const { name, run } = await factsOf(one.runId);
    const shownIn: ShownIn[] = [];
    for (const { line, runId, source } of leads) {
      const { run: shown, ...of } = await factsOf(runId);
      const file = shown?.sources[source] ?? null;
      shownIn.push({ run: runId, job: shown?.job ?? null, file, line, ...of });
    }
    return { ...one, name, account: run?.account ?? null, job: run?.job ?? null, shownIn };
  };
}

interface RunFacts extends Pick<ShownIn, 'name' | 'tables' | 'list'> {
  readonly run: Run | null;
}

async function readRun(store: Store, id: number): Promise<RunFacts> {
  const run = await store.findRun(id);
  // A waterfall has the table and the list of its steps.
  const whole = run?.step?.of ?? id;
  const list = await store.findList(whole);
  return {
    run,
    name: run === null ? `${id}` : nameOfRun(run),
    tables: (await tablesOf(store, [whole])).map(({ path }) => path),
    list: list === null ? null : { name: list.name, listId: list.listId },
  };
}
