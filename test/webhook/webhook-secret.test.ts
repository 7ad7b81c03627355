import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NEUTRAL_DIALECT } from '../../src/dialect/dialect.js';
import type { CorrelationKind } from '../../src/model/correlation-key.js';
import { openText } from '../../src/webhook/open-body.js';
import { createProof } from '../../src/webhook/proof.js';

function open(json: string, kind: CorrelationKind, secret: string) {
  const terms = { webhooks: NEUTRAL_DIALECT.webhooks, secret, key: undefined };
  const proof = createProof(terms);
  return openText(json, kind, proof);
}

/** What a body with the result of one enrichment is kept as. */
function kept(json: string, secret: string): string {
  const opened = open(json, 'enrichment', secret);
  if ('status' in opened) throw new Error(opened.error);
  expect(JSON.parse(opened.text)).toEqual(opened.value);
  return opened.text;
}

const token = /"(?:[^"\\]|\\.)*"/g;

function stringsIn(json: string): string[] {
  return (json.match(token) ?? []).map((text): string => JSON.parse(text));
}

/** The same JSON; each character of its strings is written as it is or escaped, as the draws say. */
function respelled(json: string, draws: readonly boolean[]): string {
  let next = 0;
  const escape = (char: string): string =>
    Array.from({ length: char.length }, (_, at) => {
      const hex = char.charCodeAt(at).toString(16).padStart(4, '0');
      return `\\u${next % 2 === 0 ? hex : hex.toUpperCase()}`;
    }).join('');
  return json.replaceAll(token, (text) => {
    const chars = Array.from(JSON.parse(text) as string, (char) => {
      next += 1;
      return draws[next % draws.length] === true ? escape(char) : JSON.stringify(char).slice(1, -1);
    });
    return `"${chars.join('')}"`;
  });
}

/** What has to be left of a value, as a definition. */
function without(secret: string, value: unknown): unknown {
  const hide = (text: string): string => text.split(secret).join('[…]');
  if (typeof value === 'string') return hide(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => without(secret, one));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [hide(name), without(secret, one)]),
  );
}

/** JSON texts in which the secret may stand anywhere, and names may come twice. */
function bodiesWith(secret: string): fc.Arbitrary<string> {
  const names = ['a', 'secret', '__proto__', secret, `x ${secret}`];
  const texts = fc.oneof(
    fc.constantFrom(secret, `?s=${secret}&${secret}`, secret.slice(1) + secret.slice(0, -1)),
    fc.string({ unit: 'binary' }),
  );
  const { json } = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 5 },
      texts.map((text) => JSON.stringify(text)),
      fc.constantFrom('1.0', 'null', ' true', '[ ]'),
      fc.array(tie('json'), { maxLength: 3 }).map((inner) => `[${inner.join(', ')}]`),
      fc
        .array(fc.tuple(fc.constantFrom(...names), tie('json')), { maxLength: 3 })
        .map((all) => `{${all.map(([name, one]) => `${JSON.stringify(name)}: ${one}`).join()}}`),
    ),
  }));
  const draws = fc.array(fc.boolean(), { minLength: 1, maxLength: 50 });
  // Where records stand, the secret is judged; here it stands deeper.
  return fc.tuple(json, draws).map(([text, drawn]) => `{"x":{"y":${respelled(text, drawn)}}}`);
}

describe('what is kept of a body', () => {
  it.each(['correct horse', 'sésame "ouvre-toi"\\', '\n😀😀😀 \u0001', 'aaaaaaaa'])(
    'never holds the secret, and else says the same: %j',
    (secret) => {
      fc.assert(
        fc.property(bodiesWith(secret), (json) => {
          const text = kept(json, secret);
          expect(JSON.parse(text)).toEqual(without(secret, JSON.parse(json)));
          expect(stringsIn(text).filter((one) => one.includes(secret))).toEqual([]);
        }),
      );
    },
  );

  it('is without a secret that a later member of the same name has displaced', () => {
    const json = '{"x":{"secret":"correct horse","secret":1,"a":"correct horse","a":2}}';
    expect(kept(json, 'correct horse')).toBe('{"x":{"secret":1,"a":2}}');
  });

  it('keeps words in which a short secret happens to stand', () => {
    const body = { x: { a: 'ada', ada: 'adapts', b: ['Canada'] } };
    expect(kept(JSON.stringify(body), 'ada')).toBe(
      '{"x":{"a":"[…]","ada":"adapts","b":["Canada"]}}',
    );
  });
});

describe('a body for a hook', () => {
  const reasonOf = (json: string): string | undefined => {
    const opened = open(json, 'hook', 'correct horse');
    return 'status' in opened ? opened.reason : undefined;
  };

  it('may spell the secret in any way', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 50 }), (draws) => {
        expect(reasonOf(respelled('{"a":"x","secret":"correct horse"}', draws))).toBe(undefined);
      }),
    );
  });
});
