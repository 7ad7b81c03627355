// A number for each ticket, so that the index of tickets is small. Tickets of the same number are told apart by the ticket.
import type Database from 'better-sqlite3';

// FNV-1a with 32 bits (RFC 9923).
const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** Gives statements of this connection the function `ticket_digest(text)`: an integer of 32 bits. */
export function addTicketDigest(db: Database.Database): void {
  db.function('ticket_digest', { deterministic: true, directOnly: true }, ticketDigest);
}

function ticketDigest(ticket: unknown): number {
  let digest = OFFSET_BASIS;
  for (const byte of Buffer.from(String(ticket))) digest = Math.imul(digest ^ byte, PRIME);
  return digest;
}
