// One exchange of a transcript, played with our own client: what we would send, where it differs from what was sent,
// and what we would read.

import { demandCalls } from '../../dialect/calls.js';
import type { Dialect } from '../../dialect/dialect.js';
import type {
  Exchange,
  RecordedLead,
  RecordedWebhook,
  TranscriptPart,
} from '../../dialect/transcript.js';
import {
  type Call,
  type CallName,
  callsOf,
  createMatcher,
  type Match,
} from '../../dialect/wire-calls.js';
import { valueAt } from '../../dialect/wire-path.js';
import { SluiceError } from '../../model/errors.js';
import type { ExchangeCheck } from '../../model/resources/transcript-check.js';
import { parseJson } from '../../model/text/json.js';
import type { Permit, Platform } from '../../ports/platform.js';
import { createDeliveryDecoder } from '../answers/decode-delivery.js';
import { openTicket, ticketAt } from '../answers/ticket.js';
import { compareQuestion, recordedAt } from './compare-question.js';
import { describe, type Meaning, meaningOfRead, meaningOfSubmit, mismatch } from './meaning.js';
import type { Played, Stage } from './stage.js';

/** Our ticket for a lead, and whose it is. */
interface Accepted {
  readonly ticket: string;
  readonly lead: RecordedLead;
}

export interface Replay {
  readonly dialect: Dialect;
  readonly stage: Stage;
  /** By the platform's ticket: what earlier exchanges accepted. */
  readonly accepted: Map<string, readonly Accepted[]>;
}

export function judgePart(part: TranscriptPart, replay: Replay): Promise<ExchangeCheck> {
  return part.kind === 'webhook'
    ? Promise.resolve(judgeWebhook(part, replay))
    : judgeExchange(part, replay);
}

function judgeWebhook(part: RecordedWebhook, { dialect, accepted }: Replay): ExchangeCheck {
  const entries = createDeliveryDecoder(dialect)(part.body);
  const answer = { status: 200, headers: part.headers, body: part.body };
  const came = { answer, dialect, isThrottled: false };
  const meanings = entries?.map((entry): Meaning => {
    const known = [...accepted.values()].flat().find(({ ticket }) => ticket === entry.ticket);
    const lead = known?.lead ?? part.leads[0];
    return meaningOfRead(entry.answer, { ...came, lead });
  });
  const found = meanings ?? [{ kind: 'other event' as const }];
  return { ...checkOf(part, 'webhook'), ...judged(found, part) };
}

async function judgeExchange(part: Exchange, replay: Replay): Promise<ExchangeCheck> {
  const match = matchOf(part, replay.dialect);
  const name = match?.call.name ?? (part.isAsking ? submissionOf(part, replay.dialect) : undefined);
  if (name === undefined) {
    const { method, target } = part.question;
    const calls = callsOf(replay.dialect).map((call) => `${call.method} ${call.path}`);
    const problem = `the dialect has no call ${method} ${target.replace(/\?.*/s, '')}; it has ${calls.join(', ')}`;
    return { ...checkOf(part, null), verdict: 'wrong', problems: [problem] };
  }
  try {
    const play = PLAYS[name];
    return play === undefined
      ? { ...checkOf(part, name), verdict: 'unclear', problems: ['this call is not compared'] }
      : await play(part, replay, match?.values ?? {});
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    const problems = [error.message.replace(/\.$/, '')];
    return { ...checkOf(part, name), verdict: 'wrong', problems };
  }
}

/** The call by method and path; of two at the same place the bulk call where the body has a list of items. */
function matchOf({ question }: Exchange, dialect: Dialect) {
  const { method, target, body } = question;
  const fits = (calls: readonly Call[]): Extract<Match, { kind: 'call' }> | undefined => {
    const match = createMatcher(calls)(method, target);
    return match.kind === 'call' ? match : undefined;
  };
  const match = fits(callsOf(dialect));
  if (match?.call.name !== 'enrich') return match;
  const isList = Array.isArray(valueAt(parseJson(body), dialect.bulk.items));
  const bulk = callsOf(dialect).filter(({ name }) => name === 'bulk');
  return isList ? (fits(bulk) ?? match) : match;
}

/** What an exchange below a lead is meant as, where no call of the dialect is at its path. */
function submissionOf({ leads }: Exchange, { bulk, enrich }: Dialect): CallName {
  const isBulk = enrich === null || (leads.length > 1 && bulk.path !== null);
  return isBulk ? 'bulk' : 'enrich';
}

type Values = Readonly<Record<string, string>>;
type Play = (part: Exchange, replay: Replay, values: Values) => Promise<ExchangeCheck>;

