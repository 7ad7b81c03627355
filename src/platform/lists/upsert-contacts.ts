// The ids of contacts, for a platform that takes nothing else into a list: one call for each, which makes
// the contact or finds it (docs/platform-api.md, POST /contacts/lists/{listId}/entities).

import { firstValueAt } from '../../dialect/wire-path.js';
import type { SluiceError } from '../../model/errors.js';
import type { ListMember } from '../../model/platform/contact-list.js';
import { parseJson } from '../../model/text/json.js';
import { askRepeatedly } from '../ask-free.js';
import { decodeTicket } from '../submit/ticket.js';
import { answerProblem } from '../wire/answer-problem.js';
import { bodyOf } from '../wire/write-at.js';
import type { Wire } from '../wire.js';

type Upserted = { readonly id: string } | { readonly refusal: SluiceError };

/**
 * Each id once, in the order of the members. One that the platform refuses is left out.
 * @throws SluiceError `platform`, also where it refuses all of them
 */
export async function upsertContacts(
  wire: Wire,
  members: readonly ListMember[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const ids = new Set<string>();
  let refusal: SluiceError | undefined;
  // One after the other: two at a time could make two contacts of one person.
  for (const member of members) {
    const upserted = await upsertOne(wire, member, signal);
    if (upserted === undefined) continue;
    if ('id' in upserted) ids.add(upserted.id);
    else refusal = upserted.refusal;
  }
  if (ids.size === 0 && refusal !== undefined) throw refusal;
  return [...ids];
}

/** Undefined for a member of whom nothing is known. */
async function upsertOne(
  wire: Wire,
  member: ListMember,
  signal: AbortSignal | undefined,
): Promise<Upserted | undefined> {
  const { method, path, fields, id: idPaths } = wire.dialect.lists.upsert;
  const body = bodyOf(member, fields);
  if (Object.keys(body).length === 0) return undefined;
  const target = wire.pathOf(path);
  const asked = wire.asked(target, valuesOf(member));
  return askRepeatedly<Upserted>(
    wire,
    {
      call: wire.call('contacts', method, target, body),
      asked,
      read: ({ text }) => {
        const id = decodeTicket(firstValueAt(parseJson(text), idPaths));
        return id === undefined ? undefined : { id };
      },
      lack: 'without the id of a contact',
      readError: (kind, answer) =>
        kind === 'refused' ? { value: { refusal: answerProblem(kind, asked, answer) } } : undefined,
    },
    signal,
  );
}

/** What an error text must not repeat. */
export function valuesOf(member: ListMember): string[] {
  return Object.values(member).filter((value) => typeof value === 'string');
}
