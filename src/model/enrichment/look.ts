// Looks for what is known of a person, ask by ask: an answer, or a send that may bring one. Whatever asks looks here:
// a lead that is read, an enrichment that is about to be sent, and a plan.
import { ASK_RECORDS, type Ask, isStandard } from '../ask.js';
import { groupBy } from '../group-by.js';
import type { Result } from '../result.js';
import { hitsOf, mergeResults, partOf } from '../verdict.js';
import { type Enrichment, NEVER } from './locked.js';
import { contradict, includes, isSame, type Traits } from './person.js';
import { toAsks, toRequest } from './stored-request.js';

/** An enrichment that shares a key. */
export interface Candidate {
  readonly row: Enrichment;
  readonly traits: Traits;
  readonly result: Result;
  /** The asks of the keys that are shared; null is the key of a person. */
  readonly keys: ReadonlySet<Ask | null>;
}

export interface Seeker {
  readonly traits: Traits;
  readonly asks: readonly Ask[];
  readonly runId: number;
  /** An answer that was settled before this time is not fresh. */
  readonly freshSince: number;
  /** The user has it sent again: only an answer, or one on its way, keeps it from that. */
  readonly isResent: boolean;
  /** Only those with the same inputs are the same person. */
  readonly isExact?: boolean | undefined;
  /** A miss of fewer inputs counts as one of all. */
  readonly takesMisses?: boolean;
}

/**
 * Where an ask stands. `value`, `miss` and `failed`: it was answered. `open`: an answer may come, or a send is under
 * way. `unsure`: it may have been paid for, and nothing is awaited.
 */
export type KnownAs = 'value' | 'miss' | 'failed' | 'open' | 'unsure';

export interface Stand {
  readonly asks: readonly Ask[];
  readonly is: KnownAs;
  readonly from: Candidate;
}

export interface Sight {
  readonly stands: readonly Stand[];
  /** The asks of which nothing is known: they are to be sent. */
  readonly open: readonly Ask[];
}

/** The greatest number of those who fit that are compared with one another: of more, only the same inputs count. */
const COMPARED_MAX = 50;

export function look(seeker: Seeker, candidates: readonly Candidate[]): Sight {
  const fitting =
    seeker.isExact === true
      ? candidates.filter(({ traits }) => isSame(seeker.traits, traits))
      : withoutDoubt(seeker, candidates);
  const stands: Stand[] = [];
  const open: Ask[] = [];
  for (const asks of unitsOf(seeker.asks)) {
    // An address is verified by itself, whosever it is.
    const isOfAddress = asks.every((ask) => ask === 'verify_email');
    const best = bestFor(asks, seeker, isOfAddress ? candidates : fitting);
    if (best === undefined) open.push(...asks);
    else stands.push(best);
  }
  return { stands, open };
}

/** Asks whose values stand in one block are answered together, or not at all. */
function unitsOf(asks: readonly Ask[]): Ask[][] {
  return [
    ...groupBy(asks, (ask) => (isStandard(ask) ? ASK_RECORDS[ask].block : ` ${ask}`)).values(),
  ];
}

/**
 * Those who fit. If two of them contradict each other, only those with the same whole inputs count; nor does one count
 * otherwise that may as well be someone whom the seeker contradicts.
 */
function withoutDoubt({ traits }: Seeker, candidates: readonly Candidate[]): readonly Candidate[] {
  const fitting = candidates.filter((one) => !contradict(traits, one.traits));
  const others = candidates.filter((one) => !fitting.includes(one));
  const isClear =
    candidates.length <= COMPARED_MAX &&
    fitting.every((one, i) =>
      fitting.slice(i + 1).every((other) => !contradict(one.traits, other.traits)),
    );
  return fitting.filter(
    (one) =>
      isSame(one.traits, traits) ||
      (isClear && others.every((other) => contradict(one.traits, other.traits))),
  );
}

