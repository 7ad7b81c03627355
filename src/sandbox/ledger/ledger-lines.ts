// The lines of the ledger file: one kind for each thing that has to outlive the process.
import { z } from 'zod';
import { type EnrichmentRequest, INPUTS } from '../../model/ask.js';
import type { ListMember } from '../../model/resources/contact-list.js';
import { isJsonObject, type JsonValue, parseJson } from '../../model/text/json.js';

const RECORD = z.object({
  id: z.string(),
  ask: z.array(z.string()),
  inputs: z.partialRecord(z.enum(INPUTS), z.string()),
  webhookUrl: z.string().exactOptional(),
  metadata: z.custom<JsonValue>((value) => value !== undefined).exactOptional(),
  acceptedAt: z.number(),
  readyAt: z.number(),
});

const LIST = z.object({ id: z.string(), name: z.string(), createdAt: z.number() });

const LIST_MEMBERS = z.object({
  list: z.string(),
  members: z.array(z.custom<ListMember>(isJsonObject)),
});

const LINE = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opened'), seed: z.number() }),
  RECORD.extend({ kind: z.literal('accepted') }),
  LIST.extend({ kind: z.literal('list') }),
  LIST_MEMBERS.extend({ kind: z.literal('list-members') }),
  // To the URL of its request.
  z.object({ kind: z.literal('delivered'), id: z.string() }),
  z.object({ kind: z.literal('given-up'), id: z.string() }),
]);

/** Times in milliseconds since the Unix epoch. */
export interface AcceptedRecord extends EnrichmentRequest {
  readonly id: string;
  readonly webhookUrl?: string;
  /** The value that comes back with the result as it was given. */
  readonly metadata?: JsonValue;
  readonly acceptedAt: number;
  readonly readyAt: number;
}

export type ListRecord = Readonly<z.infer<typeof LIST>>;
export type ListMembersRecord = Readonly<z.infer<typeof LIST_MEMBERS>>;

export type LedgerLine = z.infer<typeof LINE> | ({ readonly kind: 'accepted' } & AcceptedRecord);

/** Writes all lines or none; without a ledger file it does nothing. */
export type WriteLines = (lines: readonly LedgerLine[]) => void;

export function parseLedgerLine(text: string): LedgerLine | undefined {
  return LINE.safeParse(parseJson(text)).data;
}
