// How much a log tells.

/** From the few to the many; each holds those before it. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** From this level on the log tells of each request. */
export function tellsRequests(level: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf('debug');
}
