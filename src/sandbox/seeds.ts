// The seeds of every sandbox: a team with its users, campaigns, contacts, drafts and a dynamic list. They are the same
// with every seed: a person reads the ids here and tries them. All of it is fiction, on reserved names
// (RFC 2606).

export interface SeededUser {
  /** `usr_…` */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly teamId: string;
}

export interface SeededCampaign {
  readonly id: string;
  readonly name: string;
  readonly sequenceId: string;
  readonly subject: string;
}

export const TEAM = { id: 'tea_harbour', name: 'Harbour Outreach' } as const;

/** The users. The first one is the sender if no other is named; the last one is of another team. */
export const USERS: readonly [SeededUser, ...SeededUser[]] = [
  { id: 'usr_ada', email: 'ada@harbour.example', name: 'Ada Okafor', teamId: TEAM.id },
  {
    id: 'usr_ben',
    email: 'ben+outreach@harbour.example',
    name: 'Ben Müller',
    teamId: TEAM.id,
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

/** The first is the lead if no other is named; `leadId` is the same person in a campaign. Addresses have capitals. */
export const CONTACTS = [
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
] as const;

/** The person who answers instead of the lead in a third-party reply. */
export const THIRD_PARTY = {
  email: 'Assistant@Lantern-Health.example',
  firstName: 'Chloé',
  lastName: 'Smith',
} as const;

/** A list that filters of the platform fill; clients cannot add to it (docs/platform-api.md, POST /contacts/lists). */
export const DYNAMIC_LIST = { id: 'clt_dynamic', name: 'Replied this quarter' } as const;

const DRAFT_BASE = {
  channel: 'email',
  source: 'api',
  createdAt: '2025-03-04T09:12:44.120Z',
} as const;

/**
 * The drafts (docs/platform-api.md, Inbox draft): one with everything, and one whose text breaks careless
 * readers. `content` is HTML, `size` in bytes. Items of `cc` and `attachments` are our choice: their form is not
 * documented.
 */
export const DRAFTS = [
  {
    id: 'drf_welcome',
    contactId: 'ctc_priya',
    ownerId: 'usr_ada',
    draft: {
      ...DRAFT_BASE,
      subject: 'Re: A question about your waiting rooms',
      cc: [{ address: 'ben+outreach@harbour.example', name: 'Ben Müller' }],
      content:
        '<p>Dear Priya,</p><p>thank you for asking. The figures are <strong>attached</strong>.</p>',
      attachments: [
        {
          name: 'waiting-times.pdf',
          contentType: 'application/pdf',
          size: 48_213,
          url: 'https://files.example/a1/waiting-times.pdf',
        },
        {
          name: 'Übersicht, März.csv',
          contentType: 'text/csv',
          size: 907,
          url: 'https://files.example/a2/%C3%9Cbersicht.csv',
        },
      ],
      updatedAt: '2025-03-04T09:40:02.000Z',
    },
  },
  {
    id: 'drf_awkward',
    contactId: 'ctc_yuki',
    ownerId: 'usr_ada',
    draft: {
      ...DRAFT_BASE,
      subject: '🚀 田中様 – "quotes", commas; =1+1',
      cc: [
        { address: 'mateo@santa-rosa.example', name: 'García, Mateo' },
        { address: 'nobody@palefox.example', name: '' },
      ],
      content:
        '<p>田中様&nbsp;&amp; équipe,<br>\r\n1 &lt; 2</p>\u2028<script>alert("x")</script><!-- end -->',
      attachments: [],
      updatedAt: '2025-03-05T00:00:00.000Z',
    },
  },
] as const;
