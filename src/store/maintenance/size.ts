import type { StateSize } from '../../ports/store/maintenance.js';
import type { Sql } from '../sql.js';
import { read, type Verbs, write } from '../verb.js';
import type { Disk } from './disk.js';

const DAY_MS = 86_400_000;
/** Weeks average over days without a run. */
const SPAN_MS = 28 * DAY_MS;

interface NotedSize {
  readonly at: number;
  readonly bytes: number;
}

export async function sizeAt(sql: Sql, measure: Disk['measure'], at: number): Promise<StateSize> {
  const { noted, ...size } = await measure(sql);
  const since = await sql.row<NotedSize>(
    `SELECT noted_at AS at, bytes FROM sizes
     WHERE noted_at >= coalesce((SELECT max(noted_at) FROM sizes WHERE noted_at <= $1), 0)
     ORDER BY noted_at LIMIT 1`,
    [at - SPAN_MS],
  );
  return { ...size, bytesADay: growthOf(since, { at, bytes: noted }) };
}

/** The growth in bytes a day; null if the two sizes are less than a day apart. */
function growthOf(since: NotedSize | undefined, now: NotedSize): number | null {
  const days = since === undefined ? 0 : (now.at - since.at) / DAY_MS;
  return since === undefined || days < 1 ? null : Math.round((now.bytes - since.bytes) / days);
}

export function sizeVerbs(measure: Disk['measure']) {
  return {
    size: read((sql, at) => sizeAt(sql, measure, at)),
    noteSize: write(async (sql, at) => {
      const known = await sql.row('SELECT 1 FROM sizes WHERE noted_at > $1', [at - DAY_MS]);
      if (known !== undefined) return;
      const { noted } = await measure(sql);
      await sql.run('INSERT INTO sizes (noted_at, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        at,
        noted,
      ]);
      // The newest size that is old enough stays, because growth is measured from it.
      await sql.run(
        'DELETE FROM sizes WHERE noted_at < (SELECT max(noted_at) FROM sizes WHERE noted_at <= $1)',
        [at - SPAN_MS],
      );
    }),
  } satisfies Partial<Verbs>;
}
