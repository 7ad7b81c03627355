import { describe, expect, it } from 'vitest';
import {
  isSaidByStatus,
  type Said,
  type Signal,
  saysOne,
  saysPlainly,
  statelessSignals,
  stateSignals,
  wireSignals,
} from '../../src/dialect/signal.js';
import type { JsonValue } from '../../src/model/text/json.js';

function said(body: JsonValue | undefined, more: Partial<Said> = {}): Said {
  return { status: 200, text: JSON.stringify(body) ?? '', body, ...more };
}

describe('a signal in a dialect file', () => {
  it.each<[unknown, RegExp]>([
    [{}, /"status", a "word" or an "at"/],
    [{ status: 404, values: ['x'] }, /"values" need "at"/],
    [{ at: [] }, /"at" needs a path/],
    [{ status: 404, in: 'body' }, /"in" needs "at"/],
    [{ at: 'a', values: [] }, /values|>=1/i],
    [{ status: 402, word: null }, /string/],
    [{ status: 402, wort: 'x' }, /wort/],
  ])('is not %j', (signal, message) => {
    for (const schema of [wireSignals, stateSignals]) {
      const issues = schema.safeParse([signal]).error?.issues ?? [];
      expect(issues.map((issue) => issue.message).join()).toMatch(message);
    }
  });

  it.each([
    [{ status: 200 }, false, false],
    [{ status: 202 }, false, true],
    [{ status: 204 }, false, true],
    [{ status: 404 }, true, true],
    [{ status: 200, word: 'busy' }, true, true],
    [{ status: 200, at: 'state', values: ['busy'] }, true, true],
    [{ at: 'error' }, true, true],
  ])('%j is for an end: %s, for a state: %s', (signal, isEnd, isState) => {
    expect(wireSignals.safeParse([signal]).success).toBe(isEnd);
    expect(stateSignals.safeParse([signal]).success).toBe(isState);
  });

  it('has no status where there is none', () => {
    expect(statelessSignals.safeParse([{ at: 'a' }]).success).toBe(true);
    expect(statelessSignals.safeParse([{ status: 202, at: 'a' }]).error?.message).toMatch(
      /a webhook has no status/,
    );
  });
});

