// Custom asks: what a platform sells beside the four standard asks, for the inputs of a lead and a few values out. A
// dialect tells each once; everything else goes by what stands here.
import * as z from 'zod';
import {
  ASK_NAME,
  ASKS,
  type Ask,
  CUSTOM_TYPES,
  type CustomAsks,
  INPUTS,
  isStandard,
} from '../model/ask.js';
import { customColumns } from '../model/columns/custom-columns.js';
import { describeColumns } from '../model/columns/output-columns.js';
import type { Definitions } from '../model/fingerprint.js';
import { KEYS, key } from './keys.js';
import { price, wirePaths } from './parts.js';

/** Sets of asks are tried one by one. */
const ASKS_MAX = 6;
const FIELDS_MAX = 100;

const NAME_FORM = 'a name is written like job_change: small letters, digits and _, 40 at most';
const FIELD = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;
const FIELD_FORM = 'the name of a field has letters, digits and _, 40 at most';

/** An error says why a name is wrong, and not only that it is. */
const SAID_BY_NAME: z.core.$ZodRecordParams = {
  error: ({ code, issues }) => (code === 'invalid_key' ? issues?.[0]?.message : undefined),
};

/** A name that every object has would be found where nothing is. */
function nameLike(pattern: RegExp, form: string) {
  return z
    .string()
    .regex(pattern, form)
    .refine((name) => !(name in {}), 'this word is taken; give another');
}

const fieldSchema = z
  .union(
    [
      wirePaths.transform((at) => ({ at, type: 'text' as const, about: '' })),
      z.strictObject({
        at: wirePaths,
        type: z.enum(CUSTOM_TYPES).default('text'),
        about: z.string().max(200).default(''),
      }),
    ],
    `a path into JSON, a list of such paths, or { at, type, about }, where type is one of ${CUSTOM_TYPES.join(', ')} and about a text`,
  )
  .register(KEYS, { form: 'paths, or `at`, `type` and `about`' });

export const alternativesSchema = z
  .array(z.array(z.enum(INPUTS)).min(1).readonly())
  .min(1)
  .readonly()
  .register(KEYS, { form: 'list of lists of inputs' });

const customAskSchema = z
  .strictObject({
    about: key(z.string().min(1).max(200), 'One line for people, without a full stop.'),
    requires: key(
      alternativesSchema.nonoptional(),
      'The inputs that suffice: those of any one list. If a list names no person, the ask is about a company: the first list of which a lead has every input is sent, and nothing else of the lead, so that leads that agree in these are paid for once; such an ask is asked for without those about persons.',
    ),
    price: key(price.nonoptional(), 'The credits for one hit.'),
    blocks: key(wirePaths.prefault('.'), 'The place of the block among the blocks of an entry.'),
    fields: key(
      z.record(nameLike(FIELD, FIELD_FORM), fieldSchema, SAID_BY_NAME).refine((fields) => {
        const { length } = Object.keys(fields);
        return length > 0 && length <= FIELDS_MAX;
      }, `give 1 to ${FIELDS_MAX} fields`),
      `The values, each by our name: its paths in the block; or \`at\` with the paths, \`type\` (${CUSTOM_TYPES.map((type) => `\`${type}\``).join(', ')}), and \`about\`, a line for the reader of the table. The column of \`employeeCount\` of \`firm\` is \`firm_employee_count\`. A value of another type is not read.`,
    ),
    found: key(
      z
        .array(z.string())
        .min(1)
        .readonly()
        .exactOptional()
        .register(KEYS, { form: 'list of fields' }),
      'The fields, one of which must have a value, or nothing was found; without it any field counts.',
    ),
  })
  .refine(({ fields, found = [] }) => found.every((field) => field in fields), {
    path: ['found'],
    error: 'each is a field of this ask',
  });

