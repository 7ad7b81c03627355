// Creates a contact list (docs/platform-api.md, POST /contacts/lists). The call is sent once and judged like a paid
// request: a list that may be there already must not be created a second time.

import { firstValueAt } from '../../dialect/wire-path.js';
import type { ContactList } from '../../model/platform/contact-list.js';
import { parseJson } from '../../model/text/json.js';
import type { CreateListAnswer, Permit } from '../../ports/platform.js';
import { judgePaid, judgeUnreadable } from '../submit/judge-submit.js';
import { decodeTicket } from '../submit/ticket.js';
import type { Answer } from '../wire/exchange.js';
import { bodyOf } from '../wire/write-at.js';
import type { Wire } from '../wire.js';

/** As `Platform.createList`. A list whose name is not told back has the one that was asked for. */
export async function createList(
  wire: Wire,
  name: string,
  permit: Permit,
  signal?: AbortSignal,
): Promise<CreateListAnswer> {
  const { method, path, body, ...answer } = wire.dialect.lists.create;
  const target = wire.pathOf(path);
  const asked = wire.asked(target);
  const listIn = ({ text }: Answer): ContactList | undefined => {
    const told = parseJson(text);
    const id = decodeTicket(firstValueAt(told, answer.id));
    const toldName = firstValueAt(told, answer.name);
    if (id === undefined) return undefined;
    return { id, name: typeof toldName === 'string' && toldName !== '' ? toldName : name };
  };
  const sent = await wire.send(wire.call('list_create', method, target, bodyOf({ name }, body)), {
    kind: 'submit',
    permit,
    signal,
    isSuccess: (told) => listIn(told) !== undefined,
  });
  return judgePaid<CreateListAnswer>(sent, asked, (told) => {
    const list = listIn(told);
    return list === undefined
      ? judgeUnreadable(told, asked, 'without the id of a list')
      : { kind: 'created', list };
  });
}
