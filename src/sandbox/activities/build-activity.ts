// Builds an activity record for hooks, its fields in the documented order (docs/platform-api.md, Payload). Its lead and
// sender are seeded ones if no other is named, and invented ones for a name that no seed has, always the same for the
// same name.
import type { PlatformEvent } from '../../model/events/event-catalogue.js';
import type { JsonObject, JsonValue } from '../../model/text/json.js';
import { imaginePersona, toAsciiWord } from '../answers/imagine-persona.js';
import { openDraw } from '../answers/open-draw.js';
import { COMPANY_NAMES, FIRST_NAMES, LAST_NAMES } from '../answers/persona-data.js';
import {
  CAMPAIGNS,
  CONTACTS,
  type SeededCampaign,
  type SeededUser,
  TEAM,
  THIRD_PARTY,
  USERS,
} from '../seeds.js';
import { type ActivityFields, type ReadFields, WITH_RECIPIENTS } from './read-activity-fields.js';

interface Lead {
  /** The id; undefined for a third party, who is not a lead. */
  readonly id: string | undefined;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

type Sender = Omit<SeededUser, 'teamId'>;

const [FIRST_CONTACT, ...OTHER_CONTACTS] = CONTACTS;
const LEADS = [toLead(FIRST_CONTACT), ...OTHER_CONTACTS.map(toLead)] as const;

/**
 * `id` is `act_…`, `now` in milliseconds since the Unix epoch. Events without a campaign or a lead leave their fields
 * out. A third-party reply names the third party in place of the lead, and has no `campaignId`, `leadId` and
 * `sequenceId` (docs/platform-api.md, Third-party reply).
 */
export function buildActivity(
  event: PlatformEvent,
  { fields, others }: ReadFields,
  { id, now, seed }: { readonly id: string; readonly now: number; readonly seed: number },
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

/** The person with the caller's values, which the recipients use as well; a null changes nothing here. */
function withOwn<T extends object>(
  person: T,
  own: Readonly<Record<string, string | null | undefined>>,
): T {
  const given = Object.entries(own).filter(([, value]) => typeof value === 'string');
  return { ...person, ...Object.fromEntries(given) };
}

function leaveOut(record: Readonly<Record<string, JsonValue>>): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

function chooseCampaign({ campaignId: id }: ActivityFields): SeededCampaign {
  const [usual] = CAMPAIGNS;
  if (id === undefined || id === null) return usual;
  const { subject } = usual;
  const seeded = CAMPAIGNS.find((campaign) => campaign.id === id);
  return seeded ?? { id, name: `Campaign ${id}`, sequenceId: `seq_${id}`, subject };
}

/** The third party of a third-party reply; else the lead of `leadId` or `leadEmail`. */
function chooseLead({ leadId, leadEmail, isThirdPartyReply }: ActivityFields, seed: number): Lead {
  if (isThirdPartyReply === true) return { ...THIRD_PARTY, id: undefined };
  const seeded = findSeeded<Lead>(LEADS, leadId, leadEmail);
  if (seeded !== undefined) return seeded;
  const { suffix, ...person } = imaginePerson(leadId, leadEmail, seed);
  return { id: leadId ?? `lea_${suffix}`, ...person };
}

function chooseSender({ sendUserId, sendUserEmail }: ActivityFields, seed: number): Sender {
  const seeded = findSeeded(USERS, sendUserId, sendUserEmail);
  if (seeded !== undefined) return seeded;
  const { suffix, email, firstName, lastName } = imaginePerson(sendUserId, sendUserEmail, seed);
  return { id: sendUserId ?? `usr_${suffix}`, email, name: `${firstName} ${lastName}` };
}

function toLead({ leadId: id, email, firstName, lastName }: (typeof CONTACTS)[number]): Lead {
  return { id, email, firstName, lastName };
}

/** The seeded person: the first one if none is named; else by the id, and by the e-mail if there is no id. */
function findSeeded<Person extends Pick<Lead, 'id' | 'email'>>(
  seeds: readonly [Person, ...Person[]],
  id: string | null | undefined,
  email: string | null | undefined,
): Person | undefined {
  const hasId = typeof id === 'string';
  if (!hasId && typeof email !== 'string') return seeds[0];
  const wanted = email?.toLowerCase();
  return seeds.find((one) => (hasId ? one.id === id : one.email.toLowerCase() === wanted));
}

/** Invents a person, always the same for the same id or e-mail. */
function imaginePerson(
  id: string | null | undefined,
  email: string | null | undefined,
  seed: number,
) {
  const draw = openDraw(seed, 'party', id ?? email ?? '');
  const word = (list: typeof FIRST_NAMES): string => toAsciiWord(draw.pick(list));
  const drawn = `${word(FIRST_NAMES)}.${word(LAST_NAMES)}@${word(COMPANY_NAMES)}.example`;
  const suffix = draw.between(0x100000, 0xffffff).toString(16);
  const { firstName, lastName } = imaginePersona({ email: (email ?? drawn).toLowerCase() }, seed);
  return { email: email ?? drawn, firstName, lastName, suffix };
}

/**
 * `{to, cc, bcc}`, with addresses in lower case and without empty fields; nothing for an event that has none
 * (docs/platform-api.md, Email recipients). Given fields replace the others.
 */
function writeRecipients(
  type: string,
  { to, cc, bcc }: ActivityFields,
  lead: Lead,
  sender: Sender,
): JsonObject {
  if (!WITH_RECIPIENTS.has(type)) return {};
  // An inbound e-mail goes to the owner of the mailbox, who does not see its BCC.
  const receiver =
    type === 'emailsReplied'
      ? { address: sender.email, name: sender.name }
      : { address: lead.email, name: `${lead.firstName} ${lead.lastName}`.trim() };
  const hidden = sender.hiddenBcc === undefined ? [] : [{ address: sender.hiddenBcc, name: '' }];
  const lists = {
    to: to === undefined ? [receiver] : to,
    cc,
    bcc: type === 'emailsSent' && bcc === undefined ? hidden : bcc,
  };
  const written = Object.entries(lists).flatMap(([name, recipients]) => {
    if (!recipients?.length) return [];
    const lowered = recipients.map((one) => ({ ...one, address: one.address.toLowerCase() }));
    return [[name, lowered] as const];
  });
  return Object.fromEntries(written);
}
