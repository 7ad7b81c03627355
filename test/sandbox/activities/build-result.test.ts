import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/text/json.js';
import { buildResult, readResultFields } from '../../../src/sandbox/activities/build-result.js';

function build(type: string, given: JsonObject = {}, id = 'act_1'): JsonObject {
  const fields = readResultFields(type, given);
  if (typeof fields === 'string') throw new Error(fields);
  return buildResult(type, fields, { id, seed: 1 });
}

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
    const given = {
      id: 'enr_mine',
      metadata: { row: [1, null] },
      firstName: 'Tom',
      lastName: 'Smith',
      companyDomain: 'x.example',
    };
    expect(build('enrichmentDone', given)).toMatchObject({
      data: [
        {
          id: 'enr_mine',
          metadata: { row: [1, null] },
          data: { social_enrichment: { firstName: 'Tom', lastName: 'Smith' } },
        },
      ],
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

  it.each<[string, JsonObject, string]>([
    [
      'enrichmentDone',
      { leadId: 'x' },
      'The event enrichmentDone has no field leadId; it takes id,',
    ],
    ['enrichmentDone', { error: 'x' }, 'has no field error'],
    ['enrichmentDone', { constructor: 'x' }, 'has no field constructor'],
    ['enrichmentDone', { id: 5 }, 'The field id cannot be used'],
    ['enrichmentDone', { email: 5 }, 'The field email cannot be used'],
    ['enrichmentError', { email: 'x' }, 'The value of email is not an e-mail address.'],
    ['enrichmentDone', { companyName: 'x'.repeat(1001) }, 'is longer than'],
  ])('of the type %s does not take %j', (type, given, sentence) => {
    expect(readResultFields(type, given)).toContain(sentence);
  });
});
