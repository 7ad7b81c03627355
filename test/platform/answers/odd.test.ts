// What a dialect reads of a result, and what it does not: by hand, and under dialects made at random.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Dialect, dialectSchema, NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import { withValueAt } from '../../../src/dialect/wire-path.js';
import type { JsonValue } from '../../../src/model/text/json.js';
import { createDeliveryDecoder } from '../../../src/platform/answers/decode-delivery.js';
import type { ReadAnswer } from '../../../src/ports/platform.js';
import {
  answerEnrichment,
  type EnrichmentBody,
} from '../../../src/sandbox/answers/answer-enrichment.js';
import { isLong, tries } from '../../helpers/long.js';
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

describe('what no path of the dialect reads', () => {
  it.each<[string, JsonValue, string[]]>([
    ['a block of another name', { mail: { address: 'a' } }, ['data.mail.address']],
    ['a field of another name', { find_email: { mail: 'a' } }, ['data.find_email.mail']],
    ['a block in a list', { find_email: [{ email: 'a' }] }, ['data.find_email[].email']],
    ['a value of the wrong type', { find_email: { email: { a: 1 } } }, ['data.find_email.email.a']],
    [
      'a number in words',
      { social_enrichment: { companyId: 'seven' } },
      ['data.social_enrichment.companyId'],
    ],
    ['a boolean', { found: false }, ['data.found']],
    ['a text in place of the blocks', 'a@b.example', ['data']],
    [
      'a month without its year, which no column shows',
      { social_enrichment: { positionGroups: [{ date: { start: { month: 3 } } }] } },
      ['data.social_enrichment.positionGroups[].date.start.month'],
    ],
    [
      'a date in words',
      { social_enrichment: { positionGroups: [{ date: { start: 'spring' } }] } },
      ['data.social_enrichment.positionGroups[].date.start'],
    ],
    [
      'a date that is a text',
      { social_enrichment: { positionGroups: [{ date: { start: '2021-03', end: '2022' } }] } },
      [],
    ],
    ['a list of texts', { social_enrichment: { firstName: 'a', skills: ['b', 'c'] } }, []],
    [
      'a list of more than texts',
      { social_enrichment: { firstName: 'a', skills: ['b', { c: 'd' }] } },
      ['data.social_enrichment.skills[]', 'data.social_enrichment.skills[].c'],
    ],
    ['a list of addresses', { find_email: { email: ['a', 'b'] } }, ['data.find_email.email[]']],
    [
      'a field that is new',
      { social_enrichment: { firstName: 'a', pronouns: 'b' } },
      ['data.social_enrichment.pronouns'],
    ],
    ['a status', { find_email: { status: 'risky' } }, []],
    ['what says nothing', { mail: { address: '', more: null, list: [{}] } }, []],
    [
      'the same in each item of a list',
      {
        social_enrichment: {
          positionGroups: [{ company: { ceo: 'a' }, date: { end: {} } }, { company: { ceo: 'b' } }],
        },
      },
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
    expect(unreadIn({ custom }, at([]))).toEqual(['data.custom[].name', 'data.custom[].value']);
    expect(unreadIn({ custom }, at(['data.custom[1]']))).toEqual([]);
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

type Renaming = Record<'answer' | 'blocks', Record<string, string[]>> & {
  type: string[];
  fields: Record<string, Record<string, string[]>>;
};

/** A dialect in which everything of a result stands elsewhere; no two names are the same. */
function renamed(choices: readonly number[]): Renaming {
  let nth = 0;
  const path = (): string => {
    nth += 1;
    return (choices[nth % choices.length] ?? 0) % 3 === 0 ? `k${nth}.in${nth}` : `k${nth}`;
  };
  const paths = (): string[] =>
    (choices[nth % choices.length] ?? 0) % 5 === 0 ? [path(), path()] : [path()];
  const table = (neutral: object) =>
    Object.fromEntries(Object.keys(neutral).map((name) => [name, paths()]));
  const { blocks, fields } = NEUTRAL_DIALECT;
  const place = (n: number) => ((choices[n] ?? 0) % 4 === 0 ? ['.'] : [path()]);
  return {
    answer: {
      entries: place(0),
      blocks: place(1),
      ticket: paths(),
      metadata: paths(),
      reason: paths(),
    },
    type: paths(),
    blocks: table(blocks),
    fields: Object.fromEntries(Object.entries(fields).map(([name, part]) => [name, table(part)])),
  };
}

function parse({ answer, type, blocks, fields }: Renaming): Dialect {
  return dialectSchema.parse({ answer: { read: answer, webhook: { type } }, blocks, fields });
}

/** The same, with the paths of one key leading elsewhere. */
function moved({ answer, type, blocks, fields }: Renaming, which: number): Dialect {
  const spots: [Record<string, string[]>, string][] = [
    [answer, 'entries'],
    [answer, 'blocks'],
    ...[blocks, ...Object.values(fields)].flatMap((part) =>
      Object.keys(part).map((name): [Record<string, string[]>, string] => [part, name]),
    ),
  ];
  const [part = answer, name = 'entries'] = spots[which % spots.length] ?? [];
  const before = part[name] ?? [];
  part[name] = ['elsewhere.it'];
  const dialect = parse({ answer, type, blocks, fields });
  part[name] = before;
  return dialect;
}

type Entry = Extract<EnrichmentBody, { type: 'enrichmentDone' }>['data'][number];

/** Entries as a platform of this dialect would write them, each value at the first of its paths. */
function written(dialect: Dialect, entries: readonly Entry[], type?: string): string {
  const { answer, blocks, fields } = dialect;
  const { read, webhook } = answer;
  const put = (value: JsonValue, [path = '.']: readonly string[], inner: JsonValue) =>
    withValueAt(value, path, inner) ?? null;
  const all = entries.map(({ data, id, metadata = null }) => {
    const head = put(put({}, read.ticket, id), read.metadata, metadata);
    const isInside = read.blocks[0] !== '.';
    let inner: JsonValue = isInside ? {} : head;
    for (const ask of ['find_email', 'find_phone'] as const) {
      const block = data[ask];
      if (block === undefined) continue;
      const table: Record<string, readonly string[]> = fields[ask];
      const own = Object.entries(block).reduce<JsonValue>(
        (value, [name, cell]) => put(value, table[name] ?? [name], cell),
        {},
      );
      inner = put(inner, blocks[ask], own);
    }
    return isInside ? put(head, read.blocks, inner) : inner;
  });
  const [first = null] = all;
  const isWhole = read.entries[0] === '.';
  const body = isWhole ? first : put({}, read.entries, all);
  return JSON.stringify(type === undefined ? body : put(body, webhook.type, type));
}

describe('a result of the sandbox, in a dialect made at random', () => {
  const cases = fc.record({
    choices: fc.array(fc.nat(60), { minLength: 8, maxLength: 40 }),
    ask: fc.subarray(['find_email', 'find_phone'], { minLength: 1 }),
    person: fc.nat(100_000),
    isEmpty: fc.boolean(),
    which: fc.nat(1_000),
  });

  it('is read whole in that dialect, and odd in another where something of it is not read', () => {
    let odds = 0;
    fc.assert(
      fc.property(cases, ({ choices, ask, person, isEmpty, which }) => {
        const names = renamed(choices);
        const dialect = parse(names);
        const inputs = { firstName: `Jane${person}`, lastName: 'Doe', companyDomain: 'firm.com' };
        const neutral = [1, 2].map((n) =>
          answerEnrichment(
            { id: `enr_${n}`, ask, inputs, metadata: `key_${n}` },
            { seed: n },
            isEmpty,
          ),
        );
        const [one, two] = neutral;
        if (one?.type !== 'enrichmentDone' || two?.type !== 'enrichmentDone') return;
        const truth = reread(JSON.stringify(one));
        if (truth.kind !== 'done') throw new Error(truth.kind);
        for (const way of ['read', 'webhook'] as const) {
          const text =
            way === 'read'
              ? written(dialect, one.data)
              : written(dialect, [...one.data, ...two.data], 'enrichmentDone');
          const read = (by: Dialect) =>
            way === 'read' ? reread(text, by) : createDeliveryDecoder(by)(text)?.[0]?.answer;
          expect(read(dialect)).toEqual(truth);
          const answer = read(moved(names, which));
          if (answer?.kind !== 'done') continue;
          const { result, odd } = answer;
          if (Object.keys(truth.result).some((block) => !(block in result))) {
            odds += 1;
            expect(odd).toBeDefined();
          }
          // Read again by the right dialect, it is what it always was.
          if (odd !== undefined) {
            expect(reread(odd.body, dialect)).toEqual(truth);
          }
        }
      }),
      // At random, some seeds have made no odd answer at all.
      { numRuns: tries(150), seed: 7 },
    );
    expect(odds).toBeGreaterThan(isLong ? 5 : 0);
  });
});
