// The address of every page: the routes of the server, the links of the pages and the redirects take it from here.
import type { LeadStatus } from '../model/answer.js';

/** The paths, with a name for each place in them. */
export const PATHS = {
  open: '/open',
  signIn: '/sign-in',
  live: '/live',
  runs: '/',
  run: '/runs/:run',
  cancel: '/runs/:run/cancel',
  retry: '/runs/:run/retry',
  export: '/runs/:run/export',
  report: '/runs/:run/report.html',
  leads: '/runs/:run/leads',
  line: '/runs/:run/lines/:line',
  jobs: '/jobs',
  job: '/jobs/:job',
  start: '/jobs/:job/start',
  pause: '/jobs/:job/pause',
  resume: '/jobs/:job/resume',
  compare: '/jobs/:job/compare',
  numbers: '/jobs/:job/compare/numbers.html',
  started: '/started/:started',
  drop: '/try',
  columns: '/try/:upload',
  tryPlan: '/try/:upload/plan',
  tryStart: '/try/:upload/start',
  doctor: '/doctor',
} as const;

type Value = string | number | null | undefined;

/** The names of the places in a path. */
type Places<P extends string> = P extends `${infer First}/${infer Rest}`
  ? Places<First> | Places<Rest>
  : P extends `:${infer Name}`
    ? Name
    : never;

/** A path with a value in each of its places. */
export function pathTo<P extends string>(
  path: P,
  values: Readonly<Record<Places<P>, string | number>>,
): string {
  const places = values as Readonly<Record<string, string | number>>;
  const parts = path.split('/').map((part) => {
    return part.startsWith(':') ? encodeURIComponent(places[part.slice(1)] ?? '') : part;
  });
  return parts.join('/');
}

/** A path with a query; null, undefined and empty values are left out. */
export function pathWith(path: string, query: Readonly<Record<string, Value>> = {}): string {
  const set = Object.entries(query).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  if (set.length === 0) return path;
  const words = new URLSearchParams(
    set.map(([name, value]): [string, string] => [name, String(value)]),
  );
  return `${path}?${words.toString()}`;
}

export interface RunsQuery {
  readonly job?: string | undefined;
  readonly state?: string | undefined;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

export function runsPath(query: RunsQuery = {}): string {
  return pathWith(PATHS.runs, { ...query });
}

export function runPath(run: number): string {
  return pathTo(PATHS.run, { run });
}

/** The path of a run's table in a format, which the ending names. */
export function tablePath<F extends string>(ending: F): `/runs/:run/table.${F}` {
  return `/runs/:run/table.${ending}`;
}

export interface LeadsQuery {
  readonly outcome?: LeadStatus | undefined;
  readonly reason?: string | undefined;
  readonly text?: string | undefined;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

export function leadsPath(run: number, query: LeadsQuery = {}): string {
  return pathWith(pathTo(PATHS.leads, { run }), { ...query });
}

/** `file`: the index of the input file among those of the run, if there are several. */
export function linePath(run: number, line: number, file?: number): string {
  return pathWith(pathTo(PATHS.line, { run, line }), { file });
}

export function jobPath(job: string): string {
  return pathTo(PATHS.job, { job });
}

export interface CompareQuery {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  /** A column that identifies a lead in both. */
  readonly key?: string | undefined;
  /** The time of their comparison, by which it is done once more. */
  readonly again?: number | undefined;
}

export function comparePath(job: string, query: CompareQuery = {}): string {
  return pathWith(pathTo(PATHS.compare, { job }), { ...query });
}

/** The path of the table of changes in a format, which the ending names. */
export function changesPath<F extends string>(ending: F): `/jobs/:job/compare/changes.${F}` {
  return `/jobs/:job/compare/changes.${ending}`;
}

export function doctorPath(job: string): string {
  return pathWith(PATHS.doctor, { job });
}
