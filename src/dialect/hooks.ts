// The part of a dialect that describes the webhooks which the platform keeps: how they are added
// (docs/platform-api.md, POST /hooks), listed and removed (docs/platform-api.md, GET /hooks and DELETE /hooks/{id}).
import * as z from 'zod';
import { callPath, innerPath, wireName, wirePaths } from './parts.js';
import { refuseClash } from './places.js';

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
        /** Where each stands in the body. */
        body: z
          .strictObject({
            targetUrl: innerPath.default('targetUrl'),
            type: innerPath.default('type'),
            secret: innerPath.default('secret'),
          })
          .superRefine(refuseClash)
          .prefault({}),
        /** The names of the query parameters. */
        query: z
          .strictObject({
            campaignId: wireName.default('campaignId'),
            isFirst: wireName.default('isFirst'),
            zapId: wireName.default('zapId'),
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
  .prefault({});
