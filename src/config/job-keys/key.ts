// The form of an entry: a key of a job is told once, and everything that knows the keys goes by its entry.
import * as z from 'zod';
import { type ListenAddress, parseListenAddress } from '../../model/text/address.js';
import { parseDuration } from '../../model/text/time.js';

/** A key of a job. The texts are Markdown; help and job files show them without its marks. */
export interface JobKey {
  readonly schema: z.ZodType;
  /** Gives the value that the job uses, if its form is not the stated one. */
  readonly resolve?: (stated: never) => unknown;
  /** The resolved value is a time in milliseconds; its name says so. */
  readonly unit?: 'ms';
  /** A value in the stated form, or a function that computes it from the rest of the job. */
  readonly default?: string | number | boolean | object;
  /** The default in words, if a value does not say it. */
  readonly otherwise?: string;
  /** Examples of the value, if a job cannot go without one. */
  readonly needed?: string;
  /** For help, editors, the page of all keys, and job files that are written; without a period at its end. */
  readonly meaning: string;
  readonly more?: string;
  /** Instead of the meaning in a job file that is written for a new user. */
  readonly remark?: string;
  /** A value that a new job file shows as a comment. */
  readonly hint?: string;
  /** The type in words, if the schema does not say it. */
  readonly form?: string;
  /** How the value of its flag is written; a key without one is stated by `--set`. */
  readonly flag?: Flag;
  /** The part that a text states, if the key may also be an object of several parts. */
  readonly textPart?: string;
  /** It is a secret or belongs to one machine: no other machine gets it. */
  readonly isLocal?: true;
  /** A secret or a token may be in it: no page shows it. */
  readonly mayBeSecret?: true;
  /** Another value asks other leads, or reads them in another way: a new run begins. */
  readonly isTerm?: true;
}

/** `texts` and `pairs` are given once for each; `amount`: a number, or money. */
export type Flag =
  | 'amount'
  | 'text'
  | 'number'
  | 'switch'
  | 'words'
  | 'texts'
  | 'pairs'
  | 'columns';

const MARKS = /`|\[([^\]]{0,200})\]\([^)]{0,200}\)/g;

export function plain(text: string): string {
  return text.replace(MARKS, '$1');
}

export function typeOf({ form, schema }: JobKey): string {
  if (form !== undefined) return form;
  if (schema instanceof z.ZodEnum) return schema.options.map((one) => `\`${one}\``).join(', ');
  if (schema instanceof z.ZodBoolean) return '`true` or `false`';
  return schema instanceof z.ZodNumber ? 'whole number' : 'text';
}

/** The default of a key in Markdown; undefined for a key that has none. */
export function usualOf({ default: usual, otherwise }: JobKey): string | undefined {
  if (otherwise !== undefined || usual === undefined || typeof usual === 'object') return otherwise;
  return `\`${String(usual)}\``;
}

const DURATION = 'a duration is written like 30d, 2h, 90m or 10s';

export const duration = {
  schema: z.string().refine((text) => (parseDuration(text) ?? 0) > 0, DURATION),
  resolve: (text: string) => parseDuration(text) as number,
  unit: 'ms',
  form: 'duration',
} as const;

/** YAML reads a port alone as a number. */
export const listenAddress = (example: string) => {
  const form = `where to listen is written PORT or HOST:PORT, like ${example}`;
  return {
    schema: z
      .union([z.string(), z.int(form).min(0, form).max(65_535, form)], form)
      .transform(String)
      .refine((text) => parseListenAddress(text) !== undefined, form),
    resolve: (text: string) => parseListenAddress(text) as ListenAddress,
    form: '`[HOST:]PORT`',
  } as const;
};

/** A whole number from `min` on. */
export const wholeNumber = (problem: string, min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.int(problem).min(min, problem).max(max, problem);

export const toggle = { schema: z.boolean(), default: false } as const;
