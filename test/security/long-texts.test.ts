// Every function that looks at text of others by a regular expression gets texts that would keep a careless one
// busy for hours: 100 kB of one piece, and an end that does not fit; and those that may overflow its stack: as much
// as a body or a record may hold. Where it may be, the file of the function has a test of its own besides.
import { expect, it } from 'vitest';
import { tellDraft } from '../../src/cli/commands/platform/draft.js';
import { NEUTRAL_DIALECT } from '../../src/dialect/dialect.js';
import { registrableDomain } from '../../src/identity/registrable-domain.js';
import { headerKeys } from '../../src/input/column-table.js';
import { detectDialect } from '../../src/input/csv/detect-dialect.js';
import { keepNumbers } from '../../src/input/ndjson-records.js';
import { INPUTS } from '../../src/model/ask.js';
import { readEvent } from '../../src/model/events/event-record.js';
import { canonicalText, fold } from '../../src/model/fingerprint.js';
import { tellColumns } from '../../src/model/mapping/tell-columns.js';
import { normaliseInput } from '../../src/model/normalise.js';
import type { Draft } from '../../src/model/resources/resources.js';
import { isTargetUrl } from '../../src/model/text/address.js';
import { parseDate } from '../../src/model/text/date.js';
import {
  exactJson,
  exactNumber,
  exactText,
  isSheetNumber,
  parseJson,
} from '../../src/model/text/json.js';
import {
  printable,
  printableJson,
  printableLines,
  shellWord,
  withoutControls,
} from '../../src/model/text/printable.js';
import { splitName } from '../../src/model/text/split-name.js';
import { parseWait, RESET_FORMATS } from '../../src/model/text/time.js';
import { guardFormula, isPhone } from '../../src/output/csv-format.js';
import { decodeFirst } from '../../src/platform/answers/decode-result.js';
import { decodeTicket } from '../../src/platform/answers/ticket.js';
import { quoteBody, quoteText } from '../../src/platform/redact/quote.js';
import { reasonIn, reasonOf } from '../../src/platform/redact/reason.js';
import { addEarlier } from '../../src/telemetry/add-earlier.js';
import { asText } from '../../src/tell/as-text.js';
import { judge } from '../helpers/judge.js';
import { inBrief } from '../helpers/long.js';

const LENGTH = 100_000;
const PIECES = [
  'a',
  'é',
  '1',
  '1.',
  '1e',
  '-',
  '+',
  '.',
  ',',
  ';',
  '/',
  '@',
  'a@',
  'a.',
  '%',
  '%41',
];
const SIGNS = [
  '"',
  '\\',
  '\\"',
  '"\\',
  '""',
  '{',
  '[',
  '<',
  '(',
  '&',
  '${',
  '://',
  'https://',
  '=',
];
const BLANKS = [
  ' ',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\u00a0',
  '\u00ad',
  '\u001b[',
  '\u202e',
  '\u2028',
  '\0',
];

const DRAFT: Draft = {
  id: 'drf_1',
  channel: undefined,
  subject: undefined,
  cc: [],
  content: undefined,
  attachments: [],
  source: undefined,
  createdAt: undefined,
  updatedAt: undefined,
};

const READERS: readonly [string, (text: string) => unknown][] = [
  ...INPUTS.map((input): [string, (text: string) => unknown] => [
    `an input, ${input}`,
    (text) => normaliseInput(input, text, registrableDomain),
  ]),
  ['a fingerprint', (text) => canonicalText({ ask: [], inputs: { companyName: text } }, text)],
  ['a fingerprint, profile', (text) => fold('socialUrl', `https://www.linkedin.com/in/${text}`)],
  ['the beginning of a file', (text) => detectDialect(text, false)],
  ['a header', (text) => headerKeys(text.split(','))],
  ['an answer with a long number', (text) => parseJson(`[1234567890123456${text}`)],
  ['a line of NDJSON', (text) => keepNumbers(`{"a": 1234567890123456${text}`)],
  ['a cell', (text) => [guardFormula(text), isPhone(text), isPhone(`+1${text}`)]],
  ['what is printed', (text) => [printable(text), printableLines(text), printableJson(text)]],
  ['what is quoted', (text) => [quoteText(text, [text, 'abcdefghij'], 200), quoteBody(text, [])]],
  ['a reason', (text) => reasonIn({ error: text, code: text }, ['error'], [])],
  ['a ticket', (text) => [decodeTicket(text), decodeTicket(text.slice(0, 200))]],
  [
    'a header about time',
    (text) => [parseDate(text), RESET_FORMATS.map((reset) => parseWait(text, reset, 0, 1_000))],
  ],
  ['an event', (text) => readEvent({ _id: text, type: text, createdAt: text })],
  ['an address', (text) => isTargetUrl(text)],
  [
    'a number of NDJSON',
    (text) => [
      exactNumber(text),
      exactText(`\uFDD0${text}`),
      exactJson([text]),
      isSheetNumber(text),
    ],
  ],
  ['the names of columns', (text) => tellColumns([{ name: text, key: text }])],
  ['a whole name', (text) => splitName(text)],
  [
    'the values of a column',
    (text) => {
      const columns = ['Name', 'URL', 'Company'].map((name) => ({ key: name, name }));
      const records = [{ source: 0, line: 2, cells: [text, text, text] }];
      return judge(columns, {}, { records });
    },
  ],
  ['a word for a shell', (text) => shellWord(text)],
  ['text for a table', (text) => withoutControls(text)],
  [
    'metrics of earlier runs',
    (text) => addEarlier(`# TYPE a counter\na 1`, `a{${text}`, { mark: '', lasting: [] }),
  ],
  ['a field of a result', (text) => decodeFirst({ a: text }, ['a'], 'integer')],
  ['a page in place of an answer', (text) => reasonOf(text, NEUTRAL_DIALECT, [])],
  [
    'a draft',
    (text) => asText(tellDraft({ ...DRAFT, subject: text, content: text, cc: [text] }).parts),
  ],
];

/** The same for every reader: to build them takes longer than to read most of them. */
const TEXTS = [...PIECES, ...SIGNS, ...BLANKS].flatMap((piece) => {
  const text = piece.repeat(Math.ceil(LENGTH / piece.length));
  return inBrief([`${text}!`], [`x${text}\n`]);
});

it.each(READERS)('%s is read once, however long it is and whatever it repeats', (_, read) => {
  for (const text of TEXTS) expect(() => read(text)).not.toThrow();
});

/** What overflows the stack of a pattern that repeats a group, or characters of one or two units. */
const STACKED = inBrief(['\u{10000}'], ['a.', 'a', '1', '%41', ' ']);
const LONGEST = 8 * 1_024 * 1_024;
const LONGEST_TEXTS = STACKED.map((piece) => `${piece.repeat(LONGEST / piece.length)}!`);

it.each(READERS)('%s overflows no stack, however long it is', (_, read) => {
  for (const text of LONGEST_TEXTS) expect(() => read(text)).not.toThrow();
});
