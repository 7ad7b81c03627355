// What every sandbox begins with: a team with its users, campaigns, contacts, drafts and a dynamic list. It is
// the same in each, whatever the seed: a person reads the ids at GET /sandbox/seeds and tries them. All of it is
// fiction, on reserved names (RFC 2606).

export interface SeededUser {
  /** `usr_…` */
  readonly id: string;
  /** What they log in with. */
  readonly email: string;
  readonly name: string;
  readonly teamId: string;
  /** Gets a hidden copy of every e-mail that they send (docs/platform-api.md, Email recipients). */
  readonly hiddenBcc?: string;
}

export interface SeededContact {
  readonly id: string;
  /** The same person in a campaign. */
  readonly leadId: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly companyName: string;
  readonly socialUrl: string;
}

export interface SeededCampaign {
  readonly id: string;
  readonly name: string;
  readonly sequenceId: string;
  readonly subject: string;
}

/** The team of the account. The owner of a draft has to belong to it (docs/platform-api.md, Authentication). */
export const TEAM = { id: 'tea_harbour', name: 'Harbour Outreach' } as const;

/** The first one sends what nobody else is named for; the last one is of another team. */
export const USERS: readonly [SeededUser, ...SeededUser[]] = [
  { id: 'usr_ada', email: 'ada@harbour.example', name: 'Ada Okafor', teamId: TEAM.id },
  {
    id: 'usr_ben',
    email: 'ben+outreach@harbour.example',
    name: 'Ben Müller',
    teamId: TEAM.id,
    hiddenBcc: 'CRM@harbour.example',
  },
  { id: 'usr_olga', email: 'olga@elsewhere.example', name: 'Olga Haddad', teamId: 'tea_elsewhere' },
];

export const CAMPAIGNS: readonly [SeededCampaign, ...SeededCampaign[]] = [
  {
    id: 'cam_spring',
    name: 'Spring, first contact',
    sequenceId: 'seq_spring',
    subject: 'A question about your waiting rooms',
  },
  {
    id: 'cam_autumn',
    name: 'Autumn, “second try”',
    sequenceId: 'seq_autumn',
    subject: 'Still of interest? Ça vous intéresse ?',
  },
];

/** The first one is the lead of what nobody else is named for. Capitals, as people write their addresses. */
export const CONTACTS: readonly [SeededContact, ...SeededContact[]] = [
  {
    id: 'ctc_priya',
    leadId: 'lea_priya',
    email: 'Priya.Iyer@Lantern-Health.example',
    firstName: 'Priya',
    lastName: 'Iyer',
    companyName: 'Lantern Health',
    socialUrl: 'https://social.example/in/priya-iyer-4b2a91',
  },
  {
    id: 'ctc_mateo',
    leadId: 'lea_mateo',
    email: 'mateo@santa-rosa.example',
    firstName: 'Mateo',
    lastName: 'García',
    companyName: 'Santa Rosa Foods',
    socialUrl: 'https://social.example/in/mateo-garcia-77c0de',
  },
  {
    id: 'ctc_yuki',
    leadId: 'lea_yuki',
    email: 'yuki.tanaka@palefox.example',
    firstName: '由紀',
    lastName: '田中',
    companyName: 'Pale Fox',
    socialUrl: 'https://social.example/in/yuki-tanaka-0a1b2c',
  },
];

/** Who answers instead of the lead in a third-party reply. */
export const THIRD_PARTY = {
  email: 'Assistant@Lantern-Health.example',
  firstName: 'Chloé',
  lastName: 'Smith',
} as const;

/** Filled by filters of the platform; clients cannot add to it (docs/platform-api.md, POST /contacts/lists). */
export const DYNAMIC_LIST = { id: 'clt_dynamic', name: 'Replied this quarter' } as const;
