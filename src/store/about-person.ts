import { fromThousandths } from '../model/credits.js';
import type { Enrichment } from '../model/enrichment/locked.js';
import { toInputs, toRequest } from '../model/enrichment/stored-request.js';
import { foundPerson, identifiersOf, namedBy } from '../model/suppression.js';
import { isImported } from './enrichments/known-answers.js';
import { readResult } from './enrichments/result-format.js';
import { leadsSharing } from './runs/line-story.js';
import type { Sql } from './sql.js';
import { read, type Verbs } from './verb.js';

type Seen = Pick<Enrichment, 'id' | 'inputs'> & { readonly body: Uint8Array | null };
type Row = Pick<
  Enrichment,
  'ask' | 'state' | 'reason' | 'runId' | 'thousandths' | 'submittedAt' | 'settledAt'
> & { readonly isImported: boolean };

export const aboutVerbs = {
  enrichmentsAbout: read('bounded', async (sql, people, after, most) => {
    const theirs = new Set(people.flatMap(namedBy).map(({ text }) => text));
    const rows = await sql.rows<Seen>(
      `SELECT e.id, e.inputs, r.body FROM enrichments e LEFT JOIN results r ON r.enrichment_id = e.id
       WHERE e.id > $1 ORDER BY e.id LIMIT $2`,
      [after, most],
    );
    const found = [];
    for (const row of rows) {
      const result = row.body === null ? null : readResult(row.body);
      const identifiers = [
        ...identifiersOf(toInputs(row.inputs)),
        ...identifiersOf(foundPerson(result ?? {})),
      ];
      if (!identifiers.some(({ text }) => theirs.has(text))) continue;
      found.push({ ...(await tell(sql, row)), result });
    }
    return { last: rows.at(-1)?.id ?? null, found };
  }),
} satisfies Partial<Verbs>;

async function tell(sql: Sql, { id, inputs }: Seen) {
  const row = (await sql.row<Row>(
    `SELECT ask, ${isImported('e')} AS is_imported, state, reason, coalesce(paid_by, run_id) AS run_id, thousandths,
       submitted_at, settled_at
     FROM enrichments e WHERE id = $1`,
    [id],
  )) as Row;
  const sharing = await leadsSharing(sql, id);
  const runs = await sql.list<number>(
    `SELECT DISTINCT coalesce(r.step_of, r.id) FROM leads l JOIN runs r ON r.id = l.run_id
     WHERE l.enrichment_id = $1 ORDER BY 1`,
    [id],
  );
  const { ask, thousandths, ...told } = row;
  return {
    ...told,
    id,
    request: toRequest({ ask, inputs }),
    credits: fromThousandths(thousandths),
    leads: sharing.leads,
    leadCount: sharing.count,
    runs,
  };
}
