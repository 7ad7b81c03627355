// The parts of a dialect that describe the calls besides enrichments and their results: webhooks, contact lists, the
// people schema, drafts and the account. A platform may have none of them: null.
import * as z from 'zod';
import { SluiceError } from '../model/errors.js';
import type { ListMember } from '../model/resources/contact-list.js';
import type { HookWish } from '../model/resources/resources.js';
import { key, section, shown } from './keys.js';
import {
  callMethod,
  callPath,
  innerPath,
  refuseClash,
  wireName,
  wirePaths,
  wirePlace,
} from './parts.js';

/** The webhooks that the platform keeps: how they are listed, added and removed. */
export const hooksSchema = z
  .strictObject({
    path: key(
      callPath('/hooks'),
      'The path of the webhooks; GET lists them.',
      shown('POST /hooks'),
    ),
    entries: key(wirePaths.prefault(['.']), 'The list of webhooks, in the listing.'),
    id: key(wirePaths.prefault(['_id']), 'The id, in a webhook.', shown('Webhook')),
    targetUrl: key(
      wirePaths.prefault(['targetUrl']),
      'The address that it delivers to, in a webhook.',
      shown('Webhook'),
    ),
    type: key(
      wirePaths.prefault(['type']),
      'The type of event that it delivers, in a webhook.',
      shown('Webhook'),
    ),
    createdAt: key(
      wirePaths.prefault(['createdAt']),
      'The time at which it was made, in a webhook.',
      shown('Webhook'),
    ),
    add: section(
      'The call that adds a webhook.',
      {
        method: callMethod('POST', 'PUT'),
        path: key(
          callPath('/hooks').nullable().default(null),
          'The path of the call; null is that of the listing.',
        ),
        body: key(
          z
            .strictObject({
              targetUrl: innerPath.default('targetUrl'),
              type: innerPath.default('type'),
              secret: innerPath.default('secret'),
            })
            .superRefine(refuseClash)
            .prefault({}),
          'The place of each in the body.',
        ),
        query: section(
          'The names of the query parameters; null for one that the platform does not have.',
          {
            campaignId: wireName.nullable().default('campaignId'),
            isFirst: wireName.nullable().default('isFirst'),
            zapId: wireName.nullable().default('zapId'),
          },
        ),
        hook: key(wirePaths.prefault(['.']), 'The webhook, in the answer.'),
      },
      shown('POST /hooks'),
    ),
    remove: section('The call that removes a webhook, by its id.', {
      method: callMethod('DELETE', 'POST'),
      path: callPath('/hooks/{id}', ['{id}']),
    }),
  })
  .nullable()
  .prefault({});

/** The places of the fields of a contact. */
const contactFields = (meaning: string) =>
  key(
    z
      .strictObject({
        email: innerPath.default('email'),
        firstName: innerPath.default('firstName'),
        lastName: innerPath.default('lastName'),
        socialUrl: innerPath.default('socialUrl'),
        companyName: innerPath.default('companyName'),
      } satisfies Record<keyof ListMember, z.ZodType>)
      .superRefine(refuseClash)
      .prefault({}),
    meaning,
  );

/** How a contact list is created, and how contacts are added to it. */
export const listsSchema = z
  .strictObject({
    create: section(
      'The call that creates a list.',
      {
        method: callMethod('POST', 'PUT', 'PATCH'),
        path: callPath('/contacts/lists'),
        body: section("The place of the list's name in the body.", {
          name: innerPath.default('name'),
        }),
        id: key(wirePaths.prefault(['list.id']), "The list's id, in the answer."),
        name: key(wirePaths.prefault(['list.name']), "The list's name, in the answer."),
      },
      shown('POST /contacts/lists'),
    ),
    add: section('The call that adds contacts to a list.', {
      method: key(
        callMethod('POST', 'PUT', 'PATCH'),
        'The method of the call.',
        shown('POST /contacts/lists/{listId}/entities'),
      ),
      path: key(
        callPath('/contacts/lists/{listId}/entities', ['{listId}']),
        'The path of the call. It holds `{listId}` exactly once.',
        shown('POST /contacts/lists/{listId}/entities'),
      ),
      max: key(z.int().min(1).max(10_000).default(1_000), 'The most members in one call.'),
      members: key(
        z.enum(['objects', 'emails', 'contacts']).default('objects'),
        'The form of the members: objects with what is known of each, their e-mail addresses, or the ids of contacts, which `lists.upsert` gives.',
      ),
      entities: key(
        wirePlace.default('entities'),
        'The list of members, in the body; `.` is the body itself.',
      ),
      fields: contactFields('The place of each field in a member that is an object.'),
      added: key(
        wirePaths.prefault(['addedCount']),
        'The number of members who were added, or the list of them, in the answer; without it, all were.',
      ),
      alreadyIn: key(
        wirePaths.prefault(['alreadyInList']),
        'The number of members who were in the list already, or the list of them, in the answer.',
      ),
      error: key(wirePaths.prefault(['error']), 'The reason why nobody was added, in the answer.'),
    }),
    upsert: section(
      'The call that makes or finds one contact. It is made only where `lists.add.members` is `contacts`.',
      {
        method: callMethod('POST', 'PUT', 'PATCH'),
        path: callPath('/contacts'),
        fields: contactFields('The place of each field in the body.'),
        id: key(wirePaths.prefault(['id', '_id']), "The contact's id, in the answer."),
      },
    ),
  })
  .nullable()
  .prefault({});

/** The call that costs nothing. */
export const peopleSchemaSchema = z
  .strictObject({
    path: callPath('/schema/people'),
    schema: key(wirePaths.prefault(['schema']), 'A sample record, in the answer.'),
    properties: key(
      wirePaths.prefault(['properties']),
      "The names of the record's fields, in the answer.",
    ),
    version: section(
      'The date since which the schema is so, and the type of that date, in the answer.',
      {
        since: wirePaths.prefault(['version.since']),
        type: wirePaths.prefault(['version.type']),
      },
    ),
  })
  .nullable()
  .prefault({});

/** A free call that shows that the address and the credentials are right; and the balance, if its answer has one. */
export const accountSchema = z
  .strictObject({
    path: key(callPath('/account').removeDefault(), 'The path of the call.'),
    credits: key(
      wirePaths.prefault([]),
      'The credits that are left, in the answer: a number or the text of one.',
    ),
  })
  .nullable()
  .default(null);

/** One draft of an inbox conversation. */
export const draftsSchema = z
  .strictObject({
    path: callPath('/inbox/{contactId}/drafts/{draftId}', ['{contactId}', '{draftId}']),
    owner: key(wireName.default('draftOwner'), "The query parameter that takes the draft's owner."),
    draft: key(wirePaths.prefault(['draft']), 'The draft, in the answer.'),
    fields: section(
      'The place of each field in the draft.',
      {
        id: wirePaths.prefault(['_id']),
        channel: wirePaths.prefault(['channel']),
        subject: wirePaths.prefault(['subject']),
        cc: wirePaths.prefault(['cc']),
        content: wirePaths.prefault(['content']),
        attachments: wirePaths.prefault(['attachments']),
        source: wirePaths.prefault(['source']),
        createdAt: wirePaths.prefault(['createdAt']),
        updatedAt: wirePaths.prefault(['updatedAt']),
      },
      shown('Inbox draft'),
    ),
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
 * @throws SluiceError `usage` if the platform has none
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

/** The limits that a hook can have, with the flag of each. */
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
