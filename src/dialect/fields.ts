// The part of a dialect that names what stands inside a result: blocks, and the fields of each block.
// Ours on the left, the platform's on the right: a list of paths, tried in order, so that a result by
// id and the same result in a webhook may differ.
import * as z from 'zod';
import { COMPANY_FIELDS, POSITION_FIELDS, PROFILE_FIELDS } from '../model/result.js';
import { aliasTable, wirePaths } from './parts.js';

/**
 * Where each block stands among the blocks of an entry (docs/platform-api.md, Enrichment result).
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
