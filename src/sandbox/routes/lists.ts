// The contact lists of the account (docs/platform-api.md, POST /contacts/lists), adding to them
// (docs/platform-api.md, POST /contacts/lists/{listId}/entities), and what only the sandbox shows of them.
import type { FastifyInstance } from 'fastify';
import { type ContactList, LISTS_MAX } from '../lists/list-register.js';
import { parseEntities, parseNewList } from '../lists/parse-list.js';
import type { SandboxContext } from '../sandbox-context.js';
import { acceptJson } from './accept-json.js';
import { type RawQuery, readQuery } from './read/parse-enrich-query.js';

const BODY_BYTES_MAX = 4 * 1024 * 1024;
const NO_PARAMETERS: ReadonlySet<string> = new Set();

interface Addition {
  Params: { listId: string };
  Querystring: RawQuery;
}

/**
 * - `POST /contacts/lists` `{name}`: 200 `{message, list: {id, name}}`; 400 `{error}` for a name that cannot be;
 *   409 when there are too many. The same name again makes another list
 * - `POST /contacts/lists/{listId}/entities` `{entities}`: 200 `{message, addedCount, alreadyInList}`, whose sum
 *   is the number of entities; 404 for an unknown list, 409 for a dynamic one, 400 `{error}` for entities that
 *   cannot be, and then none was added
 * - `GET /sandbox/lists`: `[{id, name, kind, membersCount, members}]`, the seeded dynamic list first
 */
export function registerLists(app: FastifyInstance, { lists, dialect }: SandboxContext): void {
  acceptJson(app);

  app.post<{ Querystring: RawQuery }>('/contacts/lists', (request, reply) => {
    const query = readQuery(request.query, NO_PARAMETERS);
    if (typeof query === 'string') return reply.code(400).send({ error: query });
    const parsed = parseNewList(request.body);
    if (parsed.kind === 'invalid') return reply.code(400).send({ error: parsed.sentence });
    const list = lists.create(parsed.name);
    if (list === undefined) {
      return reply
        .code(409)
        .send({ error: `There are ${LISTS_MAX} lists already; use one of them.` });
    }
    const { id, name } = list;
    return reply.send({ message: 'The contact list is created.', list: { id, name } });
  });

  app.post<Addition>(
    '/contacts/lists/:listId/entities',
    { bodyLimit: BODY_BYTES_MAX },
    (request, reply) => {
      const query = readQuery(request.query, NO_PARAMETERS);
      if (typeof query === 'string') return reply.code(400).send({ error: query });
      const list = lists.find(request.params.listId);
      if (list === undefined) {
        return reply.code(404).send({ error: 'There is no list with this id.' });
      }
      if (list.kind === 'dynamic') {
        const error = 'This list is dynamic: its filters fill it. Add to a static list.';
        return reply.code(409).send({ error });
      }
      const parsed = parseEntities(request.body, dialect.lists.add.max);
      if (parsed.kind === 'invalid') return reply.code(400).send({ error: parsed.sentence });
      const { members } = parsed;
      const addedCount = lists.add(list, members);
      const alreadyInList = members.length - addedCount;
      const message = 'The contacts are in the list.';
      return reply.send({ message, addedCount, alreadyInList });
    },
  );

  app.get('/sandbox/lists', (_request, reply) => reply.send(lists.all().map(toControl)));
}

function toControl({ id, name, kind, members }: ContactList) {
  return { id, name, kind, membersCount: members.size, members: [...members.values()] };
}
