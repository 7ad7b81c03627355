// Runs: start, find, list, and move from one state to the next.
import type Database from 'better-sqlite3';
import type { Column } from '../../model/lead.js';
import type { MappedInput, MappingWish } from '../../model/mapping/mapping.js';
import type { Run, RunPlan } from '../../model/run.js';
import type { FormerMapping } from '../../ports/store/runs.js';
import { atomic, type Verbs } from '../database/transactions.js';
import { prepareKeepTally } from './tally.js';

type RunRow = Omit<Run, keyof RunPlan | 'columns'> & {
  readonly plan: string;
  readonly columns: string;
};

interface MappingRow {
  readonly run: number;
  readonly mapping: string;
  readonly map: string | null;
}

const RUN = `SELECT id, state, plan, columns, lead_count AS leadCount, reject_count AS rejectCount,
  started_at AS startedAt, ended_at AS endedAt FROM runs`;

export function prepareRuns(db: Database.Database) {
  const insert = db.prepare<[string, string, number]>(
    `INSERT INTO runs (job, state, plan, started_at) VALUES (?, 'reading', ?, ?)`,
  );
  const replace = db.prepare<[number, string]>(
    `UPDATE runs SET state = 'replaced', ended_at = ?
     WHERE job = ? AND state IN ('reading', 'working')`,
  );
  const open = db.prepare<[string], RunRow>(
    `${RUN} WHERE job = ? AND state IN ('reading', 'working') ORDER BY id DESC LIMIT 1`,
  );
  const byId = db.prepare<[number], RunRow>(`${RUN} WHERE id = ? AND pruned_at IS NULL`);
  const newest = db.prepare<[number], RunRow>(
    `${RUN} WHERE pruned_at IS NULL ORDER BY id DESC LIMIT ?`,
  );
  const mappings = db.prepare<[string, number], MappingRow>(
    `SELECT max(id) AS run, mapping, json_extract(plan, '$.map') AS map FROM
       (SELECT id, mapping, plan FROM runs WHERE job = ? AND mapping <> '[]' ORDER BY id DESC LIMIT 1000)
     GROUP BY mapping, map ORDER BY run DESC LIMIT ?`,
  );
  const any = db.prepare<[string]>('SELECT 1 FROM runs WHERE job = ? LIMIT 1');
  const finishReading = db.prepare<[number]>(
    `UPDATE runs SET state = 'working' WHERE id = ? AND state = 'reading'`,
  );
  const redirect = db.prepare<[string, number]>(
    `UPDATE runs SET plan = json_set(plan, '$.output', json(?)) WHERE id = ?`,
  );
  const finish = db.prepare<[number, number]>(
    `UPDATE runs SET state = 'finished', ended_at = ? WHERE id = ? AND state = 'working'`,
  );
  const cancel = db.prepare<[number, number]>(
    `UPDATE runs SET state = 'cancelled', ended_at = ?
     WHERE id = ? AND state IN ('reading', 'working')`,
  );
  const markDone = db.prepare<[number, number]>(
    `INSERT OR IGNORE INTO done_files (job, terms, digest, run_id, done_at)
     SELECT job, json_extract(plan, '$.terms'), file.value, runs.id, ?
     FROM runs, json_each(plan, '$.digests') AS file WHERE runs.id = ?`,
  );

  const keepTally = prepareKeepTally(db);
  const find = (id: number): Run | null => toRun(byId.get(id));

  return {
    startRun: atomic(db, (plan, at) => {
      replace.run(at, plan.job);
      const id = Number(insert.run(plan.job, JSON.stringify(plan), at).lastInsertRowid);
      const out = plan.output.out.replaceAll('{run}', String(id));
      if (out !== plan.output.out) redirect.run(JSON.stringify({ ...plan.output, out }), id);
      return find(id) as Run;
    }),
    redirectRun: (id, output) => void redirect.run(JSON.stringify(output), id),
    findRun: find,
    hasRun: (job) => any.get(job) !== undefined,
    findOpenRun: (job) => toRun(open.get(job)),
    mappings: (job, limit) => mappings.all(job, limit).map(toMapping),
    listRuns: (limit) => newest.all(limit).map((row) => toRun(row) as Run),
    finishReading: (id) => void finishReading.run(id),
    finishRun: atomic(db, (id, at) => {
      if (finish.run(at, id).changes === 0) return;
      keepTally(id);
      markDone.run(at, id);
    }),
    cancelRun: (id, at) => cancel.run(at, id).changes > 0,
  } satisfies Partial<Verbs>;
}

function toMapping({ run, mapping, map }: MappingRow): FormerMapping {
  const stated = map === null ? null : (JSON.parse(map) as MappingWish);
  return { run, mapping: JSON.parse(mapping) as MappedInput[], map: stated };
}

function toRun(row: RunRow | undefined): Run | null {
  if (row === undefined) return null;
  const { plan, columns, ...run } = row;
  return { ...(JSON.parse(plan) as RunPlan), ...run, columns: JSON.parse(columns) as Column[] };
}
