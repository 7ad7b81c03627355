import * as z from 'zod';
import { COLUMN_WORDS, type ColumnWish } from '../../model/columns/choose-columns.js';
import { parsePositionShape, WIDE_COUNT_MAX } from '../../model/columns/positions.js';
import { DELIMITERS } from '../../model/lead.js';
import { duration, type JobKey, toggle } from './key.js';

const COLUMNS = 'columns is a list, like [email, {Job title: position_title}], asked, all or used';
const KEY = 'key is a column of the input, or a list of them';
const PERCENTAGE = 'a share is a percentage, like 50%';
const HEADER_ROW = 'header-row is the number of a line, from 1 on, or none';
const WHICH_DELIMITER = 'a delimiter is tab, ";", "," or "|", in quotes';

const columnName = z.string().min(1, COLUMNS);
const ownColumn = z.string().min(1, 'a column to fill has a name').optional();
const delimiter = {
  schema: z
    .enum([...DELIMITERS, 'tab'], WHICH_DELIMITER)
    .transform((text) => (text === 'tab' ? '\t' : text)),
} as const;

export const table = {
  columns: {
    schema: z
      .union(
        [
          z.enum(COLUMN_WORDS),
          z.array(z.union([columnName, z.record(columnName, columnName)])).min(1),
        ],
        COLUMNS,
      )
      .readonly(),
    resolve: (columns: ColumnWish): ColumnWish => columns,
    otherwise: '`asked`',
    form: 'list, `asked`, `all` or `used`',
    meaning: 'Columns of the table: names, NEW=COLUMN, or `asked`, `all`, `used`',
    more: 'They have the order of the names; `asked` are those of what was asked. [Which columns](../jobs.md#which-columns-the-table-has) there are, and how a file renames them.',
    remark:
      'The columns of the table, in order; { Job title: position_title } renames one. Without it: those of what is asked.',
    flag: 'columns',
  },
  key: {
    schema: z.union(
      [z.string().min(1, KEY), z.array(z.string().min(1, KEY)).min(1, KEY).readonly()],
      KEY,
    ),
    resolve: (key: string | readonly string[]): readonly string[] => [...new Set([key].flat())],
    form: 'text, or a list',
    meaning: 'Columns that come first in the table: what to merge it by',
    more: '[Merging back](../jobs.md#merging-back). As flags: one `--key` for each.',
    remark: 'The column of your file that names a row, to merge the table back by. It comes first.',
    flag: 'texts',
  },
  fill: {
    schema: z.strictObject({ email: ownColumn, phone: ownColumn }),
    form: '`email` and `phone`',
    meaning: 'Your own columns whose empty cells show what was found',
    more: '[How cells are filled](../jobs.md#fill-your-own-columns). As flags: `--fill email=Email --fill phone=Phone`.',
    remark:
      'Columns of your file whose empty cells the table fills with what was found: { email: Email, phone: Phone }.',
    flag: 'pairs',
  },
  positions: {
    schema: z
      .string()
      .refine(
        (text) => parsePositionShape(text) !== undefined,
        `positions is current, wide:N (N from 1 to ${WIDE_COUNT_MAX}), long or json`,
      ),
    default: 'current',
    meaning: 'Positions as `current`, `wide:N`, `long` or `json`',
    more: `N is from 1 to ${WIDE_COUNT_MAX}. [Columns](../columns.md) shows each.`,
    flag: 'text',
  },
  excel: {
    ...toggle,
    flag: 'switch',
    meaning: 'CSV as Excel wants it; phone numbers stay text',
    more: 'With a byte order mark and CRLF.',
    remark: 'Writes the table so that Excel opens it right with a double click.',
  },
  report: {
    schema: z
      .string()
      .regex(/[^/\\]\.html?$/i, 'a report is an HTML file: a name that ends in .html'),
    meaning: 'HTML file to write at the end of a run: how it went, in charts',
    more: '[The report](../report.md). Placeholders as in `out`.',
    remark:
      'A page of charts that shows how each run went, written at its end: data/out/{job}-{run}.html.',
    flag: 'text',
  },
  changes: {
    schema: z
      .string()
      .min(1)
      .refine((path) => path !== '-', 'the table of changes is a file'),
    meaning:
      'Table to write at the end of a run: [what differs](../compare.md#after-each-run) from the run of the job before it',
    more: 'Placeholders as in `out`.',
    remark:
      'A table of what is new since the run before: who moved to another company, who has another address.',
  },
} as const satisfies Readonly<Record<string, JobKey>>;

