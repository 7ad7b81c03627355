// The judges of a life: the table of an undisturbed run, and the sandbox's ledger.
import { openDoubles } from '../../src/sandbox/ledger/fingerprint-request.js';
import type { LedgerEntry } from '../../src/sandbox/ledger/ledger.js';
import type { Ended } from '../helpers/command-line.js';
import type { Row, Workdir } from '../helpers/workdir.js';

/** What a time or the order of acceptance decides, and no input. */
export const ELSEWISE: ReadonlySet<string> = new Set(['enriched_at', 'enrichment_id']);
/** What a second run says otherwise of a lead that the first one paid for. */
export const OF_THE_BILL: ReadonlySet<string> = new Set([...ELSEWISE, 'source', 'credits']);

/** Of one row that is another than it should be. */
const COLUMNS_SHOWN = 3;
const IS_OVER = new Set<unknown>([0, 1]);

/** Whether nothing is left to do. */
export function isOver(end: Ended | undefined): boolean {
  return IS_OVER.has(end?.code);
}

/** Whether a process ended as it may: killed, done, or with one sentence and one of these codes; never as a bug. */
export function endsWell(end: Ended, codes: ReadonlySet<unknown>): boolean {
  // Node's own exit code for an error that is not caught is 1.
  if (/^\s+at .+:\d+/m.test(end.stderr)) return false;
  if (end.signal === 'SIGKILL' || isOver(end)) return true;
  const complaints = end.stderr.split('\n').filter((line) => line.startsWith('sluice: '));
  return codes.has(end.code) && complaints.length === 1;
}

export function told(end: Ended | undefined): string {
  return `${end?.signal ?? end?.code}: ${end?.stderr.slice(-600)}`;
}

/** `Run 3 of leads.csv`: the run a process worked on, if it came so far. */
export function runOf(end: Ended | undefined): string | undefined {
  return /^(?:Run|Continuing run) (\d+) of /m.exec(end?.stderr ?? '')?.[1];
}

/** Compares a table cell by cell, all but what is uncertain. */
export function judgeTable(
  dir: Workdir,
  name: string,
  [rightHeader = [], ...rightRows]: readonly string[][],
  elsewise: ReadonlySet<string>,
  problems: string[],
): void {
  const [header = [], ...rows] = dir.cells(name);
  if (header.join() !== rightHeader.join())
    problems.push(`${name} has another header: ${header.join()}`);
  if (rows.length !== rightRows.length) problems.push(`${name} has ${rows.length} rows`);
  const statusAt = header.indexOf('sluice_status');
  for (const [i, row] of rows.entries()) {
    if (row[statusAt] === 'uncertain') continue;
    const wrong = header
      .map((column, k) => ({ column, is: row[k], right: rightRows[i]?.[k] }))
      .filter(({ column, is, right }) => !elsewise.has(column) && is !== right)
      .map(({ column, is, right }) => `${column} is "${is}" instead of "${right}"`);
    if (wrong.length === 0) continue;
    const shown = wrong.slice(0, COLUMNS_SHOWN).join(', ');
    problems.push(`${name}, row ${i + 1}, ${wrong.length} columns: ${shown}`);
  }
}

export interface Verdict {
  readonly doubled: number;
  /** People, not rows. */
  readonly uncertain: number;
}

export interface LedgerRules {
  /** Which of those that were accepted cannot be uncertain. */
  readonly mustClaim: (entry: LedgerEntry) => boolean;
  /** Answers come at once: no row has a ticket of the platform, and a failure is a refusal, which costs nothing and may be asked again. */
  readonly isAtOnce?: boolean | undefined;
}

/**
 * Holds every row against what the platform accepted: nothing that a person was asked for before, with the ticket that
 * stands in the row.
 */
export function judgeLedger(
  dir: Workdir,
  name: string,
  accepted: readonly LedgerEntry[],
  { mustClaim, isAtOnce = false }: LedgerRules,
  problems: string[],
): Verdict {
  const byPerson = new Map<string, LedgerEntry[]>();
  const whomOf = ({ inputs }: LedgerEntry): string => inputs.firstName?.toLowerCase() ?? '';
  const heldBy = openDoubles(whomOf);
  const again = new Map<string, number>();
  for (const entry of accepted) {
    const person = whomOf(entry);
    const held = heldBy(entry).length;
    if (held > 0) again.set(person, held + 1);
    const entries = byPerson.get(person);
    if (entries === undefined) byPerson.set(person, [entry]);
    else entries.push(entry);
  }
  const rows = dir.rows(name);
  const refused = new Set(
    rows.filter((row) => isAtOnce && row['sluice_status'] === 'failed').map(personOf),
  );
  let doubled = 0;
  for (const [person, times] of again) {
    if (refused.has(person)) continue;
    doubled += 1;
    problems.push(`${person} was accepted ${times} times`);
  }
  const doubts = new Set<string>();
  for (const row of rows) {
    const person = personOf(row);
    const entries = byPerson.get(person) ?? [];
    const status = row['sluice_status'];
    if (status === 'skipped') continue;
    if (status === 'uncertain') {
      doubts.add(person);
      if (entries.some(mustClaim)) {
        problems.push(`${person} is left uncertain, although it was accepted and its webhook came`);
      }
    } else if (!entries.some(({ id }) => isAtOnce || row['enrichment_id'] === id)) {
      const known = entries.map(({ id }) => id).join();
      problems.push(
        `${person} has the ticket ${row['enrichment_id']}, and the ledger has "${known}"`,
      );
    }
  }
  return { doubled, uncertain: doubts.size };
}

function personOf(row: Row): string {
  return row['first_name']?.toLowerCase() ?? '';
}