const PLAYS: Readonly<Partial<Record<CallName, Play>>> = {
  enrich: playSingle,
  bulk: playBulk,
  result: playRead,
  batch: playRead,
  account: (part, replay) =>
    playFree(part, replay, 'account', async (platform) => {
      if (replay.dialect.account?.credits.length === 0)
        return platform.check().then(() => 'the account');
      return `${await platform.readBalance()} credits`;
    }),
  peopleSchema: (part, replay) =>
    playFree(part, replay, 'peopleSchema', async (platform) => {
      const { properties } = await platform.readPeopleSchema();
      return `a schema of ${properties.length} fields`;
    }),
  listHooks: (part, replay) =>
    playFree(part, replay, 'hooks', async (platform) => {
      const { hooks, leftOut } = await platform.listHooks();
      return `${hooks.length} hooks${leftOut === 0 ? '' : `, ${leftOut} without id or target`}`;
    }),
  createList: playNewList,
};

async function playSingle(part: Exchange, replay: Replay): Promise<ExchangeCheck> {
  const lead = leadOf(part);
  const submit =
    (callbackUrl: string | undefined, key: string) => (platform: Platform, permit: Permit) =>
      platform.submit(lead, permit, { callbackUrl, key });
  const { played } = await playSubmission(part, replay, 1, (callbackUrl, [key = '']) =>
    submit(callbackUrl, key),
  );
  const answer = played.value;
  if (answer.kind === 'accepted') accept(replay, [{ ticket: answer.ticket, lead }]);
  const meaning = meaningOfSubmit(answer, { ...cameOf(part, replay, played), lead });
  return checked(part, 'enrich', played, [meaning]);
}

async function playBulk(part: Exchange, replay: Replay): Promise<ExchangeCheck> {
  const leads = part.leads.length === 0 ? [leadOf(part)] : part.leads;
  const { played } = await playSubmission(part, replay, leads.length, (callbackUrl, keys) => {
    const items = leads.map((request, i) => ({ request, key: keys[i] ?? '' }));
    return (platform, permit) => platform.submitMany(items, permit, { callbackUrl });
  });
  const answer = played.value;
  const came = cameOf(part, replay, played);
  if (answer.kind !== 'answered') {
    const whole =
      answer.kind === 'absent' ? ({ ...answer, kind: 'unsent', isFinal: true } as const) : answer;
    return checked(part, 'bulk', played, [meaningOfSubmit(whole, { ...came, lead: leads[0] })]);
  }
  const pairs = answer.items.flatMap((item, i) => {
    const lead = leads[i];
    return item.kind === 'accepted' && lead !== undefined ? [{ ticket: item.ticket, lead }] : [];
  });
  accept(replay, pairs);
  const meanings = answer.items.map((item, i) =>
    meaningOfSubmit(item, { ...came, lead: leads[i] }),
  );
  return checked(part, 'bulk', played, meanings);
}

/**
 * A paid request. Our key and our callback URL are those of the transcript, so it is written twice: first with marks,
 * which show where they stand.
 */
async function playSubmission<T>(
  { question, answer }: Exchange,
  { stage }: Replay,
  count: number,
  act: (
    callbackUrl: string | undefined,
    keys: readonly string[],
  ) => (platform: Platform, permit: Permit) => Promise<T>,
): Promise<{ readonly played: Played<T> }> {
  const keys = Array.from({ length: count }, (_, i) => `sluice-key-${i + 1}`);
  const url = 'https://callback.example/sluice';
  const { sent } = await stage.play(BROKEN, act(url, keys));
  const find = (mark: string) =>
    sent === undefined ? undefined : recordedAt(mark, sent, question);
  const own = keys.map((key) => find(key) ?? key);
  return { played: await stage.play(answer, act(find(url), own)) };
}

const BROKEN = { status: 500, headers: {}, body: '' };

function accept({ accepted, dialect }: Replay, all: readonly Accepted[]): void {
  const groups = new Map<string, Accepted[]>();
  for (const one of all) {
    const { ticket } = openTicket(one.ticket, dialect);
    groups.set(ticket, [...(groups.get(ticket) ?? []), one]);
  }
  for (const [ticket, group] of groups) accepted.set(ticket, group);
}

/** A read by ticket: one for each of our tickets that the platform's stands for. */
async function playRead(part: Exchange, replay: Replay, values: Values): Promise<ExchangeCheck> {
  const raw = ticketOf(part, replay.dialect, values);
  const known = replay.accepted.get(raw) ?? [{ ticket: raw, lead: leadOf(part) }];
  let last: Played<unknown> | undefined;
  const meanings: Meaning[] = [];
  for (const { ticket, lead } of known) {
    const played = await replay.stage.play(part.answer, (platform, permit) =>
      platform.read(ticket, permit, undefined, lead),
    );
    last = played;
    meanings.push(meaningOfRead(played.value, { ...cameOf(part, replay, played), lead }));
  }
  return checked(part, 'result', last, meanings);
}

