// Contact lists: creating one, and adding contacts to it (docs/platform-api.md, POST /contacts/lists;
// docs/platform-api.md, POST /contacts/lists/{listId}/entities).
import { demandCalls } from '../../dialect/calls.js';
import { firstValueAt } from '../../dialect/wire-path.js';
import type { SluiceError } from '../../model/errors.js';
import type { ContactList, ListAddition, ListMember } from '../../model/resources/contact-list.js';
import { type JsonValue, parseJson } from '../../model/text/json.js';
import type { CreateListAnswer, Permit, SubmitOptions } from '../../ports/platform.js';
import { decodeFirst, textAt } from '../answers/decode-result.js';
import { judgePaid, judgeUnreadable } from '../answers/judge-submit.js';
import { type Asked, answerProblem, problem, said } from '../answers/problems.js';
import type { StatusKind } from '../answers/status-kind.js';
import { ticketAt } from '../answers/ticket.js';
import { NO_REASON, reasonIn, saysError } from '../redact/reason.js';
import type { Answer } from '../wire/exchange.js';
import { bodyOf, wellFormed, withValueAt } from '../wire/request.js';
import type { Wire } from '../wire/wire.js';
import { askRepeatedly, isDone } from './ask-free.js';

/**
 * As `Platform.createList`. The call is sent once and judged like a paid request: a list that may exist already must
 * not be created a second time. If the answer has no name, the list has the requested one.
 */
export async function createList(
  wire: Wire,
  name: string,
  permit: Permit,
  { obstacle, signal }: SubmitOptions = {},
): Promise<CreateListAnswer> {
  const target = wire.pathOf(demandCalls(wire.dialect, 'lists').create.path);
  const asked = wire.asked(target);
  const listIn = ({ text }: Answer): ContactList | undefined => {
    const json = parseJson(text);
    const id = ticketAt(json, ['list.id']);
    return id === undefined ? undefined : { id, name: textAt(json, ['list.name']) ?? name };
  };
  const sent = await wire.send(
    wire.call('list_create', 'POST', target, { name: wellFormed(name) }),
    {
      kind: 'submit',
      permit,
      signal,
      obstacle,
      isSuccess: (success) => listIn(success) !== undefined,
    },
  );
  return judgePaid<CreateListAnswer>(sent, asked, [], (success) => {
    const list = listIn(success);
    return list === undefined
      ? judgeUnreadable(success, asked, 'without the id of a list')
      : { kind: 'created', list };
  });
}

/**
 * As `Platform.addToList`. A person who is in the list already is not added twice, so a call that may have arrived is
 * made again. Members that the dialect's form cannot express (no e-mail address, if e-mails are given) and contacts
 * that the platform refuses are left out, and count neither as added nor as already in it.
 * @throws SluiceError `platform`; its message names no member
 * @throws Error for more members than `listAddMax`
 */
export async function addToList(
  wire: Wire,
  listId: string,
  members: readonly ListMember[],
  signal?: AbortSignal,
): Promise<ListAddition> {
  const { path, max, entities: place } = demandCalls(wire.dialect, 'lists').add;
  if (members.length > max) {
    throw new Error(`A list takes at most ${max} members at once, not ${members.length}.`);
  }
  const entities = await entitiesOf(wire, members, signal);
  if (entities.length === 0) return { added: 0, alreadyIn: 0 };
  return askRepeatedly<ListAddition>(wire, signal, {
    route: 'list_add',
    method: 'POST',
    path: wire.pathOf(path, { listId }),
    body: place === '.' ? entities : withValueAt({}, place.split('.'), entities),
    hidden: members.flatMap(valuesOf),
    read: (answer) => additionIn(answer, entities.length, wire),
    lack: 'without saying that people were added',
    readError: (kind, answer, asked) => {
      const message = refusalOf(kind, answer, listId, asked);
      return message === undefined ? undefined : { problem: problem(message) };
    },
  });
}

