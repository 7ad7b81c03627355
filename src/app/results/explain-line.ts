import type { LeadAnswer } from '../../model/answer.js';
import { type SluiceError, wrongUse } from '../../model/errors.js';
import type { Reject } from '../../model/lead.js';
import type { MappedInput } from '../../model/mapping/mapping.js';
import { nameOfRun, type Run } from '../../model/run.js';
import type { JournalEntry } from '../../ports/store/deliveries.js';
import type { LeadHistory } from '../../ports/store/runs.js';
import type { Store } from '../../ports/store/store.js';
import type { Ref } from '../../tell/page.js';
import { openKeyring } from '../state/state-file.js';
import { runOf } from './run-of.js';

/** The greatest number of deliveries shown for a lead: a platform repeats a refused delivery only a few times. */
const DELIVERIES_MAX = 20;

export interface ExplainedLine {
  readonly run: Run;
  /** The file with the line. */
  readonly source: string;
  readonly line: number;
  readonly mapping: readonly MappedInput[];
  /** Exactly one of `lead` and `reject` is not null. */
  readonly lead: LeadHistory | null;
  readonly reject: Reject | null;
  readonly deliveries: readonly JournalEntry[];
  /** The names of the runs that have paid, by their numbers. */
  readonly payers: ReadonlyMap<number, string>;
  /** Of a waterfall: the row, and the story of each step that the lead has reached, in their order. */
  readonly steps?: {
    readonly row: LeadAnswer;
    readonly stories: readonly StepStory[];
  };
}

/** The part of a step in a line; null if the lead has not reached it. */
export interface StepStory {
  readonly step: string;
  readonly story: ExplainedLine | null;
}

export interface ExplainWish {
  /** The line's number in the file; the header of a CSV is line 1. */
  readonly line: number;
  /** One of the run's sources; needed if several of them have that line. */
  readonly source?: string | undefined;
}

/** The error that the line is in several files of the run: one of them has to be named. */
export interface AmbiguousLine {
  readonly run: Run;
  /** The indices of these files among those of the run, in their order. */
  readonly files: readonly number[];
}

/** @throws SluiceError `usage` if the line is neither a lead nor a reject, or is in several files */
export async function explainLine(
  store: Store,
  runId: number,
  wish: ExplainWish,
): Promise<ExplainedLine> {
  const found = await lookForLine(store, runId, wish);
  if ('files' in found) throw inSeveralFiles(found, wish.line);
  return found;
}

/** @throws SluiceError `usage` if the line is neither a lead nor a reject */
export async function lookForLine(
  store: Store,
  runId: number,
  { line, source: file }: ExplainWish,
): Promise<ExplainedLine | AmbiguousLine> {
  const run = await runOf(store, runId);
  const source = file === undefined ? null : sourceIndex(run, file);
  const story = await store.lineHistory(run.id, line, source);
  const found = [...story.leads, ...story.rejects];
  const [only] = found;
  if (only === undefined) throw noSuchLine(run, line, story.lineBefore);
  const files = new Set(found.map((one) => one.source));
  if (files.size > 1) return { run, files: [...files].toSorted((a, b) => a - b) };
  const lead = story.leads[0] ?? null;
  const steps = lead === null ? undefined : await stepsOf(store, run, lead);
  const told = await tellStory(store, run, only, lead);
  return {
    ...(steps && { steps }),
    ...told,
    reject: lead === null ? (story.rejects[0] ?? null) : null,
  };
}

async function tellStory(
  store: Store,
  run: Run,
  { line, source }: Pick<LeadHistory, 'line' | 'source'>,
  lead: LeadHistory | null,
): Promise<ExplainedLine> {
  const deliveries = lead === null ? [] : await deliveriesOf(store, run, lead);
  const file = run.sources[source] ?? '';
  const { foundSince = null, known = [], paidBy = null } = lead?.enrichment ?? {};
  const others = foundSince === null ? known : [...known, foundSince];
  const ids = [...others.map(({ runId }) => runId), ...(paidBy === null ? [] : [paidBy])];
  const payers = new Map((await runsOf(store, ids)).map((one) => [one.id, nameOfRun(one)]));
  return { run, source: file, line, mapping: run.mapping, lead, reject: null, deliveries, payers };
}

