// The condition of the partial index on work left, to the letter. SQLite uses such an index only for
// queries that repeat its condition: without it, every claim would read the whole table.

export const IS_OPEN = `state IN ('queued', 'submitting', 'awaiting')`;
