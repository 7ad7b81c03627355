// A platform in memory that answers as a script tells it to. Its ledger is the outside world's view: it
// survives whatever dies on our side, and it notices every request that should not have been sent.
import { createHash } from 'node:crypto';
import type { Ask, EnrichmentRequest } from '../../src/model/ask.js';
import { SluiceError } from '../../src/model/errors.js';
import { canonicalText } from '../../src/model/fingerprint.js';
import type { ListMember } from '../../src/model/resources/contact-list.js';
import type { Hook } from '../../src/model/resources/resources.js';
import type { Result } from '../../src/model/result.js';
import type { RequestKind } from '../../src/model/schedule/rate.js';
import type { Clock } from '../../src/ports/clock.js';
import type {
  BulkAnswer,
  BulkItem,
  Permit,
  Platform,
  ReadAnswer,
  SubmitAnswer,
  SubmitOptions,
} from '../../src/ports/platform.js';
import { holdsAll, identifyInputs } from '../../src/sandbox/ledger/fingerprint-request.js';

/** What a script says to one submit. `lost`: accepted, and the answer never arrived. */
export type SubmitFate = 'accepted' | 'refused' | 'unsent' | 'throttled' | 'final' | 'lost';
/** What a script says to a bulk call as a whole; `answered`: to each item what `submit` says. */
export type CallFate = 'answered' | 'absent' | Exclude<SubmitFate, 'accepted'>;
/** What a script says to one read; `filled` is the result itself. */
export type ReadFate =
  | 'filled'
  | 'empty'
  /** A success that holds a value which the dialect reads nowhere. */
  | 'odd'
  /** A success without a place for results. */
  | 'placeless'
  | 'pending'
  /** Pending until the account has credits again. */
  | 'dry'
  | 'failed'
  | 'unknown'
  | 'unavailable'
  | 'final';
/** What a webhook says. */
export type DeliveryFate = Extract<ReadFate, 'filled' | 'empty' | 'failed'>;

export interface Script {
  /**
   * `attempt` counts the submits of this person, from 1. An item of an answered bulk call is accepted,
   * refused, lost, or `final`.
   */
  submit?: (who: string, attempt: number) => SubmitFate | Promise<SubmitFate>;
  /** `nth` counts the bulk calls, from 1. */
  call?: (who: readonly string[], nth: number) => CallFate | Promise<CallFate>;
  /** `attempt` counts the reads of this ticket, from 1. */
  read?: (who: string, attempt: number) => ReadFate | Promise<ReadFate>;
  /** What a body that was kept says to the dialect of now. */
  reread?: (who: string) => ReadFate;
  submitMs?: number;
  readMs?: number;
  /** For how long a throttled answer keeps every permit back. */
  pauseMs?: number;
  /** Permits that one `reserve` gives at most. */
  permitsMax?: number;
}

export interface Submission {
  readonly who: string;
  readonly ask: readonly Ask[];
  readonly at: number;
  /** The bulk call that it came in, from 1; undefined for a request of its own. */
  readonly call: number | undefined;
  /** What came along, for a webhook. */
  readonly callbackUrl: string | undefined;
  readonly metadata: string | undefined;
  fate: SubmitFate | 'absent' | 'under way';
}

export interface ScriptedPlatform extends Platform {
  readonly script: Script;
  /** One for each person in each request. */
  readonly submissions: readonly Submission[];
  /** Who stood in each bulk call. */
  readonly calls: readonly (readonly string[])[];
  readonly reads: readonly { readonly who: string; readonly at: number }[];
  /** Requests in flight at the same time, at most, so far. */
  readonly inFlightMax: Readonly<Record<RequestKind, number>>;
  /** Permits that were given and neither used nor released. */
  permitsOut(): number;
  /** Persons for whom a request was sent although an earlier one for all of it, and perhaps more, may have been accepted. */
  repeated(): string[];
  /** How often a request came without a good permit of its own, for a ticket being read already, or too large. */
  readonly misuses: number;
  /** The body of a webhook in the neutral dialect, with the metadata that came along for each person. */
  deliveryOf(who: string | readonly string[], fate?: DeliveryFate): string;
  /** The contact lists by their ids, each with who was put into it. */
  readonly lists: ReadonlyMap<string, readonly ListMember[]>;
  /** Where the platform was told to deliver the result of a person. */
  callbackOf(who: string): string;
}

const BULK_MAX = 500;
const NOT_ACCEPTED: readonly string[] = ['unsent', 'throttled', 'final', 'refused'];

/** Whether the platform may have taken it, and charge for it. */
export function maybeAccepted({ fate }: Submission): boolean {
  return !NOT_ACCEPTED.includes(fate);
}

export function problem(text: string): SluiceError {
  return new SluiceError('platform', text);
}

/** The ticket of a person: the same in every run, so that rows can be compared. */
export function ticketOf(who: string): string {
  return `enr_${createHash('sha256').update(who).digest('hex').slice(0, 12)}`;
}

export function resultOf(who: string): Result {
  return { find_email: { email: `${who}@example.com`, status: 'deliverable' } };
}

