// Recorded answers of platforms that say things in their own ways, as public documentation shows them.
import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import type { JsonValue } from '../../../src/model/text/json.js';
import { createDeliveryDecoder } from '../../../src/platform/answers/decode-delivery.js';
import { sealBatchTicket } from '../../../src/platform/answers/ticket.js';
import {
  judgeRecordedBulk,
  judgeRecordedRead,
  judgeRecordedSubmit,
} from '../../helpers/judge-recorded.js';

const url = 'https://api.example';
const textOf = (body: JsonValue | string) =>
  typeof body === 'string' ? body : JSON.stringify(body);

function read(file: object, status: number, body: JsonValue | string, ticket = 'e-1') {
  const dialect = dialectSchema.parse(file);
  return judgeRecordedRead({ status, text: textOf(body) }, ticket, { url, dialect });
}

function submit(file: object, status: number, body: JsonValue | string) {
  const dialect = dialectSchema.parse(file);
  return judgeRecordedSubmit({ status, text: textOf(body) }, { url, dialect });
}

const BATCH = {
  bulk: { metadata: 'custom.ref', answer: { batchTicket: 'enrichment_id' } },
  answer: {
    read: {
      blocks: 'contact_info',
      metadata: 'custom.ref',
      pending: [
        { status: 400, at: 'code', values: ['error.enrichment.in_progress'] },
        { at: 'status', values: ['CREATED', 'IN_PROGRESS'] },
      ],
      failed: [{ at: 'status', values: ['CANCELED'] }],
      reason: 'message',
    },
  },
  blocks: { find_email: 'most_probable_work_email', find_phone: 'most_probable_phone' },
  fields: { find_phone: { phone: 'number' } },
  emailStatuses: { deliverable: ['DELIVERABLE', 'HIGH_PROBABILITY'] },
};
const TICKET = sealBatchTicket('e-1', 'key-1');
const OWN = {
  custom: { ref: 'key-1' },
  contact_info: { most_probable_work_email: { email: 'a@b.example', status: 'HIGH_PROBABILITY' } },
};
const OTHER = { custom: { ref: 'key-2' }, contact_info: {} };
const FOUND = {
  kind: 'done',
  result: {
    find_email: {
      email: 'a@b.example',
      status: 'deliverable',
      platformStatus: 'HIGH_PROBABILITY',
    },
  },
};

