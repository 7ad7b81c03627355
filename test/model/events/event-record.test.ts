import { describe, expect, it } from 'vitest';
import { EVENT_CATALOGUE } from '../../../src/model/events/event-catalogue.js';
import { readEvent } from '../../../src/model/events/event-record.js';

const RECORD = { _id: 'act_1', type: 'emailsReplied', createdAt: '2026-11-21T08:30:00.000Z' };

describe('what a webhook brings', () => {
  it('is an event for every type of the catalogue but those of results', () => {
    for (const { type, group } of EVENT_CATALOGUE) {
      const kind = group === 'enrichment' ? 'other' : 'event';
      expect([type, readEvent({ _id: 'x1', type }).kind]).toEqual([type, kind]);
    }
  });

  it('tells its id, its type, and when it happened', () => {
    const event = { id: 'act_1', type: 'emailsReplied', at: Date.UTC(2026, 10, 21, 8, 30) };
    expect(readEvent(RECORD)).toEqual({ kind: 'event', event, isKnown: true });
  });

  it.each([undefined, null, 7, '', 'yesterday'])('may tell no time: %j', (createdAt) => {
    const record = createdAt === undefined ? { ...RECORD } : { ...RECORD, createdAt };
    if (createdAt === undefined) delete (record as { createdAt?: string }).createdAt;
    expect(readEvent(record)).toMatchObject({ kind: 'event', event: { at: undefined } });
  });

  it("is an event by our name of the platform's type", () => {
    const ourName = (type: string) => (type === 'mail.back' ? 'emailsReplied' : type);
    const record = { ...RECORD, _id: 'x1', type: 'mail.back' };
    const event = { id: 'x1', type: 'emailsReplied', at: expect.any(Number) };
    expect(readEvent(record, ourName)).toEqual({ kind: 'event', event, isKnown: true });
    expect(readEvent(record)).toEqual({ kind: 'other' });
  });

  it('is an event by its id alone where its type is not known here', () => {
    const read = readEvent({ _id: 'act_1', type: 'emailsFramed' });
    expect(read).toMatchObject({ kind: 'event', isKnown: false });
  });

  it.each([
    {},
    [],
    [RECORD],
    { data: [{ id: 'enr_1', data: {} }], type: 'enrichmentDone' },
    { data: [{ id: 'enr_1', error: 'no' }], type: 'enrichmentError', _id: 'act_1' },
    { ...RECORD, data: [{ id: 'enr_1', data: {} }], type: 'enrichmentDone' },
    { _id: 'job_1', type: 'lookupDone' },
    { data: [] },
  ])('is no event: %j', (body) => {
    expect(readEvent(body)).toEqual({ kind: 'other' });
  });

  it.each([
    ['_id', { type: 'emailsSent' }],
    ['_id', { ...RECORD, _id: 7 }],
    ['_id', { ...RECORD, _id: '' }],
    ['_id', { ...RECORD, _id: null }],
    ['_id', { ...RECORD, _id: `act_${'x'.repeat(200)}` }],
    ['type', { _id: 'act_1' }],
    ['type', { _id: 'act_1', type: ['emailsSent'] }],
    ['type', { _id: 'act_1', type: 'x'.repeat(201) }],
  ])('is broken without a usable %s: %j', (field, body) => {
    const problem = expect.stringContaining(`in ${field}, a text of 1 to 200 characters.`);
    expect(readEvent(body)).toEqual({ kind: 'broken', problem });
  });
});
