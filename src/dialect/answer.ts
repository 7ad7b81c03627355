// The parts of a dialect that describe results: the call by ticket, the body of an answer, and inside it the blocks and
// the fields of each block. Our names on the left, the platform's on the right: a list of paths, tried in order, so
// that a result by id and the same result in a webhook may differ.
import * as z from 'zod';
import { COMPANY_FIELDS, POSITION_FIELDS, PROFILE_FIELDS } from '../model/result.js';
import { aliasTable, callPath, httpStatus, wirePaths } from './parts.js';

/** The result by ticket: the call, and how its answer says that there is none yet. */
export const resultSchema = z
  .strictObject({
    method: z.enum(['GET', 'POST']).default('GET'),
    path: callPath('/enrich/{id}', ['{id}']),
    /** For the ticket of a whole bulk call (`bulk.answer.batchTicket`); null: the path above. */
    batchPath: callPath('/enrich/{id}', ['{id}']).nullable().default(null),
    /** In progress: one of the statuses (404 may be one), or one of the values at a path of the body or of its entry. */
    pending: z
      .strictObject({
        statuses: z.array(httpStatus).max(10).readonly().default([202]),
        at: wirePaths.prefault([]),
        values: z
          .array(z.union([z.string(), z.number(), z.boolean()]))
          .max(20)
          .readonly()
          .default([]),
      })
      .prefault({}),
  })
  .prefault({});

const typeNames = (neutral: readonly string[]) =>
  z
    .array(z.string().min(1))
    .max(20)
    .readonly()
    .default([...neutral]);

/** The body of a result, by ticket and in a webhook (docs/platform-api.md, Enrichment result). */
export const answerSchema = z
  .strictObject({
    /** The entries: an array of them, or one object; `.` when the body is the one entry. */
    entries: wirePaths.prefault(['data']),
    /** In an entry: its ticket, and the object that holds the blocks. */
    ticket: wirePaths.prefault(['id']),
    blocks: wirePaths.prefault(['data']),
    /** In an entry of a webhook: the metadata that came with its bulk item. */
    metadata: wirePaths.prefault(['metadata']),
    /** The type of the answer, in the body or in an entry. */
    type: wirePaths.prefault(['type']),
    /** The types of a webhook that bring results; one without a type is taken for one of these. */
    doneTypes: typeNames(['enrichmentDone']),
    /** The types that mean a failed enrichment. */
    errorTypes: typeNames(['enrichmentError']),
    /** The reason of a failure, in an entry or in the body. */
    reason: wirePaths.prefault(['error']),
    /** In an entry: what says nothing about the result, and need not be read. */
    ignored: wirePaths.prefault([]),
  })
  .prefault({});

/**
 * The place of each block among the blocks of an entry (docs/platform-api.md, Enrichment result).
 * `verify_email` has no block of its own there: its answer arrives in `find_email`.
 */
export const blocksSchema = z
  .strictObject({
    find_email: wirePaths.prefault(['find_email']),
    verify_email: wirePaths.prefault(['find_email']),
    find_phone: wirePaths.prefault(['find_phone']),
    social_enrichment: wirePaths.prefault(['social_enrichment']),
  })
  .prefault({});

const alias = (neutral: string) => wirePaths.prefault(neutral);

/** The shape of a profile around its fields: groups, positions and dates. */
const structureSchema = z
  .strictObject({
    positionGroups: alias('positionGroups'),
    company: alias('company'),
    date: alias('date'),
    profilePositions: alias('profilePositions'),
    start: alias('start'),
    end: alias('end'),
    month: alias('month'),
    year: alias('year'),
  })
  .prefault({});

/** The fields inside the blocks, with their neutral names (docs/platform-api.md, Resources). */
export const fieldsSchema = z
  .strictObject({
    find_email: z.strictObject({ email: alias('email'), status: alias('status') }).prefault({}),
    find_phone: z.strictObject({ phone: alias('phone') }).prefault({}),
    profile: aliasTable(PROFILE_FIELDS),
    company: aliasTable(COMPANY_FIELDS),
    position: aliasTable(POSITION_FIELDS),
    structure: structureSchema,
  })
  .prefault({});
