// The condition of the partial index on work left, to the letter. SQLite uses such an index for a query that
// asks for one of these states, or repeats the whole condition: without it, every look would read the whole table.

export const IS_OPEN = `(state = 'queued' OR state = 'submitting' OR state = 'awaiting')`;
