// The status maps of the runs that are looked at: begun with the first look, renewed while there are looks, and forgotten
// when others are looked at.
import { setImmediate } from 'node:timers/promises';
import { isOpen, type Run } from '../../../model/run.js';
import type { Store } from '../../../ports/store/store.js';
import { createStatusMap, type StatusMap } from './status-map.js';

const MAPS_MAX = 4;
/** Leads of a run that has ended change only by `retry`, by `forget` and by late answers. */
const RENEW_ENDED_MS = 30_000;
const RENEW_OPEN_MS = 2_000;
/** Of the time, at most a tenth is spent on it. */
const PAUSE_PER_PASS = 9;

export interface KeptMap {
  readonly map: StatusMap;
  /** Whether every lead was looked at since the run stands as it does: what it has ended with is then in the map. */
  isCurrent(): boolean;
  /** Looks through the run in the background where that is due. */
  renew(): void;
  /** Resolves when some thousand leads more were looked at, or at once where none are being looked at. */
  lookedFurther(): Promise<void>;
}

type StandingRun = Pick<Run, 'id' | 'state' | 'endedAt'>;

interface Kept {
  readonly map: StatusMap;
  /** How the run stood when the last whole look at it began; null before that. */
  standing: string | null;
  isLooking: boolean;
  portion: Promise<unknown>;
}

/** What of a run changes when it ends or is opened again. */
export function standingOf({ endedAt, state }: Pick<Run, 'state' | 'endedAt'>): string {
  return `${state} ${endedAt}`;
}

export function createStatusMaps(store: Pick<Store, 'statuses'>, now: () => number) {
  const kept = new Map<number, Kept>();

  const lookThrough = async (one: Kept, standing: string) => {
    try {
      let isWhole = false;
      while (!isWhole) {
        const portion = one.map.lookFurther();
        one.portion = portion;
        isWhole = await portion;
        if (isWhole) one.standing = standing;
        // A store in a file answers without waiting: requests come first.
        await setImmediate();
      }
    } catch {
      // The store has gone, or is closed: whoever looks next is told by a look of its own.
    } finally {
      one.isLooking = false;
    }
  };

  return (run: StandingRun): KeptMap => {
    const standing = standingOf(run);
    const one: Kept = kept.get(run.id) ?? {
      map: createStatusMap(store, run.id, now),
      standing: null,
      isLooking: false,
      portion: Promise.resolve(),
    };
    kept.delete(run.id);
    kept.set(run.id, one);
    const [oldest] = kept.keys();
    if (kept.size > MAPS_MAX && oldest !== undefined) kept.delete(oldest);
    const { map } = one;
    const isCurrent = (): boolean => one.standing === standing;
    const renew = (): void => {
      if (one.isLooking) return;
      const renewMs = isOpen(run.state) ? RENEW_OPEN_MS : RENEW_ENDED_MS;
      const isOld =
        map.wholeAt === null ||
        !isCurrent() ||
        now() - map.wholeAt > Math.max(renewMs, map.tookMs * PAUSE_PER_PASS);
      if (!isOld) return;
      one.isLooking = true;
      void lookThrough(one, standing);
    };
    const lookedFurther = async (): Promise<void> => {
      await setImmediate();
      await one.portion;
    };
    return { map, isCurrent, renew, lookedFurther };
  };
}
