// Rows that refer to none: no table refers to another in the schema, so that no verb pays for a check of it.
const REFERENCES = [
  ['enrichments', 'run_id', 'runs'],
  ['enrichments', 'paid_by', 'runs'],
  ['enrichments', 'suppressed_by', 'suppressions'],
  ['suppressed', 'suppression_id', 'suppressions'],
  ['results', 'enrichment_id', 'enrichments'],
  ['keys', 'enrichment_id', 'enrichments'],
  ['stands', 'enrichment_id', 'enrichments'],
  ['unread_answers', 'enrichment_id', 'enrichments'],
  ['leads', 'run_id', 'runs'],
  ['leads', 'enrichment_id', 'enrichments'],
  ['lead_cells', 'run_id', 'runs'],
  ['rejects', 'run_id', 'runs'],
  ['unknown_tickets', 'delivery_id', 'deliveries'],
  ['lists', 'run_id', 'runs'],
  ['series', 'run_id', 'runs'],
  ['charged_tickets', 'sum_id', 'charge_sums'],
] as const;

/** A query for the tables with a row that refers to none: `stray`, and the `parent` in which the row should be. */
export const STRAYS = REFERENCES.map(
  ([table, column, parent]) => `SELECT '${table}' AS stray, '${parent}' AS parent
  WHERE EXISTS (SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL AND ${column} NOT IN (SELECT id FROM ${parent}))`,
).join(' UNION ALL ');
