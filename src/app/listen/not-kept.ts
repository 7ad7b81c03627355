// Deliveries that could not be kept: nothing is lost, for the platform sends them again, but the disk wants a look.
import type { RunEvent } from '../../model/telemetry/run-event.js';

export function notKept(error: unknown): RunEvent {
  const what = error instanceof Error ? error.message : String(error);
  return {
    kind: 'run.warned',
    warning: 'deliveries_not_kept',
    message: `A webhook could not be kept, and will come again: ${what}`,
  };
}
