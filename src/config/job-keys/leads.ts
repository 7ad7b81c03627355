import * as z from 'zod';
import { ASK_NAME, ASKS, type Ask, COLUMN_INPUTS, type ColumnInput } from '../../model/ask.js';
import { isCredits, parseMoney } from '../../model/credits.js';
import type { MappingWish } from '../../model/mapping/mapping.js';
import { DEFAULTS } from '../defaults.js';
import { type JobKey, toggle, wholeNumber } from './key.js';

const INPUT = 'name a file to read, a glob, a list of them, or - for standard input';
const NUMBER_OF_LEADS = 'a number of leads is whole, and 1 or more';
const CREDITS =
  'a budget is a number of credits, 0 or more, with three decimals at most, or money like 40 EUR';
const SEED = 'a seed is a whole number, 0 or more';
const TABLES = 'out is a file, or {people: FILE, positions: FILE, companies: FILE} with people';
const NO_PEOPLE =
  'the table of the people is missing: give --out, or the key people beside the other tables';
const EXPRESSION = 'an expression is not empty; leave it out to choose every lead';

const columnOf = Object.fromEntries(
  COLUMN_INPUTS.map((input) => [input, z.string().optional()]),
) as Record<ColumnInput, z.ZodOptional<z.ZodString>>;

const furtherTable = z
  .string()
  .min(1, TABLES)
  .refine((path) => path !== '-', 'only the table of the people goes to standard output')
  .optional();

function outProblem({ input }: { readonly input?: unknown }): string {
  const keys = Object.keys(Object(input) as object);
  const isPart = keys.includes('positions') || keys.includes('companies');
  return isPart && !keys.includes('people') ? NO_PEOPLE : TABLES;
}

