// The ledger's memory: NDJSON, one line per accepted enrichment, appended before the answer leaves.
// Written through to the operating system, not synced to disk: it has to survive the process, not the machine.
import { appendFileSync, closeSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import { ASKS, type EnrichmentRequest, INPUTS } from '../domain/ask.js';
import { SluiceError } from '../domain/errors.js';

const RECORD = z.object({
  id: z.string(),
  ask: z.array(z.enum(ASKS)),
  inputs: z.partialRecord(z.enum(INPUTS), z.string()),
  webhookUrl: z.string().exactOptional(),
  acceptedAt: z.number(),
  readyAt: z.number(),
});
const LINE = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opened'), seed: z.number() }),
  RECORD.extend({ kind: z.literal('accepted') }),
]);

/** What is remembered of an accepted enrichment; times in milliseconds since the Unix epoch. */
export interface AcceptedRecord extends EnrichmentRequest {
  readonly id: string;
  /** Where `enrichmentDone` shall be delivered, if anywhere. */
  readonly webhookUrl?: string;
  readonly acceptedAt: number;
  readonly readyAt: number;
}

type LedgerLine = { kind: 'opened'; seed: number } | ({ kind: 'accepted' } & AcceptedRecord);

export interface LedgerFile {
  /** Whole or not at all, also on a full disk. */
  append(record: AcceptedRecord): void;
  /** Idempotent. */
  close(): void;
}

interface OpenLedgerFileOptions {
  readonly path: string;
  /** Answers depend on it, so a file belongs to one seed. */
  readonly seed: number;
  /** Called for every enrichment the file remembers, in the order of acceptance. */
  readonly onRecord: (record: AcceptedRecord) => void;
}

/**
 * Reads what is there, cuts off a line that was torn when the process died (its request was never
 * answered), and appends from there.
 * @throws SluiceError `store` when it cannot be opened, a line is not a ledger line, or the seed is another
 */
export function openLedgerFile({ path, seed, onRecord }: OpenLedgerFileOptions): LedgerFile {
  const handle = openHandle(path);
  try {
    let size = 0;
    let number = 0;
    for (const line of readWholeLines(handle)) {
      number += 1;
      size += line.length + 1;
      const record = readLine(line.toString(), `${path}, line ${number}`, seed);
      if (record !== null) onRecord(record);
    }
    ftruncateSync(handle, size);
    const file = createAppender(handle, size);
    if (number === 0) file.append({ kind: 'opened', seed });
    return {
      append: (record) => file.append({ kind: 'accepted', ...record }),
      close: () => file.close(),
    };
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

function openHandle(path: string): number {
  try {
    return openSync(path, 'a+');
  } catch (cause) {
    const message = `The sandbox ledger ${path} cannot be opened: ${String(cause)}. Choose a file that can be written.`;
    throw new SluiceError('store', message, { path }, { cause });
  }
}

function createAppender(handle: number, sizeAtStart: number) {
  let size = sizeAtStart;
  let isOpen = true;
  return {
    append(line: LedgerLine): void {
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
      try {
        appendFileSync(handle, bytes);
      } catch (error) {
        // A full disk may have taken half of it; the next line must not continue that half.
        ftruncateSync(handle, size);
        throw error;
      }
      size += bytes.length;
    },
    close(): void {
      if (isOpen) closeSync(handle);
      isOpen = false;
    },
  };
}

function readLine(text: string, place: string, seed: number): AcceptedRecord | null {
  const line = LINE.safeParse(parseJson(text));
  if (!line.success) {
    const message = `${place} is not a line of a sandbox ledger. Choose another file, or repair this one.`;
    throw new SluiceError('store', message, { place });
  }
  if (line.data.kind === 'accepted') {
    const { kind: _, ...record } = line.data;
    return record;
  }
  if (line.data.seed === seed) return null;
  const message = `${place} was written with seed ${line.data.seed}, and this sandbox has seed ${seed}: its answers would change. Use that seed, or another file.`;
  throw new SluiceError('store', message, { place });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// By bytes and not with node:readline, which also breaks lines at U+2028, and JSON leaves that in strings.
function* readWholeLines(handle: number): Generator<Buffer> {
  const chunk = Buffer.alloc(1 << 16);
  let rest = Buffer.alloc(0);
  let position = 0;
  for (;;) {
    const length = readSync(handle, chunk, 0, chunk.length, position);
    if (length === 0) return;
    position += length;
    rest = Buffer.concat([rest, chunk.subarray(0, length)]);
    let start = 0;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10, start)) {
      yield rest.subarray(start, end);
      start = end + 1;
    }
    rest = rest.subarray(start);
  }
}
