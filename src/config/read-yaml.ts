import { readFile, stat } from 'node:fs/promises';
import { type Document, type ErrorCode, LineCounter, parseDocument } from 'yaml';
import type * as z from 'zod';
import { SluiceError } from '../model/errors.js';
import { inPlainWords } from './plain-words.js';
import { lineOf, schemaProblem, yamlProblem } from './yaml-problem.js';

/** A file with every key set is a few kilobytes. */
const FILE_BYTES_MAX = 64 * 1_024;
/** How often the anchors of a file may be used, so that ten lines cannot become gigabytes. */
const ALIASES_MAX = 100;

/** Our messages for errors whose message by the library repeats text of the file, which may be a secret. */
const IN_OUR_WORDS: Partial<Record<ErrorCode, string>> = {
  BAD_DQ_ESCAPE: 'what follows \\ means nothing there; write \\\\ for \\ itself',
  MULTIPLE_DOCS: 'a second document begins here, and a file is one',
  UNEXPECTED_TOKEN: 'this has no place here; put a text in quotes',
};

export interface YamlReading<S extends z.ZodType> {
  /** The kind of file, as errors name it: `Job`, `Dialect`. */
  readonly what: string;
  readonly schema: S;
  /** An object with every known key, which errors list. */
  readonly example: object;
  /** Changes the plain value before it is checked. `fail` makes the error for the value at a path. */
  readonly prepare?: (
    value: unknown,
    fail: (path: readonly PropertyKey[], message: string) => SluiceError,
  ) => unknown;
}

/**
 * @throws SluiceError `usage` naming file, line and key: the file is unreadable, not YAML, or has a key or value that
 * the schema does not allow
 */
export async function readYaml<S extends z.ZodType>(
  file: string,
  reading: YamlReading<S>,
): Promise<z.output<S>> {
  return parseYaml(await readText(file, reading.what), file, reading);
}

/** As `readYaml`, for the text of `file`, or a text that will be written to it. */
export function parseYaml<S extends z.ZodType>(
  text: string,
  file: string,
  { what, schema, example, prepare }: YamlReading<S>,
): z.output<S> {
  const lines = new LineCounter();
  // The library's warnings are about its own options, and would be printed beside our message.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
  });
  const [flaw] = document.errors;
  if (flaw !== undefined) {
    const line = lines.linePos(flaw.pos[0]).line;
    throw yamlProblem(
      { what, file, line },
      `not YAML: ${IN_OUR_WORDS[flaw.code] ?? flaw.message}.`,
    );
  }
  const plain = valueOf(document, file, what) ?? {};
  const lineAt = (path: readonly PropertyKey[]): number => lineOf(document, lines, path);
  const fail = (path: readonly PropertyKey[], message: string): SluiceError =>
    yamlProblem({ what, file, line: lineAt(path) }, message);
  const value = prepare?.(plain, fail) ?? plain;
  const parsed = schema.safeParse(value, { error: inPlainWords });
  if (parsed.success) return parsed.data;
  throw schemaProblem(parsed.error.issues, example, { fail, lineOf: lineAt });
}

function valueOf(document: Document, file: string, what: string): unknown {
  try {
    const value: unknown = document.toJS({ maxAliasCount: ALIASES_MAX });
    return value;
  } catch (error) {
    const message = 'its anchors and aliases cannot be followed.';
    throw yamlProblem({ what, file, line: 1 }, message, error);
  }
}

async function readText(file: string, what: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > FILE_BYTES_MAX) throw new Error(`it is larger than ${FILE_BYTES_MAX} bytes`);
    return await readFile(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `The ${what.toLowerCase()} file ${file} cannot be read: ${why}.`;
    throw new SluiceError('usage', message, {}, { cause: error });
  }
}
