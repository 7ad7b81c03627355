// The ticket of one item where the platform gives one for a whole bulk call: that ticket, and a digest of
// the item's key, by which its entry is known among those of the call. So every enrichment has a ticket of
// its own, and no answer can be taken for another's. The key itself is secret, and the digest is not.
import { createHash } from 'node:crypto';
import type { Dialect } from '../../dialect/dialect.js';

const SHAPE = /^(.+)~([\w-]{16})$/s;
/** 96 bits. */
const DIGEST_LENGTH = 16;

export interface OpenTicket {
  /** As the platform gave it. */
  readonly ticket: string;
  /** Whose entry is asked for; undefined for a ticket that stands for one enrichment. */
  readonly digest: string | undefined;
}

/** `bulk_7` and a key become `bulk_7~Yp3kQ0aB9xT2-_sd`. */
export function sealBatchTicket(ticket: string, key: string): string {
  return `${ticket}~${digestOf(key)}`;
}

/** Takes apart what `sealBatchTicket` made, where the dialect knows such tickets. */
export function openTicket(ticket: string, dialect: Dialect): OpenTicket {
  const [, shared, digest] = (hasBatchTickets(dialect) && SHAPE.exec(ticket)) || [];
  return shared === undefined ? { ticket, digest: undefined } : { ticket: shared, digest };
}

export function hasBatchTickets({ bulk }: Dialect): boolean {
  return bulk.path !== null && bulk.answer.batchTicket.length > 0;
}

export function isKeyOf(digest: string, key: string | undefined): boolean {
  return key !== undefined && digestOf(key) === digest;
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, DIGEST_LENGTH);
}
