// What the tests of the reader share: a folder of real files, and all batches of an input as one.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openLeadReader, type ReadOptions } from '../../src/input/open-lead-reader.js';
import type { Column, Reject, SourceRecord } from '../../src/model/lead.js';
import type { RecordBatch } from '../../src/ports/lead-reader.js';
import { tempFolder } from '../helpers/temp-folder.js';

export interface WholeInput {
  readonly columns: readonly Column[];
  readonly records: SourceRecord[];
  readonly rejects: Reject[];
  readonly batches: RecordBatch[];
}

export type LooseOptions = Partial<ReadOptions>;

/** A folder that lives as long as the test file; answers a function that writes a file into it. */
export async function openFolder(): Promise<{
  path: string;
  write: (name: string, content: string | Uint8Array) => Promise<string>;
}> {
  const path = tempFolder();
  return {
    path,
    write: async (name, content) => {
      await writeFile(join(path, name), content);
      return join(path, name);
    },
  };
}

export async function readAll(
  patterns: string | readonly string[],
  options: LooseOptions = {},
): Promise<WholeInput> {
  const reader = await openLeadReader(typeof patterns === 'string' ? [patterns] : patterns, {
    standardInput: bytesOf([]),
    ...options,
  });
  const batches: RecordBatch[] = [];
  for await (const batch of reader.batches()) batches.push(batch);
  return {
    columns: batches.at(-1)?.columns ?? [],
    records: batches.flatMap((batch) => batch.records),
    rejects: batches.flatMap((batch) => batch.rejects),
    batches,
  };
}

/** Reads the text, or the chunks, as standard input. */
export function readPipe(
  chunks: string | Uint8Array | readonly Uint8Array[],
  options: LooseOptions = {},
): Promise<WholeInput> {
  const list = typeof chunks === 'string' ? [Buffer.from(chunks)] : chunks;
  const parts = list instanceof Uint8Array ? [list] : list;
  return readAll('-', { ...options, standardInput: bytesOf(parts) });
}

export async function* bytesOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

/** Cuts bytes into pieces of the sizes given, over and over. */
export function cutBytes(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}
