// The part of a dialect that describes the bulk call: many enrichments in one request, each with
// metadata of ours that the platform hands back (docs/platform-api.md, POST /enrich/bulk).
import * as z from 'zod';
import { type Ask, INPUTS, type InputName } from '../model/ask.js';
import { callPath, clashingNames, innerPath, wireName, wirePath, wirePaths } from './parts.js';

/** Null: named as the query parameter of `enrich.parameters` is. */
const sameAsSingle = wireName.nullable().default(null);

export const bulkSchema = z
  .strictObject({
    /** Null: the platform has no bulk call. */
    path: callPath('/enrich/bulk').nullable(),
    method: z.enum(['POST', 'PUT']).default('POST'),
    /** Items in one call, at most. */
    max: z.int().min(1).max(10_000).default(500),
    /** The query parameter that takes the callback URL; null where there is none. */
    webhookUrl: wireName.default('webhookUrl').nullable(),
    /** In the body: the array of items; `.` when it is the body. */
    items: wirePath.default('.'),
    /** In an item: the object of inputs; `.` when they are in the item itself. */
    input: wirePath.default('input'),
    /** In an item: the array of what is asked. */
    enrichmentRequests: innerPath.default('enrichmentRequests'),
    /** In an item: the correlation key, a string; null where the platform has no place for it. */
    metadata: innerPath.default('metadata').nullable(),
    inputs: z
      .strictObject({
        email: sameAsSingle,
        socialUrl: sameAsSingle,
        firstName: sameAsSingle,
        lastName: sameAsSingle,
        companyDomain: sameAsSingle,
        companyName: sameAsSingle,
      } satisfies Record<InputName, z.ZodType>)
      .prefault({}),
    asks: z
      .strictObject({
        find_email: wireName.default('find_email'),
        verify_email: wireName.default('verify_email'),
        social_enrichment: wireName.default('social_enrichment'),
        find_phone: wireName.default('find_phone'),
      } satisfies Record<Ask, z.ZodType>)
      .prefault({}),
    /** The answer: its array of entries, and in an entry the ticket, our metadata, and why it was refused. */
    answer: z
      .strictObject({
        entries: wirePaths.prefault(['.']),
        ticket: wirePaths.prefault(['id']),
        metadata: wirePaths.prefault(['metadata']),
        error: wirePaths.prefault(['error']),
        /** One ticket for the whole call; none where every item has its own. */
        batchTicket: wirePaths.prefault([]),
      })
      .prefault({}),
  })
  .refine(
    ({ path, metadata, answer }) =>
      path === null || metadata !== null || answer.batchTicket.length === 0,
    {
      path: ['answer', 'batchTicket'],
      error:
        'one ticket for a whole call needs bulk.metadata, by which its items are told apart. Say where it is written, or set bulk.path to null',
    },
  )
  .prefault({});

interface BulkNames {
  readonly bulk: z.output<typeof bulkSchema>;
  readonly enrich: { readonly parameters: Readonly<Record<InputName, string>> };
}

/** What a bulk item is made of. */
export type ItemPart = InputName | 'enrichmentRequests' | 'metadata';

/** Where each part of a bulk item is written: the keys that lead to it, from the outermost on. */
export function itemPlaces({ bulk, enrich }: BulkNames): ReadonlyMap<ItemPart, readonly string[]> {
  const input = bulk.input === '.' ? [] : bulk.input.split('.');
  const places = new Map<ItemPart, readonly string[]>();
  for (const name of INPUTS) {
    places.set(name, [...input, bulk.inputs[name] ?? enrich.parameters[name]]);
  }
  places.set('enrichmentRequests', bulk.enrichmentRequests.split('.'));
  if (bulk.metadata !== null) places.set('metadata', bulk.metadata.split('.'));
  return places;
}

/** Two parts, one of which would overwrite the other, unnoticed; undefined when there are none. */
export function clashingPlaces(names: BulkNames): [ItemPart, ItemPart] | undefined {
  if (names.bulk.path === null) return undefined;
  return clashingNames([...itemPlaces(names)]);
}
