// Serves queued enrichments from wider questions that were asked meanwhile (src/model/enrichment/serve.ts).
import { serveQueued } from '../../model/enrichment/share.js';
import { type RequestRow, toAskSets, toRequest } from '../../model/enrichment/stored-request.js';
import { lockAccountOf, type Verbs } from '../sql.js';
import { save, saveNews } from './held.js';
import { openBook } from './known.js';

export const serveReads = {
  asked: async (sql) =>
    toAskSets(await sql.rows<Pick<RequestRow, 'ask'>>('SELECT ask FROM asked ORDER BY ask')),
  queued: async (sql, runId, afterId, limit) => {
    const rows = await sql.rows<RequestRow & { id: number }>(
      `SELECT id, ask, inputs FROM enrichments
       WHERE run_id = $1 AND state = 'queued' AND suppressed_by IS NULL AND poll_at IS NULL AND id > $2 AND lost_sends = 0 ORDER BY id LIMIT $3`,
      [runId, afterId, limit],
    );
    return rows.map(({ id, ...row }) => ({ id, request: toRequest(row) }));
  },
} satisfies Partial<Verbs>;

export const serveWrites = {
  serve: async (sql, runId, questions, times) => {
    await lockAccountOf(sql, runId);
    const rows = await sql.rows<{ id: number; fingerprint: Uint8Array }>(
      'SELECT id, fingerprint FROM enrichments WHERE id = ANY ($1)',
      [questions.map(({ id }) => id)],
    );
    const widerOf = new Map(questions.map(({ id, wider }) => [id, wider]));
    const leads = rows.map(({ fingerprint, id }) => ({
      id,
      fingerprint,
      wider: widerOf.get(id) ?? [],
    }));
    const book = await openBook(sql, leads, times.freshSince);
    const served = leads.filter(({ id, wider }) => {
      const row = book.byId(id);
      return row !== undefined && serveQueued(book, row, { runId, times, wider });
    });
    await save(sql, book);
    await saveNews(sql, book);
    return served.length;
  },
} satisfies Partial<Verbs>;
