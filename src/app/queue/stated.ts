// Accepts the contents of a task only if this worker's own machine states them too: a program that may write a task
// must not thereby learn credentials, lead results elsewhere, or change the price of a hit.
import { isDeepStrictEqual } from 'node:util';
import type { JobFile } from '../../config/job-schema.js';
import { loadDialect, readyMadeDialects } from '../../config/load-dialect.js';
import type { Dialect } from '../../dialect/dialect.js';
import { SluiceError } from '../../model/errors.js';
import { isLoopbackHost } from '../../model/text/address.js';
import { cutText } from '../../model/text/count.js';
import { parseBaseUrl } from '../../platform/wire/request.js';
import { dialectAt } from '../platform/dialect-at.js';
import { SANDBOX_URL } from '../settings/environment.js';
import { type JobSettings, withoutUndefined } from '../settings/job-settings.js';
import type { DialectJob } from './task.js';

/** The keys that a machine states: for a job in its file, for an account in the credentials file, for all by flags. */
export const STATED_KEYS = ['url', 'dialect', 'prices', 'public-url'] as const;
type Key = (typeof STATED_KEYS)[number];
export type Stated = Pick<JobFile, Key>;

export interface StatedHere {
  readonly worker: Stated;
  /** The account's statements. Its address binds: its credentials go nowhere else. */
  readonly account: Stated;
  /** The job's own file; undefined if it is not here. */
  readonly own: JobSettings | undefined;
}

const SHOWN_MAX = 100;

/** @throws SluiceError `usage`, with the key as the fact `unstated`, for what this machine does not state */
export async function refuseUnstated(
  { settings, dialect }: DialectJob,
  { worker, account, own }: StatedHere,
): Promise<void> {
  const all = [account, worker, ...(own === undefined ? [] : [own.stated])];
  const { url } = settings;
  if (url !== SANDBOX_URL) {
    const ofJob = own?.account === settings.account ? own?.url : undefined;
    const urls = account.url === undefined ? [worker.url, ofJob] : [account.url];
    const origin = originOf(url);
    if (!urls.some((one) => one !== undefined && originOf(one) === origin)) {
      throw unstated('url', `It is to ask ${shown(origin)}`);
    }
    await refuseDialect(dialect, all, settings);
  }
  refuseWayBack(settings, all);
}

/** @throws SluiceError `usage` for an address of a platform that cannot be used */
export function checkAddress(url: string): void {
  originOf(url);
}

/** Scheme, host and port, to which credentials are sent. The sandbox in the process has none. */
function originOf(url: string): string {
  return url === SANDBOX_URL ? url : parseBaseUrl(url).origin;
}

async function refuseDialect(
  dialect: Dialect,
  all: readonly Stated[],
  settings: JobSettings,
): Promise<void> {
  const stated = all.flatMap((one) => one.dialect ?? []);
  let isKnown = false;
  for (const name of [...stated, undefined, ...readyMadeDialects()]) {
    const known = dialectAt(settings, await loadDialect(name));
    if (!isDeepStrictEqual({ ...known, prices: {} }, { ...dialect, prices: {} })) continue;
    isKnown = true;
    const prices = [{}, ...all.map((one) => withoutUndefined(one.prices ?? {}))];
    if (prices.some((one) => isDeepStrictEqual({ ...known.prices, ...one }, dialect.prices)))
      return;
  }
  throw isKnown
    ? unstated('prices', 'It has other prices than its dialect')
    : unstated('dialect', 'Its dialect is none of those that come with Sluice');
}

function refuseWayBack({ collect, listen, publicUrl }: JobSettings, all: readonly Stated[]): void {
  if (collect === 'poll') return;
  // Without a public URL, results are delivered to the address at which it listens.
  if (publicUrl === undefined && isLoopbackHost(listen.host)) return;
  const isStated = all.some(
    (one) => publicUrl !== undefined && trimmed(one['public-url']) === publicUrl,
  );
  if (!isStated) {
    throw unstated('public-url', `Its results are to come to ${shown(publicUrl ?? listen.host)}`);
  }
}

function trimmed(url: string | undefined): string | undefined {
  return url?.replace(/(?<!\/)\/+$/, '');
}

function unstated(key: Key, problem: string): SluiceError {
  const flag = key === 'url' ? '--url or SLUICE_URL' : `--${key}`;
  return new SluiceError(
    'usage',
    `${problem}, and a worker goes by what its own machine states: by ${flag}, by ${key}: of the account in the credentials file, or by the job's own file in --folder. Another worker may make the run.`,
    { unstated: key },
  );
}

function shown(text: string): string {
  return cutText(text, SHOWN_MAX);
}
