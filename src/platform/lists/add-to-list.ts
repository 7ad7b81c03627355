// Adds contacts to a list (docs/platform-api.md, POST /contacts/lists/{listId}/entities). Who is in already is not
// added twice, so a call whose fate is unknown is made again.

import { firstValueAt } from '../../dialect/wire-path.js';
import type { ListAddition, ListMember } from '../../model/platform/contact-list.js';
import { type JsonValue, parseJson } from '../../model/text/json.js';
import { askRepeatedly } from '../ask-free.js';
import { type Asked, problem, said } from '../asked.js';
import { decodeFirst } from '../decode/decode-fields.js';
import { isDone } from '../decode/is-done.js';
import { NO_REASON, reasonIn } from '../redact/reason.js';
import type { Answer } from '../wire/exchange.js';
import { saysError } from '../wire/says-error.js';
import type { StatusKind } from '../wire/status-kind.js';
import { bodyOf, withValueAt } from '../wire/write-at.js';
import type { Wire } from '../wire.js';
import { upsertContacts, valuesOf } from './upsert-contacts.js';

/**
 * As `Platform.addToList`. Members that the dialect's form cannot express (no e-mail address, where e-mails
 * are given) and contacts that the platform refuses are left out, and counted neither as added nor as in.
 * @throws SluiceError `platform`; no member stands in its message
 * @throws Error for more members than `listAddMax`
 */
export async function addToList(
  wire: Wire,
  listId: string,
  members: readonly ListMember[],
  signal?: AbortSignal,
): Promise<ListAddition> {
  const { method, path, max, entities: place } = wire.dialect.lists.add;
  if (members.length > max) {
    throw new Error(`A list takes at most ${max} members at once, not ${members.length}.`);
  }
  const entities = await entitiesOf(wire, members, signal);
  if (entities.length === 0) return { added: 0, alreadyIn: 0 };
  const target = wire.pathOf(path, { listId });
  const asked = wire.asked(target, members.flatMap(valuesOf));
  const body = place === '.' ? entities : withValueAt({}, place.split('.'), entities);
  return askRepeatedly<ListAddition>(
    wire,
    {
      call: wire.call('list_add', method, target, body),
      asked,
      read: (answer) => additionIn(answer, entities.length, wire),
      lack: 'without saying that anybody was added',
      readError: (kind, answer) => {
        const message = refusalOf(kind, answer, listId, asked);
        if (message === undefined) return undefined;
        const facts = { url: asked.url, status: answer.status, list: listId };
        return { problem: problem(message, facts) };
      },
    },
    signal,
  );
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
  return `With this call the platform added nobody to the list ${listId} (${what}). If that is a dynamic list, choose a static one.`;
}

/** The error that a 2xx tells, with its status. */
function errorIn({ status, text }: Answer, { dialect, hidden }: Asked): string | undefined {
  const { error } = dialect.lists.add;
  const body = parseJson(text);
  if (!saysError(body, error)) return undefined;
  return `${status}: ${reasonIn(body, error, hidden) ?? NO_REASON}`;
}

async function entitiesOf(
  wire: Wire,
  members: readonly ListMember[],
  signal: AbortSignal | undefined,
): Promise<JsonValue[]> {
  const { members: form, fields } = wire.dialect.lists.add;
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
  const { added, alreadyIn, error } = dialect.lists.add;
  const body = parseJson(answer.text);
  const [told, known] = [countAt(body, added), countAt(body, alreadyIn) ?? 0];
  if (told === undefined && saysError(body, error)) return undefined;
  return { added: told ?? Math.max(0, count - known), alreadyIn: known };
}

/** A number of members, or how many an array holds. */
function countAt(body: JsonValue | undefined, paths: readonly string[]): number | undefined {
  const told = firstValueAt(body, paths);
  if (Array.isArray(told)) return told.length;
  const count = decodeFirst(body, paths, 'integer');
  return typeof count === 'number' && count >= 0 ? count : undefined;
}
