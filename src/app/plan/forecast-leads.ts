// Reads whole inputs and works out the results of a run, without changing the store or sending anything.

import type { Ask } from '../../model/ask.js';
import type { KeyCensus } from '../../model/columns/key-census.js';
import { sumCredits } from '../../model/credits.js';
import { groupBy } from '../../model/group-by.js';
import type { LookAlike } from '../../model/mapping/look-alikes.js';
import type { MappedInput } from '../../model/mapping/mapping.js';
import type { Run, RunPlan } from '../../model/run.js';
import { leastRunMs, type Pace } from '../../model/schedule/rate.js';
import { identifiersOfLead, skipFor } from '../../model/suppression.js';
import { type Forecast } from '../../model/tally.js';
import { highestTotal } from '../../model/verdict.js';
import type { Detection, LeadReader } from '../../ports/lead-reader.js';
import type {
  IngestBatch,
  LeadEntry,
  PeekedLead,
  PeekedState,
} from '../../ports/store/enrichments.js';
import type { Store } from '../../ports/store/store.js';
import { describeLack, lackOf } from '../../run/advise.js';
import {
  type MappedBatch,
  mappedBatches,
  toIngestBatch,
  withSample,
} from '../../run/lead-batches.js';
import type { AskingTerms } from '../../run/run-context.js';
import type { KnownElsewhere } from '../run/begin/pay-anew.js';
import type { DoubtFinder } from './find-doubts.js';

export interface ForecastOptions {
  readonly store: Store;
  /** An empty store to be thrown away: it finds the duplicates of an input of any length. */
  readonly scratch: Store;
  readonly plan: RunPlan;
  readonly terms: AskingTerms;
  readonly pace: Pace;
  readonly limit: number | undefined;
  /** The limit of freshness for the lead at a position. */
  readonly freshSince: (position: number) => number;
  /** Whether a process that may be sending is alive: the sends of a dead one are uncertain. */
  readonly isSending: boolean;
  /** Finds the leads that are known under another account; undefined if there is nowhere to look. */
  readonly elsewhere: KnownElsewhere | undefined;
  /** Undefined if the job names no key. */
  readonly keys: KeyCensus | undefined;
  readonly doubts?: DoubtFinder | undefined;
  readonly onMapped?: ((mapping: readonly MappedInput[]) => void) | undefined;
  readonly onDetected?: ((detection: Detection) => void) | undefined;
}

type LeadGroup = KnownGroup | Exclude<LeadEntry['kind'], 'asked'>;
type KnownGroup = Exclude<PeekedState, 'sending'>;

interface Sorted {
  readonly run: Run;
  leads: number;
  distinct: number;
  /** Persons whom other lines spell otherwise count more than once. */
  spelt: number;
}

/** The forecast for as many runs, one after the other: each has a mapping and a limit of its own. */
export async function forecastLeads(
  readers: readonly LeadReader[],
  options: ForecastOptions,
): Promise<Forecast> {
  const { pace, plan, scratch, terms } = options;
  const groups = new Map<LeadGroup, Sorted>();
  // The number of remarks is that of the combinations of inputs that a lead may lack.
  const remarks = new Map<string, number>();
  const alike: LookAlike[] = [];
  const creditsMax = { new: 0, open: 0 };
  let [knownInPart, missedBefore] = [0, 0];
  let rejects = 0;
  for await (const { mapped, reader, terms: drawn } of batchesOf(readers, options)) {
    const batch = await withoutSuppressed(options.store, toIngestBatch(mapped, { terms: drawn }));
    options.doubts?.lookAt(mapped, batch, reader);
    rejects += batch.rejects.length;
    if (mapped.position === 1) alike.push(...lackOf(mapped, drawn).alike);
    await options.elsewhere?.lookAt(batch.leads);
    for (const { cells } of batch.leads) options.keys?.add(batch.columns, cells);
    const { groups: sortedLeads, inPart, missed, notes } = await sortByGroup(batch, options);
    knownInPart += inPart;
    missedBefore += missed;
    for (const note of notes) remarks.set(note, (remarks.get(note) ?? 0) + 1);
    for (const [group, leads] of sortedLeads) {
      const startRun = (): Promise<Run> => scratch.startRun({ ...plan, job: group }, 0);
      const sorted = groups.get(group) ?? {
        run: await startRun(),
        leads: 0,
        distinct: 0,
        spelt: 0,
      };
      groups.set(group, sorted);
      const part = { columns: [], leads: renumber(leads, sorted.leads), rejects: [] };
      const times = { at: 0, freshSince: 0, deadlineAt: 0 };
      sorted.spelt += (await scratch.ingest(sorted.run.id, part, times)).queued;
      sorted.leads += leads.length;
      // As a run would send them: one person is sent once.
      const look = { ...times, ...(terms.isExact && { isExact: true }) };
      const { claimed } = await scratch.claim(sorted.run.id, leads.length, 0, { look });
      sorted.distinct += claimed.length;
      if (group !== 'new' && group !== 'open') continue;
      const requests = countAlike(claimed.map(({ request }) => request));
      creditsMax[group] = sumCredits([creditsMax[group], highestTotal(requests, terms.prices)]);
    }
  }

  const leadsOf = (group: LeadGroup): number => groups.get(group)?.leads ?? 0;
  const distinctOf = (group: LeadGroup): number => groups.get(group)?.distinct ?? 0;
  const reasonsOf = async (group: LeadGroup) => {
    const sorted = groups.get(group);
    return sorted === undefined ? [] : (await scratch.tally(sorted.run.id)).reasons;
  };
  const toPay = distinctOf('new');
  const leads = [...groups.values()].reduce((sum, sorted) => sum + sorted.leads, 0);
  return {
    leads,
    rejects,
    skipped: await reasonsOf('skipped'),
    advice: describeLack({
      alike,
      skipped: leadsOf('skipped'),
      leads: leads - leadsOf('not_asked'),
    }),
    notAsked: await reasonsOf('not_asked'),
    inPart: Array.from(remarks, ([reason, leads]) => ({ reason, leads })).toSorted(
      (a, b) => b.leads - a.leads,
    ),
    duplicates: leadsOf('new') - toPay,
    alreadyKnown: leadsOf('fresh'),
    knownInPart,
    missedBefore,
    onTheirWay: leadsOf('open'),
    creditsOnTheirWay: creditsMax.open,
    uncertain: leadsOf('uncertain'),
    toPay,
    toPayAfterMisses: (groups.get('new')?.spelt ?? 0) - toPay,
    paidAnew: options.elsewhere?.found() ?? [],
    creditsMin: 0,
    creditsMax: creditsMax.new,
    arePricesAssumed: terms.arePricesAssumed,
    key: options.keys?.report() ?? null,
    timeMsMin: leastRunMs(pace, toPay, distinctOf('open')),
  };
}

