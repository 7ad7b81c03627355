// The parts of a dialect that describe the calls besides enrichments and their results: webhooks, contact lists, the
// people schema, drafts and the account. A platform may have none of them: null.
import * as z from 'zod';
import { SluiceError } from '../model/errors.js';
import type { ListMember } from '../model/resources/contact-list.js';
import { key, section, shown } from './keys.js';
import { callPath, innerPath, refuseClash, wirePaths, wirePlace } from './parts.js';

export const hooksSchema = z
  .strictObject({
    path: key(
      callPath('/hooks'),
      'The path of the webhooks; GET lists them, POST adds one.',
      shown('POST /hooks'),
    ),
    entries: key(wirePaths.prefault(['.']), 'The list of webhooks, in the listing.'),
    remove: section('The call that removes a webhook, by its id.', {
      path: callPath('/hooks/{id}', ['{id}']),
    }),
  })
  .nullable()
  .prefault({});

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

export const listsSchema = z
  .strictObject({
    create: section(
      'The call that creates a list.',
      {
        path: callPath('/contacts/lists'),
      },
      shown('POST /contacts/lists'),
    ),
    add: section('The call that adds contacts to a list.', {
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
        path: callPath('/contacts'),
        fields: contactFields('The place of each field in the body.'),
        id: key(wirePaths.prefault(['id', '_id']), "The contact's id, in the answer."),
      },
    ),
  })
  .nullable()
  .prefault({});

export const peopleSchemaSchema = z
  .strictObject({
    path: callPath('/schema/people'),
  })
  .nullable()
  .prefault({});

/** A free call that shows that the address and the credentials are right; and the balance, if its answer has one. */
export const accountSchema = z
  .strictObject({
    path: key(callPath('/account').removeDefault(), 'The path of the call.'),
    credits: key(
      wirePaths.prefault([]),
      'The credits that are left, in the answer, also in a header (`header:x-credits`): a number or the text of one.',
    ),
  })
  .nullable()
  .default(null);

export const draftsSchema = z
  .strictObject({
    path: callPath('/inbox/{contactId}/drafts/{draftId}', ['{contactId}', '{draftId}']),
  })
  .nullable()
  .prefault({});

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

/** @throws SluiceError `usage` if the platform has none */
export function demandCalls<K extends keyof Calls>(dialect: Calls, key: K): NonNullable<Calls[K]> {
  const calls = dialect[key];
  if (calls !== null) return calls;
  const advice = `If the platform has them, describe them under "${key}" of the dialect, which is null`;
  throw new SluiceError('usage', `This platform's dialect has ${NAMES[key]}. ${advice}.`);
}
