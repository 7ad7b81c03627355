// The parts of a dialect that describe what is only read: the people schema (docs/platform-api.md, People schema)
// and the drafts of the inbox (docs/platform-api.md, Inbox draft).
import * as z from 'zod';
import { callPath, wireName, wirePaths } from './parts.js';

/** GET /schema/people, the call that costs nothing. */
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
  .prefault({});

/** One draft of an inbox conversation. */
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
  .prefault({});