describe('a recorded read', () => {
  it.each<[string, number, JsonValue | string, object]>([
    ['400 in progress', 400, { code: 'error.enrichment.in_progress' }, { kind: 'pending' }],
    ['another 400', 400, { code: 'error.other', message: 'no' }, { kind: 'unavailable' }],
    ['a state', 200, { status: 'in_progress', data: [] }, { kind: 'pending' }],
    ['the result', 200, { status: 'FINISHED', data: [OTHER, OWN] }, FOUND],
    ['others first', 200, { status: 'FINISHED', data: [OTHER] }, { kind: 'pending' }],
    ['402 with the result', 402, { status: 'CREDITS_INSUFFICIENT', data: [OWN] }, FOUND],
    ['402 without', 402, { message: 'buy' }, { kind: 'unavailable', isFinal: false }],
    ['402 with another one', 402, { data: [OTHER] }, { kind: 'unavailable' }],
    ['the end', 200, { status: 'CANCELED', message: 'No.' }, { kind: 'failed', reason: 'No.' }],
    ['404', 404, { message: 'nothing here' }, { kind: 'unknown' }],
    ['a page', 200, '<html>', { kind: 'unavailable' }],
    ['a pause', 429, '', { kind: 'unavailable' }],
  ])('of a whole call: %s', (_, status, body, outcome) => {
    expect(read(BATCH, status, body, TICKET)).toMatchObject(outcome);
  });

  it('says plainly that nothing was found, by a status or a word, whatever else stands there', () => {
    const answer = (notFound: object[]) => ({
      answer: { read: { entries: '.', blocks: '.', unknown: [], notFound } },
    });
    const miss = { kind: 'done', result: {}, isMiss: true };
    expect(read(answer([{ status: 404 }]), 404, { error: 'none' })).toEqual(miss);
    const code = [{ status: 400, at: 'error_code', values: ['NO_MATCH'] }];
    expect(read(answer(code), 400, { error: true, error_code: 'NO_MATCH' })).toEqual(miss);
    const state = [{ at: 'status', values: ['NOT_FOUND'] }];
    const told = { status: 'NOT_FOUND', first_name: 'Ada', company: 'Engines' };
    expect(read(answer(state), 200, told)).toEqual(miss);
    // Without the signal, what came along is unread.
    expect(read(answer([]), 200, told)).toMatchObject({ odd: { lack: 'unread' } });
  });

  it('keeps what was found beside a plain miss, but for the status of no address', () => {
    const file = {
      answer: { read: { entries: '.', notFound: [{ at: 'data.mail', values: ['none'] }] } },
      blocks: { find_email: '.', find_phone: '.' },
      fields: { find_email: { email: 'address', status: 'mail' } },
    };
    expect(read(file, 200, { data: { mail: 'none', phone: '+1' } })).toEqual({
      kind: 'done',
      result: { find_phone: { phone: '+1' } },
      isMiss: true,
    });
  });

  it('is pending while the account has no credits, unless the result is there', () => {
    const file = {
      answer: { read: { entries: '.', outOfCredits: [{ at: 'status', values: ['on_hold'] }] } },
    };
    expect(read(file, 200, { status: 'on_hold', data: {} })).toMatchObject({
      kind: 'pending',
      outOfCredits: {
        message: expect.stringMatching(
          /out of credits \(the result at https:\/\/api\.example says so\)/,
        ),
      },
    });
    const data = { find_email: { email: 'a@b.example' } };
    expect(read(file, 200, { status: 'on_hold', data })).toEqual({
      kind: 'done',
      result: { find_email: { email: 'a@b.example' } },
    });
  });

  it('is judged in the order of its signals', () => {
    const all = { pending: [{ word: 'p' }], notFound: [{ word: 'n' }], failed: [{ word: 'f' }] };
    const file = { answer: { read: { ...all, unknown: [{ word: 'u' }] } } };
    const kindOf = (text: string) => {
      const { kind, ...more } = read(file, 200, text);
      return 'isMiss' in more ? 'miss' : kind;
    };
    expect(['"u f n p"', '"u f n"', '"u f"', '"u"'].map(kindOf)).toEqual([
      'pending',
      'miss',
      'failed',
      'unknown',
    ]);
  });

  it('finds the first of a list, an element by what it says, and an id in a list by itself', () => {
    const file = {
      answer: { read: { entries: '.', ticket: 'id', blocks: '.' } },
      blocks: { find_email: ['emails[type=work]', 'emails[0]'], find_phone: 'phones[0]' },
      fields: { find_phone: { phone: 'e164' } },
    };
    const emails = [
      { type: 'home', email: 'home@b.example' },
      { type: 'work', email: 'work@b.example' },
    ];
    const body = [{ id: 'e-1', emails, phones: [{ e164: '+1', kind: 'mobile' }] }];
    expect(read(file, 200, body)).toMatchObject({
      result: { find_email: { email: 'work@b.example' }, find_phone: { phone: '+1' } },
      odd: { lack: 'unread', unread: ['phones[].kind'] },
    });
    expect(read(file, 200, [{ id: 'e-1', emails: emails.slice(0, 1) }])).toMatchObject({
      result: { find_email: { email: 'home@b.example' } },
    });
  });

  it.each([
    '1039995589705121900',
    '-1039995589705121900',
    '12345678901234567890123',
    '9007199254740993',
  ])('knows its ticket %s by all its digits', (id) => {
    const body = `{"data": [{"id": ${id.slice(0, -1)}1, "data": {}}, {"id" : ${id}, "data": {"find_phone": {"phone": "+1"}}}]}`;
    expect(read({}, 200, body, id)).toEqual({
      kind: 'done',
      result: { find_phone: { phone: '+1' } },
    });
    expect(submit({}, 200, `{"id":${id}}`)).toEqual({ kind: 'accepted', ticket: id });
  });
});

