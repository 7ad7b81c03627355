// Builds the record of an event that is emitted by hand: the documented fields in their order, with values of the seeds.
// The caller's fields replace them or are added, whatever they hold; null leaves a field out.
import type { PlatformEvent } from '../../model/events/event-catalogue.js';
import { exactText, type JsonObject, type JsonValue } from '../../model/text/json.js';
import { writeBlocks } from '../answers/answer-enrichment.js';
import { imaginePersona } from '../answers/imagine-persona.js';
import { readInputs } from '../judge-inputs.js';
import { foldInputs, hashText } from '../ledger/fingerprint-request.js';
import { CAMPAIGNS, CONTACTS, TEAM, THIRD_PARTY, USERS } from '../seeds.js';

interface Emission {
  /** `act_…` */
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly seed: number;
}

export function buildRecord(
  event: PlatformEvent,
  given: JsonObject,
  emission: Emission,
): JsonObject {
  const isResult = event.group === 'enrichment';
  return isResult
    ? buildResult(event.type, given, emission)
    : buildActivity(event, given, emission);
}

/** docs/platform-api.md, Payload, Email recipients, Third-party reply. */
function buildActivity(
  { type, group, hasCampaign, hasLead }: PlatformEvent,
  given: JsonObject,
  { id, now }: Emission,
): JsonObject {
  const [campaign] = CAMPAIGNS;
  const [sender] = USERS;
  const isThirdParty = given['isThirdPartyReply'] === true;
  const { leadId, email, firstName, lastName } = isThirdParty
    ? { ...THIRD_PARTY, leadId: null }
    : CONTACTS[0];
  const names: Readonly<Record<string, JsonValue>> = {
    _id: id,
    type,
    teamId: TEAM.id,
    createdAt: new Date(now).toISOString(),
    ...(hasCampaign && {
      campaignId: isThirdParty ? null : campaign.id,
      campaignName: campaign.name,
    }),
    ...(hasCampaign &&
      hasLead && { sequenceId: isThirdParty ? null : campaign.sequenceId, sequenceStep: 0 }),
    ...(hasLead && {
      leadId,
      leadEmail: email,
      leadFirstName: firstName,
      leadLastName: lastName,
    }),
    sendUserId: sender.id,
    sendUserEmail: sender.email,
    sendUserName: sender.name,
    ...(group === 'email' && { subject: campaign.subject }),
  };
  // An inbound e-mail goes to the owner of the mailbox.
  const lead = { address: email.toLowerCase(), name: `${firstName} ${lastName}` };
  const to = type === 'emailsReplied' ? { address: sender.email, name: sender.name } : lead;
  const hasRecipients = ['emailsSent', 'emailsReplied', 'emailsBounced'].includes(type);
  const record = { ...names, ...(hasRecipients && { to: [to] }), ...given, type };
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) =>
      value === null ? [] : [[name, RECIPIENTS.has(name) ? toRecipients(value) : value]],
    ),
  );
}

const RECIPIENTS: ReadonlySet<string> = new Set(['to', 'cc', 'bcc']);

/** On a command line, recipients are addresses with commas between them; the platform writes them in lower case. */
function toRecipients(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  return value.split(',').map((address) => ({
    address: address.trim().toLowerCase(),
    name: '',
  }));
}

/**
 * For an enrichment that was never requested: it is in no ledger and costs nothing (docs/platform-api.md, Enrichment
 * result). The caller may give its `id`, `metadata`, `error` and inputs.
 */
function buildResult(type: string, given: JsonObject, { id, seed }: Emission): JsonObject {
  const { id: ticket = `enr_${hashText(id, 32)}`, metadata, error, ...others } = given;
  const head = { id: ticket, ...(metadata !== undefined && { metadata }) };
  if (type === 'enrichmentError') {
    return { type, data: [{ ...head, error: error ?? 'A data source did not answer in time.' }] };
  }
  const texts = Object.entries(others).map(([name, value]) => [name, exactText(value)]);
  const inputs = readInputs(Object.fromEntries(texts));
  const { socialUrl, companyName } = CONTACTS[0];
  const whom = Object.keys(inputs).length > 0 ? inputs : { socialUrl, companyName };
  const persona = imaginePersona(foldInputs(whom), seed);
  const data = writeBlocks(persona, ['find_email', 'find_phone', 'social_enrichment']);
  // JSON brings it into the form in which it leaves: a profile's unknown fields are undefined until then.
  return { data: [{ ...head, data: JSON.parse(JSON.stringify(data)) as JsonValue }], type };
}
