// The file of the ledger: NDJSON, appended to before an answer leaves and never changed. It is written to the operating
// system, not synced to disk: it has to survive the process, not the machine.
import { appendFileSync, closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { INPUTS } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import type { ListMember } from '../../model/resources/contact-list.js';
import { isJsonObject, type JsonValue, parseJson } from '../../model/text/json.js';

export interface LedgerFile {
  /** Appends all of them or none, also on a full disk. */
  append(lines: readonly LedgerLine[]): void;
  /** Idempotent. */
  close(): void;
}

interface OpenLedgerFileOptions {
  readonly path: string;
  /** The seed. Answers depend on it, so a file belongs to one seed. */
  readonly seed: number;
  readonly onLine: (line: LedgerLine) => void;
}

/**
 * Opens the file: reads it, cuts off a line that was torn when the process died (its request was never answered), and
 * appends from there.
 * @throws SluiceError `store` when it cannot be opened, a line is not a ledger line, or the seed is another
 */
export function openLedgerFile({ path, seed, onLine }: OpenLedgerFileOptions): LedgerFile {
  const handle = openHandle(path);
  try {
    const bytes = readFileSync(path);
    const size = bytes.lastIndexOf('\n') + 1;
    const lines = bytes.toString('utf8', 0, size).split('\n').slice(0, -1);
    for (const [index, text] of lines.entries()) {
      const line = readLine(text, `${path}, line ${index + 1}`, seed);
      if (line.kind !== 'opened') onLine(line);
    }
    // The part that is cut off must be the beginning of a ledger line, and not another file's text.
    const start = size === 0 ? '{"kind":"opened"' : '{"kind":"';
    if (!start.startsWith(bytes.toString('utf8', size, size + start.length))) {
      const message = `${path} ends in something that is no line of a sandbox ledger. Choose another file, or repair this one.`;
      throw new SluiceError('store', message);
    }
    ftruncateSync(handle, size);
    const file = createAppender(handle, size);
    if (size === 0) file.append([{ kind: 'opened', seed }]);
    return file;
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

function openHandle(path: string): number {
  try {
    // It holds personal data, as the state file does: only its owner may read it.
    return openSync(path, 'a+', 0o600);
  } catch (cause) {
    const message = `The sandbox ledger ${path} cannot be opened: ${String(cause)}. Choose a file that can be written.`;
    throw new SluiceError('store', message, {}, { cause });
  }
}

function createAppender(handle: number, sizeAtStart: number): LedgerFile {
  let size = sizeAtStart;
  let isOpen = true;
  return {
    append(lines) {
      // The system may have given the number of the closed file to another one.
      if (!isOpen) throw new Error('The sandbox ledger is closed.');
      const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      try {
        appendFileSync(handle, bytes);
      } catch (error) {
        // A full disk may have taken half of it; the next line must not continue that half.
        ftruncateSync(handle, size);
        throw error;
      }
      size += bytes.length;
    },
    close() {
      if (isOpen) closeSync(handle);
      isOpen = false;
    },
  };
}

function readLine(text: string, place: string, seed: number): LedgerLine {
  const line = parseLedgerLine(text);
  if (line === undefined) {
    const message = `${place} is not a line of a sandbox ledger. Choose another file, or repair this one.`;
    throw new SluiceError('store', message);
  }
  if (line.kind !== 'opened' || line.seed === seed) return line;
  const message = `${place} was written with seed ${line.seed}, and this sandbox has seed ${seed}: its answers would change. Use that seed, or another file.`;
  throw new SluiceError('store', message);
}

/** Times in milliseconds since the Unix epoch; `metadata` comes back with the result as it was given. */
const RECORD = z.object({
  id: z.string(),
  ask: z.array(z.string()).readonly(),
  inputs: z.partialRecord(z.enum(INPUTS), z.string()).readonly(),
  webhookUrl: z.string().exactOptional(),
  metadata: z.custom<JsonValue>((value) => value !== undefined).exactOptional(),
  acceptedAt: z.number(),
  readyAt: z.number(),
});

const LIST = z.object({ id: z.string(), name: z.string(), createdAt: z.number() });

const LIST_MEMBERS = z.object({
  list: z.string(),
  members: z.array(z.custom<ListMember>(isJsonObject)).readonly(),
});

const LINE = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opened'), seed: z.number() }),
  RECORD.extend({ kind: z.literal('accepted') }),
  LIST.extend({ kind: z.literal('list') }),
  LIST_MEMBERS.extend({ kind: z.literal('list-members') }),
  // To the URL of its request.
  z.object({ kind: z.literal('delivered'), id: z.string() }),
  z.object({ kind: z.literal('given-up'), id: z.string() }),
]);

export type AcceptedRecord = Readonly<z.infer<typeof RECORD>>;
export type ListRecord = Readonly<z.infer<typeof LIST>>;
export type ListMembersRecord = Readonly<z.infer<typeof LIST_MEMBERS>>;

export type LedgerLine = z.infer<typeof LINE>;

/** Writes all lines or none; without a ledger file it does nothing. */
export type WriteLines = (lines: readonly LedgerLine[]) => void;

function parseLedgerLine(text: string): LedgerLine | undefined {
  return LINE.safeParse(parseJson(text)).data;
}