export function createScriptedPlatform(clock: Clock, script: Script = {}): ScriptedPlatform {
  const submissions: (Submission & { readonly key: string; readonly inputs: string })[] = [];
  const calls: string[][] = [];
  const reads: { who: string; at: number }[] = [];
  const names = new Map<string, string>();
  const hooks: Hook[] = [];
  const permits = new Set<Permit>();
  const inFlight = { submit: 0, poll: 0 };
  const inFlightMax = { submit: 0, poll: 0 };
  const repeated: string[] = [];
  const reading = new Set<string>();
  let misuses = 0;
  let pausedUntil = 0;

  /** A request that must not leave gives its permit back. */
  const leaving = async <R>(
    permit: Permit,
    obstacle: SubmitOptions['obstacle'],
    work: () => Promise<R>,
  ) => {
    const stop = await obstacle?.();
    if (stop === undefined || stop === null) return within('submit', permit, work);
    permit.release();
    return { kind: 'unsent', problem: stop, isFinal: true } as const;
  };

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

  const enter = (
    request: EnrichmentRequest,
    about: Pick<Submission, 'call' | 'callbackUrl' | 'metadata'>,
  ) => {
    const who = whoIs(request);
    const key = canonicalText(request, '');
    const before = submissions.filter((one) => one.key === key);
    const holding = submissions.filter(
      (one) => one.inputs === identifyInputs(request.inputs) && holdsAll(one.ask, request.ask),
    );
    if (holding.some(maybeAccepted)) repeated.push(who);
    const entry: (typeof submissions)[number] = {
      who,
      key,
      inputs: identifyInputs(request.inputs),
      ask: request.ask,
      at: clock.now(),
      fate: 'under way',
      ...about,
    };
    submissions.push(entry);
    names.set(ticketOf(who), who);
    return { entry, attempt: before.length + 1 };
  };

  const decide = async ({ entry, attempt }: ReturnType<typeof enter>): Promise<void> => {
    entry.fate = (await script.submit?.(entry.who, attempt)) ?? 'accepted';
  };

  const answerLate = async <R extends SubmitAnswer | BulkAnswer>(answer: R): Promise<R> => {
    if (script.submitMs !== undefined) await clock.sleep(script.submitMs);
    if (answer.kind === 'throttled') pausedUntil = clock.now() + (script.pauseMs ?? 0);
    return answer;
  };

  const submitMany = async (
    items: readonly BulkItem[],
    callbackUrl: string | undefined,
  ): Promise<BulkAnswer> => {
    if (items.length === 0 || items.length > BULK_MAX) misuses += 1;
    const nth = calls.length + 1;
    calls.push(items.map(({ request }) => whoIs(request)));
    const entered = items.map(({ request, key }) =>
      enter(request, { call: nth, callbackUrl, metadata: key }),
    );
    const whole = (await script.call?.(calls[nth - 1] ?? [], nth)) ?? 'answered';
    if (whole !== 'answered') {
      for (const { entry } of entered) entry.fate = whole;
      if (whole === 'absent') return answerLate({ kind: whole, problem: problem('no such path') });
      return answerLate<BulkAnswer>(callAnswer(whole));
    }
    for (const one of entered) await decide(one);
    return answerLate({
      kind: 'answered',
      items: entered.map(({ entry }) => itemAnswer(entry.fate, entry.who)),
    });
  };

  const latestOf = (who: string): Submission | undefined =>
    submissions.findLast((one) => one.who === who);

  const read = (ticket: string, permit: Permit): Promise<ReadAnswer> =>
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
    });

  return {
    script,
    submissions,
    calls,
    reads,
    inFlightMax,
    permitsOut: () => permits.size,
    repeated: () => repeated,
    get misuses() {
      return misuses;
    },
    deliveryOf: (who, fate = 'filled') => {
      const type = fate === 'failed' ? 'enrichmentError' : 'enrichmentDone';
      const data = [who].flat().map((one) => {
        const metadata = latestOf(one)?.metadata;
        return { id: ticketOf(one), ...entryData(fate, one), metadata };
      });
      return JSON.stringify({ type, data });
    },
    callbackOf: (who) => {
      const url = latestOf(who)?.callbackUrl;
      if (url === undefined) throw new Error(`nothing was said about where to deliver ${who}`);
      return url;
    },
    bulkMax: BULK_MAX,
    asksAlike: false,
    takesSingle: true,
    takesCallback: { single: true, bulk: true },
    listHooks: () => Promise.resolve({ hooks: [...hooks], leftOut: 0 }),
    addHook: ({ targetUrl, type }) => {
      const hook = { id: `hoo_${hooks.length + 1}`, targetUrl, type };
      hooks.push(hook);
      return Promise.resolve(hook);
    },
    hasFreeQuestion: true,
    check: () => Promise.resolve(true),
    readBalance: () => Promise.resolve(1_000),
    probe: () =>
      Promise.resolve({
        problem: null,
        isPassable: false,
        clockAheadMs: null,
        limit: null,
        windowMsMin: null,
        headers: null,
      }),
    reserve: async (_kind, max, signal) => {
      if (clock.now() < pausedUntil) await clock.sleep(pausedUntil - clock.now(), signal);
      if (signal?.aborted === true) return [];
      return Array.from({ length: Math.min(max, script.permitsMax ?? max) }, () => {
        const permit: Permit = { release: () => void permits.delete(permit) };
        permits.add(permit);
        return permit;
      });
    },
    submit: (request, permit, { callbackUrl, obstacle } = {}) =>
      leaving(permit, obstacle, async () => {
        const entered = enter(request, { call: undefined, callbackUrl, metadata: undefined });
        await decide(entered);
        return answerLate(submitAnswer(entered.entry.fate, entered.entry.who));
      }),
    submitMany: (items, permit, { callbackUrl, obstacle } = {}) =>
      leaving(permit, obstacle, () => submitMany(items, callbackUrl)),
    read,
    readKey: ({ ticket }) => ticket,
    readsTogether: false,
    readAll: (asked, permit) => Promise.all(asked.map(({ ticket }) => read(ticket, permit))),
    reread: (ticket) => {
      const who = names.get(ticket) ?? '';
      return readAnswer(script.reread?.(who) ?? 'odd', who);
    },
    ...createFreeSide(),
    heldMs: () => 0,
    leastMs: () => 0,
    readEveryMs: 0,
    readsTickets: true,
    close: () => Promise.resolve(),
  };
}