describe('a recorded submission', () => {
  const file = {
    enrich: { ticket: 'item._id' },
    errors: {
      refused: [
        { at: 'success', values: [false] },
        { status: 404 },
        { status: 503, word: 'never' },
      ],
      outOfCredits: [{ status: 200, word: 'not enough credits' }],
      reason: ['validationErrors[0].message', 'error'],
    },
  };

  it.each<[string, number, JsonValue, object]>([
    ['accepted', 200, { success: true, item: { _id: 'i-1' } }, { kind: 'accepted', ticket: 'i-1' }],
    [
      'accepted, whatever else is said',
      200,
      { success: false, item: { _id: 'i-1' } },
      { kind: 'accepted', ticket: 'i-1' },
    ],
    [
      'refused under 200',
      200,
      { success: false, validationErrors: [{ message: 'firstname is needed' }] },
      { kind: 'refused', reason: 'firstname is needed' },
    ],
    ['refused under 404', 404, { error: 'no such person' }, { kind: 'refused' }],
    ['refused for good under 503', 503, { error: 'never' }, { kind: 'refused' }],
    ['broken', 503, { error: 'in a moment' }, { kind: 'uncertain' }],
    [
      'out of credits under 200',
      200,
      { success: false, error: 'Not enough credits' },
      { kind: 'unsent', isFinal: true },
    ],
    ['without a word', 200, { success: true }, { kind: 'uncertain' }],
    ['throttled', 429, {}, { kind: 'throttled' }],
  ])('is %s', (_, status, body, outcome) => {
    expect(submit(file, status, body)).toMatchObject(outcome);
  });

  it('of many items is judged item by item', () => {
    const items = ['key-1', 'key-2'].map((key) => ({
      request: { ask: ['find_email'] as const, inputs: {} },
      key,
    }));
    const text = '[{"metadata":"key-2","id":2},{"metadata":"key-1","error":"no"}]';
    const dialect = dialectSchema.parse({});
    expect(judgeRecordedBulk({ status: 200, text }, items, { url, dialect })).toEqual({
      kind: 'answered',
      items: [
        { kind: 'refused', reason: 'no' },
        { kind: 'accepted', ticket: '2' },
      ],
    });
  });
});

describe('a recorded webhook', () => {
  it('is read by what differs from a read, in a list as well', () => {
    const dialect = dialectSchema.parse({
      answer: {
        read: {
          blocks: '.',
          metadata: 'custom_fields[name=ref].value',
          pending: [{ status: 202 }, { at: 'state', values: ['running'] }],
          notFound: [{ at: 'email[0].email', values: [null] }],
        },
        webhook: { entries: '[0].data.data', type: '[0].event_type', types: ['result'] },
      },
      blocks: { find_email: 'email[0]' },
    });
    const decode = (type: string, ...data: JsonValue[]) =>
      createDeliveryDecoder(dialect)(JSON.stringify([{ event_type: type, data: { data } }]));
    const custom_fields = [
      { name: 'other', value: 'x' },
      { name: 'ref', value: 'key-1' },
    ];
    expect(decode('result', { custom_fields, email: [{ email: 'a@b.example' }] })).toMatchObject([
      { key: 'key-1', answer: { result: { find_email: { email: 'a@b.example' } } } },
    ]);
    expect(decode('result', { custom_fields, email: [], company: 'Acme' })).toEqual([
      { key: 'key-1', ticket: undefined, answer: { kind: 'done', result: {} } },
    ]);
    expect(decode('result', { custom_fields, state: 'running' })).toMatchObject([
      { answer: { kind: 'pending' } },
    ]);
    expect(decode('other', { custom_fields })).toBeUndefined();
  });
});
