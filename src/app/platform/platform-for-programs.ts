// `Platform` of the public API, the type and the object that opens one: for a program that calls the platform directly,
// without a job or a state. Unlike the platform of a job (open-platform.ts), it forgets the limit when the process
// ends.

import { DEFAULTS } from '../../config/defaults.js';
import { NEUTRAL_DIALECT } from '../../dialect/dialect.js';
import { wrongUse } from '../../model/errors.js';
import { parseRate, RATE_FORM, type StatedRate } from '../../model/schedule/rate.js';
import { type HttpPlatformOptions, openHttpPlatform } from '../../platform/http-platform.js';
import type { Platform as OpenPlatform } from '../../ports/platform.js';
import { systemClock } from '../system-clock.js';

/** Address and credentials; everything else defaults to the values of a job. */
export type PlatformOptions = Pick<HttpPlatformOptions, 'baseUrl' | 'credentials'> &
  Partial<Omit<HttpPlatformOptions, 'limit'>> & {
    /** As in a job. Default: that of the dialect. */
    readonly rate?: StatedRate | undefined;
  };

export type Platform = OpenPlatform;

export const Platform = {
  /**
   * Opens the platform; connects with the first request.
   * @throws SluiceError `usage` for an invalid base address or rate
   */
  open({ rate, ...options }: PlatformOptions): Platform {
    const { dialect = NEUTRAL_DIALECT } = options;
    const { concurrency } = DEFAULTS;
    const limit = rate === undefined ? dialect.limits.rate : parseRate(String(rate));
    if (limit === undefined) throw wrongUse(`rate: ${RATE_FORM}.`);
    return openHttpPlatform({ dialect, clock: systemClock, concurrency, ...options, limit });
  },
} as const;
