// The facts about a key of a dialect that its schema does not hold. They stand at the key. `sluice dialect show` marks
// guesses by them, and the JSON Schema and docs/reference/dialect-keys.md are made from them.
import * as z from 'zod';

/** The source of the neutral value of a key. The origin of a section is that of every key in it without one. */
export type Origin =
  /** The heading of docs/platform-api.md that shows it. */
  | { readonly shown: string }
  /** It is our guess, since docs/platform-api.md leaves this open. */
  | { readonly guessed: string };

interface KeyFacts {
  /** The meaning, in Markdown without links. A key without one is listed with its section. */
  readonly meaning?: string;
  readonly origin?: Origin;
  /** The way in which its values are written, if the kind of its schema does not say it. */
  readonly form?: string;
}

/** The forms by which code knows a key: paths into an answer, and signals in an answer. */
export const PATHS_FORM = 'paths';
export const SIGNALS_FORM = 'signals';

export const KEYS = z.registry<KeyFacts>();

/**
 * The schema of a key, with its meaning and the origin of its neutral value. Keys that differ in these need schemas of
 * their own.
 */
export function key<S extends z.ZodType>(schema: S, meaning: string, origin?: Origin): S {
  const facts = { ...KEYS.get(schema), meaning };
  KEYS.add(schema, origin === undefined ? facts : { ...facts, origin });
  return schema;
}

export function section<S extends z.core.$ZodLooseShape>(
  meaning: string,
  shape: S,
  origin?: Origin,
) {
  return key(z.strictObject(shape).prefault({} as never), meaning, origin);
}

export function shown(heading: string): Origin {
  return { shown: heading };
}

export function guessed(question: string): Origin {
  return { guessed: question };
}

/** The facts about a schema; a fact that it lacks comes from the schemas that it wraps. */
export function factsOf(schema: z.ZodType): KeyFacts {
  const inner = innerOf(schema);
  return { ...(inner === undefined ? {} : factsOf(inner)), ...KEYS.get(schema) };
}

/** The key that stands for each name of a section whose names a dialect chooses. */
export const ANY_NAME = 'NAME';

export function keysOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodRecord && schema.valueType instanceof z.ZodObject) {
    return { [ANY_NAME]: schema.valueType };
  }
  const inner = innerOf(schema);
  return inner === undefined ? {} : keysOf(inner);
}

/** The origin of the neutral value at a path: its own, or that of the section around it. */
export function originOf(
  section: z.ZodType,
  [name, ...rest]: readonly string[],
): Origin | undefined {
  const own = name === undefined ? undefined : keysOf(section)[name];
  if (own === undefined) return factsOf(section).origin;
  return originOf(own, rest) ?? factsOf(section).origin;
}

/** The schema inside a default, a null or a transformation. */
export function innerOf({ def }: z.ZodType): z.ZodType | undefined {
  const { innerType, in: input } = def as { innerType?: z.ZodType; in?: z.ZodType };
  return innerType ?? input;
}
