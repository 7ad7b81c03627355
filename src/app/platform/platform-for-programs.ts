// The platform for a program that asks it by itself, without a job and without a state file. `Platform` of the
// public API, as a type and as what opens one: what a job opens (open-platform.ts) remembers its limit over the
// end of the process, this does not.
import { NEUTRAL_DIALECT } from '../../dialect/dialect.js';
import { type HttpPlatformOptions, openHttpPlatform } from '../../platform/http-platform.js';
import type { Platform as OpenPlatform } from '../../ports/platform.js';
import { JOB_DEFAULTS } from '../settings/job-settings.js';
import { systemClock } from '../system-clock.js';

/** Address and credentials; for everything else there is what a job would have. */
export type PlatformOptions = Pick<HttpPlatformOptions, 'baseUrl' | 'credentials'> &
  Partial<HttpPlatformOptions>;

export type Platform = OpenPlatform;

export const Platform = {
  /**
   * Opens the platform; connects with the first request.
   * @throws SluiceError `usage` for a base address that is none
   */
  open(options: PlatformOptions): Platform {
    const { dialect = NEUTRAL_DIALECT } = options;
    const { concurrency } = JOB_DEFAULTS;
    const usual = { dialect, clock: systemClock, limit: dialect.limits.rate, concurrency };
    return openHttpPlatform({ ...usual, ...options });
  },
} as const;
