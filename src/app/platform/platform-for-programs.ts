// `Platform` of the public API, the type and the object that opens one: for a program that calls the platform directly,
// without a job or a state. Unlike the platform of a job (open-platform.ts), it forgets the limit when the process
// ends.

import { DEFAULTS } from '../../config/defaults.js';
import { NEUTRAL_DIALECT } from '../../dialect/dialect.js';
import { type HttpPlatformOptions, openHttpPlatform } from '../../platform/http-platform.js';
import type { Platform as OpenPlatform } from '../../ports/platform.js';
import { systemClock } from '../system-clock.js';

/** Address and credentials; everything else defaults to the values of a job. */
export type PlatformOptions = Pick<HttpPlatformOptions, 'baseUrl' | 'credentials'> &
  Partial<HttpPlatformOptions>;

export type Platform = OpenPlatform;

export const Platform = {
  /**
   * Opens the platform; connects with the first request.
   * @throws SluiceError `usage` for an invalid base address
   */
  open(options: PlatformOptions): Platform {
    const { dialect = NEUTRAL_DIALECT } = options;
    const { concurrency } = DEFAULTS;
    const usual = { dialect, clock: systemClock, limit: dialect.limits.rate, concurrency };
    return openHttpPlatform({ ...usual, ...options });
  },
} as const;
