// Recorded submissions, single and bulk, and reads by ticket, played with our own client.
import type { Dialect } from '../../dialect/dialect.js';
import type { Exchange } from '../../dialect/transcript/recorded.js';
import type { Values } from '../../dialect/wire-calls.js';
import { groupBy } from '../../model/group-by.js';
import { parseJson } from '../../model/text/json.js';
import type { Permit, Platform } from '../../ports/platform.js';
import { openTicket, ticketAt } from '../answers/ticket.js';
import { recordedAt } from './compare-question.js';
import { type Meaning, meaningOfRead, meaningOfSubmit } from './meaning.js';
import { type Accepted, cameOf, leadOf, type Outcome, type Replay } from './replay.js';
import type { Played } from './stage.js';

export async function playSingle(part: Exchange, replay: Replay): Promise<Outcome> {
  const lead = leadOf(part);
  const played = await playSubmission(part, replay, 1, (callbackUrl, [key = '']) => {
    return (platform, permit) => platform.submit(lead, permit, { callbackUrl, key });
  });
  const answer = played.value;
  if (answer.kind === 'accepted') accept(replay, [{ ticket: answer.ticket, lead }]);
  const meaning = meaningOfSubmit(answer, { ...cameOf(part, replay, played), lead });
  return { call: 'enrich', sent: played.sent, meanings: [meaning] };
}

export async function playBulk(part: Exchange, replay: Replay): Promise<Outcome> {
  const leads = part.leads.length === 0 ? [leadOf(part)] : part.leads;
  const played = await playSubmission(part, replay, leads.length, (callbackUrl, keys) => {
    const items = leads.map((request, i) => ({ request, key: keys[i] ?? '' }));
    return (platform, permit) => platform.submitMany(items, permit, { callbackUrl });
  });
  const answer = played.value;
  const came = cameOf(part, replay, played);
  const outcome = { call: 'bulk', sent: played.sent };
  if (answer.kind !== 'answered') {
    const whole =
      answer.kind === 'absent' ? ({ ...answer, kind: 'unsent', isFinal: true } as const) : answer;
    return { ...outcome, meanings: [meaningOfSubmit(whole, { ...came, lead: leads[0] })] };
  }
  const pairs = answer.items.flatMap((item, i) => {
    const lead = leads[i];
    return item.kind === 'accepted' && lead !== undefined ? [{ ticket: item.ticket, lead }] : [];
  });
  accept(replay, pairs);
  const meanings = answer.items.map((item, i) =>
    meaningOfSubmit(item, { ...came, lead: leads[i] }),
  );
  return { ...outcome, meanings };
}

const NO_ANSWER = { status: 500, headers: {}, body: '' };

/**
 * Plays a paid request. Our key and our callback URL are those of the transcript, so it is written twice: first with
 * marks, which show their places.
 */
async function playSubmission<T>(
  { question, answer }: Exchange,
  { stage }: Replay,
  count: number,
  act: (
    callbackUrl: string | undefined,
    keys: readonly string[],
  ) => (platform: Platform, permit: Permit) => Promise<T>,
): Promise<Played<T>> {
  const keys = Array.from({ length: count }, (_, i) => `sluice-key-${i + 1}`);
  const url = 'https://callback.example/sluice';
  const { sent } = await stage.play(NO_ANSWER, act(url, keys));
  const find = (mark: string) =>
    sent === undefined ? undefined : recordedAt(mark, sent, question);
  const own = keys.map((key) => find(key) ?? key);
  return stage.play(answer, act(find(url), own));
}

function accept({ accepted, dialect }: Replay, all: readonly Accepted[]): void {
  const groups = groupBy(all, ({ ticket }) => openTicket(ticket, dialect).ticket);
  for (const [ticket, group] of groups) accepted.set(ticket, group);
}

/** Plays one read for each of our tickets that the platform's ticket stands for. */
export async function playRead(part: Exchange, replay: Replay, values: Values): Promise<Outcome> {
  const raw = ticketOf(part, replay.dialect, values);
  const known = replay.accepted.get(raw) ?? [{ ticket: raw, lead: leadOf(part) }];
  let sent: Outcome['sent'];
  const meanings: Meaning[] = [];
  for (const { ticket, lead } of known) {
    const played = await replay.stage.play(part.answer, (platform, permit) =>
      platform.read(ticket, permit, undefined, lead),
    );
    sent = played.sent;
    meanings.push(meaningOfRead(played.value, { ...cameOf(part, replay, played), lead }));
  }
  return { call: 'result', sent, meanings };
}

function ticketOf({ question }: Exchange, { result }: Dialect, { id = '' }: Values): string {
  const place = result?.id ?? null;
  return place === null ? id : (ticketAt(parseJson(question.body), [place]) ?? '');
}