function bestFor(
  asks: readonly Ask[],
  seeker: Seeker,
  fitting: readonly Candidate[],
): Stand | undefined {
  const stands = fitting.flatMap((from): Stand[] => {
    const is = standingFor(asks, seeker, from);
    return is === undefined ? [] : [{ asks, is, from }];
  });
  const answered = stands.filter(({ is }) => is === 'value' || is === 'miss' || is === 'failed');
  // An answer to the same inputs is about the same person.
  const own = answered.filter(({ from }) => isSame(from.traits, seeker.traits));
  const newest = (own.length > 0 ? own : answered).toSorted((a, b) => timeOf(b) - timeOf(a))[0];
  return newest ?? stands.find(({ is }) => is === 'open') ?? stands[0];
}

function timeOf({ from }: Stand): number {
  return from.row.settledAt ?? 0;
}

/** Where these asks stand by one enrichment, for a seeker; undefined if it says nothing of them. */
function standingFor(
  asks: readonly Ask[],
  { freshSince, isResent, runId, takesMisses = false, traits }: Seeker,
  candidate: Candidate,
): KnownAs | undefined {
  const { keys, row, traits: theirs } = candidate;
  const isReached = (ask: Ask) => keys.has(isStandard(ask) && ask !== 'verify_email' ? null : ask);
  const is = asks.every(isReached) ? knownAs(asks, candidate) : undefined;
  // Of what this run has waited for in vain, nothing more comes by itself.
  const isInVain = row.runId === runId && (row.state === 'timed_out' || row.pollAt === NEVER);
  const unsure = isResent ? undefined : 'unsure';
  if (is === undefined || (is === 'failed' && isResent)) return undefined;
  if (is === 'open') return isInVain ? unsure : is;
  if (is === 'unsure') return row.state === 'timed_out' && !isInVain ? 'open' : unsure;
  if ((row.settledAt ?? 0) < freshSince) return undefined;
  // A miss of fewer inputs says nothing about more of them. An address is verified by itself.
  const isEnough =
    is === 'value' ||
    asks.includes('verify_email') ||
    (takesMisses && is === 'miss') ||
    includes(theirs, traits);
  return isEnough ? is : undefined;
}

/** Where these asks stand by one enrichment; undefined if it was not sent for all of them, or refused. */
export function knownAs(asks: readonly Ask[], { result, row }: Candidate): KnownAs | undefined {
  const sent = toAsks(row.sent);
  if (!asks.every((ask) => sent.includes(ask))) return undefined;
  switch (row.state) {
    case 'queued':
      return undefined;
    case 'submitting':
    case 'awaiting':
      return 'open';
    case 'timed_out':
    case 'uncertain':
      return 'unsure';
    case 'failed':
      return row.ticket === null ? undefined : 'failed';
    case 'found':
    case 'not_found': {
      const hits = row.state === 'found' ? hitsOf(sentRequest(row), result) : [];
      return hits.some((ask) => asks.includes(ask)) ? 'value' : 'miss';
    }
  }
}

export function sentRequest(row: Pick<Enrichment, 'inputs' | 'sent'>) {
  return toRequest({ ask: row.sent, inputs: row.inputs });
}

/** Whether the send of another keeps it from being sent: what became of it will be known. */
export function waits({ stands }: Sight): boolean {
  return stands.some(({ is }) => is === 'open');
}

/** How it ends if nothing is to be sent for it, and nothing is awaited: a doubt about one ask is not hidden by a value. */
export function endOf({ stands }: Sight): 'found' | 'not_found' | 'failed' | 'uncertain' {
  const has = (wanted: KnownAs): boolean => stands.some(({ is }) => is === wanted);
  if (has('unsure')) return 'uncertain';
  if (has('failed')) return 'failed';
  return has('value') ? 'found' : 'not_found';
}

/** The values that stand, and when the oldest of them was answered. */
export function knownOf({ stands }: Sight): { readonly result: Result; readonly at: number } {
  const answered = stands.filter(({ is }) => is === 'value' || is === 'miss' || is === 'failed');
  const parts = answered.map(({ asks, from }) => partOf(asks, sentRequest(from.row), from.result));
  return {
    result: parts.reduce(mergeResults, {}),
    at: answered.reduce((least, one) => Math.min(least, timeOf(one)), NEVER),
  };
}

export function knownAsks({ ask, sent }: Enrichment): Ask[] {
  const own = toAsks(sent);
  return toAsks(ask).filter((one) => !own.includes(one));
}
