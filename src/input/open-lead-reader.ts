// Every error that can be known in advance is found here, before the first record is read.
import type { Delimiter } from '../model/lead.js';
import type { LeadReader } from '../ports/lead-reader.js';
import { type PlannedSource, readBatches } from './read-batches.js';
import type { ReadOptions } from './read-options.js';
import { RowCount } from './row-count.js';
import { openSource, type Source, signSources } from './sources/open-source.js';
import { findSources } from './sources/pattern.js';
import { probeSource } from './sources/probe-source.js';
import type { Guess } from './stream-decoder.js';

export type { ReadOptions } from './read-options.js';

/**
 * Opens files, patterns and `-` for reading as one input. Gzip is unpacked, and encoding, delimiter and format come
 * from the content if `options` leave them out.
 *
 * A record that may not mean what it says stays with a `flaw`: `ragged_row`, `invalid_bytes`, or `stray_quote` for a
 * possible rest of a broken record. A line that is not a record becomes a reject: `unclosed_quote`, `stray_quote`,
 * `record_too_long` (over 16 Mi characters), `broken_json`. A row with too many cells is both: a flawed record cut to
 * the header, and a reject with its raw text.
 *
 * A file is read through at once: for its encoding, and for the rows that cannot be leads.
 *
 * @throws SluiceError `input` if a source is missing, a folder, unreadable, empty, a zip, broken gzip, has a broken
 * header, or an encoding that cannot be guessed; `batches` throws it for errors that show only further on
 */
export async function openLeadReader(
  patterns: readonly string[],
  options: ReadOptions,
): Promise<LeadReader> {
  const sources: Source[] = [];
  for (const path of await findSources(patterns)) {
    const { digests, isLook, standardInput } = options;
    sources.push(await openSource(path, standardInput, { digest: digests?.get(path), isLook }));
  }
  const plans = await probeAll(sources, options);
  const planned = sources.flatMap((source) => plans.get(source) ?? []);
  return {
    sources: sources.map((source) => source.path),
    delimiter: delimiterOf(planned),
    rows: planned.map(({ rows }) => rows),
    signature: () => signSources(sources),
    batches: () => readBatches(planned, options),
  };
}

/** The delimiter of all CSV sources; undefined if there is none, or they differ. */
function delimiterOf(planned: readonly PlannedSource[]): Delimiter | undefined {
  const csv = planned.flatMap(({ plan }) =>
    plan.format === 'csv' ? [plan.dialect.delimiter] : [],
  );
  return new Set(csv).size === 1 ? csv[0] : undefined;
}

/** Files come first: a mistake in one of them must not cost the data that already came through a pipe. */
async function probeAll(
  sources: readonly Source[],
  options: ReadOptions,
): Promise<Map<Source, PlannedSource>> {
  const plans = new Map<Source, PlannedSource>();
  for (const isLive of [false, true]) {
    for (const source of sources.filter((source) => source.isLive === isLive)) {
      const plan = await probeSource(source, options);
      plans.set(source, await readThrough({ source, plan, rows: new RowCount() }, options));
    }
  }
  return plans;
}

/** Reads a file to its end, before any of its leads is asked for; what a pipe is shows while it is read. */
async function readThrough(one: PlannedSource, options: ReadOptions): Promise<PlannedSource> {
  if (one.source.isLive || options.isLook === true) return one;
  let guess: Guess | undefined;
  const onGuess = (found: Guess) => {
    guess = found;
  };
  for await (const _ of readBatches([one], { ...options, onGuess }));
  return { ...one, isReadThrough: true, guess };
}
