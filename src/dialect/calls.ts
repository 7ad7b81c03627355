// The parts of a dialect that describe the calls besides enrichments and their results: webhooks, contact lists, the
// people schema, drafts and the account. A platform may have none of them: null.
import * as z from 'zod';
import { SluiceError } from '../model/errors.js';
import type { ListMember } from '../model/resources/contact-list.js';
import type { HookWish } from '../model/resources/resources.js';
import { callPath, innerPath, refuseClash, wireName, wirePaths, wirePlace } from './parts.js';

/**
 * The webhooks that the platform keeps: how they are added (docs/platform-api.md, POST /hooks), listed and removed
 * (docs/platform-api.md, GET /hooks and DELETE /hooks/{id}).
 */
export const hooksSchema = z
  .strictObject({
    /** GET lists the hooks. */
    path: callPath('/hooks'),
    /** In the listing: the array of hooks. */
    entries: wirePaths.prefault(['.']),
    /** In a hook. */
    id: wirePaths.prefault(['_id']),
    targetUrl: wirePaths.prefault(['targetUrl']),
    type: wirePaths.prefault(['type']),
    createdAt: wirePaths.prefault(['createdAt']),
    add: z
      .strictObject({
        method: z.enum(['POST', 'PUT']).default('POST'),
        /** Null: the path of the listing. */
        path: callPath('/hooks').nullable().default(null),
        /** The place of each in the body. */
        body: z
          .strictObject({
            targetUrl: innerPath.default('targetUrl'),
            type: innerPath.default('type'),
            secret: innerPath.default('secret'),
          })
          .superRefine(refuseClash)
          .prefault({}),
        /** The names of the query parameters; null for what the platform does not have. */
        query: z
          .strictObject({
            campaignId: wireName.nullable().default('campaignId'),
            isFirst: wireName.nullable().default('isFirst'),
            zapId: wireName.nullable().default('zapId'),
          })
          .prefault({}),
        /** In the answer: the hook. */
        hook: wirePaths.prefault(['.']),
      })
      .prefault({}),
    remove: z
      .strictObject({
        method: z.enum(['DELETE', 'POST']).default('DELETE'),
        path: callPath('/hooks/{id}', ['{id}']),
      })
      .prefault({}),
  })
  .nullable()
  .prefault({});

/**
 * How the platform wants the members of a list:
 * - `objects`: each with what is known of it
 * - `emails`: their e-mail addresses
 * - `contacts`: ids of contacts, which an upsert gives for each
 */
const MEMBER_FORMS = ['objects', 'emails', 'contacts'] as const;

const writing = z.enum(['POST', 'PUT', 'PATCH']).default('POST');

/** The places of the fields in a member, or in a contact. */
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

/**
 * How a contact list is created, and how contacts are added to it (docs/platform-api.md, POST /contacts/lists;
 * docs/platform-api.md, POST /contacts/lists/{listId}/entities).
 */
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
        /** In the body: the array of members; `.` when it is the body. */
        entities: wirePlace.default('entities'),
        /** In a member that is an object. */
        fields: memberFields,
        /** In the answer: a number, or an array whose entries are counted; both may be absent. */
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
  .nullable()
  .prefault({});

/** GET /schema/people, the call that costs nothing (docs/platform-api.md, People schema). */
export const peopleSchemaSchema = z
  .strictObject({
    path: callPath('/schema/people'),
    /** In the answer: the sample record, the names of its fields, and the two parts of the version. */
    schema: wirePaths.prefault(['schema']),
    properties: wirePaths.prefault(['properties']),
    version: z
      .strictObject({
        since: wirePaths.prefault(['version.since']),
        type: wirePaths.prefault(['version.type']),
      })
      .prefault({}),
  })
  .nullable()
  .prefault({});

/**
 * A free GET that shows that the address and the credentials are right, asked instead of the people schema; and the
 * balance, where its answer has one.
 */
export const accountSchema = z
  .strictObject({
    path: callPath('/account').removeDefault(),
    /** In the answer: the credits that are left, a number or the text of one. */
    credits: wirePaths.prefault([]),
  })
  .nullable()
  .default(null);

/** One draft of an inbox conversation (docs/platform-api.md, Inbox draft). */
export const draftsSchema = z
  .strictObject({
    path: callPath('/inbox/{contactId}/drafts/{draftId}', ['{contactId}', '{draftId}']),
    /** The query parameter that takes the draft's owner. */
    owner: wireName.default('draftOwner'),
    /** In the answer: the draft. */
    draft: wirePaths.prefault(['draft']),
    fields: z
      .strictObject({
        id: wirePaths.prefault(['_id']),
        channel: wirePaths.prefault(['channel']),
        subject: wirePaths.prefault(['subject']),
        cc: wirePaths.prefault(['cc']),
        content: wirePaths.prefault(['content']),
        attachments: wirePaths.prefault(['attachments']),
        source: wirePaths.prefault(['source']),
        createdAt: wirePaths.prefault(['createdAt']),
        updatedAt: wirePaths.prefault(['updatedAt']),
      })
      .prefault({}),
  })
  .nullable()
  .prefault({});

/** The calls that a platform may lack. */
interface Calls {
  readonly account: z.output<typeof accountSchema>;
  readonly drafts: z.output<typeof draftsSchema>;
  readonly hooks: z.output<typeof hooksSchema>;
  readonly lists: z.output<typeof listsSchema>;
  readonly peopleSchema: z.output<typeof peopleSchemaSchema>;
}

const NAMES: Readonly<Record<keyof Calls, string>> = {
  account: 'no account to ask for its credits',
  drafts: 'no drafts',
  hooks: 'no hooks: webhooks cannot be listed, registered or removed',
  lists: 'no contact lists',
  peopleSchema: 'no people schema',
};

/**
 * The part of a dialect that describes these calls.
 * @throws SluiceError `usage` where the platform has none
 */
export function demandCalls<K extends keyof Calls>(
  dialect: Pick<Calls, K>,
  key: K,
): NonNullable<Calls[K]> {
  const calls = dialect[key];
  if (calls !== null) return calls;
  const advice = `If the platform has them, describe them under "${key}" of the dialect, which is null`;
  throw new SluiceError('usage', `This platform's dialect has ${NAMES[key]}. ${advice}.`, { key });
}

/** What a hook can be limited to, with the flag of each. */
const LIMIT_FLAGS = { campaignId: '--campaign', isFirst: '--first', zapId: '--zap' } as const;

/**
 * The query by which a hook is limited.
 * @throws SluiceError `usage` for a limit that the platform does not have
 */
export function hookQuery(
  dialect: Pick<Calls, 'hooks'>,
  { campaignId, isFirst, zapId }: Pick<HookWish, keyof typeof LIMIT_FLAGS>,
): [name: string, value: string][] {
  const names = demandCalls(dialect, 'hooks').add.query;
  const wished = Object.entries({ campaignId, isFirst: isFirst?.toString(), zapId });
  return wished.flatMap(([limit, value]) => {
    if (value === undefined) return [];
    const name = names[limit as keyof typeof LIMIT_FLAGS];
    if (name !== null) return [[name, value]];
    const key = `hooks.add.query.${limit}`;
    const flag = LIMIT_FLAGS[limit as keyof typeof LIMIT_FLAGS];
    const message = `This platform's webhooks have no ${limit}: "${key}" of the dialect is null. Leave ${flag} out, or name the parameter there.`;
    throw new SluiceError('usage', message, { key });
  });
}
