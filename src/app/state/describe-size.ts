// The size of a state file and how fast it grows, for people and for scripts.
import { formatBytes } from '../../model/text/count.js';
import type { StateSize } from '../../ports/store/maintenance.js';

/** `83.4 MB (12.0 MB of it unused), 4.1 MB of log, growing by 2.1 MB a day`. */
export function describeSize({ bytes, unusedBytes, logBytes, bytesADay }: StateSize): string {
  const unused = unusedBytes === 0 ? '' : ` (${formatBytes(unusedBytes)} of it unused)`;
  const log = logBytes === 0 ? '' : `, ${formatBytes(logBytes)} of log`;
  const growth = (bytesADay ?? 0) > 0 ? `, growing by ${formatBytes(bytesADay ?? 0)} a day` : '';
  return `${formatBytes(bytes)}${unused}${log}${growth}`;
}

export function sizeJson(size: StateSize | null) {
  return {
    state_bytes: size?.bytes ?? null,
    state_unused_bytes: size?.unusedBytes ?? null,
    state_log_bytes: size?.logBytes ?? null,
    state_bytes_a_day: size?.bytesADay ?? null,
  };
}
