// Empty answers. A platform may say that it is done a moment before its values are there, or begin to fetch them at the
// first look: so an empty first look is believed only if this account and dialect have shown that one of its kind is as
// good as a second look. A believed miss is marked in its row, and is looked at again if the belief proves wrong.
import { formatCount } from '../../model/text/count.js';
import { formatDuration } from '../../model/text/format-time.js';
import { LOOK_KINDS, type LookKind, type Settlement } from '../../ports/store/enrichments.js';
import type { SettlingContext } from '../run-context.js';
import { pressureOf } from './due-tickets.js';
import { isSampled } from './readings.js';

/** The number of awaited enrichments up to which the run waits without further polls. */
const FEW_AWAITED = 20;

/** The belief of a settlement: an empty answer counts without a second look. */
export type Believed = Pick<Extract<Settlement, { result: object }>, 'believed'>;

/** Decides whether an empty first look is believed. Undefined if it needs a second look. */
export function believe(
  id: number,
  kind: LookKind,
  by: 'poll' | 'webhook',
  context: SettlingContext,
): Believed | undefined {
  const { readings } = context;
  if (readings.secondLook === 'never') return {};
  const isSample = isSampled(id);
  const isShown = readings.secondLook === null && readings.lacksLooks(kind) === 0;
  if (!isShown || isSample || isLookFree(context, by)) return undefined;
  return { believed: { kind, trust: readings.trusts[kind].id } };
}

/** Whether a second look takes no request from another ticket, while the run waits for others anyway. */
function isLookFree(context: SettlingContext, by: 'poll' | 'webhook'): boolean {
  const { roundMs } = pressureOf(context);
  return by === 'poll' && roundMs === 0 && context.backlog.awaiting > FEW_AWAITED;
}

/**
 * Learns the results of second looks, of this and other processes. If a trust has ended, the misses that the run has
 * believed on it are looked at again. Returns how many.
 */
export async function learnTrusts(context: SettlingContext): Promise<number> {
  const { readings, store, terms } = context;
  const now = await store.trusts(terms.account, readings.dialect);
  const { trusts: before } = readings;
  const ended = LOOK_KINDS.filter(
    (kind) => before[kind].id !== 0 && before[kind].id !== now[kind].id,
  );
  const wasBelieved = ended.some((kind) => readings.lacksLooks(kind) === 0);
  readings.trusts = now;
  return ended.length === 0 ? 0 : doubtMisses(context, wasBelieved);
}

/**
 * Looks again at the misses of the run that were believed on a trust that has ended, perhaps in an earlier process, and
 * reports them; with `isNews`, also those of earlier runs if this run has none. Returns how many it looks at.
 */
export async function doubtMisses(context: SettlingContext, isNews = false): Promise<number> {
  const { backlog, clock, observe, platform, run, store } = context;
  if (run.id === null) return 0;
  const { awaited, endedRuns } = await store.doubtMisses(run.id, clock.now());
  backlog.reopened(awaited);
  if (awaited > 0) backlog.expectPoll(clock.now());
  const told = [
    ...(awaited > 0 ? [lookedAgain(awaited, platform.leastMs(awaited))] : []),
    ...(awaited > 0 || isNews ? ofEndedRuns(endedRuns) : []),
  ];
  if (told.length > 0) {
    const message = `A second look at an empty answer has brought a value, though the platform had always meant such answers before. ${told.join(' ')} Until it has shown that anew, each is looked at twice.`;
    observe({ kind: 'run.warned', warning: 'empty_answers', message });
  }
  return awaited;
}

function lookedAgain(count: number, leastMs: number): string {
  const taking = leastMs < 1_000 ? 'a moment' : `${formatDuration(leastMs)} or more`;
  return `${formatCount(count, 'miss', 'misses')} of this run counted at the first look: before the run ends they are looked at again, for nothing, which takes ${taking}, and they stand meanwhile.`;
}

function ofEndedRuns(runs: readonly number[]): string[] {
  if (runs.length === 0) return [];
  const commands = runs.map((run) => `"sluice retry ${run} --only not_found"`).join(', ');
  return [`Earlier runs have such misses too, which are read again for nothing by ${commands}.`];
}

/** Reports misses that were looked at only once because the platform cannot be asked again. */
export function reportOnlyLooks({ observe, readings }: SettlingContext): void {
  const { onlyLooks, secondLook } = readings;
  if (onlyLooks === 0 || secondLook === 'never') return;
  const message = `${formatCount(onlyLooks, 'empty answer counts', 'empty answers count')} at the only look: there is no ticket by which a result could be read a second time. If the platform always means an empty answer, say so by "second-look: never" in the dialect; if results can be read by ticket, say how at "result".`;
  observe({ kind: 'run.warned', warning: 'empty_answers', message });
}