async function* batchesOf(
  readers: readonly LeadReader[],
  { terms: stated, limit, doubts, onMapped, onDetected }: ForecastOptions,
): AsyncGenerator<{ mapped: MappedBatch; terms: AskingTerms; reader: LeadReader }> {
  let { sampled } = stated;
  for (const reader of readers) {
    // Each run after the first finds the choice of the one before it.
    const terms = await withSample({ ...stated, sampled }, reader, limit);
    ({ sampled } = terms);
    for await (const mapped of mappedBatches(reader, { terms, limit, onMapped })) {
      for (const detection of mapped.detected ?? []) {
        onDetected?.(detection);
        doubts?.detect(detection);
      }
      yield { mapped, terms, reader };
    }
  }
}

/** The batch with the leads of suppressed people as a run would store them. */
async function withoutSuppressed(store: Store, batch: IngestBatch): Promise<IngestBatch> {
  if ((await store.suppressions(0, 1)).length === 0) return batch;
  const found = await store.suppressionsOf(batch.leads.map(identifiersOfLead));
  const leads = batch.leads.map((lead, i) => skipFor(lead, found[i]?.[0]));
  return { ...batch, leads };
}

/**
 * Sorts the leads of a batch; `inPart`: how many are asked for a part, since the rest is known;
 * `missed`: how many are asked for although nothing was found by fewer inputs; `notes`: the remarks about leads that are
 * asked for or known.
 */
async function sortByGroup(batch: IngestBatch, options: ForecastOptions) {
  const asked = batch.leads.filter((lead) => lead.kind === 'asked');
  const groups = new Map<number, KnownGroup>();
  const rests = new Map<number, readonly Ask[]>();
  const notes: (string | null)[] = [];
  let missed = 0;
  for (const [freshSince, leads] of groupBy(asked, ({ position }) =>
    options.freshSince(position),
  )) {
    const peeked = await options.store.peek(options.terms.account, leads, freshSince);
    for (const [i, { position, note, request }] of leads.entries()) {
      notes.push(note);
      const { asks, isMissed = false, state } = peeked[i] as PeekedLead;
      if (state === 'new' && isMissed) missed += 1;
      if (state === 'new' && asks.length < request.ask.length) rests.set(position, asks);
      const sent = options.isSending ? 'open' : 'uncertain';
      groups.set(position, state === 'sending' ? sent : state);
    }
  }
  const leads = batch.leads.map((lead) => {
    const ask = rests.get(lead.position);
    return lead.kind !== 'asked' || ask === undefined
      ? lead
      : { ...lead, request: { ...lead.request, ask } };
  });
  const groupOf = (lead: LeadEntry): LeadGroup =>
    lead.kind === 'asked' ? (groups.get(lead.position) as KnownGroup) : lead.kind;
  return {
    groups: groupBy(leads, groupOf),
    inPart: rests.size,
    missed,
    notes: notes.filter((note) => note !== null),
  };
}

function countAlike(requests: readonly { readonly ask: readonly Ask[] }[]) {
  const alike = groupBy(requests, ({ ask }) => ask.join());
  return Array.from(alike.values(), (some) => ({ ask: some[0]?.ask ?? [], count: some.length }));
}

function renumber(leads: readonly LeadEntry[], from: number): LeadEntry[] {
  return leads.map((lead, i) => ({ ...lead, position: from + i + 1 }));
}
