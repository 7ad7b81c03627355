import type { Disturbance } from '../../ports/store/events.js';
import { formatNumber } from '../text/count.js';
import { formatTime } from '../text/format-time.js';
import { judgeEventType } from './event-catalogue.js';

/** `sendLimitReached: 3 times during the run, at … last. …`. */
export function describeDisturbance({ type, count, lastAt }: Disturbance): string {
  const judged = judgeEventType(type);
  const meaning = judged.kind === 'known' ? judged.event.meaning : type;
  const often = count === 1 ? 'once' : `${formatNumber(count)} times`;
  return `${type}: ${often} during the run, at ${formatTime(lastAt)} (UTC)${count === 1 ? '' : ' last'}. ${meaning}`;
}
