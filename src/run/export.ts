import type { LeadAnswer } from '../model/answer.js';
import { rejectRow } from '../model/columns/output-columns.js';
import { toEventRow } from '../model/events/event-columns.js';
import { type Run, whyUnsent } from '../model/run.js';
import type { EventFilter, EventJournal } from '../ports/store/events.js';
import type { Store } from '../ports/store/store.js';
import type { OutputRow, TableWriter } from '../ports/table-writer.js';

/** Larger pages are slower: the cells of a page stay in memory together (measured with csv-stringify 6). */
const PAGE_SIZE = 100;

/**
 * Reads the items once, and writes the rows of each into the tables, in the order of `writers`. It commits none.
 * @returns the number of rows of each
 */
export async function writeRows<T>(
  pages: AsyncIterable<readonly T[]>,
  writers: readonly TableWriter[],
  rowsOf: (item: T) => readonly (readonly OutputRow[])[],
): Promise<number[]> {
  const counts = writers.map(() => 0);
  for await (const items of pages) {
    const rows = items.map(rowsOf);
    for (const [n, writer] of writers.entries()) {
      const own = rows.flatMap((tables) => tables[n] ?? []);
      counts[n] = (counts[n] ?? 0) + own.length;
      if (own.length > 0) await writer.write(own);
    }
  }
  return counts;
}

export async function exportRows<T>(
  pages: AsyncIterable<readonly T[]>,
  writer: TableWriter,
  rowsOf: (item: T) => readonly OutputRow[],
): Promise<number> {
  try {
    const [count = 0] = await writeRows(pages, [writer], (item) => [rowsOf(item)]);
    await writer.commit();
    return count;
  } finally {
    await writer.discard();
  }
}

export function answerPages(store: Store, run: Run): AsyncGenerator<readonly LeadAnswer[], void> {
  const why = whyUnsent(run);
  const toldWhy = (one: LeadAnswer): LeadAnswer =>
    one.status === 'queued'
      ? { ...one, reason: [why, one.reason].filter(Boolean).join('; ') }
      : one;
  return pagesOf(
    async (after) => {
      const page = await store.answers(run.id, { after, limit: PAGE_SIZE });
      return why === null ? page : page.map(toldWhy);
    },
    ({ position }) => position,
  );
}

export async function exportRejects(store: Store, run: Run, writer: TableWriter): Promise<void> {
  const pages = pagesOf(
    (after) => store.rejects(run.id, after, PAGE_SIZE),
    ({ id }) => id,
  );
  await exportRows(pages, writer, (reject) => [rejectRow(reject, run.sources)]);
}

export function exportEvents(
  store: EventJournal,
  filter: EventFilter,
  writer: TableWriter,
): Promise<number> {
  const pages = pagesOf(
    (after) => store.events(filter, { after, limit: PAGE_SIZE }),
    ({ number }) => number,
  );
  return exportRows(pages, writer, (event) => [toEventRow(event)]);
}

/** All items, a page at a time; `read` returns the items after a number. */
async function* pagesOf<T>(
  read: (after: number) => Promise<readonly T[]>,
  numberOf: (item: T) => number,
): AsyncGenerator<readonly T[], void> {
  for (let after = 0; ; ) {
    const items = await read(after);
    const last = items.at(-1);
    if (last === undefined) return;
    yield items;
    after = numberOf(last);
  }
}
