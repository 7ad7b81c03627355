// What a dialect reads of a result, and what it does not: and that no body makes it throw.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Dialect, dialectSchema, NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import type { JsonValue } from '../../../src/model/text/json.js';
import { createDeliveryDecoder } from '../../../src/platform/answers/decode-delivery.js';
import type { ReadAnswer } from '../../../src/ports/platform.js';
import { tries } from '../../helpers/long.js';
import { openTestPlatform } from '../test-server.js';

/** Judges a body as if it had been kept; nothing is sent. */
function reread(body: string, dialect: Dialect = NEUTRAL_DIALECT, ticket = 'enr_1'): ReadAnswer {
  return openTestPlatform('http://127.0.0.1:9', { dialect }).reread(ticket, body);
}

function oddOf(answer: ReadAnswer | undefined) {
  return answer?.kind === 'done' ? answer.odd : undefined;
}

function unreadIn(data: JsonValue, dialect: object = {}) {
  const body = JSON.stringify({ data: [{ id: 'enr_1', data }] });
  return oddOf(reread(body, dialectSchema.parse(dialect)))?.unread ?? [];
}

const profile = (social_enrichment: JsonValue) => ({ social_enrichment });
const groups = (...positionGroups: JsonValue[]) => profile({ positionGroups });
const began = (start: JsonValue) => groups({ date: { start } });
const BEGAN = 'data.social_enrichment.positionGroups[].date.start';

