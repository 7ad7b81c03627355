// Looks at the beginning of a source and settles how all of it will be read.
import { SluiceError } from '../../model/errors.js';
import type { CsvDialect } from '../csv/csv-dialect.js';
import { CsvScanner } from '../csv/csv-scanner.js';
import { detectDialect } from '../csv/detect-dialect.js';
import { detectFormat } from '../detect-format.js';
import { readText } from '../encoding/read-text.js';
import type { ReadOptions } from '../read-options.js';
import { emptySourceError, type Source } from './open-source.js';
import { nameSource } from './source-name.js';

export type SourcePlan =
  | { readonly format: 'ndjson' }
  | { readonly format: 'csv'; readonly dialect: CsvDialect; readonly header: readonly string[] };

/**
 * Reads chunk by chunk until the header is there: a slow pipe is not kept waiting for more.
 * @throws SluiceError `input` for a source without text, or with a header whose quotes are broken
 */
export async function probeSource(source: Source, options: ReadOptions): Promise<SourcePlan> {
  let sample = '';
  for await (const { text } of readText(source.peek(), options.encoding)) {
    sample += text;
    const plan = planFor(source.path, sample, false, options);
    if (plan !== null) return plan;
  }
  const plan = planFor(source.path, sample, true, options);
  if (plan === null) throw emptySourceError(source.path);
  return plan;
}

function planFor(
  path: string,
  sample: string,
  isWhole: boolean,
  options: ReadOptions,
): SourcePlan | null {
  if (sample.trim() === '') return null;
  const format = options.format ?? detectFormat(path, sample);
  if (format === 'ndjson') return { format };
  const dialect = detectDialect(sample, isWhole, options.delimiter);
  const header = readHeader(path, sample, isWhole, dialect);
  return header === null ? null : { format, dialect, header };
}

function readHeader(
  path: string,
  sample: string,
  isWhole: boolean,
  dialect: CsvDialect,
): readonly string[] | null {
  const scanner = new CsvScanner(dialect);
  scanner.push(sample);
  if (isWhole) scanner.end();
  const first = scanner.next();
  if (first === null) return null;
  if (first.kind === 'record') return first.cells;
  throw new SluiceError(
    'input',
    `${nameSource(path)} has a broken header on line ${first.line} (${first.reason}); mend that line.`,
    { path, line: first.line },
  );
}
