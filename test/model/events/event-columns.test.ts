import { describe, expect, it } from 'vitest';
import {
  EVENT_COLUMNS,
  toEventObject,
  toEventRow,
} from '../../../src/model/events/event-columns.js';
import type { JsonObject } from '../../../src/model/text/json.js';

const HAPPENED = Date.UTC(2026, 10, 21, 8, 30);
const RECEIVED = HAPPENED + 1_500;
const ADA = { address: 'ada@example.com', name: 'Ada Lovelace' };

/** Every common field of the document. */
const WHOLE = {
  _id: 'act_1',
  type: 'emailsSent',
  teamId: 'tea_1',
  createdAt: '2026-11-21T09:30:00.000+01:00',
  campaignId: 'cam_1',
  campaignName: 'Autumn',
  sequenceId: 'seq_1',
  sequenceStep: 0,
  leadId: 'lea_1',
  leadEmail: 'ada@example.com',
  leadFirstName: 'Ada',
  leadLastName: 'Lovelace',
  sendUserId: 'usr_1',
  sendUserEmail: 'bob@bolts.example',
  sendUserName: 'Bob',
  subject: 'Hello',
  to: [ADA],
  cc: [ADA],
  bcc: [ADA],
  isThirdPartyReply: true,
} as const;

const stored = (record: JsonObject, type = 'emailsSent') => ({
  number: 1,
  type,
  happenedAt: HAPPENED,
  receivedAt: RECEIVED,
  record,
});

describe('the columns of an event', () => {
  it('hold every field of the document, each under its name', () => {
    expect(toEventObject(stored(WHOLE))).toEqual({
      event_id: 'act_1',
      type: 'emailsSent',
      group: 'email',
      happened_at: '2026-11-21T08:30:00.000Z',
      received_at: '2026-11-21T08:30:01.500Z',
      team_id: 'tea_1',
      campaign_id: 'cam_1',
      campaign_name: 'Autumn',
      sequence_id: 'seq_1',
      sequence_step: 0,
      lead_id: 'lea_1',
      lead_email: 'ada@example.com',
      lead_first_name: 'Ada',
      lead_last_name: 'Lovelace',
      send_user_id: 'usr_1',
      send_user_email: 'bob@bolts.example',
      send_user_name: 'Bob',
      subject: 'Hello',
      to: [ADA],
      cc: [ADA],
      bcc: [ADA],
      is_third_party_reply: true,
      platform_type: 'emailsSent',
      details: null,
    });
  });

  it('keep all who were written to, in their order, and none where the event names none', () => {
    const [bob, cy] = [
      { address: 'bob@bolts.example', name: '' },
      { address: 'cy@bolts.example', name: 'Cy' },
    ];
    const { cc: _cc, bcc: _bcc, ...rest } = WHOLE;
    const object = toEventObject(stored({ ...rest, type: 'emailsReplied', to: [bob, ADA, cy] }));
    expect(object).toMatchObject({ to: [bob, ADA, cy], cc: null, bcc: null, details: null });
  });

  it('are the same ones for an event that has next to nothing', () => {
    const row = toEventRow(stored({ _id: 'act_1', type: 'warmupPaused' }, 'warmupPaused'));
    expect(row).toHaveLength(EVENT_COLUMNS.length);
    expect(row.filter((cell) => cell !== null)).toEqual([
      'act_1',
      'warmupPaused',
      'workspace',
      '2026-11-21T08:30:00.000Z',
      '2026-11-21T08:30:01.500Z',
      'warmupPaused',
    ]);
  });

  it("show the platform's own name of the type beside ours", () => {
    const record = { ...WHOLE, type: 'mail.out' };
    const object = toEventObject(stored(record));
    expect(object).toMatchObject({ type: 'emailsSent', group: 'email', platform_type: 'mail.out' });
  });

  it('know no group of a type that the catalogue has not', () => {
    const { group, type } = toEventObject(stored({ _id: 'a', type: 'new' }, 'new'));
    expect([group, type]).toEqual([null, 'new']);
  });

  it('keep as details what has no column, or is not of its type', () => {
    const odd = {
      createdAt: 'yesterday',
      sequenceStep: '0',
      subject: 7,
      to: 'ada@example.com',
      isThirdPartyReply: 'yes',
      callDuration: 12,
      toString: 'x',
    };
    const object = toEventObject(stored({ ...WHOLE, ...odd }));
    expect(object['details']).toEqual(odd);
    for (const name of ['sequence_step', 'subject', 'to', 'is_third_party_reply']) {
      expect([name, object[name]]).toEqual([name, null]);
    }
  });
});
