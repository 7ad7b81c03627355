// Runs: start, find, list, and move from one state to the next.
import type Database from 'better-sqlite3';
import type { Column } from '../../../model/lead.js';
import type { FormerGuess, MappedInput, MappingWish } from '../../../model/mapping/mapping.js';
import { mapNames, type Run, type TableNames } from '../../../model/run.js';
import type { FormerMapping, KnownJob, RunChoice } from '../../../ports/store/runs.js';
import { goingPlan, type KeptPlan, leftPlan, readPlan } from '../../runs/kept-plan.js';
import { atomic, type Verbs } from '../database/transactions.js';
import { countsOf } from './counts.js';
import { prepareBeginSeries } from './series.js';

type RunRow = Omit<Run, keyof KeptPlan | 'columns'> & {
  readonly plan: string;
  readonly columns: string;
};

interface MappingRow {
  readonly run: number;
  readonly mapping: string;
  readonly map: string | null;
}

interface GuessRow extends Omit<MappingRow, 'run'> {
  readonly isOwn: 0 | 1;
  readonly columns: string;
}

const RUN = `SELECT id, state, plan, columns, lead_count AS leadCount, reject_count AS rejectCount,
  started_at AS startedAt, ended_at AS endedAt FROM runs`;

/** No worker has to go on with it. */
const NO_TASK = 'task = NULL, parked = NULL';

export function prepareRuns(db: Database.Database) {
  const insert = db.prepare<[string, string, number]>(
    `INSERT INTO runs (job, state, plan, started_at) VALUES (?, 'reading', ?, ?)`,
  );
  const noteFreshFor = db.prepare<[string, number]>(
    `INSERT INTO fresh_for (job, longest_ms) VALUES (?, ?)
     ON CONFLICT (job) DO UPDATE SET longest_ms = max(longest_ms, excluded.longest_ms)`,
  );
  const replace = db.prepare<[number, string]>(
    `UPDATE runs SET state = 'replaced', ended_at = ?, ${NO_TASK}
     WHERE job = ? AND state IN ('reading', 'working')`,
  );
  const open = db.prepare<[string], RunRow>(
    `${RUN} WHERE job = ? AND state IN ('reading', 'working') ORDER BY id DESC LIMIT 1`,
  );
  const byId = db.prepare<[number], RunRow>(`${RUN} WHERE id = ? AND pruned_at IS NULL`);
  const listRuns = prepareListRuns(db);
  const jobs = db.prepare<[number], KnownJob>(
    `SELECT job, count(*) AS runs, max(id) AS run FROM runs WHERE pruned_at IS NULL GROUP BY job ORDER BY run DESC LIMIT ?`,
  );
  const mappings = db.prepare<[string, number], MappingRow>(
    `SELECT max(id) AS run, mapping, json_extract(plan, '$.map') AS map FROM
       (SELECT id, mapping, plan FROM runs WHERE job = ? AND mapping <> '[]' ORDER BY id DESC LIMIT 1000)
     GROUP BY mapping, map ORDER BY run DESC LIMIT ?`,
  );
  const guesses = db.prepare<[string, string, string, number], GuessRow>(
    `SELECT job = ? AS isOwn, columns, mapping, json_extract(plan, '$.map') AS map FROM runs
     WHERE (job = ? OR id > (SELECT max(id) FROM runs) - 1000) AND mapping <> '[]'
       AND (SELECT json_group_array(value) FROM (SELECT value FROM json_each(plan, '$.ask') ORDER BY value)) = ?
       AND (pruned_at IS NOT NULL
         OR EXISTS (SELECT 1 FROM leads WHERE run_id = runs.id AND enrichment_id IS NOT NULL))
     GROUP BY isOwn, columns, mapping, map ORDER BY isOwn DESC, max(id) DESC LIMIT ?`,
  );
  const any = db.prepare<[string]>('SELECT 1 FROM runs WHERE job = ? LIMIT 1');
  const finishReading = db.prepare<[number]>(
    `UPDATE runs SET state = 'working' WHERE id = ? AND state = 'reading'`,
  );
  const mapping = db.prepare<[number], { readonly mapping: string }>(
    'SELECT mapping FROM runs WHERE id = ? AND pruned_at IS NULL',
  );
  const planOf = db.prepare<[number], { readonly plan: string }>(
    'SELECT plan FROM runs WHERE id = ?',
  );
  const replan = db.prepare<[string, number]>('UPDATE runs SET plan = ? WHERE id = ?');
  const finish = db.prepare<[number, number]>(
    `UPDATE runs SET state = 'finished', ended_at = ?, ${NO_TASK} WHERE id = ? AND state = 'working'`,
  );
  const cancel = db.prepare<[number, number]>(
    `UPDATE runs SET state = 'cancelled', ended_at = ?, ${NO_TASK}
     WHERE id = ? AND state IN ('reading', 'working')`,
  );
  const markDone = db.prepare<[number, number]>(
    `INSERT OR IGNORE INTO done_files (job, terms, digest, run_id, done_at)
     SELECT job, json_extract(plan, '$.terms'), file.value, runs.id, ?
     FROM runs, json_each(plan, '$.digests') AS file WHERE runs.id = ?`,
  );

  const { countDistinct } = countsOf(db);
  const beginSeries = prepareBeginSeries(db);
  const find = (id: number): Run | null => toRun(byId.get(id));

  return {
    startRun: atomic(db, (plan, at) => {
      replace.run(at, plan.job);
      const id = Number(insert.run(plan.job, JSON.stringify(plan), at).lastInsertRowid);
      if (plan.freshForMs !== undefined) noteFreshFor.run(plan.job, plan.freshForMs);
      beginSeries(id);
      const names = mapNames<TableNames>(plan.output, (name) =>
        name.replaceAll('{run}', String(id)),
      );
      replan.run(JSON.stringify({ ...plan, output: { ...plan.output, ...names } }), id);
      return find(id) as Run;
    }),
    redirectRun: atomic(db, (id, changes) => {
      const run = planOf.get(id);
      if (run === undefined) return;
      replan.run(JSON.stringify(goingPlan(run.plan, changes)), id);
    }),
    noteLeft: atomic(db, (id, left) => {
      const run = planOf.get(id);
      if (run !== undefined) replan.run(JSON.stringify(leftPlan(run.plan, left)), id);
    }),
    findRun: find,
    hasRun: (job) => any.get(job) !== undefined,
    findOpenRun: (job) => toRun(open.get(job)),
    mappingOf: (id) => JSON.parse(mapping.get(id)?.mapping ?? '[]') as MappedInput[],
    mappings: (job, limit) => mappings.all(job, limit).map(toMapping),
    formerGuesses: (job, ask, limit) =>
      guesses.all(job, job, JSON.stringify([...ask].sort()), limit).map(toGuess),
    listRuns,
    listJobs: (limit) => jobs.all(limit),
    finishReading: (id) => void finishReading.run(id),
    finishRun: atomic(db, (id, at) => {
      if (finish.run(at, id).changes === 0) return;
      countDistinct(id);
      markDone.run(at, id);
    }),
    cancelRun: (id, at) => cancel.run(at, id).changes > 0,
  } satisfies Partial<Verbs>;
}

