// Leads from the memory of a program, as the lines of an NDJSON input: so they are read, mapped and refused like those
// of a file.
import { SluiceError } from '../model/errors.js';

/** Objects, each a lead: a key is a column. The text of `JSON.stringify` counts for an object. */
export type LeadsInMemory<Lead extends object = object> = Iterable<Lead> | AsyncIterable<Lead>;

const TOGETHER_MAX = 500;
const CHARS_MAX = 1024 * 1024;
/** A line that is not JSON: the lead becomes a reject. */
const NOT_WRITABLE = '(what was given cannot be written as JSON)';

/**
 * Writes a line for each lead. Leads that are available at once go together, 500 at most; the next one is requested
 * when the lines before it were taken, and at most one is requested ahead.
 * @throws SluiceError `input` if there is no lead; errors of `leads`, once the lines before were taken
 */
export async function* leadsAsLines(leads: LeadsInMemory): AsyncGenerator<Uint8Array, void> {
  const iterator =
    Symbol.asyncIterator in leads ? leads[Symbol.asyncIterator]() : leads[Symbol.iterator]();
  let ahead: Promise<Taken> | undefined;
  let count = 0;
  try {
    for (let last: Taken | undefined; last === undefined; ) {
      let lines = '';
      const thisTurn = new Promise<undefined>((resolve) => {
        setImmediate(() => resolve(undefined));
      });
      for (let n = 0; n < TOGETHER_MAX && lines.length < CHARS_MAX; n += 1) {
        ahead ??= take(iterator);
        const taken: Taken | undefined = await (n === 0 ? ahead : Promise.race([ahead, thisTurn]));
        if (taken === undefined) break;
        ahead = undefined;
        if (taken.line === undefined) {
          last = taken;
          break;
        }
        lines += `${taken.line}\n`;
        count += 1;
      }
      if (lines !== '') yield Buffer.from(lines);
      if (last?.failure !== undefined) throw last.failure.cause;
    }
    if (count === 0)
      throw new SluiceError('input', 'There is no lead among those that were given.');
  } finally {
    const closed = Promise.resolve(iterator.return?.()).catch(() => undefined);
    // A source that waits for its next lead closes only when the lead comes.
    if (ahead === undefined) await closed;
  }
}

interface Taken {
  readonly line?: string;
  readonly failure?: { readonly cause: unknown };
}

/** Takes the next lead. Never rejects, because it may be awaited late. */
async function take(iterator: Iterator<object> | AsyncIterator<object>): Promise<Taken> {
  try {
    const { done, value } = await iterator.next();
    return done === true ? {} : { line: lineOf(value) };
  } catch (cause) {
    return { failure: { cause } };
  }
}

function lineOf(lead: unknown): string {
  try {
    return JSON.stringify(lead) ?? NOT_WRITABLE;
  } catch {
    // The object is circular, or holds a bigint.
    return NOT_WRITABLE;
  }
}
