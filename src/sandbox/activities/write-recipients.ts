// Who an e-mail went to (docs/platform-api.md, Email recipients): only on three events, with addresses in lower
// case, and without fields that would be empty.
import type { JsonObject } from '../../model/text/json.js';
import type { Lead, Sender } from './choose-parties.js';
import type { ActivityFields } from './read-activity-fields.js';

interface Recipient {
  readonly address: string;
  readonly name: string;
}

/** `{to, cc, bcc}`; nothing for an event that has none. Fields that were given replace what would be there. */
export function writeRecipients(
  type: string,
  { to, cc, bcc }: ActivityFields,
  lead: Lead,
  sender: Sender,
): JsonObject {
  const theLead = { address: lead.email, name: `${lead.firstName} ${lead.lastName}`.trim() };
  switch (type) {
    case 'emailsSent': {
      const hidden =
        sender.hiddenBcc === undefined ? [] : [{ address: sender.hiddenBcc, name: '' }];
      return write({
        to: to === undefined ? [theLead] : to,
        cc,
        bcc: bcc === undefined ? hidden : bcc,
      });
    }
    case 'emailsBounced':
      return write({ to: to === undefined ? [theLead] : to, cc });
    case 'emailsReplied':
      // An inbound e-mail goes to the owner of the mailbox, and nobody sees its BCC.
      return write({
        to: to === undefined ? [{ address: sender.email, name: sender.name }] : to,
        cc,
      });
    default:
      return {};
  }
}

function write(
  fields: Readonly<Record<string, readonly Recipient[] | null | undefined>>,
): JsonObject {
  const written = Object.entries(fields).flatMap(([name, recipients]) => {
    if (!recipients?.length) return [];
    const lowered = recipients.map((one) => ({ ...one, address: one.address.toLowerCase() }));
    return [[name, lowered]];
  });
  return Object.fromEntries(written) as JsonObject;
}
