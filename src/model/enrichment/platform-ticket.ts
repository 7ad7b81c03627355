// Tickets as the platform knows them, which its list of charges may name (src/platform/answers/ticket.ts makes ours).

/** `bulk_7` for an item of a bulk call with one id for all. Null if the platform gave no id, and answered at once. */
export function platformTicket(ticket: string): string | null {
  if (ticket.includes(' ')) return null;
  const at = ticket.lastIndexOf('~');
  return at > 0 && /^~(?:[\w-]{16}|\d{1,5}of\d{1,5})$/.test(ticket.slice(at))
    ? ticket.slice(0, at)
    : ticket;
}
