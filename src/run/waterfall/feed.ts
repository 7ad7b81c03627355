// Brings leads into the run of a waterfall's step: those that have ended in the step before. What is there, and what
// was asked, is read from the store alone, so that a run which is continued goes on where it stopped.

import type { LeadAnswer } from '../../model/answer.js';
import type { Ask } from '../../model/ask.js';
import type { EnrichmentState } from '../../model/enrichment/arrows.js';
import { judgeColumns } from '../../model/mapping/judge-columns.js';
import type { MappedInput } from '../../model/mapping/mapping.js';
import { mergeAnswers } from '../../model/waterfall/merge.js';
import {
  ENDS,
  ENDS_OR_UNKNOWN,
  NOT_CHOSEN,
  questionOf,
  type Waterfall,
} from '../../model/waterfall/waterfall.js';
import type { LeadEntry } from '../../ports/store/enrichments.js';
import type { Store } from '../../ports/store/store.js';
import { answerChooser, wantedAsks } from '../choose-leads.js';
import { ingestBatch } from '../ingest.js';
import type { AskingTerms, ReadingContext } from '../run-context.js';
import { knownInputs, toLeadEntry } from '../to-lead-entry.js';

const SPAN = 2_000;
const BATCH_MAX = 500;
const PAUSE_MS_MIN = 50;
const PAUSE_MS_MAX = 5_000;
/** The pause after a walk, in multiples of its time, so that the steps themselves have time. */
const PAUSE_PER_WALK = 10;

export interface StepPlace {
  readonly waterfall: Waterfall;
  readonly index: number;
  readonly held: number;
  readonly heldTerms: AskingTerms;
  /** The run of the step before; for the first step, the run that holds the leads. */
  readonly before: number;
  /** The runs of the steps before that one. */
  readonly earlier: readonly number[];
  /** Whether nothing more will come from there. */
  readonly hasEnded: () => boolean;
  /** Whether leads go on whose answer from there may still come, or may not (`on-uncertain: skip`). */
  readonly passesUnknown: boolean;
  readonly resendUncertain: boolean;
  /** @throws SluiceError `usage` if they are known under another account and would be paid for again */
  readonly refusePaidAnew: (leads: readonly LeadEntry[]) => Promise<void>;
}

export async function feed(context: ReadingContext, place: StepPlace): Promise<void> {
  const { clock, drain, run, store } = context;
  let low = 0;
  while (!drain.aborted) {
    const startedAt = clock.now();
    // Looked at before the walk: what ends during it is found by the next one.
    const isLast = place.hasEnded();
    // Until then a webhook may answer what is uncertain.
    const ends = isLast && place.passesUnknown ? ENDS_OR_UNKNOWN : ENDS;
    const walked = await walk(context, place, low, ends);
    low = walked.low;
    if (isLast) {
      if (walked.waiting === 0 && !drain.aborted) await store.finishReading(run.id);
      return;
    }
    const pauseMs = PAUSE_PER_WALK * (clock.now() - startedAt);
    await clock.sleep(Math.min(PAUSE_MS_MAX, Math.max(PAUSE_MS_MIN, pauseMs)), drain);
  }
}

async function walk(
  context: ReadingContext,
  place: StepPlace,
  low: number,
  ends: readonly EnrichmentState[],
): Promise<{ readonly low: number; readonly waiting: number }> {
  const { drain, run, store } = context;
  const { before, earlier, held } = place;
  const last = (await store.findRun(held))?.leadCount ?? 0;
  // The columns may have grown since the walk before.
  let toLead: ToLead | undefined;
  let waiting = 0;
  let reached = low;
  for (let after = low; after < last && !drain.aborted; after += SPAN) {
    const until = Math.min(after + SPAN, last);
    const range = { after, until };
    const found = await store.passing({ held, earlier, from: before, to: run.id }, range, ends);
    for (let i = 0; i < found.positions.length && !drain.aborted; i += BATCH_MAX) {
      toLead ??= await openQuestions(store, place, context.terms);
      const leads = await store.answers(held, found.positions.slice(i, i + BATCH_MAX));
      await pass(context, place, leads.map(toLead));
    }
    waiting += found.waiting;
    if (waiting === 0 && !drain.aborted) reached = until;
  }
  return { low: reached, waiting };
}

async function pass(
  context: ReadingContext,
  place: StepPlace,
  leads: readonly LeadEntry[],
): Promise<void> {
  const { observe } = context;
  await place.refusePaidAnew(leads);
  const batch = { columns: [], leads, rejects: [] };
  const count = await ingestBatch(context, batch, place.resendUncertain);
  observe({ kind: 'leads.passed', leads: leads.length, ...count });
}

/** The columns of an address that an earlier step has found. */
const ADDRESS: readonly MappedInput[] = [
  { input: 'email', column: { name: 'email', key: 'email' }, index: 0, isGuessed: false },
];
/** The number of leads by whose values own columns are known. */
const OWN_AMONG = 100;

type ToLead = (lead: LeadAnswer) => LeadEntry;

/** Reads what is known of the columns; returns the function that makes the step's question of a lead. */
async function openQuestions(
  store: Store,
  { held, heldTerms, index, waterfall }: StepPlace,
  terms: AskingTerms,
): Promise<ToLead> {
  const run = await store.findRun(held);
  const mapping = run?.mapping ?? [];
  const { where } = waterfall.steps[index] ?? {};
  // By the row of the lead as it is before the step.
  const isChosen = run && where && answerChooser(where, run.columns, run, terms);
  const wantedOf = await openWanted(store, held, heldTerms);
  return (lead) => {
    const { cells, file: source, line, position, steps = [] } = lead;
    const before = steps.slice(0, index);
    const record = { source, line, cells };
    const wanted = wantedOf(cells);
    const question =
      typeof wanted === 'string'
        ? { kind: 'none' as const, why: wanted }
        : questionOf(waterfall, index, before, wanted);
    const notAsked = (note: string): LeadEntry => {
      return { position, ...record, kind: 'not_asked', note };
    };
    if (question.kind === 'none') return notAsked(question.why);
    if (isChosen && typeof wanted !== 'string') {
      if (!isChosen(mergeAnswers(lead, before, waterfall, wanted))) return notAsked(NOT_CHOSEN);
    }
    if (question.kind === 'find') {
      return toLeadEntry(record, position, mapping, { ...terms, ask: question.ask });
    }
    const { address } = question;
    const asked = toLeadEntry({ ...record, cells: [address] }, position, ADDRESS, terms);
    if (asked.kind !== 'asked') return asked;
    // Someone suppressed is known by all that the lead says.
    return {
      ...asked,
      cells,
      known: { ...knownInputs(cells, mapping, terms), ...asked.request.inputs },
    };
  };
}

async function openWanted(
  store: Store,
  held: number,
  terms: AskingTerms,
): Promise<(cells: LeadAnswer['cells']) => readonly Ask[] | string> {
  if (terms.choice?.missing === undefined) return () => terms.ask;
  const columns = (await store.findRun(held))?.columns ?? [];
  const first = await store.answers(held, { after: 0, limit: OWN_AMONG });
  const records = first.map(({ cells, file, line }) => ({ source: file, line, cells }));
  const { own } = judgeColumns({ columns, records }, terms);
  return wantedAsks({ columns, own }, { ...terms, choice: { missing: terms.choice.missing } });
}