function prepareListRuns(db: Database.Database) {
  const chosen = `${RUN} WHERE pruned_at IS NULL AND job = coalesce(:job, job)
    AND (:states IS NULL OR state IN (SELECT value FROM json_each(:states)))`;
  const before = db.prepare<[object], RunRow>(
    `${chosen} AND id < :before ORDER BY id DESC LIMIT :limit`,
  );
  const after = db.prepare<[object], RunRow>(`${chosen} AND id > :after ORDER BY id LIMIT :limit`);
  return (limit: number, choice: RunChoice = {}): Run[] => {
    const { job = null, states, before: bound = Number.MAX_SAFE_INTEGER } = choice;
    const wish = { job, states: states === undefined ? null : JSON.stringify(states), limit };
    const rows =
      choice.after === undefined
        ? before.all({ ...wish, before: bound })
        : after.all({ ...wish, after: choice.after }).toReversed();
    return rows.map((row) => toRun(row) as Run);
  };
}

function toMapping({ run, ...row }: MappingRow): FormerMapping {
  return { run, ...readMapping(row) };
}

function toGuess({ isOwn, columns, ...row }: GuessRow): FormerGuess {
  return { isOwn: isOwn === 1, columns: JSON.parse(columns) as Column[], ...readMapping(row) };
}

function readMapping({
  mapping,
  map,
}: Omit<MappingRow, 'run'>): Pick<FormerGuess, 'map' | 'mapping'> {
  const stated = map === null ? null : (JSON.parse(map) as MappingWish);
  return { mapping: JSON.parse(mapping) as MappedInput[], map: stated };
}

function toRun(row: RunRow | undefined): Run | null {
  if (row === undefined) return null;
  const { plan, columns, ...run } = row;
  return { ...readPlan(plan), ...run, columns: JSON.parse(columns) as Column[] };
}
