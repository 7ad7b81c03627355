import { basename } from 'node:path';
import { type SluiceError, wrongUse } from '../../model/errors.js';
import { mapNames, type TableNames } from '../../model/run.js';
import { expandOutputName, inputName, safeName } from '../../model/text/placeholders.js';

/** The facts of a run that make its name, which stays the same however often the run is continued. */
export interface NamedRun {
  readonly startedAt: number;
  readonly sources: readonly string[];
  readonly job: string;
  /** Undefined before the run has a number: the store fills it in later. */
  readonly id?: number;
}

/** @throws SluiceError `usage` for an unknown placeholder, and for `{input}` with several input files */
export function nameTables(templates: TableNames, run: NamedRun): TableNames {
  return mapNames(templates, (template) => nameTable(template, run));
}

/** @throws SluiceError as `nameTables` */
export function nameTable(template: string, { startedAt, sources, job, id }: NamedRun): string {
  return expandOutputName(template, {
    date: () => localDate(startedAt),
    // The name of a job without a file is the path of its input.
    job: () => safeName(basename(job)),
    run: () => (id === undefined ? '{run}' : String(id)),
    input: () => {
      const [only = '', ...more] = sources;
      if (more.length > 0) throw severalInputs(template, sources.length);
      return only === '-' ? 'stdin' : inputName(basename(only));
    },
  });
}

/** `2026-11-21` in local time: a run at two in the morning belongs to the new day. */
function localDate(at: number): string {
  const date = new Date(at);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

function severalInputs(template: string, count: number): SluiceError {
  return wrongUse(
    `The name of the table, ${template}, has {input} in it, and the job reads ${count} files into one table. Name a pattern alone, which makes a table for each file, or leave {input} out.`,
  );
}
