import { describe, expect, it } from 'vitest';
import { createPollSchedule } from '../../../src/model/schedule/poll-schedule.js';
import type { ReadAnswer } from '../../../src/ports/platform.js';
import type { AwaitedEnrichment } from '../../../src/ports/store/enrichments.js';
import { type Heard, readAnswer } from '../../../src/run/collect/read-answer.js';
import type { RunContext } from '../../../src/run/run-context.js';
import { problem, resultOf } from '../../helpers/scripted-platform.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { createWorld, openProcess } from '../../helpers/test-run.js';

const folder = tempFolder();
const NOW = 1_700_000_000_000;
const SUBMITTED = NOW - 5_000;

async function contextWith(changes: Partial<RunContext> = {}): Promise<RunContext> {
  const { context, close } = await openProcess(createWorld(folder), changes);
  await close();
  return { ...context, startedAt: SUBMITTED - 1 };
}

function awaited(changes: Partial<AwaitedEnrichment> = {}): AwaitedEnrichment {
  return {
    id: 7,
    ticket: 'enr_7',
    request: { ask: ['find_email'], inputs: { firstName: 'ada' } },
    submittedAt: SUBMITTED,
    pollAt: NOW - 100,
    deadlineAt: NOW + 60_000,
    pollCount: 1,
    wasEmpty: false,
    unread: null,
    ...changes,
  };
}

const POLLED: Heard = { by: 'poll', at: NOW };

const EMPTY: ReadAnswer = { kind: 'done', result: {} };
const EVERY_SECOND = { ...createPollSchedule(), nextWaitMs: () => 1_000 };
const PENDING: ReadAnswer = { kind: 'pending' };

function unavailable(isFinal: boolean): ReadAnswer {
  return { kind: 'unavailable', problem: problem('down'), isFinal };
}

