// Where the pieces of input go that could not become a record: a CSV beside the output.

/**
 * `data/out/x.csv` gives `data/out/x.rejects.csv`, whatever the format of the output; only an ending
 * that names a table is replaced, so `leads.2024` gives `leads.2024.rejects.csv`. Null for standard
 * output, which has no place beside it.
 */
export function rejectsPath(output: string): string | null {
  if (output === '-') return null;
  return `${output.replace(/(?<=[^/\\])\.(?:csv|ndjson|jsonl)$/i, '')}.rejects.csv`;
}
