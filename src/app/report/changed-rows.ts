// Joins the leads of two runs by a key: the rows of the table of changes, and the count of each change.
import { domainOwner } from '../../identity/domain-owner.js';
import { registrableDomain } from '../../identity/registrable-domain.js';
import type { LeadAnswer } from '../../model/answer.js';
import { INPUTS } from '../../model/ask.js';
import { findKey, toChosen } from '../../model/columns/choose-columns.js';
import { keyText } from '../../model/columns/key-census.js';
import { SluiceError } from '../../model/errors.js';
import { canonicalText } from '../../model/fingerprint.js';
import type { Column } from '../../model/lead.js';
import { cellAt, type FoundColumn } from '../../model/mapping/find-column.js';
import { changeRow } from '../../model/report/change-table.js';
import { compareFacts, factsOf, type LeadFacts } from '../../model/report/compare-answers.js';
import type { countComparison, Side } from '../../model/report/compare-figures.js';
import type { Run } from '../../model/run.js';
import { isSuppressed } from '../../model/suppression.js';
import type { JsonValue } from '../../model/text/json.js';
import type { Store } from '../../ports/store/store.js';
import type { OutputRow } from '../../ports/table-writer.js';
import { answerPages } from '../../run/export.js';
import type { PairScratch } from '../../store/sqlite/scratch-pairs.js';

/** The number of leads that are read at once, which stay in memory together. */
const LEFT_AT_ONCE = 200;
const RULES = { registrableDomain, domainOwner };

interface LeadReader {
  /** The columns of the key; null without one. */
  readonly keyColumns: readonly Column[] | null;
  /** The key of a lead; null if it has none, or its person is suppressed. */
  keyOf(answer: LeadAnswer): string | null;
  factsOf(answer: LeadAnswer): LeadFacts;
}

export function leadReader(run: Run, key: readonly string[] | null): LeadReader {
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
          RULES,
        ),
    };
  }
  const places = keyPlaces(run, key);
  const whoIs = ({ cells }: LeadAnswer): JsonValue[] =>
    places.map((place) => cellAt(place, cells) ?? null);
  return {
    keyColumns: places.map((place) => toChosen(place).column),
    keyOf: told(({ cells }) => keyText(cells, places)),
    factsOf: (answer) => factsOf(answer, whoIs(answer), RULES),
  };
}

function keyPlaces({ columns, id }: Run, key: readonly string[]): readonly FoundColumn[] {
  try {
    return findKey(columns, key);
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    throw error.amended(`That is the input of run ${id}.`);
  }
}

function keep(
  reader: LeadReader,
  scratch: PairScratch,
  answer: LeadAnswer,
): 'first' | 'repeated' | 'without_key' {
  const key = reader.keyOf(answer);
  if (key === null) return 'without_key';
  return scratch.keep(key, JSON.stringify(reader.factsOf(answer))) ? 'first' : 'repeated';
}

interface Comparing {
  readonly runs: Readonly<Record<Side, Run>>;
  readonly readers: Readonly<Record<Side, LeadReader>>;
  readonly scratch: PairScratch;
  readonly count: ReturnType<typeof countComparison>;
}

/**
 * The changed rows in the order of the second input, and after them those that only the first one has, in its order. All
 * leads of the first run are read before.
 */
export async function* changedRows(
  store: Store,
  { count, readers, runs, scratch }: Comparing,
): AsyncGenerator<readonly OutputRow[], void> {
  for await (const answers of answerPages(store, runs.before)) {
    for (const answer of answers) {
      count.addLead('before', keep(readers.before, scratch, answer));
    }
  }
  const reader = readers.after;
  const rowOf = (answer: LeadAnswer): OutputRow | undefined => {
    const key = reader.keyOf(answer);
    const met = key === null ? null : scratch.meet(key);
    const isAgain = met?.kind === 'again';
    count.addLead('after', met === null ? 'without_key' : isAgain ? 'repeated' : 'first');
    if (met === null || isAgain) return undefined;
    const after = reader.factsOf(answer);
    if (met.kind === 'alone') {
      count.addAlone('after');
      return changeRow({ before: null, after, comparison: null });
    }
    const before = JSON.parse(met.kept) as LeadFacts;
    const comparison = compareFacts(before, after);
    count.addPair(before, after, comparison);
    return comparison.changes.length === 0 ? undefined : changeRow({ before, after, comparison });
  };
  for await (const answers of answerPages(store, runs.after)) {
    yield answers.map(rowOf).filter((row) => row !== undefined);
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
