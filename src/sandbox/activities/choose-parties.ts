// Who and what an activity is about: seeded ones where nobody else is named, and made-up ones for a name that no
// seed has, always the same for the same name.
import { imaginePersona, toAsciiWord } from '../answers/imagine-persona.js';
import { openDraw } from '../answers/open-draw.js';
import { COMPANY_NAMES, FIRST_NAMES, LAST_NAMES } from '../answers/word-lists.js';
import { CAMPAIGNS, CONTACTS, type SeededCampaign, THIRD_PARTY, USERS } from '../seeds.js';
import type { ActivityFields } from './read-activity-fields.js';

export interface Lead {
  /** Undefined for a third party, who is no lead. */
  readonly id: string | undefined;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

export interface Sender {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly hiddenBcc?: string;
}

export function chooseCampaign({ campaignId: id }: ActivityFields): SeededCampaign {
  const [usual] = CAMPAIGNS;
  if (id === undefined || id === null) return usual;
  const { subject } = usual;
  const seeded = CAMPAIGNS.find((campaign) => campaign.id === id);
  return seeded ?? { id, name: `Campaign ${id}`, sequenceId: `seq_${id}`, subject };
}

/** By `leadId`, else by `leadEmail`; the third party of a third-party reply. */
export function chooseLead(fields: ActivityFields, seed: number): Lead {
  if (fields.isThirdPartyReply === true) return { ...THIRD_PARTY, id: undefined };
  const [id, email] = [fields.leadId ?? undefined, fields.leadEmail ?? undefined];
  if (id === undefined && email === undefined) return toLead(CONTACTS[0]);
  const seeded = CONTACTS.find((contact) =>
    id === undefined ? isSame(contact.email, email) : contact.leadId === id,
  );
  if (seeded !== undefined) return toLead(seeded);
  const { suffix, ...person } = imaginePerson(id, email, seed);
  return { id: id ?? `lea_${suffix}`, ...person };
}

/** By `sendUserId`, else by `sendUserEmail`. */
export function chooseSender(fields: ActivityFields, seed: number): Sender {
  const [id, email] = [fields.sendUserId ?? undefined, fields.sendUserEmail ?? undefined];
  if (id === undefined && email === undefined) return USERS[0];
  const seeded = USERS.find((user) =>
    id === undefined ? isSame(user.email, email) : user.id === id,
  );
  if (seeded !== undefined) return seeded;
  const { suffix, email: address, firstName, lastName } = imaginePerson(id, email, seed);
  return { id: id ?? `usr_${suffix}`, email: address, name: `${firstName} ${lastName}` };
}

function toLead({ leadId: id, email, firstName, lastName }: (typeof CONTACTS)[0]): Lead {
  return { id, email, firstName, lastName };
}

function isSame(one: string, other: string | undefined): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}

function imaginePerson(id: string | undefined, email: string | undefined, seed: number) {
  const draw = openDraw(seed, 'party', id ?? email ?? '');
  const word = (list: typeof FIRST_NAMES): string => toAsciiWord(draw.pick(list));
  const drawn = `${word(FIRST_NAMES)}.${word(LAST_NAMES)}@${word(COMPANY_NAMES)}.example`;
  const suffix = draw.between(0x100000, 0xffffff).toString(16);
  const { firstName, lastName } = imaginePersona({ email: (email ?? drawn).toLowerCase() }, seed);
  return { email: email ?? drawn, firstName, lastName, suffix };
}
