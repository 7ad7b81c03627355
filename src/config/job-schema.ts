// The keys of a job file with their meanings. Flags, validation, the JSON Schema and the documentation are made from
// them.
import * as z from 'zod';
import { price } from '../dialect/dialect.js';
import { ASKS, type Ask, COLUMN_INPUTS, type ColumnInput } from '../model/ask.js';
import { COLUMN_WORDS } from '../model/columns/choose-columns.js';
import { parsePositionShape, WIDE_COUNT_MAX } from '../model/columns/positions.js';
import { isCredits } from '../model/credits.js';
import { DELIMITERS } from '../model/lead.js';
import { parseRate } from '../model/schedule/rate.js';
import { isPublicUrl, parseListenAddress } from '../model/text/address.js';
import { parseDuration } from '../model/text/time.js';
import { notice } from './notice-schema.js';
import { PLACES } from './places.js';
import { schedule } from './schedule-schema.js';
import { tables } from './tables-schema.js';

const duration = z
  .string()
  .refine(
    (text) => (parseDuration(text) ?? 0) > 0,
    'a duration is written like 30d, 2h, 90m or 10s',
  );

/** YAML reads a port alone as a number. */
const listenAddress = (example: string) => {
  const form = `where to listen is written PORT or HOST:PORT, like ${example}`;
  return z
    .union([z.string(), z.int(form).min(0, form).max(65_535, form)], form)
    .transform(String)
    .refine((text) => parseListenAddress(text) !== undefined, form);
};

const INPUT_FORM = 'name a file to read, a glob, a list of them, or - for standard input';
const CREDITS = 'a budget is a number of credits, 0 or more, with three decimals at most';
const CONCURRENCY = 'a number of requests is whole, from 1 to 1000';
const FIRST_BATCH = 'a first batch is a whole number of requests, 1 or more';
const NUMBER_OF_LEADS = 'a number of leads is whole, and 1 or more';

const ownColumn = z.string().min(1, 'a column to fill has a name').optional();
const SEED = 'a seed is a whole number, 0 or more';

const WHICH_DELIMITER = 'a delimiter is one of , ; | and a tab, which is written "\\t"';

const COLUMNS = 'columns is a list, like [email, {Job title: position_title}], asked, all or used';
const columnName = z.string().min(1, COLUMNS);
const renamedColumn = z.record(columnName, columnName);

const KEY = 'key is a column of the input, or a list of them';

const columnOf = Object.fromEntries(
  COLUMN_INPUTS.map((input) => [input, z.string().optional()]),
) as Record<ColumnInput, z.ZodOptional<z.ZodString>>;

type PriceOf = Record<Ask, z.ZodOptional<typeof price>>;

