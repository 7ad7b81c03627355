// The activities that were emitted by hand. What is kept of them tells the first one of a lead from the later ones.
import { groupOfEvent, type PlatformEvent } from '../model/events/event-catalogue.js';
import { exactText, type JsonObject, type JsonValue } from '../model/text/json.js';
import { writeBlocks } from './answers/answer-enrichment.js';
import { imaginePersona } from './answers/imagine-persona.js';
import { foldInputs, hashText } from './ledger/fingerprint-request.js';
import { readInputs } from './routes/read-request.js';
import { CAMPAIGNS, CONTACTS, TEAM, THIRD_PARTY, USERS } from './seeds.js';

export interface Activity {
  readonly kind: 'activity';
  /** An id that is never used twice; the `_id` of its record unless the caller gave another one. */
  readonly id: string;
  readonly type: string;
  /** The record for hooks, without their secret. */
  readonly record: JsonObject;
  /** Milliseconds since the Unix epoch. */
  readonly readyAt: number;
  /** Whether it is the first of its type for this lead; always true if the record names no lead. */
  readonly isFirst: boolean;
  deliveries: number;
}

/** The activities that change a lead's state, by the meanings of the states (docs/platform-api.md, Event types). */
const STATE_AFTER: ReadonlyMap<string, string> = new Map(
  Object.entries({
    contacted:
      'emailsSent socialSent socialInviteDone socialVoiceNoteDone chatMessageSent smsSent apiDone',
    hooked: 'emailsOpened socialOpened chatMessageOpened',
    attracted: 'emailsClicked socialInviteAccepted',
    warmed: 'emailsReplied socialReplied chatReplied smsReplied',
    interested: 'emailsInterested socialInterested phoneInterested apiInterested manualInterested',
    notInterested:
      'emailsNotInterested socialNotInterested phoneNotInterested apiNotInterested manualNotInterested',
  }).flatMap(([state, types]) => types.split(' ').map((type) => [type, state] as const)),
);

interface ActivitiesOptions {
  readonly seed: number;
  readonly now: () => number;
}

export class Activities {
  #count = 0;
  readonly #seen = new Set<string>();
  readonly #states = new Map<JsonValue, string>();

  constructor(private readonly options: ActivitiesOptions) {}

  /** Adds the record that `build` makes with its id (`act_…`). */
  emit(type: string, build: (id: string, now: number) => JsonObject): Activity {
    const { seed, now } = this.options;
    const id = `act_${hashText(`activity\n${seed}\n${this.#count}`)}`;
    this.#count += 1;
    const readyAt = Math.floor(now());
    const record = build(id, readyAt);
    const leadId = record['leadId'];
    const key = JSON.stringify([type, leadId]);
    const isFirst = leadId === undefined || !this.#seen.has(key);
    this.#seen.add(key);
    if (leadId !== undefined && groupOfEvent(type) === 'state') this.#states.set(leadId, type);
    return { kind: 'activity', id, type, record, readyAt, isFirst, deliveries: 0 };
  }

  /** Undefined if it means no change of state (docs/platform-api.md, States), names no lead, or changes nothing. */
  emitState({ type, record }: Activity): Activity | undefined {
    const { leadId } = record;
    const state = STATE_AFTER.get(type);
    if (state === undefined || leadId === undefined || this.#states.get(leadId) === state) {
      return undefined;
    }
    const { subject: _subject, to: _to, cc: _cc, bcc: _bcc, ...common } = record;
    return this.emit(state, (id) => ({ ...common, _id: id, type: state }));
  }
}

interface Emission {
  /** `act_…` */
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly seed: number;
}

/**
 * The record of an event that is emitted by hand, with values of the seeds. The caller's fields replace them or are added,
 * whatever they hold; null leaves a field out.
 */
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
