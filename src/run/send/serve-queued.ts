// Serves queued enrichments from answers to wider questions that others have asked meanwhile.
import { isWider } from '../../model/ask.js';
import type { AskingTerms, RunContext } from '../run-context.js';
import { widerQuestions } from '../to-lead-entry.js';

const PAGE = 500;

/** Called before a continued run sends anything. */
export async function serveQueued({
  clock,
  deadlineMs,
  drain,
  freshForMs,
  run,
  startedAt,
  store,
  terms,
}: Pick<
  RunContext,
  'clock' | 'deadlineMs' | 'drain' | 'freshForMs' | 'run' | 'startedAt' | 'store' | 'terms'
>): Promise<void> {
  if (!isAnyWider(terms)) return;
  const at = clock.now();
  const times = { at, freshSince: startedAt - freshForMs, deadlineAt: at + deadlineMs };
  for (let after = 0; !drain.aborted; ) {
    const queued = await store.queued(run.id, after, PAGE);
    const questions = queued
      .map(({ id, request }) => ({ id, wider: widerQuestions(request, terms) }))
      .filter(({ wider }) => wider.length > 0);
    if (questions.length > 0) await store.serve(run.id, questions, times);
    const last = queued.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Whether the state has asked a wider question than one of the job. */
function isAnyWider({ ask, asked = [] }: AskingTerms): boolean {
  const own = asked.filter((one) => one.every((part) => ask.includes(part)));
  return own.some((one) => asked.some((other) => isWider(other, one)));
}