/** Every key but `input` may be left out; `out` and `ask` have no default and are asked for when missing. */
export const jobSchema = z.strictObject({
  input: z
    .union(
      [z.string().min(1, INPUT_FORM), z.array(z.string().min(1)).min(1, INPUT_FORM).readonly()],
      INPUT_FORM,
    )
    .describe('What to read: a file, a glob, a list of them, or - for standard input')
    .register(PLACES, { place: 'read' }),
  out: tables,
  report: z
    .string()
    .regex(/[^/\\]\.html?$/i, 'a report is an HTML file: a name that ends in .html')
    .optional()
    .describe('HTML file to write at the end of a run: how it went, in charts')
    .register(PLACES, { place: 'written' }),
  ask: z
    .array(
      z.enum(ASKS, { error: ({ input }) => `"${String(input)}" is none of ${ASKS.join(', ')}` }),
      'what to ask is a list: [find_email, social_enrichment]',
    )
    .min(1)
    .readonly()
    .optional()
    .describe(`What to ask for: ${ASKS.join(', ')}`),
  map: z
    .strictObject(columnOf)
    .optional()
    .describe('Which column feeds which input; an empty name keeps an input from being guessed'),
  url: z
    .string()
    .min(1)
    .optional()
    .describe('Base address of the platform, or sandbox; default: SLUICE_URL')
    .register(PLACES, { place: 'platform' }),
  dialect: z
    .string()
    .min(1)
    .optional()
    .describe("File that describes the platform's wire format, or the name of a ready-made one")
    .register(PLACES, { place: 'read' }),
  account: z
    .string()
    .regex(/^[^\p{Cc}]{1,200}$/u, 'an account is named by 1 to 200 characters, without line breaks')
    .optional()
    .describe(
      'Name of the account that pays; default: SLUICE_ACCOUNT, else the user name or the key',
    ),
  concurrency: z
    .int(CONCURRENCY)
    .min(1, CONCURRENCY)
    .max(1000, CONCURRENCY)
    .optional()
    .describe('Requests in flight at most'),
  rate: z
    .string()
    .refine((text) => parseRate(text) !== undefined, 'a rate is written like 20/2s, or off')
    .optional()
    .describe("Requests in any window of time, like 20/2s, or off; default: the dialect's"),
  positions: z
    .string()
    .refine(
      (text) => parsePositionShape(text) !== undefined,
      `positions is current, wide:N (N from 1 to ${WIDE_COUNT_MAX}), long or json`,
    )
    .optional()
    .describe('Shape of the positions: current, wide:N, long or json'),
  columns: z
    .union([z.enum(COLUMN_WORDS), z.array(z.union([columnName, renamedColumn])).min(1)], COLUMNS)
    .readonly()
    .optional()
    .describe(
      'Columns of the table, in order: names, NEW=COLUMN to rename; those of what was asked (asked, default), all, or used',
    ),
  key: z
    .union([z.string().min(1, KEY), z.array(z.string().min(1, KEY)).min(1, KEY).readonly()], KEY)
    .optional()
    .describe('Columns of the input that come first in the table: what to merge it by'),
  'fresh-for': duration
    .optional()
    .describe('How long a result is used again instead of paid again'),
  keep: duration
    .optional()
    .describe(
      'How long runs, webhooks and events stay in the state; older ones go at the end of runs; default: SLUICE_KEEP, else for good',
    ),
  'keep-deliveries': duration
    .optional()
    .describe(
      'How long the text of a webhook stays that has settled its leads, for "replay --all"; default: not at all',
    ),
  limit: z
    .int(NUMBER_OF_LEADS)
    .min(1, NUMBER_OF_LEADS)
    .optional()
    .describe('Read this many leads and no more'),
  where: z
    .string()
    .min(1, 'an expression is not empty; leave it out to choose every lead')
    .optional()
    .describe('Which leads are asked, like: country in (FR, DE) and Email is empty; default: all'),
  'only-missing': z
    .boolean()
    .optional()
    .describe('Ask only for leads whose own e-mail or phone column has none'),
  sample: z
    .int(NUMBER_OF_LEADS)
    .min(1, NUMBER_OF_LEADS)
    .optional()
    .describe('Ask only for this many of the leads, at random, and the same ones again'),
  fill: z
    .strictObject({ email: ownColumn, phone: ownColumn })
    .optional()
    .describe('Your own columns whose empty cells show what was found: email and phone'),
  seed: z.int(SEED).min(0, SEED).optional().describe('Another number takes another sample'),
  deadline: duration.optional().describe('How long to wait for an answer before it is timed_out'),
  collect: z
    .enum(['poll', 'webhook', 'hybrid'])
    .optional()
    .describe(
      'How results come: asked for (poll), delivered (webhook), or delivered and asked for when overdue (hybrid); default: hybrid with a public-url or listen, else poll',
    ),
  listen: listenAddress('8640 or 0.0.0.0:8640')
    .optional()
    .describe('Where webhooks are received: [HOST:]PORT'),
  'public-url': z
    .string()
    .refine(isPublicUrl, 'a public URL is http(s)://host/path, without a query or credentials')
    .optional()
    .describe('Address under which the platform reaches the listener')
    .register(PLACES, { place: 'platform' }),
  callback: z
    .enum(['request', 'hook'])
    .optional()
    .describe(
      'How the platform learns where to deliver: a URL in each request, or one registered hook',
    ),
  'claim-wait': duration
    .optional()
    .describe('How long to wait at the end for webhooks that may claim uncertain leads'),
  submit: z
    .enum(['single', 'bulk', 'auto'])
    .optional()
    .describe(
      'One request for each enrichment, or bulk calls; auto: bulk where webhooks bring the results and the dialect file says how',
    ),
  list: z
    .strictObject({
      name: z
        .string()
        .min(1, 'a contact list needs a name that is not empty')
        .describe('Name of the static list to create; {job} and {date} are put in'),
      where: z
        .string()
        .min(1, 'an expression is not empty; leave it out to choose every row')
        .optional()
        .describe('Which rows go in, like: email_status = deliverable; default: all'),
    })
    .optional()
    .describe('Contact list of the platform that the leads of a run go into'),
  notify: notice.optional().describe('Where to send a notice when a run has ended'),
  budget: z
    .number(CREDITS)
    .min(0, CREDITS)
    .refine(isCredits, CREDITS)
    .optional()
    .describe('Credits that a run may spend at most; it stops before it could spend more'),
  prices: z
    .strictObject(Object.fromEntries(ASKS.map((ask) => [ask, price.optional()])) as PriceOf)
    .optional()
    .describe(
      "Credits for one hit, by ask, with three decimals at most; default: the dialect's, which may be assumed",
    ),
  'first-batch': z
    .int(FIRST_BATCH)
    .min(1, FIRST_BATCH)
    .optional()
    .describe(
      'Paid requests under way at most until a value was read with this dialect and account',
    ),
  'pay-anew': z
    .boolean()
    .optional()
    .describe(
      'Pay for leads that are known under another account of the address, or under other guessed inputs, without asking',
    ),
  ...schedule,
  state: z
    .string()
    .min(1)
    .optional()
    .describe(
      'State file, or postgres://… of a database; share one between jobs to pay once; SLUICE_STATE names another',
    )
    .register(PLACES, { place: 'state' }),
  'metrics-file': z
    .string()
    .regex(/[^/\\]\.prom$/, 'a file of metrics ends in .prom, or no collector reads it')
    .optional()
    .describe('Write metrics of the run here when it has ended: a .prom file, one for each job')
    .register(PLACES, { place: 'written' }),
  'metrics-listen': listenAddress('9464 or 127.0.0.1:9464')
    .optional()
    .describe('Serve metrics at [HOST:]PORT while the run lasts; not where webhooks arrive'),
  format: z
    .enum(['csv', 'ndjson'])
    .optional()
    .describe('Format of the input, but for workbooks; default: detected'),
  sheet: z
    .string()
    .min(1)
    .optional()
    .describe('Sheet to read of a workbook (.xlsx); default: the one whose columns are usual'),
  'header-row': z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('Line of the input with the names of the columns; default: detected'),
  delimiter: z
    .enum(DELIMITERS, WHICH_DELIMITER)
    .optional()
    .describe('Delimiter of a CSV input; default: detected'),
  encoding: z
    .enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'])
    .optional()
    .describe('Encoding of the input; default: detected'),
  'delimiter-out': z
    .enum(DELIMITERS, WHICH_DELIMITER)
    .optional()
    .describe("Delimiter of a CSV output; default: the input's own; a .tsv has tabs"),
  dictionary: z
    .boolean()
    .optional()
    .describe('Write beside each table what its columns mean, as a Table Schema'),
  bom: z.boolean().optional().describe('Begin a CSV output with a byte order mark'),
  excel: z
    .boolean()
    .optional()
    .describe('CSV as Excel wants it: byte order mark, CRLF, phone numbers kept as text'),
  'formula-guard': z
    .boolean()
    .optional()
    .describe('Keep text from the platform from starting a formula (on by default)'),
});

/** A job as its file or the flags state it, without defaults. */
export type JobFile = z.output<typeof jobSchema>;

/** The JSON Schema of a job file, for editors. */
export function jobJsonSchema(): object {
  return {
    ...z.toJSONSchema(jobSchema, { io: 'input' }),
    title: 'A Sluice job',
    description:
      'What to read, what to ask, and where to write. ${NAME} is an environment variable.',
  };
}