function whoIs({ inputs }: EnrichmentRequest): string {
  return (inputs.firstName ?? inputs.email ?? '').toLowerCase();
}

function submitAnswer(fate: Submission['fate'], who: string): SubmitAnswer {
  if (fate === 'accepted') return { kind: 'accepted', ticket: ticketOf(who) };
  if (fate === 'under way' || fate === 'absent') throw new Error('its fate is not decided');
  return callAnswer(fate);
}

function callAnswer(
  fate: Exclude<CallFate, 'answered' | 'absent'>,
): Exclude<SubmitAnswer, { kind: 'accepted' }> {
  switch (fate) {
    case 'refused':
      return { kind: 'refused', reason: 'no such company' };
    case 'unsent':
      return { kind: 'unsent', problem: problem('connection refused'), isFinal: false };
    case 'throttled':
      return { kind: 'throttled', problem: problem('too many requests') };
    case 'final':
      return { kind: 'unsent', problem: problem('out of credits'), isFinal: true };
    case 'lost':
      return { kind: 'uncertain', reason: 'connection reset', problem: problem('reset') };
  }
}

function itemAnswer(
  fate: Submission['fate'],
  who: string,
): Extract<BulkAnswer, { kind: 'answered' }>['items'][number] {
  const answer = submitAnswer(fate, who);
  if (answer.kind === 'throttled' || (answer.kind === 'unsent' && !answer.isFinal)) {
    throw new Error(
      `no item of an answered bulk call can be ${fate}: let the script say it of the call`,
    );
  }
  return answer;
}

function readAnswer(fate: ReadFate, who: string): ReadAnswer {
  switch (fate) {
    case 'filled':
      return { kind: 'done', result: resultOf(who) };
    case 'empty':
      return { kind: 'done', result: {} };
    case 'odd': {
      const body = JSON.stringify({ mail: `${who}@example.com` });
      const odd = { body, lack: 'unread', unread: ['mail'], problem: problem('odd') } as const;
      return { kind: 'done', result: {}, odd };
    }
    case 'placeless': {
      const odd = { body: '{}', lack: 'missing', unread: [], problem: problem('odd') } as const;
      return { kind: 'done', result: {}, odd };
    }
    case 'dry':
      return { kind: 'pending', outOfCredits: problem('no credits for it') };
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

function entryData(fate: DeliveryFate, who: string): object {
  if (fate === 'failed') return { error: 'broken' };
  return { data: fate === 'filled' ? resultOf(who) : {} };
}

/** What costs nothing: lists with their members, and nothing else. */
function createFreeSide() {
  const lists = new Map<string, ListMember[]>();
  return {
    lists,
    listAddMax: 3,
    createList: async (
      name: string,
      permit: Permit,
      { obstacle }: Pick<SubmitOptions, 'obstacle'> = {},
    ) => {
      permit.release();
      const stop = await obstacle?.();
      if (stop) return { kind: 'unsent', problem: stop, isFinal: true } as const;
      const id = `clt_${lists.size + 1}`;
      lists.set(id, []);
      return { kind: 'created', list: { id, name } } as const;
    },
    addToList: async (listId: string, members: readonly ListMember[]) => {
      const list = lists.get(listId);
      if (list === undefined) throw problem(`no list ${listId}`);
      const before = list.length;
      for (const one of members) if (!list.some(({ email }) => email === one.email)) list.push(one);
      const added = list.length - before;
      return { added, alreadyIn: members.length - added };
    },
    removeHook: () => Promise.resolve(false),
    readPeopleSchema: () => Promise.reject(problem('no schema')),
    readDraft: () => Promise.reject(problem('no draft')),
  };
}
