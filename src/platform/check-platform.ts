// GET /schema/people, repeated while the platform may be well again in a moment.
import { type Check, isPeopleSchema, judgeCheck } from './judge-check.js';
import type { Wire } from './wire.js';

/** Waits before the repeats of a check that a passing trouble ended. */
const CHECK_PAUSES_MS = [1_000, 2_000, 4_000];

/** As `Platform.check`. */
export async function checkPlatform(wire: Wire, signal?: AbortSignal): Promise<void> {
  for (const pauseMs of [...CHECK_PAUSES_MS, undefined]) {
    const outcome = await checkOnce(wire, signal);
    if (outcome.kind === 'fine') return;
    if (!outcome.isPassing || pauseMs === undefined) throw outcome.problem;
    await wire.clock.sleep(pauseMs, signal);
  }
}

async function checkOnce(wire: Wire, signal: AbortSignal | undefined): Promise<Check> {
  const path = wire.pathOf(wire.dialect.peopleSchema.path);
  const sent = await wire.sendFree(wire.call('GET', path), isPeopleSchema, signal);
  return judgeCheck(sent, wire.asked(path));
}
