// The contact lists of the account (docs/platform-api.md, POST /contacts/lists), adding to them (docs/platform-api.md,
// POST /contacts/lists/{listId}/entities), and the details that only the sandbox shows.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { demandCalls } from '../../dialect/calls.js';
import type { ListMember } from '../../model/resources/contact-list.js';
import { LIST_NAME_LENGTH_MAX } from '../../model/text/placeholders.js';
import type { ContactList } from '../ledger/list-register.js';
import type { SandboxContext } from '../sandbox-context.js';
import { acceptJson, PERSON, Refusal, read, readInputs } from './read-request.js';

const BODY_BYTES_MAX = 4 * 1024 * 1024;
const NO_QUERY = z.strictObject({});
const NEW_LIST = z.strictObject({
  name: z
    .string()
    .regex(/\S/, 'It is blank')
    .refine(({ length }) => length <= LIST_NAME_LENGTH_MAX, 'It is too long'),
});
const ENTITY = PERSON.omit({ companyDomain: true })
  .transform((values): ListMember => readInputs(values))
  .refine(
    ({ email, socialUrl, firstName, lastName }) => email ?? socialUrl ?? (firstName && lastName),
    'It needs an email, or a socialUrl, or a firstName and a lastName',
  );

/**
 * - `POST /contacts/lists` `{name}`: 200 `{message, list: {id, name}}`; 400 `{error}` for a wrong name. The
 *   same name again makes another list
 * - `POST /contacts/lists/{listId}/entities` `{entities}`: 200 `{message, addedCount, alreadyInList}`, whose sum
 *   is the number of entities; 404 for an unknown list, 409 for a dynamic one, 400 `{error}` for wrong
 *   entities, and then none was added
 * - `GET /sandbox/lists`: `[{id, name, kind, membersCount, members}]`, the seeded dynamic list first
 */
export function registerLists(app: FastifyInstance, { lists, dialect }: SandboxContext): void {
  acceptJson(app);

  app.post('/contacts/lists', ({ query, body }) => {
    read(NO_QUERY, query);
    const { id, name } = lists.create(read(NEW_LIST, body).name);
    return { message: 'The contact list is created.', list: { id, name } };
  });

  const { max } = demandCalls(dialect, 'lists').add;
  const addition = z.strictObject({ entities: z.array(ENTITY).min(1).max(max) });
  app.post<{ Params: { listId: string } }>(
    '/contacts/lists/:listId/entities',
    { bodyLimit: BODY_BYTES_MAX },
    ({ params, query, body }) => {
      read(NO_QUERY, query);
      const list = lists.find(params.listId);
      if (list === undefined) throw new Refusal(404, 'There is no list with this id.');
      if (list.kind === 'dynamic') {
        const sentence = 'This list is dynamic: its filters fill it. Add to a static list.';
        throw new Refusal(409, sentence);
      }
      const { entities } = read(addition, body);
      const addedCount = lists.add(list, entities);
      const alreadyInList = entities.length - addedCount;
      return { message: 'The contacts are in the list.', addedCount, alreadyInList };
    },
  );

  app.get('/sandbox/lists', () => lists.all().map(toControl));
}

function toControl({ id, name, kind, members }: ContactList) {
  return { id, name, kind, membersCount: members.size, members: [...members.values()] };
}