/** The ticket that a recorded read names, in its path or in its body. */
function ticketOf({ question }: Exchange, { result }: Dialect, { id = '' }: Values): string {
  const place = result?.id ?? null;
  if (place !== null) return ticketAt(parseJson(question.body), [place]) ?? '';
  return decodeURIComponent(id.replaceAll('+', ' '));
}

/** A free call; `act` says what was read. */
async function playFree(
  part: Exchange,
  { stage }: Replay,
  key: string,
  act: (platform: Platform) => Promise<string>,
): Promise<ExchangeCheck> {
  const isSuccess = part.answer.status < 300;
  const played = await stage.play(part.answer, (platform) => act(platform).catch(toProblem));
  const { value, sent } = played;
  const differences = sent === undefined ? [] : compareQuestion(sent, part.question);
  const problems = typeof value === 'string' || !isSuccess ? [] : [sentenceOf(value)];
  const reads = [typeof value === 'string' ? value : sentenceOf(value)];
  const verdict = differences.length + problems.length === 0 ? 'ok' : 'wrong';
  return { ...checkOf(part, key), ...sentOf(sent), verdict, differences, reads, problems };
}

/** Creates the list that the recorded question names. */
async function playNewList(part: Exchange, replay: Replay): Promise<ExchangeCheck> {
  const { create } = demandCalls(replay.dialect, 'lists');
  const name = valueAt(parseJson(part.question.body), create.body.name);
  const played = await replay.stage.play(part.answer, (platform, permit) =>
    platform.createList(typeof name === 'string' ? name : 'a list', permit),
  );
  const answer = played.value;
  if (answer.kind !== 'created') {
    const meaning = meaningOfSubmit(answer, { ...cameOf(part, replay, played), lead: undefined });
    return checked(part, 'lists.create', played, [meaning]);
  }
  const check = checked(part, 'lists.create', played, []);
  return { ...check, reads: [`list ${answer.list.id}`] };
}

function toProblem(error: unknown): SluiceError {
  if (error instanceof SluiceError) return error;
  throw error;
}

function sentenceOf({ message }: SluiceError): string {
  return message.replace(/\.$/, '');
}

const NOBODY: RecordedLead = { inputs: {}, ask: ['find_email'] };

/** The lead of the lines above; the last of several. */
function leadOf({ leads }: Exchange): RecordedLead {
  return leads.at(-1) ?? NOBODY;
}

function cameOf({ answer }: Exchange, { dialect }: Replay, { isThrottled }: Played<unknown>) {
  return { answer, dialect, isThrottled };
}

function checkOf({ line }: TranscriptPart, call: string | null): ExchangeCheck {
  const nothing = { sends: null, differences: [], reads: [], unread: [], problems: [] };
  return { line, call, verdict: 'ok', ...nothing };
}

function sentOf(sent: Played<unknown>['sent']): Pick<ExchangeCheck, 'sends'> {
  return { sends: sent === undefined ? null : `${sent.method} ${sent.path}` };
}

function checked(
  part: Exchange,
  call: string,
  played: Played<unknown> | undefined,
  meanings: readonly Meaning[],
): ExchangeCheck {
  const sent = played?.sent;
  const differences = sent === undefined ? [] : compareQuestion(sent, part.question);
  const judgement = judged(meanings, part);
  const verdict = differences.length > 0 ? 'wrong' : judgement.verdict;
  return { ...checkOf(part, call), ...sentOf(sent), ...judgement, differences, verdict };
}

/** Whether what was read is what was expected, entry by entry, and can be read at all where nothing was. */
function judged(meanings: readonly Meaning[], part: TranscriptPart) {
  const { expected } = part;
  const isSuccess = part.kind === 'webhook' || part.answer.status < 300;
  const count = Math.max(meanings.length, expected.length);
  const problems = Array.from({ length: count }, (_, i): readonly string[] => {
    const meaning = meanings[i];
    // One line may stand for all entries of an answer.
    const wanted = expected.length === 1 ? expected[0] : expected[i];
    if (meaning === undefined) return [`the answer has no entry ${i + 1}, and one is expected`];
    const told = wanted === undefined ? undefined : mismatch(meaning, wanted);
    const isLost = ['uncertain', 'unreadable'].includes(meaning.kind);
    const isWrong = told !== undefined || (wanted === undefined && isLost && isSuccess);
    if (!isWrong) return [];
    const why = meaning.problem === undefined ? [] : [sentenceOf(meaning.problem)];
    return [...(told === undefined ? [] : [told]), ...why];
  }).flat();
  return {
    verdict: problems.length === 0 ? ('ok' as const) : ('wrong' as const),
    reads: meanings.map(describe),
    unread: [...new Set(meanings.flatMap(({ unread = [] }) => unread))],
    problems,
  };
}
