// The platform's hooks: GET /hooks and POST /hooks (platform-api.md, Webhook). Both cost nothing, so a
// throttled one is repeated; any other failure is the caller's to tell.
import type { Hook, HookWish } from '../domain/hook.js';
import type { JsonValue } from '../domain/json.js';
import { firstValueAt } from '../domain/wire-path.js';
import { answerProblem } from './answer-problem.js';
import { type Asked, silenceProblem, unreadableProblem } from './asked.js';
import { callbackWords } from './callback-words.js';
import type { Answer, Call } from './exchange.js';
import { parseJson } from './reason.js';
import { statusKind } from './status-kind.js';
import { decodeTicket } from './ticket.js';
import type { Wire } from './wire.js';

/**
 * As `Platform.listHooks`. A hook without a readable id and target is left out, unless none is readable.
 * @throws SluiceError `platform`
 */
export function listHooks(wire: Wire, signal?: AbortSignal): Promise<Hook[]> {
  const path = wire.pathOf(wire.dialect.hooks.path);
  const question = wire.asked(path);
  return ask(wire, wire.call('GET', path), question, readHooks, 'without a list of hooks', signal);
}

/**
 * As `Platform.addHook`.
 * @throws SluiceError `platform`; neither the secret nor the target stands in its message
 */
export function addHook(
  wire: Wire,
  { targetUrl, type, secret }: HookWish,
  signal?: AbortSignal,
): Promise<Hook> {
  const path = wire.pathOf(wire.dialect.hooks.path);
  const question = wire.asked(path, [
    ...callbackWords(targetUrl),
    ...(secret === undefined ? [] : [secret]),
  ]);
  const call = wire.call('POST', path, { targetUrl, type, secret });
  return ask(wire, call, question, readHook, 'without a hook', signal);
}

async function ask<T>(
  wire: Wire,
  call: Call,
  asked: Asked,
  decode: (body: JsonValue | undefined, asked: Asked) => T | undefined,
  lack: string,
  signal: AbortSignal | undefined,
): Promise<T> {
  const read = ({ text }: Answer) => decode(parseJson(text), asked);
  const sent = await wire.sendFree(call, (answer) => read(answer) !== undefined, signal);
  if (sent.kind !== 'answered') throw silenceProblem(sent, asked);
  const kind = statusKind(sent, asked.dialect);
  if (kind !== 'ok') throw answerProblem(kind, asked, sent);
  const value = read(sent);
  if (value === undefined) throw unreadableProblem(asked, sent, lack);
  return value;
}

function readHooks(body: JsonValue | undefined, asked: Asked): Hook[] | undefined {
  const entries = firstValueAt(body, asked.dialect.hooks.entries);
  if (!Array.isArray(entries)) return undefined;
  const hooks = entries.flatMap((entry: JsonValue) => readHook(entry, asked) ?? []);
  return hooks.length === 0 && entries.length > 0 ? undefined : hooks;
}

function readHook(entry: JsonValue | undefined, { dialect: { hooks } }: Asked): Hook | undefined {
  const id = decodeTicket(firstValueAt(entry, hooks.id));
  const targetUrl = firstValueAt(entry, hooks.targetUrl);
  const type = firstValueAt(entry, hooks.type);
  if (id === undefined || typeof targetUrl !== 'string' || targetUrl === '') return undefined;
  return { id, targetUrl, ...(typeof type === 'string' && type !== '' ? { type } : {}) };
}