function refusalOf(
  kind: StatusKind,
  answer: Answer,
  listId: string,
  asked: Asked,
): string | undefined {
  if (kind === 'missing') {
    return `The platform has no list ${listId} (${said(asked, answer)}). Check its id.`;
  }
  const what = kind === 'ok' ? errorIn(answer, asked) : said(asked, answer);
  if (what === undefined || (kind !== 'ok' && kind !== 'refused')) return undefined;
  return `With this call the platform added no person to the list ${listId} (${what}). If that is a dynamic list, choose a static one.`;
}

function errorIn({ status, text }: Answer, { dialect, hidden }: Asked): string | undefined {
  const { error } = demandCalls(dialect, 'lists').add;
  const body = parseJson(text);
  if (!saysError(body, error)) return undefined;
  return `${status}: ${reasonIn(body, error, hidden) ?? NO_REASON}`;
}

async function entitiesOf(
  wire: Wire,
  members: readonly ListMember[],
  signal: AbortSignal | undefined,
): Promise<JsonValue[]> {
  const { members: form, fields } = demandCalls(wire.dialect, 'lists').add;
  switch (form) {
    case 'objects':
      return members
        .map((member) => bodyOf(member, fields))
        .filter((entity) => Object.keys(entity).length > 0);
    case 'emails':
      return members.flatMap(({ email = '' }) => (email === '' ? [] : [email]));
    case 'contacts':
      return upsertContacts(wire, members, signal);
  }
}

function additionIn(answer: Answer, count: number, { dialect }: Wire): ListAddition | undefined {
  if (!isDone(answer)) return undefined;
  const { added, alreadyIn, error } = demandCalls(dialect, 'lists').add;
  const body = parseJson(answer.text);
  const [addedCount, known] = [countAt(body, added), countAt(body, alreadyIn) ?? 0];
  if (addedCount === undefined && saysError(body, error)) return undefined;
  return { added: addedCount ?? Math.max(0, count - known), alreadyIn: known };
}

function countAt(body: JsonValue | undefined, paths: readonly string[]): number | undefined {
  const value = firstValueAt(body, paths);
  if (Array.isArray(value)) return value.length;
  const count = decodeFirst(body, paths, 'integer');
  return typeof count === 'number' && count >= 0 ? count : undefined;
}

type Upserted = { readonly id: string } | { readonly refusal: SluiceError };

/**
 * The ids of contacts, for a platform that takes nothing else into a list: one call for each, which makes the contact
 * or finds it. Each id comes once, in the order of the members. A contact that the platform refuses is left out.
 * @throws SluiceError `platform`, also if it refuses all of them
 */
async function upsertContacts(
  wire: Wire,
  members: readonly ListMember[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const ids = new Set<string>();
  let refusal: SluiceError | undefined;
  // The calls follow one another: two at a time could make two contacts of one person.
  for (const member of members) {
    const upserted = await upsertOne(wire, member, signal);
    if (upserted === undefined) continue;
    if ('id' in upserted) ids.add(upserted.id);
    else refusal = upserted.refusal;
  }
  if (ids.size === 0 && refusal !== undefined) throw refusal;
  return [...ids];
}

/** The id of a contact; undefined for a member without any value. */
async function upsertOne(
  wire: Wire,
  member: ListMember,
  signal: AbortSignal | undefined,
): Promise<Upserted | undefined> {
  const { path, fields, id: idPaths } = demandCalls(wire.dialect, 'lists').upsert;
  const body = bodyOf(member, fields);
  if (Object.keys(body).length === 0) return undefined;
  return askRepeatedly<Upserted>(wire, signal, {
    route: 'contacts',
    method: 'POST',
    path: wire.pathOf(path),
    body,
    hidden: valuesOf(member),
    read: ({ text }) => {
      const id = ticketAt(parseJson(text), idPaths);
      return id === undefined ? undefined : { id };
    },
    lack: 'without the id of a contact',
    readError: (kind, answer, asked) =>
      kind === 'refused' ? { value: { refusal: answerProblem(kind, asked, answer) } } : undefined,
  });
}

function valuesOf(member: ListMember): string[] {
  return Object.values(member).filter((value) => typeof value === 'string');
}
