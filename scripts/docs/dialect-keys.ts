// docs/reference/dialect-keys.md, made from what stands at each key in src/dialect.
import { stringify } from 'yaml';
import * as z from 'zod';
import { dialectSchema } from '../../src/dialect/dialect.js';
import { factsOf, innerOf, keysOf, type Origin } from '../../src/dialect/keys.js';
import { signalSchema } from '../../src/dialect/signal.js';
import { slugOf, table } from './markdown.js';

/** Longer defaults are told by the meaning, and by `sluice dialect show`. */
const DEFAULT_LENGTH_MAX = 60;

/** The whole document, in Markdown. */
export function renderDialectKeysDoc(): string {
  const [sections, single] = partition(keysIn(dialectSchema), ([, one]) => isSection(one));
  return `# Every key of a dialect

Made from \`src/dialect/\` by \`npm run generate\`.

A file says only what differs from the neutral dialect; \`sluice dialect show\` prints the whole of it as a file.
[Dialects](../dialects.md) tells how to write one, and more about some keys. _Paths_ are for reading, and a _path_ is for
writing ([both](../dialects.md#paths-into-json)).

Keys without a meaning of their own stand in the row of their section, with their defaults where those are not their own
names. The _origin_ is the heading of [the platform's interface](../platform-api.md) that shows the default; or the
default is our guess, with the question that is open there. A key without an origin has that of the section around it.

\`sluice dialect show\` marks our guesses as \`assumed\`, until a dialect file states them. Whatever stands in a file counts
as stated: write into yours only what you know, and keep no copy of the whole neutral dialect. No guess costs a lead or
a run by itself: prices that are not stated are told as assumed, a bulk call that no file describes is not taken by
itself, a lead is left out only where it names no person, and where the platform has no free question, the first paid
call is sent alone.

## Single keys

${tableOf(single)}

${sections.map((one) => `## ${one[0]}\n\n${tableOf([one])}`).join('\n\n')}

## Signals

A value in the form _signals_ is a list of at most ten of these. All keys of one must hold
([more](../dialects.md#signals)).

${table(
  ['key', 'form', 'meaning'],
  keysIn(signalSchema)
    .flatMap(rowsOf)
    .map(([key = '', form = '', , meaning = '']) => [key, form, meaning]),
)}
`;
}

type Key = readonly [path: string, schema: z.ZodType];

function tableOf(keys: readonly Key[]): string {
  return table(['key', 'form', 'default', 'meaning', 'origin'], keys.flatMap(rowsOf));
}

/** A row for the key, and one for each key in it that has a meaning. */
function rowsOf([path, schema]: Key): string[][] {
  const { meaning = '', origin } = factsOf(schema);
  const [told, listed] = partition(keysIn(schema), ([, one]) => factsOf(one).meaning !== undefined);
  const named = listed.filter(([, one]) => !(one instanceof z.ZodExactOptional));
  const defaults = listed.length === 0 ? defaultOf(schema) : named.map(nameOf).join(', ');
  const form = formOf(schema, named.length === 0 ? listed : named);
  return [
    [`\`${path}\``, form, defaults, meaning, sourceOf(origin)],
    ...told.flatMap(([name, one]) => rowsOf([`${path}.${name}`, one])),
  ];
}

function keysIn(schema: z.ZodType): Key[] {
  return Object.entries(keysOf(schema));
}

function sourceOf(origin: Origin | undefined): string {
  if (origin === undefined) return '';
  if ('guessed' in origin) return `our guess: ${origin.guessed}`;
  return `[${origin.shown}](../platform-api.md#${slugOf(origin.shown)})`;
}

/** How a value is written; of a section with keys that are listed, how theirs are. */
function formOf(schema: z.ZodType, listed: readonly Key[]): string {
  const forms = new Set(listed.map(([, one]) => formOf(one, [])));
  const [form = kindOf(schema)] = forms.size === 1 ? forms : [];
  return schema.isNullable() ? `${form}, or null` : form;
}

function kindOf(schema: z.ZodType): string {
  const { form } = factsOf(schema);
  if (form !== undefined) return form;
  const inner = innerOf(schema);
  if (inner !== undefined) return kindOf(inner);
  if (schema instanceof z.ZodObject) return 'keys';
  if (schema instanceof z.ZodEnum) return schema.options.map((one) => `\`${one}\``).join(', ');
  if (schema instanceof z.ZodNumber) return `${schema.minValue} to ${schema.maxValue}`;
  return schema instanceof z.ZodBoolean ? '`true` or `false`' : 'text';
}

/** A key in the row of its section. */
function nameOf([name, schema]: Key): string {
  const value = defaultOf(schema);
  return ['', `\`${name}\``].includes(value) ? `\`${name}\`` : `\`${name}\`: ${value}`;
}

/** The neutral value, as a file has it. */
function defaultOf(schema: z.ZodType): string {
  const value = valueOf(schema);
  if (value === undefined) return isSection(schema) ? '' : 'none; needed';
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const text =
    typeof one === 'string' && one !== ''
      ? one
      : stringify(value, { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 });
  return text.length > DEFAULT_LENGTH_MAX ? '' : `\`${text.trim()}\``;
}

/** Undefined for a section, whose keys have theirs. */
function valueOf(schema: z.ZodType): unknown {
  const { defaultValue } = schema.def as { defaultValue?: unknown };
  if (defaultValue === null || (defaultValue !== undefined && !isSection(schema)))
    return defaultValue;
  const inner = innerOf(schema);
  return inner === undefined ? undefined : valueOf(inner);
}

function isSection(schema: z.ZodType): boolean {
  return keysIn(schema).length > 0;
}

function partition<T>(all: readonly T[], is: (one: T) => boolean): [T[], T[]] {
  return [all.filter(is), all.filter((one) => !is(one))];
}
