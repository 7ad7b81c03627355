import type { Writable } from 'node:stream';
import { DOMAIN_RULES } from '../../identity/domain-owner.js';
import type { LeadAnswer } from '../../model/answer.js';
import { INPUTS } from '../../model/ask.js';
import { findKey, toChosen } from '../../model/columns/choose-columns.js';
import { keyText } from '../../model/columns/key-census.js';
import { SluiceError, wrongUse } from '../../model/errors.js';
import { canonicalText } from '../../model/fingerprint.js';
import type { Column } from '../../model/lead.js';
import { cellAt, type FoundColumn } from '../../model/mapping/find-column.js';
import { changeColumns, changeRow } from '../../model/report/change-table.js';
import { compareFacts, factsOf, type LeadFacts } from '../../model/report/compare-answers.js';
import {
  type CompareFigures,
  countComparison,
  type LeftOut,
  type Side,
} from '../../model/report/compare-figures.js';
import type { Run } from '../../model/run.js';
import { isSuppressed } from '../../model/suppression.js';
import { FORGOTTEN_REASON } from '../../model/tally.js';
import type { JsonValue } from '../../model/text/json.js';
import { openTableWriter } from '../../output/open-table-writer.js';
import type { FormatName } from '../../output/table-format.js';
import type { Store } from '../../ports/store/store.js';
import type { CellChange, OutputRow, TableWriter } from '../../ports/table-writer.js';
import { answerPages } from '../../run/export.js';
import { openPairScratch, type PairScratch } from '../../store/sqlite/scratch-pairs.js';
import { checkWrites } from '../files/check-writes.js';
import { runOf } from '../results/run-of.js';
import { noting } from '../results/write-tables.js';

export interface CompareWish {
  /** Columns of both inputs that together identify a lead. Default: leads with the same inputs are the same. */
  readonly key?: readonly string[] | undefined;
  /** The table of the changes, which holds persons; `-` for standard output. Default: it is not written. */
  readonly changes?: string | undefined;
  /** Whether each change has a row of its own, those to another company first. Default: each person has one. */
  readonly isByChange?: boolean | undefined;
  /** The stream of the table `-`; it is not ended. */
  readonly standardOutput?: Writable | undefined;
  /** The format of the table `-`: a file has that of its ending. Default: CSV. */
  readonly format?: FormatName | undefined;
  /**
   * Whether to replace a file that Sluice did not write for this; never an input, a job or a state file. Default:
   * false.
   */
  readonly force?: boolean | undefined;
}

export interface CompareReport {
  readonly figures: CompareFigures;
  /** Null if no table was wanted. */
  readonly changes: WrittenChanges | null;
}

export interface WrittenChanges {
  readonly out: string;
  /** The number of rows: one for each person for whom something changed, or each change, and for each person who is in one run only. */
  readonly rows: number;
  /** People who have another company. */
  readonly moved: number;
  /** Cells that the format of the table could not hold unchanged. */
  readonly changed: readonly CellChange[];
}

/**
 * Compares the present contents of two runs in the store: first the earlier one. It changes nothing, and may be
 * repeated.
 * @throws SluiceError `usage` for an unknown run, one run twice, a key that an input does not have, or a table that
 * cannot be written there
 */
export async function compareRuns(
  store: Store,
  beforeId: number,
  afterId: number,
  {
    changes,
    force = false,
    format,
    isByChange = false,
    key: wanted,
    standardOutput,
  }: CompareWish = {},
): Promise<CompareReport> {
  if (beforeId === afterId) {
    throw wrongUse(
      `Run ${beforeId} cannot be compared with itself: name two runs, the earlier one first.`,
    );
  }
  const runs = { before: await runOf(store, beforeId), after: await runOf(store, afterId) };
  const key = wanted === undefined || wanted.length === 0 ? null : wanted;
  const readers = {
    before: leadReader(runs.before, key),
    after: leadReader(runs.after, key),
  };
  const writes = changes === undefined ? [] : [{ path: changes, purpose: 'changes' as const }];
  const { job, output } = runs.after;
  const sources = [...runs.before.sources, ...runs.after.sources];
  await checkWrites(writes, { job, sources, isForced: force }, store);
  const count = countComparison(runs, key);
  const scratch = openPairScratch();
  let writer: TableWriter | undefined;
  try {
    writer =
      changes === undefined
        ? undefined
        : await openTableWriter(changes, changeColumns(readers.after.keyColumns), {
            ...output,
            format,
            standardOutput,
            isPrivate: true,
            onReady: noting(store, runs.after, 'changes'),
          });
    let rows = 0;
    for await (const page of changedRows(store, { runs, readers, scratch, count, isByChange })) {
      if (page.length > 0) await writer?.write(page);
      rows += page.length;
    }
    await writer?.commit();
    const figures = count.figures();
    const moved = figures.fields.company.changed;
    const written =
      changes === undefined || writer === undefined
        ? null
        : { out: changes, rows, moved, changed: writer.changes() };
    return { figures, changes: written };
  } finally {
    await writer?.discard();
    scratch.close();
  }
}