export const job = {
  input: {
    schema: z.union(
      [z.string().min(1, INPUT), z.array(z.string().min(1)).min(1, INPUT).readonly()],
      INPUT,
    ),
    resolve: (input: string | readonly string[]): readonly string[] => [input].flat(),
    form: 'text, or a list',
    needed: 'leads.csv',
    meaning:
      'The leads to read: a file, a pattern like `inbox/*.csv`, a list of them, or `-` for standard input',
    more: 'Gzip is unpacked. Patterns alone are a [drop folder](../drop-folder.md): each file is done once.',
    remark: `Your file of leads (CSV, NDJSON or XLSX, plain or gzipped), or a pattern like
inbox/*.csv: then each file is done once.
Paths begin in the folder where sluice is started.`,
  },
  out: {
    schema: z.union(
      [
        z.string().min(1, TABLES),
        z.strictObject({
          people: z.string().min(1).describe('Table of the people'),
          positions: furtherTable.describe('Further table: a row for each position of each lead'),
          companies: furtherTable.describe('Further table: each company once'),
        }),
      ],
      { error: outProblem },
    ),
    form: 'text, or `people`, `positions` and `companies`',
    meaning: 'Table to write, like out.csv or .xlsx; `-` for standard output',
    more: 'Needed, but to plan. The ending is .csv, .tsv, .ndjson, .jsonl, .xlsx or .parquet; any other is CSV. CSV and NDJSON are packed with `.gz` behind the name. [XLSX](../columns.md#xlsx) and [Parquet](../columns.md#parquet) have types. The name [may hold](../jobs.md#the-name-of-the-table) `{date}`, `{input}`, `{job}` and `{run}`.',
    remark: `The file of the enriched table. Each run replaces it in one step; {date}, {input}, {job} and
{run} make a name of its own. {people: …, positions: …, companies: …} makes several tables.`,
    flag: 'text',
    textPart: 'people',
  },
  ask: {
    schema: z
      .array(
        z.string().regex(ASK_NAME, `an ask is a name like ${ASKS.join(', ')}`),
        'what to ask is a list: [find_email, social_enrichment]',
      )
      .min(1)
      .readonly(),
    // An ask that is listed twice is charged once, so its price must count once.
    resolve: (asks: readonly Ask[]): readonly Ask[] => [...new Set(asks)],
    form: 'list',
    needed: 'for example find_email,social_enrichment',
    meaning: `What to ask for: ${ASKS.map((ask) => `\`${ask}\``).join(', ')}, or one of the dialect's own`,
    remark: `The values to ask for each lead: ${ASKS.join(', ')}.
Each costs credits if something is found; "sluice plan" says how many at most.`,
    flag: 'words',
  },
  map: {
    schema: z.strictObject(columnOf),
    resolve: (map: MappingWish): MappingWish => map,
    default: {},
    otherwise: 'guessed from the headers',
    form: 'keys and texts',
    meaning: 'The column of each input; an empty name for none',
    more: 'With an empty name it is not guessed either. [Which column is what](../jobs.md#which-column-is-what).',
    remark: `The columns of your file that hold the inputs. Their values are sent to the platform.
An input that is not named is guessed from the headers; a name of "" keeps it from being sent.`,
    flag: 'pairs',
  },
  url: {
    schema: z.string().min(1),
    // The first step of a waterfall has one.
    default: (stated: { readonly waterfall?: readonly { readonly url?: string }[] }) =>
      stated.waterfall?.[0]?.url,
    otherwise: '`SLUICE_URL`',
    needed:
      'the base address of the platform, or sandbox to try it for free; SLUICE_URL is its default',
    meaning: 'Base address of the platform, or `sandbox`',
    remark:
      'Base address of the platform. "sandbox" is one inside Sluice: it costs nothing, and makes everything up.',
    flag: 'text',
    mayBeSecret: true,
  },
  limit: {
    schema: wholeNumber(NUMBER_OF_LEADS, 1),
    otherwise: 'all',
    meaning: 'Read this many leads and no more',
    remark: 'Reads at most this many leads: good for a first try.',
    flag: 'number',
    isTerm: true,
  },
  budget: {
    schema: z.union(
      [
        z.number(CREDITS).min(0, CREDITS).refine(isCredits, CREDITS),
        z.string(CREDITS).refine((text) => parseMoney(text) !== undefined, CREDITS),
      ],
      CREDITS,
    ),
    form: 'number, or money like `40 EUR`',
    meaning: 'Credits, or money, that a run may spend at most',
    more: 'It stops before it could spend more, with exit code 6. What counts: the credits of answers, the highest price of each request that may still be charged, and the same of unfinished runs that it replaces. What is known counts nothing. Money needs the key `credit`; over all steps of a [waterfall](../waterfall.md#before-and-after) it is money.',
    hint: '500',
    flag: 'amount',
  },
  state: {
    schema: z.string().min(1),
    default: DEFAULTS.state,
    otherwise: `\`SLUICE_STATE\`, else \`${DEFAULTS.state}\``,
    meaning: 'State file, or `postgres://…` of a [database](../several-machines.md)',
    more: 'Jobs that share one share what was paid for.',
    flag: 'text',
    isLocal: true,
  },
} as const satisfies Readonly<Record<string, JobKey>>;

export const choice = {
  where: {
    schema: z.string().min(1, EXPRESSION),
    otherwise: 'all',
    meaning: 'The leads to ask, like: `Email is empty`',
    more: '[Expressions](../jobs.md#which-leads-are-asked) go by the columns of the input.',
    remark:
      'The leads to ask, by the columns of your file: country in (FR, DE) and Email is empty.',
    flag: 'text',
  },
  'only-missing': {
    ...toggle,
    flag: 'switch',
    meaning: 'Ask only for leads whose own e-mail or phone column has none',
    remark: 'Asks only for leads that have no e-mail address, or no phone number, of their own.',
  },
  sample: {
    schema: wholeNumber(NUMBER_OF_LEADS, 1),
    otherwise: 'all',
    meaning: 'Ask only for this many of the leads, at random',
    more: 'The next run takes the same ones.',
    flag: 'number',
  },
  seed: {
    schema: wholeNumber(SEED, 0),
    default: 1,
    meaning: 'Another number takes another sample',
  },
} as const satisfies Readonly<Record<string, JobKey>>;
