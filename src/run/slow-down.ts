// The pause after failures in a row, told to whoever watches.
import type { RequestKind } from '../ports/platform.js';
import type { RunContext } from './run-context.js';

/** Returns at once where there is none to make. */
export async function slowDown(
  { clock, drain, observe }: Pick<RunContext, 'clock' | 'drain' | 'observe'>,
  request: RequestKind,
  pauseMs: number,
): Promise<void> {
  if (pauseMs === 0) return;
  observe({ kind: 'requests.slowed', request, pauseMs });
  await clock.sleep(pauseMs, drain);
}
