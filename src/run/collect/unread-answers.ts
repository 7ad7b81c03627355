// Answers that the dialect cannot read. They are not misses, so they are kept, read again, and reported.

import type { SluiceError } from '../../model/errors.js';
import { STILL_UNREAD } from '../../model/report/fail-on.js';
import { formatCount } from '../../model/text/count.js';
import type { Odd } from '../../ports/platform.js';
import type { UnreadAnswer } from '../../ports/store/enrichments.js';
import type { RunContext, SettlingContext } from '../run-context.js';
import { UNREAD_MAX } from '../send/may-send.js';

export function toUnread(id: number, { body, lack, unread }: Odd): UnreadAnswer {
  const what =
    lack === 'missing'
      ? "there is nothing at the dialect's place for results"
      : `no path of the dialect reads ${unread.join(', ')}`;
  return { id, body, reason: `${STILL_UNREAD}: ${what}` };
}

export async function keepUnread(
  context: RunContext,
  answer: UnreadAnswer,
  problem = context.readings.problem,
): Promise<void> {
  const known = context.readings.size;
  const kept = await context.store.settle([answer]);
  if (kept.length > 0) await noteKept(context, kept.length, { known, problem });
}

/** Counts and reports answers that have been kept; `known` is the number of asks that had been read before. */
export async function noteKept(
  context: RunContext,
  count: number,
  { known, problem }: { readonly known: number; readonly problem: SluiceError | undefined },
): Promise<void> {
  const { backlog, observe, readings } = context;
  const before = backlog.unread;
  backlog.keptUnread(count);
  readings.problem = problem;
  const isMany = before < UNREAD_MAX && backlog.unread >= UNREAD_MAX;
  if (isMany && problem !== undefined) {
    const message = `${problem.logged} Nothing more is sent before an answer can be read; what is paid for is still collected.`;
    observe({ kind: 'run.warned', warning: 'unread_answers', message });
  }
  // A value that was read meanwhile may have made the answer a miss.
  if (readings.size > known) await lookAgain(context);
  backlog.changed();
}

/** It is kept, and its ticket is polled if it is known. */
export function reportUnread({ observe, readings }: SettlingContext, odd: Odd | undefined): void {
  if (odd === undefined || readings.problem !== undefined) return;
  readings.problem = odd.problem;
  const message = `${odd.problem.logged} What the webhook brought is kept, for a dialect that is corrected.`;
  observe({ kind: 'run.warned', warning: 'unread_answers', message });
}

/**
 * Called after enrichments were settled: saves the asks that were read for the first time, and makes unread answers due
 * again.
 */
export async function saveReadings(context: SettlingContext): Promise<void> {
  const { readings, store, terms } = context;
  const unsaved = readings.takeUnsaved();
  if (unsaved.length === 0) return;
  await store.noteReadings(terms.account, readings.dialect, unsaved);
  await lookAgain(context);
}

/** Makes the run's unread answers due now, to be judged by what the dialect has read since. */
export async function lookAgain({ backlog, clock, run, store }: SettlingContext): Promise<void> {
  if (run.id === null || backlog.unread === 0) return;
  const revived = await store.pollSooner(run.id, clock.now(), 'unread');
  backlog.revivedUnread(revived);
  backlog.expectPoll(clock.now());
}

/** Reports misses that may be none: looked at only once because they cannot be read again, or with overlooked values. */
export function reportMisses({ observe, readings, run }: RunContext): void {
  const { onlyLooks, passedOver, placeless } = readings;
  if (onlyLooks > 0 && readings.looksTwice) {
    const message = `${formatCount(onlyLooks, 'empty answer counts', 'empty answers count')} at the only look: there is no ticket by which a result could be read a second time. If the platform always means an empty answer, say so by "second-look: never" in the dialect; if results can be read by ticket, say how at "result".`;
    observe({ kind: 'run.warned', warning: 'empty_answers', message });
  }
  const reread = `"sluice retry ${run.id} --only not_found" reads them again for nothing`;
  const warn = (message: string): void =>
    observe({ kind: 'run.warned', warning: 'unread_fields', message });
  if (placeless > 0) {
    warn(
      `${formatCount(placeless, 'miss', 'misses')} came without the dialect's place for results. If such an answer says that there is no result yet, correct answer.read.pending of the dialect, else answer.read.entries or answer.read.blocks, and ${reread}.`,
    );
  }
  if (passedOver.size === 0) return;
  const paths = [...passedOver].sort(([, a], [, b]) => b - a).slice(0, 10);
  const list = paths.map(([path, count]) => `${path} (${count})`).join(', ');
  warn(
    `Some answers have values that no column has: ${list}. If they are what was asked for, add their paths to the dialect, and ${reread}. If you need them not, name them in answer.read.ignored.`,
  );
}
