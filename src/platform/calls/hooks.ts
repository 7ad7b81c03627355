// The platform's hooks (docs/platform-api.md, Webhook): they cost nothing, so a throttled call is repeated; any other
// failure goes to the caller.

import { demandCalls } from '../../dialect/calls.js';
import { eventOfWire, eventOnWire } from '../../dialect/events.js';
import { firstValueAt } from '../../dialect/wire-path.js';
import type { Hook, HookListing, HookWish } from '../../model/resources/resources.js';
import { parseUrl } from '../../model/text/address.js';
import { type JsonValue, parseJson } from '../../model/text/json.js';
import { textAt } from '../answers/decode-result.js';
import { ticketAt } from '../answers/ticket.js';
import { callbackWords, secretForms } from '../redact/secret-forms.js';
import { bodyOf, withQuery } from '../wire/request.js';
import type { Wire } from '../wire/wire.js';
import { askOnce, askToChange, isDone } from './ask-free.js';

const PLACES = { targetUrl: 'targetUrl', type: 'type', secret: 'secret' } as const;

/** A hook without a readable id and target is left out, unless none is. Throws SluiceError `platform`. */
export async function listHooks(wire: Wire, signal?: AbortSignal): Promise<HookListing> {
  return askOnce(wire, signal, {
    route: 'hooks',
    method: 'GET',
    path: wire.pathOf(demandCalls(wire.dialect, 'hooks').path),
    read: ({ text }) => readHooks(parseJson(text), wire),
    lack: 'without a list of hooks',
  });
}

/** @throws SluiceError as `Platform.addHook`; its message has neither the secret nor the target */
export async function addHook(wire: Wire, wish: HookWish, signal?: AbortSignal): Promise<Hook> {
  const { targetUrl, secret, campaignId, isFirst, zapId } = wish;
  const type = wish.type === undefined ? undefined : eventOnWire(wish.type, wire.dialect);
  const path = wire.pathOf(demandCalls(wire.dialect, 'hooks').path);
  const limits = Object.entries({ campaignId, isFirst: isFirst?.toString(), zapId });
  const query = limits.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const hidden = [
    ...callbackWords(targetUrl),
    ...(parseUrl(targetUrl)?.searchParams.values() ?? []),
    ...(secret === undefined ? [] : secretForms(secret)),
  ];
  return askToChange(wire, signal, {
    route: 'hooks',
    method: 'POST',
    path: withQuery(path, query),
    body: bodyOf({ targetUrl, type, secret }, PLACES),
    hidden,
    read: ({ text }) => readHook(parseJson(text), wire),
    lack: 'without a hook',
  });
}

export async function removeHook(wire: Wire, id: string, signal?: AbortSignal): Promise<boolean> {
  const { path } = demandCalls(wire.dialect, 'hooks').remove;
  return askToChange<boolean>(wire, signal, {
    route: 'hooks',
    method: 'DELETE',
    path: wire.pathOf(path, { id }),
    read: (answer) => isDone(answer) || undefined,
    lack: 'without JSON',
    readError: (kind) => (kind === 'missing' ? { value: false } : undefined),
  });
}

function readHooks(body: JsonValue | undefined, wire: Wire): HookListing | undefined {
  const listing = readListing(body, wire);
  if (listing === undefined) return undefined;
  const { hooks, count } = listing;
  if (hooks.length === 0 && count > 0) return undefined;
  return { hooks, leftOut: count - hooks.length };
}

/** The readable hooks, and how many are listed; undefined if nothing is a list. */
function readListing(
  body: JsonValue | undefined,
  wire: Wire,
): { readonly hooks: Hook[]; readonly count: number } | undefined {
  const entries = firstValueAt(body, demandCalls(wire.dialect, 'hooks').entries);
  if (!Array.isArray(entries)) return undefined;
  const hooks = entries.flatMap((entry: JsonValue) => readHook(entry, wire) ?? []);
  return { hooks, count: entries.length };
}

function readHook(entry: JsonValue | undefined, { dialect }: Wire): Hook | undefined {
  const id = ticketAt(entry, ['_id']);
  const targetUrl = textAt(entry, ['targetUrl']);
  if (id === undefined || targetUrl === undefined) return undefined;
  const type = textAt(entry, ['type']);
  return {
    id,
    targetUrl,
    type: type === undefined ? undefined : eventOfWire(type, dialect),
    createdAt: textAt(entry, ['createdAt']),
  };
}
