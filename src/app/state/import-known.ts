// Takes answers that were bought elsewhere from a table: into a run of its own, which asks nothing and pays nothing. Their
// leads are known from then on, until the answers are too old by their own dates.
import { NEUTRAL_DIALECT } from '../../dialect/dialect.js';
import { digest } from '../../identity/digest.js';
import { DOMAIN_RULES } from '../../identity/domain-owner.js';
import { registrableDomain } from '../../identity/registrable-domain.js';
import { openLeadReader } from '../../input/open-lead-reader.js';
import { nameSource, STANDARD_INPUT } from '../../input/sources/source-name.js';
import { ASKS, type Ask, isStandard, type StandardAsk } from '../../model/ask.js';
import { NEVER } from '../../model/enrichment/locked.js';
import { SluiceError, wrongUse } from '../../model/errors.js';
import type { SourceRecord } from '../../model/lead.js';
import {
  columnsOfInputs,
  type FoundColumns,
  type FoundWish,
  findFoundColumns,
  readFound,
} from '../../model/mapping/found-columns.js';
import { refuseUnmapped } from '../../model/mapping/judge-columns.js';
import type { JudgedColumns, MappedInput, MappingWish } from '../../model/mapping/mapping.js';
import { BadLineCounter, type BadLines } from '../../model/report/bad-lines.js';
import type { RunPlan } from '../../model/run.js';
import type { RecordBatch } from '../../ports/lead-reader.js';
import type { LeadEntry } from '../../ports/store/enrichments.js';
import type { Store } from '../../ports/store/store.js';
import { knownInputs, toLeadEntry } from '../../run/to-lead-entry.js';
import { placeOf } from '../files/target.js';
import { judgeFirst } from '../plan/first-look.js';
import { systemClock } from '../system-clock.js';
import { whileJobLocked } from './lock-job.js';

/** The clock of the machine that wrote a table may be ahead by this. */
const CLOCKS_MS = 300_000;

const JOB = 'import';
/** Lines that a dry run names. */
const NAMED_MAX = 10_000;

export interface AnswersWish {
  readonly file: string;
  readonly map: MappingWish;
  readonly found: FoundWish;
  /** The date of rows that have none. */
  readonly at: number | undefined;
  /** Older answers are counted: a run asks again for them, unless its `fresh-for` is longer. */
  readonly freshForMs: number;
  readonly standardInput: AsyncIterable<Uint8Array>;
}

export interface ImportPlace {
  readonly store: Store;
  readonly state: string;
  readonly account: string;
  /** The digest of the account's address; empty if nothing is known of it. */
  readonly address: string;
}

export interface KeptAnswers {
  readonly run: number;
  /** Lines whose answer is new here. */
  readonly taken: number;
  /** Lines that had an answer as new, or whose question is on its way. */
  readonly known: number;
  /** Lines of people who are suppressed. */
  readonly suppressed: number;
}

export interface TakenAnswers {
  /** Null for a dry run. */
  readonly kept: KeptAnswers | null;
  /** Lines with an answer, and those of them by what they answer. */
  readonly answers: number;
  readonly byAsk: Readonly<Record<Ask, number>>;
  /** Answers that are too old. */
  readonly old: number;
  readonly ageMsMax: number;
  /** Lines of which nothing can be taken. */
  readonly left: BadLines;
}

/**
 * Reads the answers of a table; without a place nothing is kept.
 * @throws SluiceError `input` for a table that cannot be read, `usage` for one without usable columns
 */
export async function importKnown(
  wish: AnswersWish,
  place: ImportPlace | undefined,
): Promise<TakenAnswers> {
  const { file, standardInput } = wish;
  const reader = await openLeadReader([file], { standardInput });
  const left = new BadLineCounter(place === undefined ? NAMED_MAX : undefined);
  const read = openTable(wish, place?.account ?? '', left);
  if (place === undefined) {
    for await (const batch of reader.batches()) read.leadsOf(batch);
    return { kept: null, ...read.counted(), left };
  }
  const { account, address, state } = place;
  const work = async (store: Store): Promise<TakenAnswers> => {
    let run: number | undefined;
    const counts = { taken: 0, known: 0, suppressed: 0 };
    for await (const batch of reader.batches()) {
      const { leads, mapping } = read.leadsOf(batch);
      const { columns, rejects } = batch;
      const asked = leads.filter(({ kind }) => kind === 'asked').length;
      // Nothing is kept of a table that cannot be used.
      run ??= await begin(store, { account, address, sources: reader.sources }, wish);
      const times = { at: systemClock.now(), freshSince: NEVER, deadlineAt: NEVER };
      const { cached, queued, shared } = await store.ingest(
        run,
        { columns, leads, rejects, mapping },
        times,
      );
      counts.taken += queued;
      counts.known += cached + shared;
      counts.suppressed += asked - queued - cached - shared;
    }
    if (run === undefined)
      throw new SluiceError('input', `${nameSource(file)} has no line that can be read.`);
    await store.finishReading(run);
    await store.endRun(run, 'finished', systemClock.now());
    return { kept: { run, ...counts }, ...read.counted(), left };
  };
  return whileJobLocked({ store: place.store, job: JOB, state, clock: systemClock }, work);
}

