// Lets leads go on to the next step of their waterfall once theirs cannot be asked (`on-unavailable: skip`).
import { SluiceError } from '../../model/errors.js';
import { formatCount } from '../../model/text/count.js';
import type { RunContext } from '../run-context.js';

/** Whether an error that has ended the sending says that the platform cannot be asked for now. */
export function isUnavailable(error: unknown): error is SluiceError {
  if (!(error instanceof SluiceError)) return false;
  const { code, facts } = error;
  // An answer that the dialect cannot read came from a platform that works, and money over all steps is up for the
  // next step as well.
  const isOfStep = facts['unread'] === undefined && facts['of'] !== 'waterfall';
  return isOfStep && ['budget', 'cap', 'platform'].includes(code);
}

/**
 * Sets aside what is queued, until nothing more comes. Returns whether all leads have gone on: one whose earlier send is
 * lost may have been accepted, and waits.
 */
export async function setAside(context: RunContext, problem: SluiceError): Promise<boolean> {
  const { backlog, clock, drain, observe, run, store } = context;
  let leads = 0;
  while (!drain.aborted && (backlog.queued > 0 || backlog.isReading)) {
    const { queued } = backlog;
    if (queued === 0) {
      await backlog.wait(clock, drain);
      continue;
    }
    leads += await store.setAside(run.id);
    backlog.claimed(queued);
  }
  if (leads > 0) {
    // The advice to raise a budget does not hold: the leads do not wait for it.
    const [why] = problem.logged.split(' Raise ');
    const message = `${why} ${formatCount(leads, 'lead')} did not wait for it (on-unavailable: skip).`;
    observe({ kind: 'run.warned', warning: 'step_unavailable', message });
  }
  return !drain.aborted && (await store.work(run.id)).queued === 0;
}
