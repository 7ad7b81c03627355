import type { StateSize } from '../../ports/store/maintenance.js';
import { formatBytes } from '../text/count.js';

/** `83.4 MB (12.0 MB of it unused), 4.1 MB of log, growing by 2.1 MB a day`. */
export function describeSize({ bytes, unusedBytes, logBytes, bytesADay }: StateSize): string {
  const unused = unusedBytes === 0 ? '' : ` (${formatBytes(unusedBytes)} of it unused)`;
  const log = logBytes === 0 ? '' : `, ${formatBytes(logBytes)} of log`;
  const growth = (bytesADay ?? 0) > 0 ? `, growing by ${formatBytes(bytesADay ?? 0)} a day` : '';
  return `${formatBytes(bytes)}${unused}${log}${growth}`;
}

export function sizeData(size: StateSize | null) {
  return {
    stateBytes: size?.bytes ?? null,
    stateUnusedBytes: size?.unusedBytes ?? null,
    stateLogBytes: size?.logBytes ?? null,
    stateBytesADay: size?.bytesADay ?? null,
  };
}
