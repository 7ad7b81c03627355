// Every function that looks at text of others by a regular expression gets texts that would keep a careless one
// busy for hours: 100 kB of one piece, and an end that does not fit. Where it may be, the file of the function
// has a test of its own besides.
import { expect, it } from 'vitest';
import { draftText } from '../../src/cli/draft-text.js';
import { INPUTS } from '../../src/domain/ask.js';
import type { Draft } from '../../src/domain/draft.js';
import { readEvent } from '../../src/domain/event-record.js';
import { canonicalText } from '../../src/domain/fingerprint.js';
import { parseHttpDate, parseWait } from '../../src/domain/http-time.js';
import { isTargetUrl } from '../../src/domain/listen-address.js';
import { normaliseInput } from '../../src/domain/normalise.js';
import { printable, printableJson, printableLines } from '../../src/domain/printable.js';
import { registrableDomain } from '../../src/identity/registrable-domain.js';
import { detectDialect } from '../../src/input/detect-dialect.js';
import { headerKeys } from '../../src/input/header-keys.js';
import { keepNumbers } from '../../src/input/keep-numbers.js';
import { guardFormula, isPhone } from '../../src/output/formula-guard.js';
import { quoteBody, quoteText } from '../../src/platform/quote.js';
import { reasonIn } from '../../src/platform/reason.js';
import { decodeTicket } from '../../src/platform/ticket.js';

const LENGTH = 100_000;
const RESETS = ['auto', 'seconds', 'epoch', 'date'] as const;
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
  [
    'a fingerprint',
    (text) => canonicalText({ ask: ['verify_email'], inputs: { email: text } }, text),
  ],
  ['the beginning of a file', (text) => detectDialect(text, false)],
  ['a header', (text) => headerKeys(text.split(','))],
  ['a line of NDJSON', (text) => keepNumbers(`{"a": 1234567890123456${text}`)],
  ['a cell', (text) => [guardFormula(text), isPhone(text), isPhone(`+1${text}`)]],
  ['what is printed', (text) => [printable(text), printableLines(text), printableJson(text)]],
  ['what is quoted', (text) => [quoteText(text, [text, 'abcdefghij'], 200), quoteBody(text, [])]],
  ['a reason', (text) => reasonIn({ error: text, code: text }, ['error'], [])],
  ['a ticket', (text) => [decodeTicket(text), decodeTicket(text.slice(0, 200))]],
  [
    'a header about time',
    (text) => [parseHttpDate(text), RESETS.map((reset) => parseWait(text, reset, 0, 1_000))],
  ],
  ['an event', (text) => readEvent({ _id: text, type: text, createdAt: text })],
  ['an address', (text) => isTargetUrl(text)],
  ['a draft', (text) => draftText({ ...DRAFT, subject: text, content: text, cc: [text] })],
];

it.each(READERS)('%s is read once, however long it is and whatever it repeats', (_, read) => {
  for (const piece of [...PIECES, ...SIGNS, ...BLANKS]) {
    const text = piece.repeat(Math.ceil(LENGTH / piece.length));
    expect(() => read(`${text}!`)).not.toThrow();
    expect(() => read(`x${text}\n`)).not.toThrow();
  }
});
