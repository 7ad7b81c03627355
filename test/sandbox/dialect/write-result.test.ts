import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import { type ResultBody, writeResult } from '../../../src/sandbox/dialect/write-result.js';

const MAIL = { find_email: { email: 'a@b.c', status: 'deliverable' } };
const one: ResultBody = { type: 'enrichmentDone', data: [{ id: 'enr_1', data: MAIL }] };
const two: ResultBody = { ...one, data: [...one.data, { id: 'enr_2', data: {} }] };

type Kind = 'by id' | 'of a call' | 'webhook';

function write(dialect: object, body: ResultBody, kind: Kind, ask = ['find_email'] as const) {
  const way = kind === 'webhook' ? 'webhook' : 'read';
  const writing = { dialect: dialectSchema.parse(dialect), way, isOne: kind === 'by id' } as const;
  return writeResult(body, writing, () => ({ ask, isMiss: false }));
}

describe('the body of results', () => {
  it.each(['by id', 'webhook'] as const)(
    'is the neutral one in the neutral dialect, %s',
    (kind) => {
      expect(write({}, one, kind)).toEqual(one);
    },
  );

  const flat = {
    answer: {
      read: {
        entries: '.',
        ticket: 'ref',
        blocks: '.',
        failed: [{ at: 'kind', values: ['enrichmentError'] }],
      },
      webhook: { type: 'kind' },
    },
  };
  const entry = { ref: 'enr_1', ...MAIL };

  it('is the one entry itself', () => {
    expect(write(flat, one, 'by id')).toEqual({ ...entry, kind: 'enrichmentDone' });
    expect(write(flat, one, 'webhook')).toEqual({ ...entry, kind: 'enrichmentDone' });
  });

  it('says that it is done where signals look, but not where a value of the result would stand', () => {
    const read = {
      ...flat.answer.read,
      pending: [{ at: ['mail.status', 'state'], values: ['running'] }],
      notFound: [{ at: 'mail.status', values: ['none'] }],
    };
    const dialect = { answer: { ...flat.answer, read }, blocks: { find_email: 'mail' } };
    const empty: ResultBody = { ...one, data: [{ id: 'enr_1', data: {} }] };
    expect(write(dialect, empty, 'by id')).toEqual({
      ref: 'enr_1',
      state: 'finished',
      kind: 'enrichmentDone',
    });
  });

  it('is a list where there are several entries and no other place', () => {
    expect(write(flat, two, 'webhook')).toEqual([
      { ...entry, kind: 'enrichmentDone' },
      { ref: 'enr_2', kind: 'enrichmentDone' },
    ]);
  });

  it('holds several entries at the place that is not the body', () => {
    const either = {
      answer: { ...flat.answer, read: { ...flat.answer.read, entries: ['.', 'people'] } },
    };
    expect(write(either, one, 'by id')).toEqual({ ...entry, kind: 'enrichmentDone' });
    expect(write(either, one, 'of a call')).toEqual({ people: [entry], kind: 'enrichmentDone' });
  });

  it('holds an object at the first place by id, and a list at the second elsewhere', () => {
    const both = { answer: { read: { entries: ['job', 'jobs'] } } };
    const type = 'enrichmentDone';
    expect(write(both, one, 'by id')).toEqual({ job: one.data[0], type });
    expect(write(both, one, 'of a call')).toEqual({ jobs: one.data, type });
    expect(write(both, two, 'webhook')).toEqual({ jobs: two.data, type });
  });

  it('has other names in a webhook', () => {
    const dialect = {
      answer: {
        read: { ticket: ['id', 'uuid'], blocks: ['data', 'x.y'] },
        webhook: { failed: [], type: ['type', 'event'] },
      },
      blocks: { find_email: ['find_email', 'mail'] },
      fields: { find_email: { email: ['email', 'value'], status: ['status', 'more.state'] } },
    };
    const mail = { value: 'a@b.c', more: { state: 'deliverable' } };
    expect(write(dialect, one, 'by id')).toEqual(one);
    expect(write(dialect, one, 'webhook')).toEqual({
      data: [{ uuid: 'enr_1', x: { y: { mail } } }],
      event: 'enrichmentDone',
    });
  });

  it('may be a list around everything', () => {
    const dialect = {
      answer: {
        read: { blocks: '.', failed: [] },
        webhook: { entries: '[0].data.data', type: '[0].event' },
      },
    };
    expect(write(dialect, one, 'by id')).toEqual({ data: [{ id: 'enr_1', ...MAIL }] });
    expect(write(dialect, { ...one, secret: 's' }, 'webhook')).toEqual([
      { data: { data: [{ id: 'enr_1', ...MAIL }] }, event: 'enrichmentDone' },
    ]);
  });

  it('keeps the secret of a hook, also where the body is the entry', () => {
    expect(write(flat, { ...one, secret: 's' }, 'webhook')).toMatchObject({ secret: 's' });
  });

  it('tells a failure by its type and reason', () => {
    const dialect = {
      answer: { read: { failed: [{ at: 'type', values: ['broken'] }], reason: 'fault.text' } },
    };
    const failed: ResultBody = { type: 'enrichmentError', data: [{ id: 'e', error: 'No.' }] };
    const data = [{ id: 'e', fault: { text: 'No.' } }];
    expect(write(dialect, failed, 'by id')).toEqual({ type: 'broken', data });
  });

  it('tells no ticket of an item whose call has one for all', () => {
    const dialect = { bulk: { answer: { batchTicket: 'batch' } } };
    const body: ResultBody = { ...one, data: [{ id: 'e', metadata: 'key', data: MAIL }] };
    expect(write(dialect, body, 'webhook')).toMatchObject({
      data: [{ metadata: 'key', data: MAIL }],
    });
    expect(write(dialect, body, 'webhook')).not.toHaveProperty('data.0.id');
  });

  it('puts a verification into its own block', () => {
    const dialect = { blocks: { verify_email: 'check' }, answer: { read: { blocks: '.' } } };
    const writing = { dialect: dialectSchema.parse(dialect), way: 'read', isOne: true } as const;
    const verified = writeResult(one, writing, () => ({ ask: ['verify_email'], isMiss: false }));
    expect(verified).toMatchObject({ data: [{ check: MAIL.find_email }] });
    const found = writeResult(one, writing, () => ({
      ask: ['find_email', 'verify_email'],
      isMiss: false,
    }));
    expect(found).toMatchObject({ data: [MAIL] });
  });

  it('reaches into the career, and takes a block that is a bare text', () => {
    const dialect = {
      answer: { read: { blocks: '.', entries: '.' } },
      blocks: { find_phone: 'tel' },
      fields: {
        find_phone: { phone: '.' },
        profile: { firstName: 'name.first' },
        company: { name: 'label' },
        position: { title: 'role' },
        structure: {
          positionGroups: 'jobs',
          company: 'firm',
          date: 'time',
          profilePositions: 'roles',
          end: 'until',
          year: 'y',
        },
      },
    };
    const date = { start: { month: 2, year: 2020 }, end: {} };
    const social_enrichment = {
      firstName: 'Ada',
      positionGroups: [
        { company: { name: 'Firm', id: 3 }, date, profilePositions: [{ title: 'CTO', date }] },
      ],
    };
    const data = { find_phone: { phone: '+1' }, social_enrichment };
    const time = { start: { month: 2, y: 2020 }, until: {} };
    expect(write(dialect, { ...one, data: [{ id: 'e', data }] }, 'by id')).toMatchObject({
      tel: '+1',
      social_enrichment: {
        name: { first: 'Ada' },
        jobs: [{ firm: { label: 'Firm', id: 3 }, time, roles: [{ role: 'CTO', time }] }],
      },
    });
  });
});
