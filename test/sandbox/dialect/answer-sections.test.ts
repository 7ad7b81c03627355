// Whatever a dialect says of answers: what the sandbox writes by it, the client reads back as the same.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Dialect, dialectSchema, NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import type { Call } from '../../../src/dialect/wire-calls.js';
import { ASKS } from '../../../src/model/ask.js';
import type { JsonValue } from '../../../src/model/text/json.js';
import { createDeliveryDecoder } from '../../../src/platform/answers/decode-delivery.js';
import type { ReadAnswer } from '../../../src/ports/platform.js';
import { answerEnrichment } from '../../../src/sandbox/answers/answer-enrichment.js';
import { writeReply } from '../../../src/sandbox/dialect/write-reply.js';
import {
  type KnownOf,
  type ResultBody,
  writeResult,
} from '../../../src/sandbox/dialect/write-result.js';
import { BulkCalls } from '../../../src/sandbox/ledger/bulk-calls.js';
import { judgeRecordedRead } from '../../helpers/judge-recorded.js';
import { tries } from '../../helpers/long.js';

const url = 'https://api.example';

/** Paths that never meet, some of them with elements of lists. */
function pathsFrom(choices: readonly number[], start: string) {
  let nth = 0;
  return (): string => {
    nth += 1;
    const key = `${start}${nth}`;
    const forms = [
      key,
      `${key}.in`,
      `${key}[0]`,
      `${key}[0].in`,
      `${key}[kind=own].in`,
      `${key}[1].in`,
    ];
    return forms[(choices[nth % choices.length] ?? 0) % forms.length] ?? key;
  };
}

function sectionFrom(choices: readonly number[], start: string, hasStatus: boolean) {
  const path = pathsFrom(choices, start);
  const pick = <T>(nth: number, ...forms: T[]): T =>
    forms[(choices[nth % choices.length] ?? 0) % forms.length] as T;
  const state = path();
  const reason = path();
  const stateless = {
    pending: pick(
      1,
      [{ at: state, values: ['running', 7] }],
      [{ at: [path(), state], values: ['Queued', null] }],
      [{ at: path(), values: [false] }],
      [{ word: 'please wait' }],
      [{ in: 'body', at: path(), values: ['busy'] }],
    ),
    done: pick(
      15,
      [],
      [{ at: state, values: ['ready'] }],
      [
        { in: 'body', at: path(), values: [true] },
        { in: 'entry', at: path(), values: ['there'] },
      ],
    ),
    notFound: pick(
      2,
      [],
      [{ at: state, values: ['none'] }],
      [{ at: path(), values: [true] }],
      [{ in: 'entry', at: state, values: ['none'] }],
    ),
    failed: pick(3, [], [{ at: state, values: ['broken', 'FINISHED'] }], [{ at: reason }]),
  };
  const byStatus = {
    pending: pick(4, [{ status: 202 }], [{ status: 400, at: path(), values: ['busy'] }]),
    notFound: pick(5, [{ status: 404 }], [{ status: 400, word: 'NO_MATCH' }]),
    failed: pick(6, [{ status: 422 }], [{ status: 200, at: state, values: ['broken'] }]),
    unknown: pick(7, [{ status: 410 }], [{ status: 406 }], [{ at: state, values: ['gone'] }]),
  };
  const wayOf = (nth: number) => hasStatus && (choices[nth % choices.length] ?? 0) % 2 === 0;
  return {
    entries: pick(8, ['.'], [path()], [path(), path()]),
    ticket: path(),
    metadata: path(),
    blocks: pick(9, ['.'], [path()]),
    pending: wayOf(10) ? byStatus.pending : stateless.pending,
    done: stateless.done,
    notFound: wayOf(11) ? byStatus.notFound : stateless.notFound,
    failed: wayOf(12) ? byStatus.failed : stateless.failed,
    ...(hasStatus
      ? { unknown: byStatus.unknown, nulls: (choices[14 % choices.length] ?? 0) % 3 === 0 }
      : {}),
    reason,
  };
}