function openTable(
  { at: ofAll, file, found: wish, freshForMs, map }: AnswersWish,
  account: string,
  left: BadLineCounter,
) {
  let judged: JudgedColumns | undefined;
  let found: FoundColumns = new Map();
  let [position, answers, old, ageMsMax] = [0, 0, 0, 0];
  const byAsk = new Map<StandardAsk, number>();
  const now = systemClock.now();

  const toLead = (record: SourceRecord, mapping: readonly MappedInput[]): LeadEntry => {
    position += 1;
    const { cells, line, source } = record;
    const skip = (note: string): LeadEntry => {
      left.add(`line ${line}`, note);
      return { position, source, line, cells, kind: 'skipped', note };
    };
    const given = knownInputs(cells, mapping, DOMAIN_RULES);
    const answer = readFound(record, found, given, registrableDomain);
    if (typeof answer === 'string') return skip(answer);
    const { asks, result } = answer;
    const stated = answer.at ?? ofAll;
    if (stated === undefined)
      return skip('it has no date: name one by --at, or its column by --found enriched_at=COLUMN');
    if (stated > now + CLOCKS_MS) return skip('its date is in the future');
    const at = Math.min(stated, now);
    const lead = toLeadEntry(record, position, mapping, {
      ...DOMAIN_RULES,
      account,
      ask: asks,
      map,
      requirements: NEUTRAL_DIALECT.requires,
      prices: {},
      arePricesAssumed: false,
      digest,
    });
    if (lead.kind !== 'asked') return skip(lead.note ?? '');
    answers += 1;
    if (now - at >= freshForMs) old += 1;
    ageMsMax = Math.max(ageMsMax, now - at);
    for (const ask of lead.request.ask.filter(isStandard))
      byAsk.set(ask, (byAsk.get(ask) ?? 0) + 1);
    return { ...lead, bought: { at, result } };
  };

  return {
    leadsOf: (batch: RecordBatch) => {
      const { columns, records, rejects } = batch;
      for (const { line, reason } of rejects) left.add(`line ${line}`, reason);
      if (judged === undefined) {
        const firstValues = { ...DOMAIN_RULES, records };
        found = findFoundColumns(columns, wish, firstValues);
      }
      const named = Object.values(map);
      judged = judgeFirst(
        { columns: columnsOfInputs(columns, found, named), records },
        { map },
        judged,
      );
      refuseUnmapped(judged, map);
      if (found.size === 0) {
        throw wrongUse(
          `No column of ${nameSource(file)} looks like an answer. Say which is which with --found: email=COLUMN, phone=COLUMN.`,
        );
      }
      const { mapping } = judged;
      return { leads: records.map((record) => toLead(record, mapping)), mapping };
    },
    counted: () => ({
      answers,
      old,
      ageMsMax,
      byAsk: Object.fromEntries(
        [...byAsk].toSorted(([a], [b]) => ASKS.indexOf(a) - ASKS.indexOf(b)),
      ),
    }),
  };
}

async function begin(
  store: Store,
  known: Pick<RunPlan, 'account' | 'address' | 'sources'>,
  { file, map }: AnswersWish,
): Promise<number> {
  const plan: RunPlan = {
    ...known,
    job: JOB,
    ask: ASKS,
    map,
    terms: '',
    signature: null,
    deadlineMs: 0,
    freshForMs: 0,
    arePricesAssumed: false,
    prices: {},
    output: {
      out: '-',
      positions: 'current',
      delimiter: ',',
      bom: false,
      excel: false,
      formulaGuard: true,
    },
  };
  const { id } = await store.startRun(plan, systemClock.now());
  if (file !== STANDARD_INPUT) await store.noteRead(id, [{ role: 'input', path: placeOf(file) }]);
  return id;
}
