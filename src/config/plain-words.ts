// A schema's own message wins over this one. The value is not repeated, since it may be a secret.
import type * as z from 'zod';

type Flaw = z.core.$ZodRawIssue;

/** Used as `safeParse(value, { error: inPlainWords })`. */
export function inPlainWords(flaw: Flaw): string {
  const { input } = flaw;
  if (input === undefined) return 'it is missing';
  if (input === null) return 'it has no value: give one, or leave the key out';
  if (flaw.code === 'invalid_type') return wrongKind(flaw);
  if (flaw.code === 'invalid_value') return `it is one of ${flaw.values.map(String).join(', ')}`;
  if (flaw.code === 'too_small') return outside(flaw.origin, `at least ${flaw.minimum}`);
  if (flaw.code === 'too_big') return outside(flaw.origin, `at most ${flaw.maximum}`);
  return 'this value is not allowed here';
}

function wrongKind({ expected, input, inst }: Flaw & { code: 'invalid_type' }): string {
  if (expected === 'string') {
    return typeof input === 'object'
      ? 'one text is wanted, without a list or keys'
      : 'a text is wanted: put it in quotes';
  }
  if (expected === 'boolean') return 'it is true or false, without quotes';
  if (expected === 'array') return 'a list is wanted, like [one, another]';
  if (expected === 'record') return 'it holds names, each with a value of its own';
  if (expected !== 'object') return 'a whole number is wanted, without quotes';
  return `it holds keys, each on a line of its own below it: ${keysOf(inst).join(', ')}`;
}

function keysOf(schema: unknown): string[] {
  const { shape } = (schema as { readonly shape?: object } | undefined) ?? {};
  return Object.keys(shape ?? {});
}

function outside(origin: string, bound: string): string {
  if (origin === 'string') {
    return bound === 'at least 1' ? 'it is empty: give a text' : `a text of ${bound} letters`;
  }
  return origin === 'array' ? `a list of ${bound} is wanted` : `a number is wanted, ${bound}`;
}