describe('a signal in an answer', () => {
  const body = {
    state: 'Busy',
    ok: false,
    none: null,
    empty: '',
    list: [],
    count: 0,
    code: 7,
    deep: { error: { text: 'no' } },
  };
  it.each<[Signal, boolean]>([
    [{ status: 200 }, true],
    [{ status: 202 }, false],
    [{ word: 'BUSY' }, true],
    [{ word: 'idle' }, false],
    [{ status: 200, word: 'busy', at: ['code'], values: [7] }, true],
    [{ status: 200, word: 'busy', at: ['code'], values: [8] }, false],
    [{ status: 500, word: 'busy' }, false],
    [{ at: ['state'], values: ['idle', 'busy'] }, true],
    [{ at: ['code'], values: ['7'] }, true],
    [{ at: ['ok'], values: [false] }, true],
    [{ at: ['ok'], values: [true] }, false],
    [{ at: ['ok'], values: [null] }, false],
    [{ at: ['none'], values: [null] }, true],
    [{ at: ['absent.here'], values: [null] }, true],
    [{ at: ['empty'], values: [null] }, true],
    [{ at: ['absent'], values: ['null', 'undefined'] }, false],
    [{ at: ['absent', 'none', 'empty', 'list', 'state'], values: ['busy'] }, true],
    [{ at: ['ok', 'state'], values: ['busy'] }, false],
    [{ at: ['deep.error'] }, true],
    [{ at: ['absent', 'deep.error.text'] }, true],
    [{ at: ['ok'] }, false],
    [{ at: ['none'] }, false],
    [{ at: ['empty'] }, false],
    [{ at: ['list'] }, false],
    [{ at: ['count'] }, false],
    [{ at: ['deep'], values: ['[object Object]'] }, false],
  ])('%j: %s', (signal, holds) => {
    expect(saysOne([signal], said(body, { entry: {} }))).toBe(holds);
  });

  it('is one of several', () => {
    expect(saysOne([{ status: 404 }, { word: 'busy' }], said(body))).toBe(true);
    expect(saysOne([], said(body))).toBe(false);
  });

  it('is looked for in the entry before the body', () => {
    const signal: Signal[] = [{ at: ['state'], values: ['busy'] }];
    expect(saysOne(signal, said({ state: 'busy' }, { entry: { state: 'ready' } }))).toBe(false);
    expect(saysOne(signal, said({ state: 'ready' }, { entry: { state: 'busy' } }))).toBe(true);
    expect(saysOne(signal, said({ state: 'busy' }, { entry: { state: '' } }))).toBe(true);
  });

  it('is looked for in the part that it names alone', () => {
    const busy = { at: ['state'], values: ['busy'] };
    const inEntry = said({ state: 'ready' }, { entry: { state: 'busy' } });
    const inBody = said({ state: 'busy' }, { entry: { mail: 'a' } });
    expect(saysOne([{ ...busy, in: 'entry' }], inEntry)).toBe(true);
    expect(saysOne([{ ...busy, in: 'body' }], inEntry)).toBe(false);
    expect(saysOne([{ ...busy, in: 'entry' }], inBody)).toBe(false);
    expect(saysOne([{ ...busy, in: 'body' }], inBody)).toBe(true);
  });

  it('may be that the whole is empty, or a plain text', () => {
    const nothing: Signal = { status: 202, at: ['.'], values: [null] };
    expect(saysOne([nothing], said({}, { status: 202 }))).toBe(true);
    expect(saysOne([nothing], said(undefined, { status: 202 }))).toBe(true);
    expect(saysOne([nothing], said({ id: 1 }, { status: 202 }))).toBe(false);
    const text: Signal = { at: ['.'], values: ['slow down'] };
    expect(saysOne([text], said(undefined, { text: 'Slow down' }))).toBe(true);
    expect(saysOne([text], said({ error: 'Slow down' }))).toBe(false);
  });

  it('needs no JSON for a status or a word, and no status where none came', () => {
    const { status: _, ...webhook } = said(undefined, { text: 'Busy!' });
    expect(saysOne([{ word: 'busy' }], webhook)).toBe(true);
    expect(saysOne([{ status: 200 }], webhook)).toBe(false);
    expect(saysOne([{ at: ['a'], values: [null] }], webhook)).toBe(false);
  });

  it('is nothing that lacks in an error, or where no entry is', () => {
    const signal: Signal = { at: ['email'], values: [null] };
    expect(saysOne([signal], said({}, { entry: {} }))).toBe(true);
    expect(saysOne([signal], said({}))).toBe(false);
    expect(saysOne([signal], said({}, { entry: {}, status: 500 }))).toBe(false);
    expect(saysOne([{ ...signal, status: 404 }], said({}, { status: 404 }))).toBe(true);
  });

  it('is said plainly unless it holds by what is missing alone', () => {
    const lack: Signal = { at: ['email'], values: [null, 'none'] };
    expect(saysPlainly([lack], said({}, { entry: {} }))).toBe(false);
    expect(saysPlainly([{ ...lack, status: 200 }], said({}, { entry: {} }))).toBe(false);
    expect(saysPlainly([lack], said({}, { entry: { email: 'none' } }))).toBe(true);
    expect(saysPlainly([lack], said({}, { entry: { email: 'a@b.example' } }))).toBe(false);
    expect(saysPlainly([lack, { word: 'no' }], said({}, { entry: {}, text: 'no' }))).toBe(true);
    expect(saysPlainly([{ ...lack, word: 'no' }], said({}, { entry: {}, text: 'no' }))).toBe(true);
    expect(saysPlainly([{ ...lack, status: 404 }], said({}, { status: 404 }))).toBe(true);
    expect(saysPlainly([{ status: 204 }], said({}, { status: 204 }))).toBe(true);
  });

  it('is said by a status where nothing else is asked for', () => {
    const signals: Signal[] = [{ status: 429 }, { status: 403, word: 'slow' }];
    expect([429, 403, 200].map((status) => isSaidByStatus(signals, status))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
