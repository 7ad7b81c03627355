// Writes tables from the store alone, at any time, as often as one likes: a run's leads, its rejects, events.

import { flattenAnswer } from '../model/columns/flatten-answer.js';
import { rejectRow } from '../model/columns/output-columns.js';
import type { PositionShape } from '../model/columns/positions.js';
import { toEventRow } from '../model/events/event-columns.js';
import type { RegistrableDomain } from '../model/normalise.js';
import type { Run } from '../model/run.js';
import type { EventFilter, EventJournal } from '../ports/store/events.js';
import type { Store } from '../ports/store/store.js';
import type { OutputRow, TableWriter } from '../ports/table-writer.js';

/** Larger pages are slower: the cells of one stay in memory together (measured with csv-stringify 6). */
const PAGE_SIZE = 100;

/** Writes the pages of `rowPages` and commits the table. Returns the number of rows. */
export async function exportRows(
  pages: AsyncIterable<readonly OutputRow[]>,
  writer: TableWriter,
): Promise<number> {
  let rowCount = 0;
  return committing(writer, async () => {
    for await (const rows of pages) {
      await writer.write(rows);
      rowCount += rows.length;
    }
    return rowCount;
  });
}

/** The rows of every lead of the run, in input order, a page at a time. */
export async function* rowPages(
  store: Store,
  run: Run,
  shape: PositionShape,
  registrableDomain: RegistrableDomain,
): AsyncGenerator<OutputRow[], void, undefined> {
  const columnCount = run.columns.length;
  let position = 0;
  for (;;) {
    const answers = await store.answers(run.id, position, PAGE_SIZE);
    const last = answers.at(-1);
    if (last === undefined) return;
    yield answers.flatMap((answer) => flattenAnswer(answer, columnCount, shape, registrableDomain));
    position = last.position;
  }
}

/** Writes every reject of the run, in input order: source, line, reason, raw text. */
export async function exportRejects(store: Store, run: Run, writer: TableWriter): Promise<void> {
  let afterId = 0;
  await committing(writer, async () => {
    for (;;) {
      const rejects = await store.rejects(run.id, afterId, PAGE_SIZE);
      const last = rejects.at(-1);
      if (last === undefined) return;
      await writer.write(rejects.map((reject) => rejectRow(reject, run.sources)));
      afterId = last.id;
    }
  });
}

/** Writes every event that passes the filter, in the order in which they were kept. Returns their number. */
export async function exportEvents(
  store: EventJournal,
  filter: EventFilter,
  writer: TableWriter,
): Promise<number> {
  let after = 0;
  let count = 0;
  return committing(writer, async () => {
    for (;;) {
      const events = await store.eventsAfter(after, filter, PAGE_SIZE);
      const last = events.at(-1);
      if (last === undefined) return count;
      await writer.write(events.map(toEventRow));
      count += events.length;
      after = last.number;
    }
  });
}

async function committing<R>(writer: TableWriter, work: () => Promise<R>): Promise<R> {
  try {
    const result = await work();
    await writer.commit();
    return result;
  } finally {
    await writer.discard();
  }
}
