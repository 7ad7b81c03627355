// Judges the places that a state names for files. They are data, because somebody else may have made the state: a place inside
// the folder of the command is accepted, another only if the job itself names it.
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import { loadJob } from '../../config/load-job.js';
import { SluiceError, unlessRefused } from '../../model/errors.js';
import { filesAtEnd, mapNames, type TableNames } from '../../model/run.js';
import { cutText } from '../../model/text/count.js';
import { expandOutputName } from '../../model/text/placeholders.js';
import { printable } from '../../model/text/printable.js';
import type { Environment } from '../settings/environment.js';
import { tablesOf } from '../settings/job-settings.js';
import { findOwnJob } from '../settings/own-job.js';
import type { TableFiles } from './target.js';

const NOTHING: TableFiles = {};
const SHOWN_MAX = 200;
/** A character that no path holds. */
const MARK = '\0';
const mark = (): string => MARK;
const ANY = { date: mark, input: mark, job: mark, run: mark };
const SEPARATORS = sep === '/' ? '/' : /[/\\]/;

/** The files that the run's job names in its file in jobs/; nothing if there is no file, or it cannot be read. */
export async function statedInJobs(
  { job, output }: { readonly job: string; readonly output: Partial<TableNames> },
  { variable }: Environment,
): Promise<TableFiles> {
  const file = findElsewhere(output, NOTHING) === undefined ? undefined : findOwnJob(job);
  const stated = file && (await unlessRefused(() => loadJob(file, variable)));
  return stated ? { ...tablesOf(stated.out), ...filesAtEnd(stated) } : NOTHING;
}

/** @throws SluiceError `usage` if a name leads out of the folder and is not one that the job states */
export function refuseElsewhere(names: Partial<TableNames>, stated: TableFiles): void {
  const found = findElsewhere(names, stated);
  if (found === undefined) return;
  const path = cutText(printable(found), SHOWN_MAX);
  throw new SluiceError(
    'usage',
    `The state says that a file goes to ${path}, which is outside of the folder ${resolve('')}. Somebody else may have made the state, so only the job itself may say that: in its file in jobs/, or by its flags. Otherwise name the file with --out.`,
    { unstated: path },
  );
}

function findElsewhere(names: Partial<TableNames>, stated: TableFiles): string | undefined {
  const { out, further } = stated;
  const templates: Readonly<Record<string, string | undefined>> = {
    people: out,
    ...further,
    ...filesAtEnd(stated),
  };
  const found: string[] = [];
  mapNames(names, (path, file) => {
    const template = templates[file];
    const isStated = template !== undefined && isNamedBy(path, template);
    if (path !== '-' && !isStated && leadsOut(path)) found.push(path);
    return path;
  });
  return found[0];
}

/** Whether the path leads out of the folder of the command; the file need not be there yet. */
function leadsOut(path: string): boolean {
  const folder = realpathSync('.');
  return realOf(path)?.startsWith(folder.endsWith(sep) ? folder : folder + sep) !== true;
}

/**
 * The path at which the system would find or make it: each link is followed before the parts behind it, so that
 * `link/..` is the folder that holds the link's target. Undefined if a link leads to nothing, or the path cannot be
 * followed.
 */
function realOf(path: string): string | undefined {
  let at = isAbsolute(path) ? parse(path).root : realpathSync('.');
  const parts = path.slice(isAbsolute(path) ? at.length : 0).split(SEPARATORS);
  for (const part of parts) {
    if (part === '' || part === '.') continue;
    at = part === '..' ? dirname(at) : join(at, part);
    try {
      if (lstatSync(at, { throwIfNoEntry: false }) !== undefined) at = realpathSync(at);
    } catch {
      return undefined;
    }
  }
  return at;
}

/** Whether the path is the template with names in its placeholders, which hold no slash. */
function isNamedBy(path: string, template: string): boolean {
  if (path === template) return true;
  const parts = resolve(expandOutputName(template, ANY)).split(MARK).map(literal);
  return new RegExp(`^${parts.join('[^/\\\\]+')}$`).test(resolve(path));
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