export const customAsksSchema = z
  .record(
    nameLike(ASK_NAME, NAME_FORM),
    key(customAskSchema, 'An ask, under its name.'),
    SAID_BY_NAME,
  )
  .superRefine((asks, context) => {
    const names = Object.keys(asks);
    // Most dialects have none, and each is read at the start of a command.
    if (names.length === 0) return;
    const fail = (name: string, message: string) => {
      context.addIssue({ code: 'custom', path: [name], message });
    };
    const standard = names.find(isStandard);
    if (standard !== undefined)
      fail(standard, 'this ask is there already; give yours another name');
    if (names.length > ASKS_MAX)
      fail(names.at(-1) ?? '', `a dialect has ${ASKS_MAX} asks of its own at most`);
    const every = describeColumns({ kind: 'json' }, { isFilled: true, isJoined: true });
    const taken = new Set(every.map(({ name }) => name));
    for (const { ask, field, name } of customColumns(asks)) {
      if (taken.has(name) || /^position(_|$)/.test(name)) {
        fail(
          ask,
          `a table has a column ${name} already (field ${field}); give the ask another name`,
        );
      }
      taken.add(name);
    }
  })
  .prefault({});

export type CustomSection = z.output<typeof customAsksSchema>;

export function placesOf({ fields }: CustomSection[string]): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(fields).map(([name, { at }]) => [name, at]));
}

export function asksOf({ asks }: { readonly asks: CustomAsks }): readonly Ask[] {
  return [...ASKS, ...Object.keys(asks).toSorted()];
}

/**
 * The part of each ask that decides which values it means: the names of its fields. Its places, types, words and price
 * may be corrected, and what was paid for stays known.
 */
export function definitionsOf({ asks }: { readonly asks: CustomSection }): Definitions {
  return Object.fromEntries(
    Object.entries(asks).map(([name, { fields }]) => [
      name,
      JSON.stringify(Object.keys(fields).toSorted()),
    ]),
  );
}

/** The custom asks among these, as a run keeps them; undefined for none. */
export function keptAsks(
  { asks }: { readonly asks: CustomSection },
  asked: readonly Ask[],
): CustomAsks | undefined {
  const kept = Object.entries(asks).filter(([name]) => asked.includes(name));
  if (kept.length === 0) return undefined;
  return Object.fromEntries(
    kept.map(([name, { about: words, fields }]) => [
      name,
      {
        about: words,
        fields: Object.fromEntries(
          Object.entries(fields).map(([field, { about: meaning, type }]) => [
            field,
            { about: meaning, type },
          ]),
        ),
      },
    ]),
  );
}

type Named = Readonly<Record<string, unknown>>;

interface ByAsk {
  readonly asks: CustomSection;
  readonly prices: Named;
  readonly enrich: {
    readonly path: string | Named;
    readonly ask: { readonly names: Named };
  } | null;
  readonly bulk: {
    readonly path: string | Named | null;
    readonly ask: { readonly names: Named };
  };
  readonly result: {
    readonly path: string | Named;
    readonly batchPath: string | Named | null;
  } | null;
}

/** Adds an issue for each name of an ask that there is not; for `superRefine`. */
export function checkNames(dialect: ByAsk, context: z.core.$RefinementCtx): void {
  const { bulk, enrich, result } = dialect;
  const known = asksOf(dialect);
  const check = (path: readonly string[], named: unknown) => {
    if (typeof named !== 'object' || named === null) return;
    for (const name of Object.keys(named)) {
      if (name.split('+').every((one) => known.includes(one))) continue;
      const message = `this is no ask: known are ${known.join(', ')}`;
      context.addIssue({ code: 'custom', path: [...path, name], message });
    }
  };
  check(['enrich', 'path'], enrich?.path);
  check(['enrich', 'ask', 'names'], enrich?.ask.names);
  check(['bulk', 'path'], bulk.path);
  check(['bulk', 'ask', 'names'], bulk.ask.names);
  check(['prices'], dialect.prices);
  check(['result', 'path'], result?.path);
  check(['result', 'batchPath'], result?.batchPath);
}
