// What a run still has to ask, and how long that takes at least: what the next look is weighed against.
import type { Pressure } from '../../model/schedule/poll-schedule.js';
import type { SettlingContext } from '../run-context.js';

export function pressureOf({ backlog, bulkMax, platform }: PressureContext): Pressure {
  const { answered, awaiting, isReading, queued } = backlog;
  const open = queued + awaiting;
  const roundMs = platform.leastMs(Math.ceil(queued / bulkMax) + awaiting);
  return {
    roundMs,
    isSending: queued > 0 && roundMs > 0,
    openShare: isReading || open === 0 ? 1 : open / (open + answered),
  };
}

type PressureContext = Pick<SettlingContext, 'backlog' | 'bulkMax' | 'platform'>;
