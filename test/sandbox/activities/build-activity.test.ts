import { describe, expect, it } from 'vitest';
import { judgeEventType, type PlatformEvent } from '../../../src/model/events/event-catalogue.js';
import type { JsonObject } from '../../../src/model/text/json.js';
import { buildActivity } from '../../../src/sandbox/activities/build-activity.js';
import { readActivityFields } from '../../../src/sandbox/activities/read-activity-fields.js';

function eventOf(type: string): PlatformEvent {
  const verdict = judgeEventType(type);
  if (verdict.kind !== 'known') throw new Error(verdict.problem);
  return verdict.event;
}

function build(type: string, given: JsonObject = {}, seed = 1): JsonObject {
  const event = eventOf(type);
  const read = readActivityFields(event, given);
  if (typeof read === 'string') throw new Error(read);
  return buildActivity(event, read, { id: 'act_1', now: Date.UTC(2025, 0, 1), seed });
}

const PRIYA = { address: 'priya.iyer@lantern-health.example', name: 'Priya Iyer' };

describe('an activity record', () => {
  it('has the fields of the document, in its order', () => {
    expect(Object.entries(build('emailsSent'))).toEqual([
      ['_id', 'act_1'],
      ['type', 'emailsSent'],
      ['teamId', 'tea_harbour'],
      ['createdAt', '2025-01-01T00:00:00.000Z'],
      ['campaignId', 'cam_spring'],
      ['campaignName', 'Spring, first contact'],
      ['sequenceId', 'seq_spring'],
      ['sequenceStep', 0],
      ['leadId', 'lea_priya'],
      ['leadEmail', 'Priya.Iyer@Lantern-Health.example'],
      ['leadFirstName', 'Priya'],
      ['leadLastName', 'Iyer'],
      ['sendUserId', 'usr_ada'],
      ['sendUserEmail', 'ada@harbour.example'],
      ['sendUserName', 'Ada Okafor'],
      ['subject', 'A question about your waiting rooms'],
      ['to', [PRIYA]],
    ]);
  });

  it('takes what is given, leaves out what is null, and adds what the document has not', () => {
    const given = {
      _id: 'act_mine',
      createdAt: '2024-02-29T12:00:00+01:00',
      sequenceStep: 3,
      leadFirstName: null,
      campaignName: null,
      subject: '',
      clicked: { url: 'https://x.example', times: [1, 2] },
    };
    const { leadFirstName: _first, campaignName: _name, ...rest } = build('emailsClicked');
    const record = build('emailsClicked', given);
    const { leadFirstName: _gone, campaignName: _left, ...kept } = given;
    expect(record).toEqual({ ...rest, ...kept });
    expect(Object.keys(record).at(-1)).toBe('clicked');
  });

  it('speaks of one campaign, one lead and one sender throughout', () => {
    expect(build('paused', { campaignId: 'cam_autumn' })).toMatchObject({
      campaignName: 'Autumn, “second try”',
      sequenceId: 'seq_autumn',
    });
    expect(build('paused', { campaignId: 'cam_9' })).toMatchObject({ sequenceId: 'seq_cam_9' });
    const mateo = { leadId: 'lea_mateo', leadEmail: 'mateo@santa-rosa.example' };
    expect(build('paused', { leadId: mateo.leadId })).toMatchObject(mateo);
    expect(build('paused', { leadEmail: mateo.leadEmail })).toMatchObject(mateo);
    const ben = { sendUserId: 'usr_ben', sendUserEmail: 'ben+outreach@harbour.example' };
    expect(build('paused', { sendUserId: ben.sendUserId })).toMatchObject(ben);
    expect(build('paused', { sendUserEmail: ben.sendUserEmail })).toMatchObject(ben);
  });
});

