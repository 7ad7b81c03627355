// Hands the rows of a run to a program while the run goes on. Rows for a slow program wait in the state: in memory
// there is one bit for each lead.
import { type LeadAnswer, MAY_CHANGE } from '../../model/answer.js';
import type { Run } from '../../model/run.js';
import type { RunEvent } from '../../model/telemetry/observe.js';
import type { Store } from '../../ports/store/store.js';
import type { Ending } from '../../run/process-run.js';
import { rowsOfLead } from '../results/read-rows.js';
import type { RowPlace, RunTask } from './run-options.js';

const PAGE_SIZE = 100;
const PAUSE_MS_MIN = 20;
/** The pause after a look, in multiples of its time, so that the run itself has time. */
const PAUSE_PER_LOOK = 3;

/**
 * Calls `onRow` with each lead whose answer is final, one at a time, in the order in which they become final. The run
 * goes by the returned `drain`, which aborts also if the program fails, and by `observe`. `end` resolves when the
 * program has taken all rows that are ready: every row, if nothing has stopped the run.
 */
export function handOnRows(
  { clock, observe, onRow }: RunTask,
  store: Store,
  run: Run,
  drain: AbortSignal,
) {
  if (onRow === undefined) return { drain, observe, end: async (ending: Ending) => ending };
  const failing = new AbortController();
  const ended = new AbortController();
  const stop = AbortSignal.any([drain, failing.signal]);
  const wake = AbortSignal.any([stop, ended.signal]);
  const handed = new Marks();
  let [lookedTo, readTo] = [0, run.leadCount];
  let isStirred = true;

  /** Hands on a page. False if all of it waits to be sent, as then do the pages after it. */
  const handPage = async (page: readonly LeadAnswer[], isLast: boolean): Promise<boolean> => {
    const now = (await store.findRun(run.id)) ?? run;
    let isReached = false;
    for (const answer of page) {
      if (stop.aborted) return false;
      isReached ||= answer.status !== 'queued';
      if (handed.has(answer.position) || !(isLast || isFinal(answer))) continue;
      for (const row of rowsOfLead(now, answer)) await onRow(row, placeOf(answer, now));
      handed.add(answer.position);
    }
    return isReached;
  };
  const look = async (
    from: number,
    goesOn: (last: number, isReached: boolean) => boolean,
    isLast = false,
  ) => {
    for (let after = from; !stop.aborted; ) {
      const page = await store.answers(run.id, { after, limit: PAGE_SIZE });
      const last = page.at(-1);
      if (last === undefined) return;
      const isReached = await handPage(page, isLast);
      if (!goesOn(last.position, isReached)) return;
      after = handed.nextWithout(last.position + 1) - 1;
    }
  };
  const lookAtNews = async (): Promise<void> => {
    // Leads that have just been read may be known already, or have nothing to be asked.
    const [from, to] = [lookedTo, readTo];
    lookedTo = to;
    await look(from, (last) => last < to);
    await look(handed.nextWithout(1) - 1, (_, isReached) => isReached);
  };
  const work = async (): Promise<void> => {
    while (!wake.aborted) {
      const startedAt = clock.now();
      if (isStirred) {
        isStirred = false;
        await lookAtNews();
      }
      const tookMs = clock.now() - startedAt;
      await clock.sleep(Math.max(PAUSE_MS_MIN, tookMs * PAUSE_PER_LOOK), wake);
    }
  };
  const caught = async (doing: () => Promise<void>): Promise<Ending | undefined> => {
    try {
      await doing();
      return undefined;
    } catch (problem) {
      failing.abort();
      return { problem: problem ?? new Error('onRow threw no error') };
    }
  };
  const working = caught(work);
  return {
    drain: stop,
    observe: (event: RunEvent) => {
      if (event.kind === 'leads.read') readTo = event.position;
      if (event.kind === 'leads.read' || event.kind === 'enrichments.settled') isStirred = true;
      observe(event);
    },
    end: async (ending: Ending): Promise<Ending> => {
      ended.abort();
      const isWhole = ending.problem === undefined;
      const last = (): Promise<void> => look(handed.nextWithout(1) - 1, () => true, isWhole);
      return (await working) ?? (await caught(last)) ?? ending;
    },
  };
}

function isFinal({ askedAgain, status }: LeadAnswer): boolean {
  return askedAgain === undefined && !MAY_CHANGE.has(status);
}

function placeOf({ position, file, line }: LeadAnswer, { id, sources }: Run): RowPlace {
  return { run: id, position, source: sources[file] ?? '', line };
}

class Marks {
  #bits = new Uint8Array(1024);
  /** All numbers before it are marked. */
  #first = 1;

  has(number: number): boolean {
    return (((this.#bits[number >> 3] ?? 0) >> (number & 7)) & 1) === 1;
  }

  add(number: number): void {
    const at = number >> 3;
    if (at >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(at + 1, this.#bits.length * 2));
      grown.set(this.#bits);
      this.#bits = grown;
    }
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (number & 7));
  }

  /** The first number from this one on that is not marked. */
  nextWithout(from: number): number {
    let number = Math.max(from, this.#first);
    while (this.has(number)) number += 1;
    if (from <= this.#first) this.#first = number;
    return number;
  }
}
