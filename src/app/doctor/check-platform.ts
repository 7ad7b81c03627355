// One free request checks credentials, address and protocol; its answer shows the clocks' difference and the limit.

import { setTimeout as wait } from 'node:timers/promises';
import { fullState, type LimitState, opensInMs, seenFrom } from '../../model/schedule/limit.js';
import { formatRate, type Rate } from '../../model/schedule/rate.js';
import { isLoopback, parseUrl } from '../../model/text/address.js';
import { formatCount } from '../../model/text/count.js';
import { openHttpPlatform } from '../../platform/http-platform.js';
import { proxyAddress } from '../../platform/wire/proxy.js';
import { momentOf } from '../../ports/clock.js';
import type { OtherSenders } from '../../ports/store/accounts.js';
import { accountOf } from '../platform/account.js';
import { SANDBOX_URL } from '../settings/environment.js';
import { accountNameOf, type CheckContext, rateOf, signingKeyOf, urlOf } from './check-context.js';
import { type Finding, fail, ok, skipped, warn } from './finding.js';

/** The longest wait of a check, for the limit or for a pause: none is worth a word. */
const PATIENCE_MS = 10_000;
const SKEW_MS_MAX = 30_000;
/** Warns only if the platform's window is longer than ours by this factor. */
const WINDOW_MARGIN = 1.2;

const NO_DIALECT = 'The dialect cannot be read.';
const NOT_ASKED = 'The platform was not asked.';
const NO_ANSWER = 'No answer came.';
const PASSABLE =
  'A run goes on all the same, and its first paid request shows whether all is right.';
const NO_URL = 'No platform is named: name a job, give --url, or set SLUICE_URL.';

export function checkCredentials(context: CheckContext): Finding {
  const url = urlOf(context);
  if (url === undefined) return skipped(NO_URL);
  if (url === SANDBOX_URL) return skipped('The sandbox needs none.');
  const { dialect, environment } = context;
  if (dialect === undefined) return skipped(NO_DIALECT);
  const credentials = environment.credentials(dialect.auth);
  context.hasCredentials = true;
  if ('apiKey' in credentials) return ok('A key is set.');
  const { username, password } = credentials;
  if (username !== '' && password !== '') return ok('A user name and a password are set.');
  return ok(`Only a ${username === '' ? 'password' : 'user name'} is set.`);
}

export async function checkPlatform(context: CheckContext): Promise<Finding> {
  const { hasCredentials, dialect, environment } = context;
  const url = urlOf(context);
  if (url === undefined) return skipped(NO_URL);
  if (url === SANDBOX_URL) return skipped('The sandbox is built in, and needs no platform.');
  const limit = rateOf(context);
  if (dialect === undefined || limit === undefined) return skipped(NO_DIALECT);
  if (hasCredentials !== true) return skipped('Without credentials there is nothing to ask.');

  const source = { settings: { url, account: accountNameOf(context) }, dialect, environment };
  const account = await accountOf(source, { signingKey: () => signingKeyOf(context) });
  const { clock } = context;
  const { isSending, state } = await othersOf(context, account, limit);
  // Runs in progress have the whole limit to themselves.
  if (isSending && ((await context.checkup?.busyJobs()) ?? []).length > 0) {
    return skipped(
      'A run asks it at this moment, and has the limit for itself; see "sluice status".',
    );
  }
  const waitMs = Math.max(opensInMs(state, limit), pauseLeft(state));
  if (waitMs > PATIENCE_MS) {
    const until = new Date(clock.now() + waitMs).toISOString();
    return skipped(`Requests of the last run fill the limit until ${until}; try again then.`);
  }
  const credentials = environment.credentials(dialect.auth);
  const proxy = environment.proxyFor(url);
  const platform = openHttpPlatform({
    baseUrl: url,
    credentials,
    credentialsPlace: environment.place,
    proxy,
    dialect,
    clock,
    limit,
    concurrency: 1,
    before: state,
  });
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const probe = await platform.probe(signal);
    if (probe === null) {
      return skipped(
        'The dialect has no free question (account, peopleSchema): the first paid request shows whether all is right.',
      );
    }
    context.probe = probe;
    const { problem } = probe;
    const through =
      proxy === undefined ? '' : ` It is asked through the proxy ${proxyAddress(proxy)}.`;
    if (problem === null) {
      const finding = judgeSecrecy(url);
      return { ...finding, says: finding.says + through };
    }
    if (probe.isPassable) return warn(problem.message + through, PASSABLE);
    if (!signal.aborted) return fail(problem.message + through, null);
    return fail(
      `The platform at ${url} asks for a pause of more than ${PATIENCE_MS / 1_000} s.`,
      'Try again later, or lower the rate.',
    );
  } finally {
    context.countsUntilMs = clock.now() + platform.heldMs();
    await platform.close();
  }
}

