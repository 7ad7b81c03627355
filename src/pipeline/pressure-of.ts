// What a run still has to ask, and how long that takes at least: what the next look is weighed against.
import type { Pressure } from '../domain/poll-schedule.js';
import type { SettlingContext } from './run-context.js';

/** The last of a run: one in so many. */
const LAST_SHARE = 0.05;

export function pressureOf({ backlog, bulkMax, platform }: PressureContext): Pressure {
  const { answered, awaiting, isReading, queued } = backlog;
  const open = queued + awaiting;
  return {
    roundMs: platform.leastMs(Math.ceil(queued / bulkMax) + awaiting),
    isSending: queued > 0,
    isEnding: !isReading && open <= LAST_SHARE * (open + answered),
  };
}

type PressureContext = Pick<SettlingContext, 'backlog' | 'bulkMax' | 'platform'>;
