// The address of every page: the routes of the server, the links of the pages and the redirects take it from here.
import type { LeadStatus } from '../model/answer.js';

/** The paths, with a name for each place in them. */
export const PATHS = {
  open: '/open',
  signIn: '/sign-in',
  runs: '/',
  allRuns: '/runs',
  run: '/runs/:run',
  cancel: '/runs/:run/cancel',
  retry: '/runs/:run/retry',
  export: '/runs/:run/export',
  table: '/runs/:run/table',
  report: '/runs/:run/report.html',
  leads: '/runs/:run/leads',
  line: '/runs/:run/lines/:line',
  jobs: '/jobs',
  job: '/jobs/:job',
  start: '/jobs/:job/start',
  pause: '/jobs/:job/pause',
  resume: '/jobs/:job/resume',
  compare: '/jobs/:job/compare',
  changes: '/jobs/:job/compare/changes',
  started: '/started/:started',
  forget: '/forget',
  drop: '/try',
  columns: '/try/:upload',
  tryPlan: '/try/:upload/plan',
  platform: '/platform',
} as const;

type Value = string | number | null | undefined;

type Places<P extends string> = P extends `${infer First}/${infer Rest}`
  ? Places<First> | Places<Rest>
  : P extends `:${infer Name}`
    ? Name
    : never;

/** A path with a value in each of its places, and a query without what is null, undefined or empty. */
export function pathTo<P extends string>(
  path: P,
  values: Readonly<Record<Places<P>, string | number>>,
  query: Readonly<Record<string, Value>> = {},
): string {
  const places = values as Readonly<Record<string, string | number>>;
  const parts = path.split('/').map((part) => {
    return part.startsWith(':') ? encodeURIComponent(places[part.slice(1)] ?? '') : part;
  });
  const set = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const words = set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`;
  return parts.join('/') + words;
}

export function runPath(run: number): string {
  return pathTo(PATHS.run, { run });
}

/** The leads that a page shows: those with these values and this text, in this order, from this place on. */
export type LeadsQuery = {
  readonly outcome?: LeadStatus | undefined;
  readonly reason?: string | undefined;
  readonly email?: string | undefined;
  readonly step?: string | undefined;
  readonly text?: string | undefined;
  /** The name of a column; with `-` before it, the last come first. By line if it is absent. */
  readonly sort?: string | undefined;
  /** The number of a page, if they are sorted. */
  readonly page?: number | undefined;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
};

export function leadsPath(run: number, query: LeadsQuery = {}): string {
  return pathTo(PATHS.leads, { run }, query);
}
