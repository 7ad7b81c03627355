// Signals: how a platform says one thing (in progress, not found, out of credits …), by the status of an answer, by a
// word in it, or by a value at a place. One form for all of them.
import * as z from 'zod';
import type { JsonValue } from '../model/text/json.js';
import { KEYS, key, SIGNALS_FORM } from './keys.js';
import { httpStatus, wirePaths } from './parts.js';
import { valueAt } from './wire-path.js';

/** A value in a signal; null holds if the answer has nothing there. */
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type Scalar = z.output<typeof scalar>;

export const signalSchema = z
  .strictObject({
    status: key(httpStatus.exactOptional(), 'The status of the answer.'),
    word: key(
      z.string().min(1).max(100).exactOptional(),
      'A text that the body holds, in any case.',
    ),
    in: key(
      z.enum(['entry', 'body']).exactOptional(),
      'The part in which `at` is looked for. Without it: the entry, then the body.',
    ),
    at: key(
      wirePaths.exactOptional(),
      'The place of a value; the first path that leads to one counts. Without `values`: something is there that is not `false`, 0 or empty.',
    ),
    values: key(
      z
        .array(scalar)
        .min(1)
        .max(20)
        .readonly()
        .exactOptional()
        .register(KEYS, { form: 'list of values' }),
      'The value at `at` is one of these, in any case. `null`: nothing is there, in an answer without an error, or with the `status` beside it.',
    ),
  })
  .refine(
    ({ status, word, at }) => status !== undefined || word !== undefined || at !== undefined,
    {
      error: 'a signal has a "status", a "word" or an "at"',
    },
  )
  .refine(({ at, values }) => values === undefined || (at !== undefined && at.length > 0), {
    error: '"values" need "at": the path where one of them is',
  })
  .refine(({ at }) => at === undefined || at.length > 0, { error: '"at" needs a path' })
  .refine((signal) => signal.in === undefined || signal.at !== undefined, {
    error: '"in" needs "at": the path in the entry, or in the body',
  });

/** All its parts that are there must hold. */
export type Signal = z.output<typeof signalSchema>;
export type Signals = readonly Signal[];

function listOf(schema: z.ZodType<Signal>) {
  return z.array(schema).max(10).readonly().register(KEYS, { form: SIGNALS_FORM });
}

function isBare({ word, at }: Signal): boolean {
  return word === undefined && at === undefined;
}

/** Signals that a success alone must not be. */
export const wireSignals = listOf(
  signalSchema.refine(
    (signal) => !isBare(signal) || (signal.status ?? 0) >= 300,
    'a 2xx status needs a "word" or an "at", or every such success would be the signal',
  ),
);

/** Signals that a 2xx status may be by itself, as 202 for "in progress"; but not 200, which every success is. */
export const stateSignals = listOf(
  signalSchema.refine(
    (signal) => !isBare(signal) || signal.status !== 200,
    'the status 200 needs a "word" or an "at", or every success would be the signal',
  ),
);

/** Signals in a message without a status. */
export const statelessSignals = listOf(
  signalSchema.refine(({ status }) => status === undefined, 'a webhook has no status'),
);

/** A message of the platform: an answer, or a webhook, which has no status. */
export interface Said {
  readonly status?: number;
  readonly text: string;
  /** Undefined for a text that is no JSON. */
  readonly body: JsonValue | undefined;
  /** The part of the body that is asked about. */
  readonly entry?: JsonValue | undefined;
}

export function saysOne(signals: Signals, said: Said): boolean {
  return signals.some((signal) => holds(signal, said));
}

/** Whether a value that is there gives one of the signals: a missing value may only be late. */
export function saysPlainly(signals: Signals, said: Said): boolean {
  return signals.some((signal) => holds(signal, said) && !isLack(signal, said));
}

function isLack(signal: Signal, said: Said): boolean {
  const { status = 200, word, at } = signal;
  if (at === undefined || word !== undefined) return false;
  return valueOf(signal, said) === undefined && status < 300;
}

function holds(signal: Signal, said: Said): boolean {
  const { status, word, at, values } = signal;
  if (status !== undefined && status !== said.status) return false;
  if (word !== undefined && !said.text.toLowerCase().includes(word.toLowerCase())) return false;
  if (at === undefined) return true;
  const value = valueOf(signal, said);
  if (values === undefined) return isSomething(value);
  if (value === undefined) return values.includes(null) && (status !== undefined || mayLack(said));
  return values.some((one) => isSame(one, value));
}

/** Whether a missing value says anything: not in an error or without an entry, where values are missing anyway. */
function mayLack({ status = 200, entry }: Said): boolean {
  return status < 300 && entry !== undefined;
}

function valueOf({ at = [], in: part }: Signal, said: Said): JsonValue | undefined {
  const inEntry = part === 'body' ? undefined : firstIn(said.entry, at);
  if (inEntry !== undefined || part === 'entry') return inEntry;
  const { body, text } = said;
  // A body that is no JSON is a text, and `.` is the whole of it.
  return firstIn(body === undefined ? text : body, at);
}

/** The first value at one of the paths; an empty value does not count. */
function firstIn(value: JsonValue | undefined, paths: readonly string[]): JsonValue | undefined {
  return paths
    .map((path) => valueAt(value, path))
    .find((one) => one === false || one === 0 || isSomething(one));
}

/** Whether a value says anything: `false`, 0 and empty values do not. */
export function isSomething(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function isSame(one: Scalar, value: JsonValue): boolean {
  if (one === null || typeof value === 'object') return false;
  return String(one).toLowerCase() === String(value).toLowerCase();
}

/** Whether the status alone is one of the signals, so that the body need not be waited for. */
export function isSaidByStatus(signals: Signals, status: number): boolean {
  return signals.some((signal) => signal.status === status && isBare(signal));
}