describe('readAnswer', () => {
  it('reads a status without its address once more, as it says nothing of what was asked', async () => {
    const context = await contextWith();
    const bare: ReadAnswer = { kind: 'done', result: { find_email: { status: 'unknown' } } };
    const verify = { ask: ['verify_email'] as const, inputs: { email: 'a@b.example' } };
    expect(readAnswer(awaited(), bare, context, POLLED)).toMatchObject({ kind: 'postpone' });
    expect(readAnswer(awaited({ wasEmpty: true }), bare, context, POLLED)).toMatchObject({
      settlement: { outcome: 'not_found', credits: 0 },
    });
    expect(readAnswer(awaited({ request: verify }), bare, context, POLLED)).toMatchObject({
      settlement: { outcome: 'found' },
    });
  });

  it('settles a miss that is said plainly at the first look, and what was found beside it', async () => {
    const context = await contextWith();
    const miss: ReadAnswer = { kind: 'done', result: {}, isMiss: true };
    expect(readAnswer(awaited(), miss, context, POLLED)).toEqual({
      kind: 'settle',
      settlement: { id: 7, at: NOW, result: {}, outcome: 'not_found', credits: 0 },
    });
    const beside: ReadAnswer = { kind: 'done', result: resultOf('ada'), isMiss: true };
    expect(readAnswer(awaited(), beside, context, POLLED)).toMatchObject({
      settlement: { outcome: 'found', credits: 5 },
    });
  });

  it('stops the sending where a result says that there are no credits, and asks again later', async () => {
    const context = await contextWith({ schedule: EVERY_SECOND });
    const dry: ReadAnswer = { kind: 'pending', outOfCredits: problem('no credits') };
    expect(readAnswer(awaited(), dry, context, POLLED)).toMatchObject({
      postponement: { pollAt: NOW + 1_000 },
    });
    expect(context.backlog.sendingProblem?.message).toBe('no credits');
  });

  it('asks for a ticket no sooner than the platform wants', async () => {
    const context = await contextWith({ schedule: EVERY_SECOND });
    const seldom = { ...context, platform: { ...context.platform, readEveryMs: 30_000 } };
    for (const answer of [PENDING, EMPTY]) {
      expect(readAnswer(awaited(), answer, seldom, POLLED)).toMatchObject({
        postponement: { pollAt: NOW + 30_000 },
      });
    }
    // A second look sooner than that would be the first one again.
    const late = awaited({ deadlineAt: NOW - 1 });
    expect(readAnswer(late, EMPTY, seldom, POLLED)).toMatchObject({
      postponement: { pollAt: NOW + 30_000, wasEmpty: true },
    });
  });

  it('an empty success is read again two seconds later, whatever its deadline', async () => {
    const context = await contextWith();
    for (const deadlineAt of [NOW - 1, NOW + 100, NOW + 60_000]) {
      expect(readAnswer(awaited({ deadlineAt }), EMPTY, context, POLLED)).toMatchObject({
        kind: 'postpone',
        postponement: { pollAt: NOW + 2_000, wasEmpty: true },
      });
    }
  });

  it('counts as the only look where it can be read no other time, but for what was kept', async () => {
    const context = await contextWith();
    const only: Heard = { by: 'poll', at: NOW, isLast: true };
    readAnswer(awaited({ unread: '{}' }), EMPTY, context, only);
    expect(context.readings.onlyLooks).toBe(0);
    expect(readAnswer(awaited(), EMPTY, context, only)).toMatchObject({
      settlement: { outcome: 'not_found' },
    });
    expect(context.readings.onlyLooks).toBe(1);
  });

  it('asks again for what is pending, unknown or unavailable: later, and never after the deadline', async () => {
    const context = await contextWith({ schedule: EVERY_SECOND });
    for (const answer of [PENDING, { kind: 'unknown' } as const, unavailable(false)]) {
      expect(readAnswer(awaited({ wasEmpty: true }), answer, context, POLLED)).toEqual({
        kind: 'postpone',
        postponement: { id: 7, pollAt: NOW + 1_000, wasEmpty: true },
      });
      expect(readAnswer(awaited({ deadlineAt: NOW + 300 }), answer, context, POLLED)).toMatchObject(
        {
          postponement: { pollAt: NOW + 300 },
        },
      );
    }
  });

  it('waits longer where requests are scarce', async () => {
    const context = await contextWith();
    context.schedule.observe(9, 10_000, 'poll');
    const scarce = { ...context, platform: { ...context.platform, leastMs: () => 8_000 } };
    expect(readAnswer(awaited(), PENDING, scarce, POLLED)).toMatchObject({
      postponement: { pollAt: NOW + 8_000 },
    });
    // The second look at an empty one does not.
    expect(readAnswer(awaited(), EMPTY, scarce, POLLED)).toMatchObject({
      postponement: { pollAt: NOW + 2_000, wasEmpty: true },
    });
  });

  it('times out only by a poll that was made at the deadline or after it, and says what the platform said', async () => {
    const context = await contextWith();
    const late = awaited({ deadlineAt: NOW, pollCount: 3 });
    const reasons = [PENDING, { kind: 'unknown' } as const, unavailable(false)].map((answer) => {
      const step = readAnswer(late, answer, context, POLLED);
      return step.kind === 'settle' && step.settlement.outcome === 'timed_out'
        ? step.settlement.reason
        : step.kind;
    });
    expect(reasons).toEqual([
      'no answer by the deadline: the platform was still at work',
      'no answer by the deadline: the platform did not know the id',
      'no answer by the deadline: the platform did not answer',
    ]);
  });

  it('a platform that is away just at the deadline is asked again: three questions go before giving up', async () => {
    const context = await contextWith({ schedule: EVERY_SECOND });
    for (const [pollCount, kind] of [
      [0, 'postpone'],
      [2, 'postpone'],
      [3, 'settle'],
    ] as const) {
      const late = awaited({ deadlineAt: NOW - 1, pollCount });
      const step = readAnswer(late, unavailable(false), context, POLLED);
      expect(step.kind).toBe(kind);
      if (step.kind === 'postpone') expect(step.postponement.pollAt).toBe(NOW + 1_000);
    }
  });

  it('no deadline counts for an answer that the run itself cut short, or that ends the run', async () => {
    const late = awaited({ deadlineAt: NOW - 1 });
    const context = await contextWith();
    expect(readAnswer(late, unavailable(true), context, POLLED)).toEqual({ kind: 'leave' });
    const drained = { ...context, drain: AbortSignal.abort() };
    expect(readAnswer(late, unavailable(false), drained, POLLED)).toEqual({ kind: 'leave' });
  });

  it('learns the latency from looks at its own submits alone, and by which way an answer came', async () => {
    const seen: string[] = [];
    const schedule = {
      ...createPollSchedule(),
      observe: (_id: number, ms: number, by: string) => void seen.push(`${ms} by ${by}`),
      observePending: (_id: number, ms: number) => void seen.push(`${ms} in vain`),
    };
    const context = await contextWith({ schedule });
    const own = { ...context, startedAt: SUBMITTED, schedule };
    readAnswer(awaited(), EMPTY, own, POLLED);
    // The second look at an empty one, and a look that met a bad moment, say nothing of how long it took.
    readAnswer(awaited({ wasEmpty: true }), EMPTY, own, POLLED);
    readAnswer(awaited(), unavailable(false), own, POLLED);
    readAnswer(awaited(), PENDING, own, POLLED);
    readAnswer(awaited(), EMPTY, { ...own, startedAt: SUBMITTED + 1 }, POLLED);
    // A webhook comes when it comes, whenever a poll was due.
    const fresh = awaited({ pollCount: 0, pollAt: SUBMITTED + 500 });
    readAnswer(fresh, EMPTY, own, { by: 'webhook', at: SUBMITTED + 700 });
    expect(seen).toEqual(['5000 by poll', '5000 in vain', '700 by webhook']);
  });
});
