// The lines of the ledger file: one kind for each thing that has to outlive the process.
import { z } from 'zod';
import { type EnrichmentRequest, INPUTS } from '../../model/ask.js';
import type { ListMember } from '../../model/resources/contact-list.js';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../model/text/json.js';

const RECORD = z.object({
  id: z.string(),
  ask: z.array(z.string()),
  inputs: z.partialRecord(z.enum(INPUTS), z.string()),
  webhookUrl: z.string().exactOptional(),
  metadata: z.custom<JsonValue>((value) => value !== undefined).exactOptional(),
  acceptedAt: z.number(),
  readyAt: z.number(),
});

const BULK_CALL = z.object({
  id: z.string(),
  /** The items in their order: accepted, or refused with an error. */
  items: z
    .array(
      z.object({
        id: z.string().exactOptional(),
        error: z.string().exactOptional(),
        metadata: z.custom<JsonValue>((value) => value !== undefined).exactOptional(),
      }),
    )
    .readonly(),
});

const HOOK = z.object({
  id: z.string(),
  targetUrl: z.string(),
  createdAt: z.number(),
  type: z.string().exactOptional(),
  /** The secret, encrypted: see `createSecretBox`. */
  secret: z.string().exactOptional(),
  campaignId: z.string().exactOptional(),
  isFirst: z.boolean().exactOptional(),
  zapId: z.string().exactOptional(),
});

const LIST = z.object({ id: z.string(), name: z.string(), createdAt: z.number() });

/** New members of a list, in one piece. */
const LIST_MEMBERS = z.object({
  list: z.string(),
  members: z.array(z.custom<ListMember>(isJsonObject)),
});

const EMITTED = z.object({
  id: z.string(),
  type: z.string(),
  emittedAt: z.number(),
  /** The body of its deliveries. */
  record: z.custom<JsonObject>(isJsonObject),
});

const LINE = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opened'), seed: z.number() }),
  RECORD.extend({ kind: z.literal('accepted') }),
  BULK_CALL.extend({ kind: z.literal('bulk-call') }),
  HOOK.extend({ kind: z.literal('hook') }),
  z.object({ kind: z.literal('hook-deleted'), id: z.string() }),
  z.object({ kind: z.literal('hook-off'), id: z.string() }),
  LIST.extend({ kind: z.literal('list') }),
  LIST_MEMBERS.extend({ kind: z.literal('list-members') }),
  EMITTED.extend({ kind: z.literal('emitted') }),
  // `hook` is the hook to which it was delivered; without one, it went to the URL of its request.
  z.object({ kind: z.literal('delivered'), id: z.string(), hook: z.string().exactOptional() }),
  z.object({ kind: z.literal('given-up'), id: z.string(), hook: z.string().exactOptional() }),
]);

/** Times in milliseconds since the Unix epoch. */
export interface AcceptedRecord extends EnrichmentRequest {
  readonly id: string;
  /** The address to which its result is delivered. */
  readonly webhookUrl?: string;
  /** The value that comes back with the result as it was given. */
  readonly metadata?: JsonValue;
  readonly acceptedAt: number;
  readonly readyAt: number;
}

export type BulkCallRecord = Readonly<z.infer<typeof BULK_CALL>>;
export type BulkItemRecord = BulkCallRecord['items'][number];

export type HookRecord = Readonly<z.infer<typeof HOOK>>;

export type ListRecord = Readonly<z.infer<typeof LIST>>;
export type ListMembersRecord = Readonly<z.infer<typeof LIST_MEMBERS>>;

export type EmittedRecord = Readonly<z.infer<typeof EMITTED>>;

export type LedgerLine = z.infer<typeof LINE> | ({ readonly kind: 'accepted' } & AcceptedRecord);

/** Writes all lines or none; without a ledger file it does nothing. */
export type WriteLines = (lines: readonly LedgerLine[]) => void;

/** The line of a text; undefined if it is not a line of the ledger. */
export function parseLedgerLine(text: string): LedgerLine | undefined {
  return LINE.safeParse(parseJson(text)).data;
}