describe('what no path of the dialect reads', () => {
  it.each<[string, JsonValue, string[]]>([
    ['a block of another name', { mail: { address: 'a' } }, ['data.mail.address']],
    ['a field of another name', { find_email: { mail: 'a' } }, ['data.find_email.mail']],
    ['a block in a list', { find_email: [{ email: 'a' }] }, ['data.find_email[].email']],
    ['a value of the wrong type', { find_email: { email: { a: 1 } } }, ['data.find_email.email.a']],
    ['a number in words', profile({ companyId: 'seven' }), ['data.social_enrichment.companyId']],
    ['a boolean', { found: false }, ['data.found']],
    ['a text in place of the blocks', 'a@b.example', ['data']],
    ['a month without its year, which no column shows', began({ month: 3 }), [`${BEGAN}.month`]],
    ['a date in words', began('spring'), [BEGAN]],
    ['a date that is a text', groups({ date: { start: '2021-03', end: '2022' } }), []],
    ['a list of texts', profile({ firstName: 'a', skills: ['b', 'c'] }), []],
    [
      'a list of more than texts',
      profile({ firstName: 'a', skills: ['b', { c: 'd' }] }),
      ['data.social_enrichment.skills[]', 'data.social_enrichment.skills[].c'],
    ],
    ['a list of addresses', { find_email: { email: ['a', 'b'] } }, ['data.find_email.email[]']],
    ['a field that is new', profile({ pronouns: 'b' }), ['data.social_enrichment.pronouns']],
    ['a status', { find_email: { status: 'risky' } }, []],
    ['what says nothing', { mail: { address: '', more: null, list: [{}] } }, []],
    [
      'the same in each item of a list',
      groups({ company: { ceo: 'a' }, date: { end: {} } }, { company: { ceo: 'b' } }),
      ['data.social_enrichment.positionGroups[].company.ceo'],
    ],
  ])('%s', (_, data, unread) => {
    expect(unreadIn(data)).toEqual(unread);
  });

  it('is told of the first twenty', () => {
    const data = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, i]));
    expect(unreadIn({ deep: data })).toEqual(
      Array.from({ length: 20 }, (_, i) => `data.deep.k${i}`),
    );
  });

  it.each<[string, JsonValue[], string[]]>([
    ['read', [{ type: 'work', email: 'a', score: 1 }], ['data.mails[].score']],
    [
      'another that is read',
      [
        { type: 'home', email: 'b' },
        { type: 'work', email: 'a' },
      ],
      [],
    ],
    [
      'another that has more',
      [
        { type: 'work', email: 'a' },
        { type: 'home', email: 'b', score: 1 },
      ],
      ['data.mails[].score'],
    ],
    [
      'none that is read',
      [{ type: 'home', email: 'b' }],
      ['data.mails[].type', 'data.mails[].email'],
    ],
    ['no object', ['a'], ['data.mails[]']],
  ])('is looked for in each element of a list: %s', (_, mails, unread) => {
    const dialect = { blocks: { find_email: 'mails[type=work]' } };
    expect(unreadIn({ mails }, dialect)).toEqual(unread);
  });

  it.each([
    [true, []],
    [false, ['data.mail.email']],
  ])('is in an object that does not say of itself what the path asks for: %s', (shown, unread) => {
    const dialect = {
      blocks: { find_email: 'mail[shown=true]' },
      answer: { read: { ignored: 'data.mail.shown' } },
    };
    expect(unreadIn({ mail: { shown, email: 'a' } }, dialect)).toEqual(unread);
  });

  it('is not in an element that is ignored, nor one that says whose an answer is', () => {
    const custom = [
      { name: 'ref', value: 'k' },
      { name: 'x', value: 'y' },
    ];
    const at = (ignored: string[]) => ({
      answer: { read: { blocks: '.', metadata: 'data.custom[name=ref].value', ignored } },
    });
    expect(unreadIn({ custom }, at([]))).toEqual([]);
    expect(unreadIn({ custom: custom.slice(1) }, at([]))).toEqual([
      'data.custom[].name',
      'data.custom[].value',
    ]);
    expect(unreadIn({ custom: custom.slice(1) }, at(['data.custom[0]']))).toEqual([]);
    expect(unreadIn({ custom }, at(['data.custom']))).toEqual([]);
  });

  it('is not an alternative that another one came before', () => {
    const fields = { find_email: { email: ['email', 'mail.address'] } };
    const data = { find_email: { email: 'a', mail: { address: 'b' } } };
    expect(unreadIn(data, { fields })).toEqual([]);
  });

  it('is not what the dialect ignores, nor anything below it', () => {
    const data = { find_email: { email: 'a', score: { of: [1, 2] } }, cost: 1 };
    const ignored = ['data.find_email.score', 'data.cost'];
    expect(unreadIn(data)).toEqual(['data.find_email.score.of[]', 'data.cost']);
    expect(unreadIn(data, { answer: { read: { ignored } } })).toEqual([]);
    expect(unreadIn(data, { answer: { read: { ignored: 'data' } } })).toEqual([]);
  });

  it('is not what an entry tells beside its blocks, where it is the place of both', () => {
    const pending = [{ at: 'state', values: ['running'] }];
    const read = { entries: '.', blocks: ['.'], ticket: 'ref', metadata: 'own.key', pending };
    const dialect = dialectSchema.parse({ answer: { read } });
    const miss = { ref: 'enr_1', own: { key: 'k' }, type: 'enrichmentDone', state: 'ready' };
    expect(reread(JSON.stringify(miss), dialect)).toEqual({ kind: 'done', result: {} });
    expect(oddOf(reread(JSON.stringify({ ...miss, mail: 'a' }), dialect))?.unread).toEqual([
      'mail',
    ]);
  });

  it('is a word for a state that no signal lists, where another word says a miss', () => {
    const read = {
      entries: '.',
      blocks: '.',
      ticket: 'ref',
      pending: [{ at: 'state', values: ['running'] }],
      notFound: [{ at: ['code', 'state'], values: ['none'] }],
    };
    const told = (more: object, body: object) =>
      reread(
        JSON.stringify({ ref: 'enr_1', ...body }),
        dialectSchema.parse({ answer: { read: { ...read, ...more } } }),
      );
    expect(oddOf(told({}, { state: 'in review' }))).toMatchObject({
      lack: 'unread',
      unread: ['state'],
    });
    expect(oddOf(told({}, { state: 'in review', code: 'x' }))?.unread).toEqual(['state']);
    // Or where the words of an end are named.
    const done = [
      { at: 'ok', values: ['yes'] },
      { at: 'state', values: ['ready'] },
    ];
    const ends = { done, notFound: [] };
    for (const [body, unread] of [
      [{ state: 'in review' }, ['state']],
      [{ state: 'in review', ok: 'yes' }, ['state']],
      [{ state: 'Ready' }, undefined],
      [{ state: 'in review', find_email: { email: 'a@b.example' } }, undefined],
      [{ ok: 'yes' }, undefined],
    ] as const) {
      expect(oddOf(told(ends, body))?.unread, JSON.stringify(body)).toEqual(unread);
    }
    const found = { find_email: { email: 'a@b.example' } };
    for (const [more, body] of [
      [{}, { state: 'none' }],
      [{}, { state: 'in review', ...found }],
      [{}, { state: '' }],
      [{}, { state: true }],
      [{ ignored: ['state'] }, { state: 'in review' }],
      // Without a word for a miss, the end may have any.
      [{ notFound: [] }, { state: 'ready' }],
      [{ notFound: [{ at: 'state', values: [null] }] }, { state: 'ready' }],
      [{ pending: [] }, { state: 'ready' }],
    ] as const) {
      expect(oddOf(told(more, body)), JSON.stringify([more, body])).toBeUndefined();
    }
  });

  it('is no word for the end of a search, which is no reason of a failure either', () => {
    const done = [{ in: 'entry', at: 'state', values: ['ready'] }];
    const told = (more: object, state: string) => {
      const dialect = dialectSchema.parse({ answer: { read: { reason: 'state', ...more } } });
      return reread(JSON.stringify({ data: [{ id: 'enr_1', state, data: {} }] }), dialect);
    };
    expect(told({ done }, 'ready')).toEqual({ kind: 'done', result: {} });
    expect(told({ done }, 'broken')).toEqual({ kind: 'failed', reason: 'broken' });
    expect(told({}, 'ready')).toEqual({ kind: 'failed', reason: 'ready' });
  });

  it('is looked for where a reason may stand as well', () => {
    const read = { blocks: 'told', reason: 'told' };
    const body = JSON.stringify({ data: [{ told: { find_email: { email: 'a' }, more: 1 } }] });
    const dialect = dialectSchema.parse({ answer: { read } });
    expect(oddOf(reread(body, dialect))?.unread).toEqual(['told.more']);
  });

  it('is told of too where every block was found', () => {
    const data = {
      find_email: { email: 'a', score: 1 },
      find_phone: { phone: 'b' },
      social_enrichment: { firstName: 'c' },
    };
    expect(unreadIn(data)).toEqual(['data.find_email.score']);
  });
});

