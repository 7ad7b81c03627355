// Settles the deliveries of webhooks without running the job; sends no request.
import { loadJobDialect } from '../../config/load-dialect.js';
import { createPollSchedule } from '../../model/schedule/poll-schedule.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import { createDeliveryDecoder } from '../../platform/answers/decode-delivery.js';
import { redact } from '../../platform/redact/reason.js';
import type { Store } from '../../ports/store/store.js';
import { Backlog } from '../../run/backlog.js';
import { type HandledCount, handlePending } from '../../run/collect/collect-deliveries.js';
import { accountOf } from '../platform/account.js';
import { dialectAt } from '../platform/dialect-at.js';
import { secretsOf } from '../platform/open-platform.js';
import { askingTerms, openReadings } from '../run/asking-terms.js';
import { type Environment, NO_ENVIRONMENT } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import { openKeyring } from '../state/state-file.js';
import { systemClock } from '../system-clock.js';

export interface ReplayReport extends HandledCount {
  /** Deliveries that `all` cannot handle again: they have settled their leads, and their bodies were removed. */
  readonly withoutBody: number;
}

export interface ReplayOptions {
  /** The source of the credentials; the sandbox needs none. */
  readonly environment?: Environment | undefined;
  /** Whether to handle all deliveries that still have their bodies, not only the pending ones. Default: false. */
  readonly all?: boolean | undefined;
  readonly observe?: RunObserver | undefined;
}

/** Handles the pending deliveries of the job's account. */
export async function replayJob(
  store: Store,
  settings: JobSettings,
  { environment = NO_ENVIRONMENT, all = false, observe = () => undefined }: ReplayOptions = {},
): Promise<ReplayReport> {
  const dialect = dialectAt(settings, await loadJobDialect(settings));
  const account = await accountOf({ settings, dialect, environment }, store);
  const keyring = await openKeyring(store);
  const scope = keyring.scopeOf(account);
  const withoutBody = all ? (await store.replayDeliveries(scope)).withoutBody : 0;
  const handled = await handlePending({
    run: { id: null },
    bulkMax: 1,
    platform: { leastMs: () => 0, readEveryMs: 0, readsTickets: dialect.result !== null },
    backlog: new Backlog(),
    callbacks: {
      keyring,
      scope,
      decode: createDeliveryDecoder(dialect, secretsOf(settings, environment, dialect)),
      redact,
      urlFor: () => undefined,
      isDelivered: false,
      claimWaitMs: 0,
      keepsBodies: settings.keepDeliveriesMs !== undefined,
    },
    clock: systemClock,
    deadlineMs: settings.deadlineMs,
    drain: new AbortController().signal,
    observe,
    readings: await openReadings(store, account, dialect),
    schedule: createPollSchedule(),
    startedAt: Number.POSITIVE_INFINITY,
    store,
    terms: askingTerms(settings, dialect, account),
  });
  observe({ kind: 'journal.replayed', ...handled });
  return { ...handled, withoutBody };
}
