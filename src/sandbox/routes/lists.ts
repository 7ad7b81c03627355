// The contact lists of the account (docs/platform-api.md, POST /contacts/lists), adding to them (docs/platform-api.md,
// POST /contacts/lists/{listId}/entities), and the details that only the sandbox shows.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { demandCalls } from '../../dialect/calls.js';
import type { ListMember } from '../../model/resources/contact-list.js';
import { LIST_NAME_LENGTH_MAX } from '../../model/text/placeholders.js';
import type { ContactList } from '../ledger/list-register.js';
import type { SandboxContext } from '../sandbox-context.js';
import {
  acceptJson,
  findMalformed,
  findTooLong,
  type RawQuery,
  Refusal,
  readBody,
  readInputs,
  readQuery,
} from './read-request.js';

const BODY_BYTES_MAX = 4 * 1024 * 1024;
const NEW_LIST = z.strictObject({ name: z.string() });
const ADDITION = z.strictObject({ entities: z.array(z.unknown()) });
const TEXT = z.string().exactOptional();
const ENTITY = z.strictObject({
  email: TEXT,
  firstName: TEXT,
  lastName: TEXT,
  socialUrl: TEXT,
  companyName: TEXT,
});

interface Addition {
  Params: { listId: string };
  Querystring: RawQuery;
}

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

  app.post<{ Querystring: RawQuery }>('/contacts/lists', (request) => {
    readQuery(request.query, []);
    const { id, name } = lists.create(readName(request.body));
    return { message: 'The contact list is created.', list: { id, name } };
  });

  app.post<Addition>(
    '/contacts/lists/:listId/entities',
    { bodyLimit: BODY_BYTES_MAX },
    (request) => {
      readQuery(request.query, []);
      const list = lists.find(request.params.listId);
      if (list === undefined) throw new Refusal(404, 'There is no list with this id.');
      if (list.kind === 'dynamic') {
        const sentence = 'This list is dynamic: its filters fill it. Add to a static list.';
        throw new Refusal(409, sentence);
      }
      const members = readMembers(request.body, demandCalls(dialect, 'lists').add.max);
      const addedCount = lists.add(list, members);
      const alreadyInList = members.length - addedCount;
      return { message: 'The contacts are in the list.', addedCount, alreadyInList };
    },
  );

  app.get('/sandbox/lists', () => lists.all().map(toControl));
}

function toControl({ id, name, kind, members }: ContactList) {
  return { id, name, kind, membersCount: members.size, members: [...members.values()] };
}

/** @throws Refusal 400 */
function readName(body: unknown): string {
  const sentence = 'The body must be an object {"name": "…"} with a text and nothing else.';
  const { name } = readBody(NEW_LIST, body, sentence);
  if (name.trim() === '') throw new Refusal(400, 'The value of name is blank.');
  if (name.length > LIST_NAME_LENGTH_MAX) {
    throw new Refusal(400, `The value of name is longer than ${LIST_NAME_LENGTH_MAX} characters.`);
  }
  return name;
}

/** @throws Refusal 400 for the whole call if one entity is wrong */
function readMembers(body: unknown, max: number): ListMember[] {
  const sentence = `The body must be an object {"entities": […]} with 1 to ${max} entities and nothing else.`;
  const { entities } = readBody(ADDITION, body, sentence);
  if (entities.length === 0 || entities.length > max) throw new Refusal(400, sentence);
  return entities.map((value, index) => {
    const member = readEntity(value);
    if (typeof member !== 'string') return member;
    throw new Refusal(400, `Nothing was added, because of entity ${index}: ${member}`);
  });
}

/** The facts about one contact, or one sentence about why it is not a contact. A blank value counts as absent. */
function readEntity(value: unknown): ListMember | string {
  const parsed = ENTITY.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.length ? `${issue.path.join('.')}: ` : '';
    return `${place}${issue?.message ?? 'it is no entity'}.`;
  }
  // It has only names of ENTITY.
  const member: ListMember = readInputs(parsed.data);
  const problem = findTooLong(parsed.data) ?? findMalformed(member);
  if (problem !== undefined) return problem;
  const { email, socialUrl, firstName, lastName } = member;
  if (email !== undefined || socialUrl !== undefined) return member;
  if (firstName !== undefined && lastName !== undefined) return member;
  return 'it needs an email, or a socialUrl, or a firstName and a lastName.';
}