function dialectFrom(choices: readonly number[]): Dialect {
  const path = pathsFrom(choices, 'b');
  const isOwn = (choices[0] ?? 0) % 2 === 0;
  const { fields } = NEUTRAL_DIALECT;
  const elsewhere = (table: object) =>
    Object.fromEntries(Object.keys(table).map((name) => [name, path()]));
  return dialectSchema.parse({
    answer: {
      read: sectionFrom(choices, 'r', true),
      webhook: { ...(isOwn ? sectionFrom(choices, 'w', false) : {}), type: 'event' },
    },
    blocks: elsewhere(NEUTRAL_DIALECT.blocks),
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, table]) => [name, elsewhere(table)]),
    ),
    emailStatuses: {
      deliverable: ['OK'],
      risky: ['MAYBE'],
      undeliverable: ['NO'],
      unknown: ['WHO_KNOWS'],
    },
  });
}

/** Without the platform's own words, and without what says only how it was said. */
function plain(answer: ReadAnswer | undefined): unknown {
  if (answer?.kind !== 'done') return answer;
  const { find_email, ...others } = answer.result;
  const { platformStatus: _, ...email } = find_email ?? {};
  return { ...others, ...(find_email && { find_email: email }), odd: answer.odd?.unread };
}

const CALL: Call = { name: 'result', method: 'GET', path: '/x', ownPath: '/x' };

function readReply(status: number, body: JsonValue, dialect: Dialect, knownOf: KnownOf) {
  const bulkCalls = new BulkCalls({ ledger: { find: () => undefined }, write: () => undefined });
  const match = { kind: 'call', call: CALL, values: {}, query: '' } as const;
  const written = writeReply(
    match,
    { status, body },
    {
      dialect,
      bulkCalls,
      knownOf,
      atOnce: () => undefined,
    },
  );
  const recorded = { status: written.status, text: JSON.stringify(written.body) };
  return { recorded, answer: judgeRecordedRead(recorded, 'enr_1', { url, dialect }) };
}

function inputsOf(person: number) {
  return { firstName: `Jane${person}`, lastName: 'Doe', companyDomain: 'firm.com' };
}

/** Two in a hundred fail: left to chance, a run may meet too few of them. */
const FAILING = Array.from({ length: 1_000 }, (_, person) => person).filter((person) => {
  const asked = { id: 'enr_1', ask: ASKS, inputs: inputsOf(person) };
  return answerEnrichment(asked, { seed: 1 }).type === 'enrichmentError';
});

describe('the answers of the sandbox, by any sections of a dialect', () => {
  const cases = fc.record({
    choices: fc.array(fc.nat(60), { minLength: 8, maxLength: 40 }),
    ask: fc.subarray([...ASKS], { minLength: 1 }),
    person: fc.oneof(
      { arbitrary: fc.nat(100_000), weight: 9 },
      { arbitrary: fc.constantFrom(...FAILING), weight: 1 },
    ),
  });

  it('are read back as the same: in progress, unknown, found, missed and failed', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(cases, ({ choices, ask, person }) => {
        const dialect = dialectFrom(choices);
        const asked = { id: 'enr_1', ask, inputs: inputsOf(person) };
        const made = answerEnrichment(asked, { seed: 1 }) as unknown as JsonValue;
        const body = made as unknown as ResultBody;
        const truth = judgeRecordedRead({ status: 200, text: JSON.stringify(made) }, 'enr_1', {
          url,
          dialect: NEUTRAL_DIALECT,
        });
        const isMiss = truth.kind === 'done' && Object.keys(truth.result).length === 0;
        const knownOf = () => ({ ask, isMiss });
        const kind = isMiss ? 'missed' : truth.kind;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);

        expect(readReply(202, { id: 'enr_1' }, dialect, knownOf).answer.kind).toBe('pending');
        expect(readReply(404, { error: 'No.' }, dialect, knownOf).answer.kind).toBe('unknown');
        const { recorded, answer } = readReply(200, made, dialect, knownOf);
        expect(plain(answer), JSON.stringify(recorded)).toEqual(plain(truth));
        const { notFound } = dialect.answer.read;
        if (isMiss) expect(answer).toHaveProperty('kind', 'done');
        if (isMiss && notFound.length > 0) expect(answer).toHaveProperty('isMiss', true);

        const writing = { dialect, way: 'webhook', isOne: false } as const;
        const text = JSON.stringify(writeResult(body, writing, knownOf));
        const entries = createDeliveryDecoder(dialect)(text);
        expect(plain(entries?.[0]?.answer), text).toEqual(plain(truth));
        expect(entries).toHaveLength(1);
      }),
      { numRuns: tries(300) },
    );
    for (const kind of ['done', 'missed', 'failed']) expect(seen.get(kind) ?? 0).toBeGreaterThan(2);
  });
});