/** Those of these runs that were not pruned. */
async function runsOf(store: Store, ids: readonly number[]): Promise<Run[]> {
  const runs = await Promise.all([...new Set(ids)].map((one) => store.findRun(one)));
  return runs.filter((one) => one !== null);
}

/** The part of each step of a waterfall in a line; undefined for a lead that is not held for any. */
async function stepsOf(
  store: Store,
  run: Run,
  { isNotAsked, line, note, position, source }: LeadHistory,
): Promise<ExplainedLine['steps']> {
  const [row] = await store.answers(run.id, [position]);
  if (run.waterfall === undefined || row === undefined || isNotAsked || note !== null) {
    return undefined;
  }
  const runs = new Map((await store.stepRuns(run.id)).map((one) => [one.step?.name, one]));
  const stories: StepStory[] = [];
  for (const { name: step } of run.waterfall.steps) {
    const of = runs.get(step);
    const [own] = of === undefined ? [] : (await store.lineHistory(of.id, line, source)).leads;
    const hasReached = of !== undefined && own !== undefined;
    stories.push({ step, story: hasReached ? await tellStory(store, of, own, own) : null });
  }
  return { row, stories };
}

async function deliveriesOf(
  store: Store,
  run: Run,
  { enrichment }: LeadHistory,
): Promise<JournalEntry[]> {
  // Without deliveries there may be no key yet, and reading must not create one.
  if (enrichment === null || (await store.listDeliveries(1)).length === 0) return [];
  const keyring = await openKeyring(store);
  const scope = keyring.scopeOf(run.account);
  const key = keyring.seal({ kind: 'enrichment', scope, id: enrichment.id });
  const marks = enrichment.ticket === null ? [key] : [key, enrichment.ticket];
  return await store.listDeliveries(DELIVERIES_MAX, { id: enrichment.id, marks });
}

/** The lines that share its payment; each with its file if its run has read several. */
export async function linesBeside(store: Store, story: ExplainedLine): Promise<Ref[]> {
  const shared = story.lead?.enrichment?.sharedWith ?? [];
  const runs = await runsOf(
    store,
    shared.map(({ runId }) => runId),
  );
  return shared.map(({ line, runId, source }) => {
    const run = runs.find(({ id }) => id === runId);
    const sources = run?.sources ?? [];
    const isOne = sources.length <= 1;
    const name = run === undefined ? runId : nameOfRun(run);
    const words = runId === story.run.id ? `line ${line}` : `run ${name} line ${line}`;
    return {
      to: 'line',
      run: run?.step?.of ?? runId,
      line,
      file: isOne ? undefined : source,
      text: isOne ? words : `${words} of ${sources[source] ?? ''}`,
    };
  });
}

function sourceIndex(run: Run, file: string): number {
  const index = run.sources.indexOf(file);
  if (index !== -1) return index;
  throw wrongUse(`Run ${run.id} did not read "${file}". It read: ${run.sources.join(', ')}.`);
}

function noSuchLine(run: Run, line: number, before: number | null): SluiceError {
  const reading = run.state === 'reading' ? ', or it has not been read yet' : '';
  const hint =
    before === null
      ? ''
      : ` The lead before it begins on line ${before}: sluice explain ${run.id} ${before}.`;
  return wrongUse(
    `No lead of run ${run.id} begins on line ${line}: it is empty, a header, part of the lead before it or past the end of the file${reading}.${hint}`,
  );
}

function inSeveralFiles({ files, run }: AmbiguousLine, line: number): SluiceError {
  const names = files.map((source) => run.sources[source] ?? '');
  return wrongUse(
    `Line ${line} is in several files of run ${run.id}: say which with --source, one of ${names.join(', ')}.`,
  );
}
