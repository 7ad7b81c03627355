// The part of a dialect that describes contact lists: how one is created, and how contacts are added to it
// (docs/platform-api.md, POST /contacts/lists; docs/platform-api.md, POST /contacts/lists/{listId}/entities).
import * as z from 'zod';
import type { ListMember } from '../model/platform/contact-list.js';
import { callPath, innerPath, wirePath, wirePaths } from './parts.js';
import { refuseClash } from './places.js';

/**
 * How the platform wants the members of a list:
 * - `objects`: each with what is known of it
 * - `emails`: their e-mail addresses
 * - `contacts`: ids of contacts, which an upsert gives for each
 */
const MEMBER_FORMS = ['objects', 'emails', 'contacts'] as const;

const writing = z.enum(['POST', 'PUT', 'PATCH']).default('POST');

/** Where the fields of a member, or of a contact, stand in it. */
const memberFields = z
  .strictObject({
    email: innerPath.default('email'),
    firstName: innerPath.default('firstName'),
    lastName: innerPath.default('lastName'),
    socialUrl: innerPath.default('socialUrl'),
    companyName: innerPath.default('companyName'),
  } satisfies Record<keyof ListMember, z.ZodType>)
  .superRefine(refuseClash)
  .prefault({});

export const listsSchema = z
  .strictObject({
    create: z
      .strictObject({
        method: writing,
        path: callPath('/contacts/lists'),
        body: z.strictObject({ name: innerPath.default('name') }).prefault({}),
        /** In the answer: the list's id and its name. */
        id: wirePaths.prefault(['list.id']),
        name: wirePaths.prefault(['list.name']),
      })
      .prefault({}),
    add: z
      .strictObject({
        method: writing,
        path: callPath('/contacts/lists/{listId}/entities', ['{listId}']),
        /** Members in one call, at most. */
        max: z.int().min(1).max(10_000).default(1_000),
        members: z.enum(MEMBER_FORMS).default('objects'),
        /** In the body: where the array of members stands; `.` when it is the body. */
        entities: wirePath.default('entities'),
        /** In a member that is an object. */
        fields: memberFields,
        /** In the answer: a number, or an array of which the entries are counted; both may be absent. */
        added: wirePaths.prefault(['addedCount']),
        alreadyIn: wirePaths.prefault(['alreadyInList']),
        /** In the answer: why nothing was added. */
        error: wirePaths.prefault(['error']),
      })
      .prefault({}),
    /** The call that makes or finds one contact; made only where `add.members` is `contacts`. */
    upsert: z
      .strictObject({
        method: writing,
        path: callPath('/contacts'),
        fields: memberFields,
        /** In the answer: the contact's id. */
        id: wirePaths.prefault(['id', '_id']),
      })
      .prefault({}),
  })
  .prefault({});