/** The number of leads that are read at once, which stay in memory together. */
const LEFT_AT_ONCE = 200;

interface LeadReader {
  /** The columns of the key; null without one. */
  readonly keyColumns: readonly Column[] | null;
  /** The key of a lead; null if it has none, or its person is suppressed. */
  keyOf(answer: LeadAnswer): string | null;
  factsOf(answer: LeadAnswer): LeadFacts;
}

function leadReader(run: Run, key: readonly string[] | null): LeadReader {
  const told = (keyOf: LeadReader['keyOf']) => (answer: LeadAnswer) =>
    isSuppressed(answer) ? null : keyOf(answer);
  if (key === null) {
    return {
      keyColumns: null,
      // The asks and the account do not tell people apart.
      keyOf: told(({ inputs }) =>
        Object.keys(inputs).length === 0 ? null : canonicalText({ ask: [], inputs }, ''),
      ),
      factsOf: (answer) =>
        factsOf(
          answer,
          INPUTS.map((name) => answer.inputs[name] ?? null),
          DOMAIN_RULES,
        ),
    };
  }
  const places = keyPlaces(run, key);
  const whoIs = ({ cells }: LeadAnswer): JsonValue[] =>
    places.map((place) => cellAt(place, cells) ?? null);
  return {
    keyColumns: places.map((place) => toChosen(place).column),
    keyOf: told(({ cells }) => keyText(cells, places)),
    factsOf: (answer) => factsOf(answer, whoIs(answer), DOMAIN_RULES),
  };
}

function whyLeftOut(answer: LeadAnswer): LeftOut {
  if (isSuppressed(answer)) return 'suppressed';
  return answer.reason === FORGOTTEN_REASON ? 'forgotten' : 'withoutKey';
}

function keyPlaces({ columns, id }: Run, key: readonly string[]): readonly FoundColumn[] {
  try {
    return findKey(columns, key);
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    throw error.amended(`That is the input of run ${id}.`);
  }
}

interface Comparing {
  readonly runs: Readonly<Record<Side, Run>>;
  readonly readers: Readonly<Record<Side, LeadReader>>;
  readonly scratch: PairScratch;
  readonly count: ReturnType<typeof countComparison>;
  readonly isByChange: boolean;
}

/**
 * The changed rows in the order of the second input, and after them those that only the first one has, in its order. All
 * leads of the first run are read before. By changes, those to another company come before all others.
 */
async function* changedRows(
  store: Store,
  { count, isByChange, readers, runs, scratch }: Comparing,
): AsyncGenerator<readonly OutputRow[], void> {
  for await (const answers of answerPages(store, runs.before)) {
    for (const answer of answers) {
      const key = readers.before.keyOf(answer);
      const keep = (one: string) =>
        scratch.keep(one, JSON.stringify(readers.before.factsOf(answer))) ? 'first' : 'repeated';
      count.addLead('before', key === null ? whyLeftOut(answer) : keep(key));
    }
  }
  const reader = readers.after;
  const rowsOf = (answer: LeadAnswer): readonly OutputRow[] => {
    const key = reader.keyOf(answer);
    const met = key === null ? null : scratch.meet(key);
    const isAgain = met?.kind === 'again';
    count.addLead('after', met === null ? whyLeftOut(answer) : isAgain ? 'repeated' : 'first');
    if (met === null || isAgain) return [];
    const after = reader.factsOf(answer);
    if (met.kind === 'alone') {
      count.addAlone('after');
      const row = changeRow({ before: null, after, comparison: null });
      if (!isByChange) return [row];
      scratch.keepRow(JSON.stringify(row));
      return [];
    }
    const before = JSON.parse(met.kept) as LeadFacts;
    const comparison = compareFacts(before, after);
    count.addPair(before, after, comparison);
    if (!isByChange) {
      return comparison.changes.length === 0 ? [] : [changeRow({ before, after, comparison })];
    }
    return comparison.changes.flatMap((change) => {
      const row = changeRow({ before, after, comparison: { ...comparison, changes: [change] } });
      if (change === 'changed_company') return [row];
      scratch.keepRow(JSON.stringify(row));
      return [];
    });
  };
  for await (const answers of answerPages(store, runs.after)) {
    yield answers.flatMap(rowsOf);
  }
  for (let last = 0; ; ) {
    const rows = scratch.rows(last, LEFT_AT_ONCE);
    if (rows.length === 0) break;
    yield rows.map(({ kept }) => JSON.parse(kept) as OutputRow);
    last = rows.at(-1)?.number ?? last;
  }
  for (let last = 0; ; ) {
    const left = scratch.unmet(last, LEFT_AT_ONCE);
    if (left.length === 0) return;
    for (const _ of left) count.addAlone('before');
    yield left.map(({ kept }) =>
      changeRow({ before: JSON.parse(kept) as LeadFacts, after: null, comparison: null }),
    );
    last = left.at(-1)?.number ?? last;
  }
}
