import { describe, expect, it } from 'vitest';
import { dialectSchema, NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import { createDeliveryDecoder } from '../../../src/platform/answers/decode-delivery.js';
import { credentialForms } from '../../../src/platform/redact/secret-forms.js';

const decodeText = createDeliveryDecoder(NEUTRAL_DIALECT);
const decode = (body: unknown) => decodeText(JSON.stringify(body));

const FOUND = { find_email: { email: 'a@b.example', status: 'deliverable' } };
const DONE = { kind: 'done', result: FOUND };

describe('the body of a webhook', () => {
  it('tells key, ticket and result of each entry', () => {
    const body = {
      type: 'enrichmentDone',
      secret: 'x',
      data: [
        { id: 'enr_1', metadata: 'e.1.key', data: FOUND },
        { id: 'enr_2', data: {} },
        { metadata: 'e.3.key', error: { message: 'no such profile' } },
      ],
    };
    expect(decode(body)).toEqual([
      { key: 'e.1.key', ticket: 'enr_1', answer: DONE },
      { key: undefined, ticket: 'enr_2', answer: { kind: 'done', result: {} } },
      {
        key: 'e.3.key',
        ticket: undefined,
        answer: { kind: 'failed', reason: 'no such profile' },
      },
    ]);
  });

  it('of a failed enrichment tells why, without e-mail or phone', () => {
    const error = 'bounced: jane@acme.example, +49 170 1234567';
    expect(decode({ type: 'enrichmentError', data: [{ id: 'enr_1', error }] })).toEqual([
      {
        key: undefined,
        ticket: 'enr_1',
        answer: { kind: 'failed', reason: 'bounced: […], […]' },
      },
    ]);
  });

  it('of a failed enrichment tells no secret, in no form', () => {
    const credentials = { username: 'me', password: 'correct horse' };
    const decodeHidden = createDeliveryDecoder(NEUTRAL_DIALECT, credentialForms(credentials));
    const error = `no ${Buffer.from('me:correct horse').toString('base64url')}`;
    const body = { type: 'enrichmentError', data: [{ id: 'enr_1', error }] };
    expect(decodeHidden(JSON.stringify(body))).toMatchObject([
      { answer: { kind: 'failed', reason: 'no […]' } },
    ]);
  });

  it('may hold one entry as an object', () => {
    expect(decode({ data: { id: 'enr_1', data: FOUND } })).toEqual([
      { key: undefined, ticket: 'enr_1', answer: DONE },
    ]);
  });

  it.each([
    ['no JSON', 'not json'],
    ['cut JSON', '{"type":"enrichmentDone","data":[{'],
    ['nothing', ''],
    ['a number', '7'],
    ['null', 'null'],
    ['null for its entries', '{"type":"enrichmentDone","data":null}'],
    ['an empty list', '{"type":"enrichmentDone","data":[]}'],
    ['a list of nothing', '{"data":[null,"",[]]}'],
    ['another event without entries', '{"type":"emailsSent","result":[{}]}'],
    ['other events in a list', '[{"type":"emailsSent"},{"type":"emailsSent"}]'],
    ['an activity of an unknown type', '{"_id":"act_1","type":"enrichmentDone2"}'],
    ['a reason and no entries', '{"error":"later"}'],
    ['another event', '{"type":"emailsSent","data":[{"id":"enr_1"}]}'],
    ['another event in its entry', '{"data":[{"id":"enr_1","type":"emailsSent"}]}'],
    ['a type that is no text', '{"type":7,"data":[{"id":"enr_1"}]}'],
  ])('speaks of no enrichment with %s', (_, text) => {
    expect(decodeText(text)).toBeUndefined();
  });

  it.each([
    ['of a result', '{"type":"enrichmentDone","result":[{"id":"enr_1"}]}'],
    ['without a type', '{"result":{"find_email":{}}}'],
    ['with a list of texts', '{"data":[null,7,"x",[]]}'],
    ['of several', '[{"type":"enrichmentDone"},{"id":"enr_2"}]'],
  ])('is one answer without a place for entries, %s', (_, text) => {
    expect(decodeText(text)).toEqual([
      {
        key: undefined,
        ticket: undefined,
        answer: {
          kind: 'done',
          result: {},
          odd: expect.objectContaining({ body: text, lack: 'missing', unread: [] }),
        },
      },
    ]);
  });

  it('without a place for entries is no answer where it says that there is none yet', () => {
    const pending = [{ at: 'state', values: ['running'] }];
    const decodeOne = createDeliveryDecoder(dialectSchema.parse({ answer: { read: { pending } } }));
    expect(decodeOne('{"state":"running"}')).toBeUndefined();
  });

  it('is kept of an odd entry without the entries of others', () => {
    const data = [
      { id: 'enr_1', data: { mail: 'a@b.example' } },
      { id: 'enr_2', data: FOUND },
      { id: 'enr_3', found: FOUND },
    ];
    const entries = decode({ type: 'enrichmentDone', data });
    const odds = (entries ?? []).map(({ answer }) =>
      answer.kind === 'done' ? answer.odd : undefined,
    );
    expect(odds).toMatchObject([
      { lack: 'unread', unread: ['data.mail'] },
      undefined,
      { lack: 'missing', unread: [] },
    ]);
    const kept = (entry: unknown) => JSON.stringify({ type: 'enrichmentDone', data: [entry] });
    expect(odds.map((odd) => odd?.body)).toEqual([kept(data[0]), undefined, kept(data[2])]);
    expect(odds[0]?.problem.message).toMatch(/^A webhook came with values .* \(data\.mail\): /);
  });

  it('is told by the type of its entries as well, and each is judged by itself', () => {
    const data = [
      { id: 'enr_1', type: 'enrichmentDone', data: FOUND },
      { id: 'enr_2', type: 'emailsSent' },
      { id: 'enr_3', type: 'enrichmentError', error: 'x' },
    ];
    const entries = [
      { key: undefined, ticket: 'enr_1', answer: DONE },
      { key: undefined, ticket: 'enr_3', answer: { kind: 'failed', reason: 'x' } },
    ];
    expect(decode({ data })).toEqual(entries);
    expect(decode({ type: 'batch', data })).toEqual(entries);
  });

  it.each([
    ['a number', 7],
    ['an object', { key: 'k' }],
    ['too long', 'k'.repeat(101)],
  ])('has no key where its metadata is %s', (_, metadata) => {
    expect(decode({ data: [{ id: 'enr_1', metadata, data: FOUND }] })).toEqual([
      { key: undefined, ticket: 'enr_1', answer: DONE },
    ]);
  });

  it('has a key of up to 100 characters', () => {
    const metadata = 'k'.repeat(100);
    expect(decode({ data: [{ metadata }] })?.[0]?.key).toBe(metadata);
  });

  it('is read as the dialect says', () => {
    const dialect = dialectSchema.parse({
      answer: {
        read: { ticket: 'ref', blocks: 'result', reason: 'why' },
        webhook: {
          entries: '.',
          metadata: ['custom.key', 'meta'],
          pending: [{ at: 'event', values: ['running'] }],
          failed: [{ at: 'event', values: ['broken'] }],
          type: 'event',
          types: ['ready', 'running', 'broken'],
        },
      },
    });
    const decodeOne = (body: unknown) => createDeliveryDecoder(dialect)(JSON.stringify(body));
    expect(decodeOne({ event: 'ready', ref: 7, custom: { key: 'k' }, result: FOUND })).toEqual([
      { key: 'k', ticket: '7', answer: DONE },
    ]);
    expect(decodeOne([{ event: 'broken', ref: 'r', meta: 'm', why: 'odd' }])).toEqual([
      { key: 'm', ticket: 'r', answer: { kind: 'failed', reason: 'odd' } },
    ]);
    expect(decodeOne({ event: 'running', ref: 'r' })).toEqual([
      { key: undefined, ticket: 'r', answer: { kind: 'pending' } },
    ]);
    expect(decodeOne({ event: 'enrichmentDone', ref: 'r', result: FOUND })).toBeUndefined();
  });
});

describe('a hostile body', () => {
  it('may be as deep as it likes', () => {
    const depth = 200_000;
    const lists = '['.repeat(depth) + ']'.repeat(depth);
    const objects = '{"data":'.repeat(depth) + '1' + '}'.repeat(depth);
    expect(decodeText(lists)).toBeUndefined();
    for (const deep of [lists, objects]) {
      expect(decodeText(`{"data":[{"id":"enr_1","data":${deep},"error":${deep}}]}`)).toHaveLength(
        1,
      );
    }
  });

  it('finds nothing under names that every object has', () => {
    const dialect = dialectSchema.parse({
      answer: {
        read: { metadata: ['__proto__.name', 'constructor.name', 'toString'], ticket: 'valueOf' },
      },
    });
    expect(createDeliveryDecoder(dialect)('{"data":[{"data":{}}]}')).toEqual([
      { key: undefined, ticket: undefined, answer: { kind: 'done', result: {} } },
    ]);
  });

  it('is read to its ten-thousandth entry and no further', () => {
    const data = Array.from({ length: 10_001 }, (_, i) => ({ id: `enr_${i}` }));
    const entries = decode({ data });
    expect(entries).toHaveLength(10_000);
    expect(entries?.at(-1)?.ticket).toBe('enr_9999');
  });
});
