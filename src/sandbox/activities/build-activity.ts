// An activity record as it is sent to hooks, its fields in the documented order (docs/platform-api.md, Payload).
import type { PlatformEvent } from '../../model/events/event-catalogue.js';
import type { JsonObject, JsonValue } from '../../model/text/json.js';
import { TEAM } from '../seeds.js';
import { chooseCampaign, chooseLead, chooseSender } from './choose-parties.js';
import type { ReadFields } from './read-activity-fields.js';
import { writeRecipients } from './write-recipients.js';

interface Circumstances {
  /** `act_…` */
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly seed: number;
}

/**
 * Events without a campaign or a lead leave their fields out. A third-party reply names the third party in place
 * of the lead, and has no `campaignId`, `leadId` and `sequenceId` (docs/platform-api.md, Third-party reply).
 */
export function buildActivity(
  event: PlatformEvent,
  { fields, others }: ReadFields,
  { id, now, seed }: Circumstances,
): JsonObject {
  const { to: _to, cc: _cc, bcc: _bcc, isThirdPartyReply, ...given } = fields;
  const isThirdParty = isThirdPartyReply === true;
  const campaign = chooseCampaign(fields);
  const lead = withOwn(chooseLead(fields, seed), {
    email: fields.leadEmail,
    firstName: fields.leadFirstName,
    lastName: fields.leadLastName,
  });
  const sender = withOwn(chooseSender(fields, seed), {
    email: fields.sendUserEmail,
    name: fields.sendUserName,
  });
  return leaveOut({
    _id: id,
    type: event.type,
    teamId: TEAM.id,
    createdAt: new Date(now).toISOString(),
    ...(event.hasCampaign && {
      campaignId: isThirdParty ? null : campaign.id,
      campaignName: campaign.name,
    }),
    ...(event.hasCampaign &&
      event.hasLead && {
        sequenceId: isThirdParty ? null : campaign.sequenceId,
        sequenceStep: 0,
      }),
    ...(event.hasLead && {
      leadId: lead.id ?? null,
      leadEmail: lead.email,
      leadFirstName: lead.firstName,
      leadLastName: lead.lastName,
    }),
    sendUserId: sender.id,
    sendUserEmail: sender.email,
    sendUserName: sender.name,
    ...(event.group === 'email' && { subject: campaign.subject }),
    ...given,
    ...writeRecipients(event.type, fields, lead, sender),
    ...(isThirdParty && { isThirdPartyReply }),
    ...others,
  });
}

/** What was given for the person goes into the recipients as well; what was left out there stays known here. */
function withOwn<T extends object>(
  person: T,
  own: Readonly<Record<string, string | null | undefined>>,
): T {
  const told = Object.entries(own).filter(([, value]) => typeof value === 'string');
  return { ...person, ...Object.fromEntries(told) };
}

function leaveOut(record: Readonly<Record<string, JsonValue>>): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}
