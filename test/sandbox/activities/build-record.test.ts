import { describe, expect, it } from 'vitest';
import { judgeEventType } from '../../../src/model/events/event-catalogue.js';
import type { JsonObject } from '../../../src/model/text/json.js';
import { buildRecord } from '../../../src/sandbox/activities/build-record.js';

function build(type: string, given: JsonObject = {}, id = 'act_1'): JsonObject {
  const verdict = judgeEventType(type);
  if (verdict.kind !== 'known') throw new Error(verdict.problem);
  return buildRecord(verdict.event, given, { id, now: Date.UTC(2025, 0, 1), seed: 1 });
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
      sequenceStep: 3,
      leadFirstName: null,
      subject: '',
      type: 'paused',
      clicked: { url: 'https://x.example', times: [1, 2] },
    };
    const { leadFirstName: _first, ...rest } = build('emailsClicked');
    const { leadFirstName: _gone, type: _type, ...kept } = given;
    const record = build('emailsClicked', given);
    expect(record).toEqual({ ...rest, ...kept });
    expect(Object.keys(record).at(-1)).toBe('clicked');
  });

  it('goes to the lead, or to the owner of the mailbox where it comes in', () => {
    expect(build('emailsBounced')['to']).toEqual([PRIYA]);
    const ada = { address: 'ada@harbour.example', name: 'Ada Okafor' };
    expect(build('emailsReplied')['to']).toEqual([ada]);
    expect(build('emailsOpened')).not.toHaveProperty('to');
  });

  it('names no campaign, lead and sequence for a reply of a third party', () => {
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
});

describe('the result of an enrichment that was not asked for', () => {
  it('has every block', () => {
    const ticket = expect.stringMatching(/^enr_[0-9a-f]{32}$/);
    const data = {
      find_email: { email: expect.stringContaining('@'), status: expect.any(String) },
      find_phone: { phone: expect.stringMatching(/^\+/) },
      social_enrichment: expect.objectContaining({ firstName: 'Priya', lastName: 'Iyer' }),
    };
    expect(build('enrichmentDone')).toEqual({
      data: [{ id: ticket, data }],
      type: 'enrichmentDone',
    });
    expect(build('enrichmentDone')).not.toEqual(build('enrichmentDone', {}, 'act_2'));
  });

  it('speaks of whom it is told, with the ticket and the metadata that it is told', () => {
    const own = { id: 'enr_mine', metadata: { row: [1, null] } };
    const tom = { firstName: 'Tom', lastName: 'Smith' };
    expect(build('enrichmentDone', { ...own, ...tom })).toMatchObject({
      data: [{ ...own, data: { social_enrichment: tom } }],
    });
  });

  it('may be an error', () => {
    expect(build('enrichmentError', { id: 'enr_1', error: 'Broken.' })).toEqual({
      type: 'enrichmentError',
      data: [{ id: 'enr_1', error: 'Broken.' }],
    });
    expect(build('enrichmentError')).toMatchObject({
      data: [{ error: expect.stringMatching(/\.$/) }],
    });
  });
});
