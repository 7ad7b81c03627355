// Where the sandbox inside a run remembers what it accepted: beside the state file, and no part of it.

export function sandboxLedgerOf(state: string): string {
  return `${state}-sandbox.ndjson`;
}