describe('a body that was kept', () => {
  it.each(['', '<html>', '{"data":[{"id":"enr_1","da', 'null', '7'])(
    'is no answer as %j',
    (body) => {
      expect(reread(body)).toMatchObject({ kind: 'unavailable', isFinal: false });
    },
  );

  it('is cut at 256 KiB, and is then no answer', () => {
    const odd = oddOf(reread(JSON.stringify({ told: 'x'.repeat(300_000) })));
    expect(odd?.body).toHaveLength(256 * 1_024);
    expect(reread(odd?.body ?? '')).toMatchObject({ kind: 'unavailable', isFinal: false });
  });

  it('never makes anything throw, whatever it holds', () => {
    const names = fc.constantFrom(
      'data',
      'id',
      'find_email',
      'email',
      '__proto__',
      'error',
      'a@b.c',
    );
    const { value } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.json(),
        fc.constantFrom('null', '1e999', '"x"', '[]', '{}'),
        fc.array(tie('value'), { maxLength: 4 }).map((all) => `[${all.join()}]`),
        fc
          .array(fc.tuple(names, tie('value')), { maxLength: 5 })
          .map((all) => `{${all.map(([name, inner]) => `"${name}":${inner}`).join()}}`),
      ),
    }));
    const decode = createDeliveryDecoder(NEUTRAL_DIALECT);
    fc.assert(
      fc.property(value, (json) => {
        for (const body of [json, `{"data":[${json}]}`, `{"data":[{"data":${json}},{}]}`]) {
          const answers = [reread(body), ...(decode(body) ?? []).map(({ answer }) => answer)];
          for (const odd of answers.map(oddOf)) {
            expect(odd?.unread.length ?? 0).toBeLessThanOrEqual(20);
            if (odd !== undefined) expect(odd.problem.message).toMatch(/of the dialect/);
          }
        }
      }),
      { numRuns: tries(150) },
    );
    const deep = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000);
    expect(oddOf(reread(`{"data":[{"id":"enr_1","data":${deep}},{}]}`))?.lack).toBe('unread');
    expect(oddOf(reread(`{"told":${deep}}`))?.body).toHaveLength(256 * 1_024);
  });
});
