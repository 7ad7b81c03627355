// A platform in memory that answers as a script tells it to. Its ledger is the outside world's view: it
// survives whatever dies on our side, and it notices every request that should not have been sent.
import { createHash } from 'node:crypto';
import type { EnrichmentRequest } from '../../src/domain/ask.js';
import { SluiceError } from '../../src/domain/errors.js';
import { canonicalText } from '../../src/domain/fingerprint.js';
import type { Clock } from '../../src/domain/ports/clock.js';
import type {
  Permit,
  Platform,
  ReadAnswer,
  RequestKind,
  SubmitAnswer,
} from '../../src/domain/ports/platform.js';
import type { Result } from '../../src/domain/result.js';

/** What a script says to one submit. `lost`: accepted, and the answer never arrived. */
export type SubmitFate = 'accepted' | 'refused' | 'unsent' | 'final' | 'lost';
/** What a script says to one read; `filled` is the result itself. */
export type ReadFate =
  | 'filled'
  | 'empty'
  | 'pending'
  | 'failed'
  | 'unknown'
  | 'unavailable'
  | 'final';

export interface Script {
  /** `attempt` counts the submits of this person, from 1. */
  submit?: (who: string, attempt: number) => SubmitFate | Promise<SubmitFate>;
  /** `attempt` counts the reads of this ticket, from 1. */
  read?: (who: string, attempt: number) => ReadFate | Promise<ReadFate>;
  submitMs?: number;
  readMs?: number;
  /** Permits that one `reserve` gives at most. */
  permitsMax?: number;
}

export interface Submission {
  readonly who: string;
  readonly at: number;
  fate: SubmitFate | 'under way';
}

export interface ScriptedPlatform extends Platform {
  readonly script: Script;
  readonly submissions: readonly Submission[];
  readonly reads: readonly { readonly who: string; readonly at: number }[];
  /** Requests in flight at the same time, at most, so far. */
  readonly inFlightMax: Readonly<Record<RequestKind, number>>;
  /** Permits that were given and neither used nor released. */
  permitsOut(): number;
  /** Persons for whom a request was sent although an earlier one may have been accepted. */
  repeated(): string[];
  /** How often a request came without a good permit of its own, or for a ticket being read already. */
  readonly misuses: number;
}

export function problem(text: string): SluiceError {
  return new SluiceError('platform', text);
}

/** The ticket of a person: the same in every run, so that rows can be compared. */
function ticketOf(who: string): string {
  return `enr_${createHash('sha256').update(who).digest('hex').slice(0, 12)}`;
}

export function resultOf(who: string): Result {
  return { find_email: { email: `${who}@example.com`, status: 'deliverable' } };
}

export function createScriptedPlatform(clock: Clock, script: Script = {}): ScriptedPlatform {
  const submissions: (Submission & { readonly key: string })[] = [];
  const reads: { who: string; at: number }[] = [];
  const names = new Map<string, string>();
  const permits = new Set<Permit>();
  const inFlight = { submit: 0, poll: 0 };
  const inFlightMax = { submit: 0, poll: 0 };
  const repeated: string[] = [];
  const reading = new Set<string>();
  let misuses = 0;

  const within = async <R>(kind: RequestKind, permit: Permit, work: () => Promise<R>) => {
    if (!permits.delete(permit)) misuses += 1;
    inFlight[kind] += 1;
    inFlightMax[kind] = Math.max(inFlightMax[kind], inFlight[kind]);
    try {
      return await work();
    } finally {
      inFlight[kind] -= 1;
    }
  };

  return {
    script,
    submissions,
    reads,
    inFlightMax,
    permitsOut: () => permits.size,
    repeated: () => repeated,
    get misuses() {
      return misuses;
    },
    check: () => Promise.resolve(),
    reserve: async (_kind, max, signal) => {
      if (signal?.aborted === true) return [];
      return Array.from({ length: Math.min(max, script.permitsMax ?? max) }, () => {
        const permit: Permit = { release: () => void permits.delete(permit) };
        permits.add(permit);
        return permit;
      });
    },
    submit: (request, permit) =>
      within('submit', permit, async () => {
        const who = whoIs(request);
        const key = canonicalText(request, '');
        const before = submissions.filter((one) => one.key === key);
        if (before.some(({ fate }) => !['unsent', 'final', 'refused'].includes(fate))) {
          repeated.push(who);
        }
        const submission: Submission & { key: string } = {
          who,
          key,
          at: clock.now(),
          fate: 'under way',
        };
        submissions.push(submission);
        names.set(ticketOf(who), who);
        const fate = (await script.submit?.(who, before.length + 1)) ?? 'accepted';
        submission.fate = fate;
        if (script.submitMs !== undefined) await clock.sleep(script.submitMs);
        return submitAnswer(fate, who);
      }),
    read: (ticket, permit) =>
      within('poll', permit, async () => {
        const who = names.get(ticket);
        if (who === undefined) return { kind: 'unknown' };
        if (reading.has(who)) misuses += 1;
        reading.add(who);
        reads.push({ who, at: clock.now() });
        const attempt = reads.filter((one) => one.who === who).length;
        const fate = (await script.read?.(who, attempt)) ?? 'filled';
        if (script.readMs !== undefined) await clock.sleep(script.readMs);
        reading.delete(who);
        return readAnswer(fate, who);
      }),
    takenUntilMs: () => [],
    isScarce: () => false,
    close: () => Promise.resolve(),
  };
}

function whoIs({ inputs }: EnrichmentRequest): string {
  return (inputs.firstName ?? inputs.email ?? '').toLowerCase();
}

function submitAnswer(fate: SubmitFate, who: string): SubmitAnswer {
  switch (fate) {
    case 'accepted':
      return { kind: 'accepted', ticket: ticketOf(who) };
    case 'refused':
      return { kind: 'refused', reason: 'no such company' };
    case 'unsent':
      return { kind: 'unsent', problem: problem('connection refused'), isFinal: false };
    case 'final':
      return { kind: 'unsent', problem: problem('out of credits'), isFinal: true };
    case 'lost':
      return { kind: 'uncertain', reason: 'connection reset', problem: problem('reset') };
  }
}

function readAnswer(fate: ReadFate, who: string): ReadAnswer {
  switch (fate) {
    case 'filled':
      return { kind: 'done', result: resultOf(who) };
    case 'empty':
      return { kind: 'done', result: {} };
    case 'failed':
      return { kind: 'failed', reason: 'broken' };
    case 'pending':
    case 'unknown':
      return { kind: fate };
    case 'unavailable':
      return { kind: 'unavailable', problem: problem('unavailable'), isFinal: false };
    case 'final':
      return { kind: 'unavailable', problem: problem('wrong password'), isFinal: true };
  }
}