export function judgeSecrecy(url: string): Finding {
  const says = `${url} answers, and takes the credentials.`;
  if (parseUrl(url)?.protocol === 'https:' || isLoopback(url)) return ok(says);
  return warn(
    `${says.slice(0, -1)}, and anyone on the way there can read them, and the data of the people asked for.`,
    'Give its https address.',
  );
}

/** The part of the limit that earlier requests still hold; all of it if that is unknown. */
async function othersOf(
  { checkup, clock, isStateAbsent }: CheckContext,
  account: string,
  limit: Rate,
): Promise<OtherSenders> {
  const now = momentOf(clock);
  if (checkup !== undefined) return checkup.senders(account, now);
  const isUnknown = isStateAbsent !== true;
  const state = isUnknown ? fullState(limit, now) : seenFrom(null, now).state;
  return { state, isSending: isUnknown };
}

function pauseLeft({ ms, pause }: LimitState): number {
  return pause === null ? 0 : Math.max(0, (pause.tryMs ?? pause.untilMs) - ms);
}

/** Waits until our request no longer counts: the next process does not know of it. */
export async function waitUntilForgotten({
  clock,
  countsUntilMs = 0,
}: CheckContext): Promise<void> {
  const restMs = countsUntilMs - clock.now();
  if (restMs > 0 && restMs <= PATIENCE_MS) await wait(restMs);
}

export function checkClock({ probe }: CheckContext): Finding {
  if (probe === undefined) return skipped(NOT_ASKED);
  const { clockAheadMs, headers } = probe;
  if (headers === null) return skipped(NO_ANSWER);
  if (clockAheadMs === null) return skipped('The platform states no time.');
  const seconds = Math.round(Math.abs(clockAheadMs) / 1_000);
  if (Math.abs(clockAheadMs) <= SKEW_MS_MAX) {
    return ok(`This machine's clock and the platform's are ${seconds} s apart.`);
  }
  const how = clockAheadMs > 0 ? 'behind' : 'ahead of';
  return warn(
    `This machine's clock is ${seconds} s ${how} the platform's.`,
    'Synchronise the clock with NTP: the age of results and the deadlines depend on it.',
  );
}

export function checkRateLimit(context: CheckContext): Finding {
  const { probe } = context;
  const rate = rateOf(context);
  if (probe === undefined || rate === undefined) return skipped(NOT_ASKED);
  const { headers, limit, windowMsMin } = probe;
  if (headers === null) return skipped(NO_ANSWER);
  const kept = `${formatRate(rate)} is kept to`;
  if (headers.verdict === 'wrong') {
    return warn(
      `${capital(headers.says)}.`,
      `Look at ${headers.keys.join(' and ')} of the dialect.`,
    );
  }
  if (limit === null) return ok(`The platform states no limit; ${kept}.`);
  const stated = `The platform states a limit of ${formatCount(limit, 'request')}`;
  const [window] = rate;
  if (window === undefined) {
    return warn(`${stated}, and rate is off.`, 'Set rate: to what it grants.');
  }
  if (window.requests > limit) {
    return warn(`${stated}, and ${kept}.`, `Lower the rate: no more than ${limit} at a time.`);
  }
  const isSlower =
    windowMsMin !== null &&
    rate.every(
      ({ perMs, requests }) =>
        windowMsMin > WINDOW_MARGIN * perMs && requests / perMs > limit / windowMsMin,
    );
  if (!isSlower) return ok(`${stated}; ${kept}.`);
  return warn(
    `${stated} in at least ${Math.round(windowMsMin / 1_000)} s, and ${kept}, which is quicker.`,
    'Lower the rate, or its headers will hold the run up.',
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
