// The drafts that every sandbox holds (docs/platform-api.md, Inbox draft): a plain one, one with everything, and one
// whose text breaks careless readers. Items of `cc` and `attachments` are our choice: their form is not documented.

interface DraftText {
  readonly channel: string;
  readonly subject: string;
  readonly cc: readonly { readonly address: string; readonly name: string }[];
  /** HTML. */
  readonly content: string;
  /** `size` in bytes. */
  readonly attachments: readonly {
    readonly name: string;
    readonly contentType: string;
    readonly size: number;
    readonly url: string;
  }[];
  readonly source: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface SeededDraft {
  /** `drf_…` */
  readonly id: string;
  readonly contactId: string;
  /** The user whose draft it is. */
  readonly ownerId: string;
  readonly draft: DraftText;
}

const BASE = { channel: 'email', source: 'api', createdAt: '2025-03-04T09:12:44.120Z' } as const;

export const DRAFTS: readonly SeededDraft[] = [
  {
    id: 'drf_welcome',
    contactId: 'ctc_priya',
    ownerId: 'usr_ada',
    draft: {
      ...BASE,
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
    id: 'drf_plain',
    contactId: 'ctc_mateo',
    ownerId: 'usr_ben',
    draft: {
      ...BASE,
      subject: '',
      cc: [],
      content: '<p>Hola Mateo,</p>',
      attachments: [],
      updatedAt: BASE.createdAt,
    },
  },
  {
    id: 'drf_awkward',
    contactId: 'ctc_yuki',
    ownerId: 'usr_ada',
    draft: {
      ...BASE,
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
];