describe('the recipients of an e-mail', () => {
  it('are the lead for what goes out, and the owner of the mailbox for what comes in', () => {
    expect(build('emailsSent')['to']).toEqual([PRIYA]);
    expect(build('emailsBounced')['to']).toEqual([PRIYA]);
    const ada = { address: 'ada@harbour.example', name: 'Ada Okafor' };
    expect(build('emailsReplied')['to']).toEqual([ada]);
    const named = { leadEmail: 'A@B.example', leadFirstName: 'Ä', leadLastName: 'Z' };
    expect(build('emailsSent', named)['to']).toEqual([{ address: 'a@b.example', name: 'Ä Z' }]);
  });

  it('are lower-cased, and left out where there are none', () => {
    const given = {
      to: [{ address: 'A@B.example', name: 'A' }, { address: 'C@D.example' }],
      cc: 'E@F.example, g@h.example',
      bcc: [],
    };
    expect(build('emailsSent', given)).toMatchObject({
      to: [
        { address: 'a@b.example', name: 'A' },
        { address: 'c@d.example', name: '' },
      ],
      cc: [
        { address: 'e@f.example', name: '' },
        { address: 'g@h.example', name: '' },
      ],
    });
    expect(build('emailsSent', given)).not.toHaveProperty('bcc');
    const bare = build('emailsReplied', { to: null, cc: [] });
    expect(bare).not.toHaveProperty('to');
    expect(bare).not.toHaveProperty('cc');
  });

  it('keep everybody to whom a reply to all went', () => {
    const given = { to: 'Ada@Harbour.example, boss@lantern-health.example', cc: 'CFO@b.example' };
    expect(build('emailsReplied', given)).toMatchObject({
      to: [
        { address: 'ada@harbour.example', name: '' },
        { address: 'boss@lantern-health.example', name: '' },
      ],
      cc: [{ address: 'cfo@b.example', name: '' }],
    });
  });

  it('have a hidden BCC only where the sender has set one, and only on what is sent', () => {
    const ben = { sendUserId: 'usr_ben' };
    const crm = [{ address: 'crm@harbour.example', name: '' }];
    expect(build('emailsSent', ben)['bcc']).toEqual(crm);
    expect(build('emailsSent', { bcc: 'CRM@harbour.example' })['bcc']).toEqual(crm);
    expect(build('emailsSent', { ...ben, bcc: null })).not.toHaveProperty('bcc');
    expect(build('emailsSent')).not.toHaveProperty('bcc');
    expect(build('emailsBounced', ben)).not.toHaveProperty('bcc');
    expect(build('emailsReplied', ben)).not.toHaveProperty('bcc');
  });

  it('are on no other event', () => {
    for (const type of ['emailsOpened', 'contacted', 'socialSent']) {
      expect(build(type)).not.toHaveProperty('to');
    }
  });
});

describe('a third-party reply', () => {
  it('names the third party, and no campaign, lead and sequence', () => {
    const record = build('emailsReplied', { isThirdPartyReply: true });
    expect(record).toMatchObject({
      isThirdPartyReply: true,
      leadEmail: 'Assistant@Lantern-Health.example',
      campaignName: 'Spring, first contact',
    });
    for (const name of ['campaignId', 'leadId', 'sequenceId']) {
      expect(record).not.toHaveProperty(name);
    }
  });

  it('is flagged only where it is one', () => {
    const plain = build('emailsReplied', { isThirdPartyReply: false, leadId: 'lea_mateo' });
    expect(plain).not.toHaveProperty('isThirdPartyReply');
    expect(plain['leadId']).toBe('lea_mateo');
  });
});

describe('a field that cannot be', () => {
  it.each<[string, JsonObject, string]>([
    ['paused', { type: 'resumed' }, 'The field type is the event itself'],
    ['paused', { secret: 'x' }, 'The field secret is what each hook was registered with.'],
    ['socialSent', { subject: 'x' }, 'Only email events have a subject.'],
    [
      'emailsOpened',
      { to: [] },
      'Only emailsSent, emailsReplied, emailsBounced have the field to.',
    ],
    ['contacted', { cc: 'a@b.example' }, 'have the field cc.'],
    ['emailsReplied', { bcc: 'a@b.example' }, 'Only emailsSent has the field bcc.'],
    ['emailsSent', { isThirdPartyReply: true }, 'Only emailsReplied has the field isThirdParty'],
    ['emailsReplied', { isThirdPartyReply: true, leadId: 'x' }, 'third-party reply has no leadId'],
    ['emailsReplied', { isThirdPartyReply: 'yes' }, 'The field isThirdPartyReply cannot be used'],
    ['paused', { leadId: 7 }, 'The field leadId cannot be used: Invalid input: expected string'],
    ['paused', { sequenceStep: -1 }, 'The field sequenceStep cannot be used'],
    ['paused', { sequenceStep: '1' }, 'The field sequenceStep cannot be used'],
    ['paused', { createdAt: 'yesterday' }, 'The field createdAt cannot be used: not a time'],
    ['paused', { campaignName: 'x'.repeat(1001) }, 'The field campaignName cannot be used'],
    ['emailsSent', { cc: 'nobody' }, 'The field cc cannot be used: write a@b.example'],
    ['emailsSent', { to: [{ name: 'A' }] }, 'The field to cannot be used: write a@b.example'],
  ])('ends %s with %j in a sentence', (type, given, sentence) => {
    expect(readActivityFields(eventOf(type), given)).toContain(sentence);
  });
});