export const files = {
  format: {
    schema: z.enum(['csv', 'ndjson']),
    otherwise: 'detected',
    meaning: 'Format of the input, but for workbooks',
    isTerm: true,
  },
  sheet: {
    schema: z.string().min(1),
    otherwise: 'the one whose columns are usual',
    meaning: 'Sheet to read of a workbook (.xlsx)',
    more: 'In CSV and NDJSON beside it, it changes nothing.',
    isTerm: true,
  },
  'visible-only': {
    ...toggle,
    meaning: 'Leave out rows and columns that a workbook hides, as by a filter',
    isTerm: true,
  },
  'header-row': {
    schema: z.union([z.int().min(1).max(1_000_000), z.literal('none')], HEADER_ROW),
    otherwise: 'detected',
    form: 'whole number, or `none`',
    meaning: 'Line of the input with the names of the columns, or `none`',
    more: '[What is above it](../bad-input.md#above-the-header) is passed over. With [`none`](../bad-input.md#no-header) the columns are `column_1`, `column_2` and so on. In NDJSON it changes nothing.',
    isTerm: true,
  },
  delimiter: {
    ...delimiter,
    otherwise: 'detected',
    form: '`tab`, `";"`, `","` or `"\\|"`',
    meaning: 'Delimiter of a CSV input',
    isTerm: true,
  },
  encoding: {
    schema: z
      .string()
      .refine(
        isEncoding,
        'encoding is a name such as utf-8, windows-1252, windows-1250 or macintosh',
      ),
    otherwise: 'detected',
    form: 'label',
    meaning: 'Encoding of the input, such as `windows-1250`',
    more: 'Any [label of the standard](https://encoding.spec.whatwg.org/#names-and-labels) that Node knows.',
    isTerm: true,
  },
  'accept-rejects': {
    schema: z.string(PERCENTAGE).regex(/^(?:100|\d{1,2}(?:\.\d+)?)%$/, PERCENTAGE),
    resolve: (text: string): number => Number(text.slice(0, -1)) / 100,
    default: '10%',
    form: 'percentage',
    meaning: 'Share of the rows of a source that may be rejected; where more are, nothing is sent',
    more: '[Many bad rows](../bad-input.md#many-bad-rows). Ten rows are always accepted.',
  },
  'delimiter-out': {
    ...delimiter,
    otherwise: "the input's own",
    form: '`tab`, `";"`, `","` or `"\\|"`',
    meaning: 'Delimiter of a CSV output; a .tsv has tabs',
  },
  bom: { ...toggle, meaning: 'Begin a CSV output with a byte order mark' },
  'formula-guard': {
    ...toggle,
    default: true,
    meaning: 'Keep text from the platform from starting a formula in a spreadsheet',
  },
  keep: {
    ...duration,
    otherwise: '`SLUICE_KEEP`, else for good',
    meaning:
      'How long runs, webhooks and events stay in the state; older ones go at the end of runs',
    more: '[Keep it small by itself](../keeping.md#keep-it-small-by-itself). Not shorter than any `fresh-for`.',
    remark:
      'How long runs stay in the state. Without it they stay until "sluice state prune"; results stay while they are fresh.',
  },
} as const satisfies Readonly<Record<string, JobKey>>;

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

/** The contact list that the leads of a run go into. */
export const list = {
  list: {
    schema: z.strictObject({
      name: z
        .string()
        .min(1, 'a contact list needs a name that is not empty')
        .describe('Name of the static list to create; {job} and {date} are put in'),
      where: z
        .string()
        .min(1, 'an expression is not empty; leave it out to choose every row')
        .optional()
        .describe(
          'The rows that go in, by an expression like: email_status = deliverable; default: all',
        ),
    }),
    form: '`name` and `where`',
    meaning: '[Contact list](../contact-lists.md) of the platform that the leads of a run go into',
  },
} as const satisfies Readonly<Record<string, JobKey>>;

export const metrics = {
  'metrics-file': {
    schema: z
      .string()
      .regex(/[^/\\]\.prom$/, 'a file of metrics ends in .prom, or no collector reads it'),
    meaning:
      'Write [metrics](../logs-and-metrics.md) of the run here when it has ended: a .prom file, one for each job',
    isLocal: true,
  },
} as const satisfies Readonly<Record<string, JobKey>>;
