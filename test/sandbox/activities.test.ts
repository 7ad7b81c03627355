import { describe, expect, it } from 'vitest';
import { judgeEventType } from '../../src/model/events/event-catalogue.js';
import type { JsonObject } from '../../src/model/text/json.js';
import { buildRecord } from '../../src/sandbox/activities.js';

function build(type: string, given: JsonObject = {}, id = 'act_1'): JsonObject {
  const verdict = judgeEventType(type);
  if (verdict.kind !== 'known') throw new Error(verdict.problem);
  return buildRecord(verdict.event, given, { id, now: Date.UTC(2025, 0, 1), seed: 1 });
}

const PRIYA = { address: 'priya.iyer@lantern-health.example', name: 'Priya Iyer' };

describe('an activity record', () => {
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
});

describe('the result of an enrichment that was not asked for', () => {
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
