// Every function that looks at text of others by a regular expression gets texts that would keep a careless one
// busy for hours: 100 kB of one piece, and an end that does not fit; and those that may overflow its stack: as much
// as a body or a record may hold. Where it may be, the file of the function has a test of its own besides.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAst } from 'vitest/node';
import { draftText } from '../../src/cli/commands/platform/draft.js';
import { NEUTRAL_DIALECT } from '../../src/dialect/dialect.js';
import { registrableDomain } from '../../src/identity/registrable-domain.js';
import { headerKeys } from '../../src/input/column-table.js';
import { detectDialect } from '../../src/input/csv/detect-dialect.js';
import { keepNumbers } from '../../src/input/keep-numbers.js';
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
import { guardFormula, isPhone } from '../../src/output/formula-guard.js';
import { decodeFirst } from '../../src/platform/answers/decode-result.js';
import { decodeTicket } from '../../src/platform/answers/ticket.js';
import { quoteBody, quoteText } from '../../src/platform/redact/quote.js';
import { reasonIn, reasonOf } from '../../src/platform/redact/reason.js';
import { addEarlier } from '../../src/telemetry/add-earlier.js';
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
  ...INPUTS.map((input): [string, (text: string) => unknown] => [
    `a fingerprint, ${input}`,
    (text) => canonicalText({ ask: ['verify_email'], inputs: { [input]: text } }, text),
  ]),
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
  ['a draft', (text) => draftText({ ...DRAFT, subject: text, content: text, cc: [text] })],
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
const STACKED = inBrief(['\u{10000}', 'a.'], ['a', '1', '%41', ' ']);
const LONGEST = 8 * 1_024 * 1_024;
const LONGEST_TEXTS = STACKED.map((piece) => `${piece.repeat(LONGEST / piece.length)}!`);

it.each(READERS)('%s overflows no stack, however long it is', (_, read) => {
  for (const text of LONGEST_TEXTS) expect(() => read(text)).not.toThrow();
});

/** Why the patterns of a file that repeat without a bound may do so. Whoever adds one, adds a reader or a reason. */
const WHERE_PATTERNS_REPEAT: Readonly<Record<string, string>> = {
  'model/mapping/judge-values.ts': 'reader: the values of a column',
  'model/mapping/usual-headers.ts': 'reader: the names of columns',
  'model/text/split-name.ts': 'reader: a whole name',
  'app/settings/env-file.ts': 'a file of at most 64 KiB',
  'app/platform/account.ts': "a job's own text; slashes are looked at from where they begin",
  'app/settings/proxy.ts': 'a variable of the environment; one host or one class alone',
  'dialect/auth.ts': 'a word of a file of at most 64 KiB; one class alone',
  'platform/wire/credentials.ts':
    'a key of the environment; blanks and other signs, which have none in common',
  'app/settings/new-job.ts':
    'the name of a file, cut to 60 characters before its ends are looked at',
  'cli/commands/completion.ts': 'the name of a file, which a file system bounds',
  'cli/job-flags.ts': 'typed by the user',
  'cli/misuse.ts': 'our own help, and what was typed',
  'cli/open-state.ts': 'typed by the user',
  'cli/commands/runs/gather-job.ts': 'typed by the user',
  'app/listen/hooks.ts': 'typed by the user; slashes are looked at from where they begin',
  'cli/commands/sandbox.ts': 'typed by the user',
  'config/load-job.ts': 'a file of at most 64 KiB: load-job.test.ts',
  'config/job-keys/cron.ts': 'a key of a job of at most 64 KiB',
  'config/job-keys/platform.ts':
    "a job's own text, of at most 64 KiB; slashes are looked at from where they begin",
  'config/load-dialect.ts': 'typed by the user, or a job of at most 64 KiB',
  'dialect/parts.ts': 'a file of at most 64 KiB',
  'dialect/check-forms.ts': 'a file of at most 64 KiB',
  'dialect/wire-calls.ts':
    'a request line, of at most 16 KiB; a file of at most 1 MiB, line by line',
  'dialect/question.ts': 'a file of at most 64 KiB',
  'dialect/transcript/notes.ts': 'a line of a file of at most 1 MiB',
  'dialect/transcript/read-transcript.ts': 'a file of at most 1 MiB, line by line',
  'model/text/escapes.ts': 'our own list of names',
  'model/text/json.ts': 'reader: a number of NDJSON',
  'model/ask.ts': 'a job of at most 64 KiB, or what it was stored as',
  'model/fingerprint.ts': 'reader: a fingerprint, profile',
  'model/text/company-name.ts': 'reader: a fingerprint, companyName',
  'model/text/date.ts': 'reader: a header about time',
  'model/text/address.ts': "a job's own text, of at most 64 KiB",
  'model/mapping/tell-columns.ts': 'reader: the names of columns',
  'model/normalise.ts': 'reader: an input, email',
  'model/text/placeholders.ts': "a job's own text, and the name of a file",
  'model/person-match.ts': 'person-match.test.ts, with texts as long as a record',
  'model/schedule/rate.ts': "a job's own text, of at most 64 KiB",
  'model/text/printable.ts': 'reader: a word for a shell',
  'model/text/file-label.ts': 'the name of a dropped file, in headers of at most 16 KiB',
  'model/where/where-tokens.ts': "a job's own text, of at most 64 KiB",
  'model/where/where.ts': 'where.test.ts',
  'dialect/wire-path.ts': 'a file of at most 64 KiB',
  'identity/domain-owner.ts': 'our own lists',
  'input/keep-numbers.ts': 'reader: a line of NDJSON',
  'model/text/json-numbers.ts': 'reader: a line of NDJSON',
  'input/sources/pattern.ts': "a job's own text, and the name of a file",
  'input/xlsx/number-format.ts': 'the code of a format, of at most 1,000 characters',
  'input/xlsx/show-number.ts': 'a number, of at most 801 digits; a date, of at most 40 characters',
  'input/xlsx/typed-cell.ts': 'a cell, of at most 100 characters',
  'output/xlsx/workbook-xml.ts': 'the code of a format, one class alone',
  'telemetry/open-log.ts': 'our own lines, whose values are cut',
  'telemetry/add-earlier.ts': 'reader: metrics of earlier runs',
  'output/formula-guard.ts': 'reader: a cell',
  'output/target-file.ts': 'the name of a file, which a file system bounds',
  'platform/replay/find-call.ts': 'a file of at most 1 MiB, line by line',
  'platform/replay/meaning.ts': 'a reason, of at most 200 characters',
  'platform/replay/unmet-parts.ts': 'a file of at most 1 MiB; one class alone',
  'platform/wire/request.ts': "a job's own text; slashes are looked at from where they begin",
  'platform/answers/problems.ts': 'a reason, of at most 200 characters',
  'platform/redact/secret-forms.ts': 'our own secrets and address',
  'platform/answers/decode-result.ts': 'reader: a field of a result',
  'platform/redact/find-hidden.ts': 'reader: what is quoted',
  'platform/redact/quote.ts': 'reader: what is quoted',
  'platform/limit/rate-headers.ts': 'headers, of at most 16 KiB',
  'platform/redact/reason.ts': 'reader: a page in place of an answer',
  'platform/answers/ticket.ts': 'reader: a ticket',
  'platform/wire/wire.ts': 'our own paths',
  'sandbox/sandbox-options.ts': 'typed by the user',
  'sandbox/answers/answer-enrichment.ts': 'our own phone numbers',
  'sandbox/answers/imagine-persona.ts': 'an input, of at most 1,000 characters',
  'sandbox/create-gate.ts': 'headers, of at most 16 KiB',
  'sandbox/emit-event.ts': 'typed by the user; slashes are looked at from where they begin',
  'sandbox/ledger/fingerprint-request.ts': 'an input, of at most 1,000 characters',
  'sandbox/judge-inputs.ts': 'an input, of at most 1,000 characters',
  'store/postgres/database/address.ts': 'typed by the user, or by a job',
  'store/open-store.ts': 'typed by the user',
  'store/postgres/jobs.ts': 'what the system says of a process',
  'store/sqlite/driver.ts': 'a statement of ours',
  'store/sqlite/database/failures.ts': 'what a library of ours says',
  'app/files/stated-files.ts': "a job's own text",
  'config/job-keys/tables.ts': "a job's own text",
  'model/audit/invoice.ts': 'a cell of the list of charges; one class alone, to its end',
  'webhook/webhook-secret.ts':
    'the texts of a body of at most 8 MiB; the pattern is the secret in its spellings',
  'app/queue/stated.ts': "a job's own text; slashes are looked at from where they begin",
  'app/settings/own-job.ts': 'the name of a job in an address, of at most 16 KiB; one class alone',
  'ui/server/guard.ts': 'headers, of at most 16 KiB',
  'store/sqlite/database/state-file.ts': 'the name of a file, which a file system bounds',
};

/** A source without this has no pattern: to parse all takes seconds. */
const MAY_HOLD = /RegExp|(?:[=(,:[!&|?>{};]|\b(?:return|case|of|in)\b|^)\s*\/(?![/*])/m;

it('no file has a pattern that repeats without a bound and is not thought about here', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replaceAll('\\', '/'));
  const repeating = files.filter((file) => {
    const source = readFileSync(`src/${file}`, 'utf8');
    return MAY_HOLD.test(source) && repeats(parseAst(source, { lang: 'ts' }));
  });
  expect(repeating.toSorted()).toEqual(Object.keys(WHERE_PATTERNS_REPEAT).toSorted());
});

it.each(Object.entries(WHERE_PATTERNS_REPEAT))('what is said of %s is so: %s', (_, reason) => {
  const [, reader = reason] = reason.split('reader: ');
  const isReader = READERS.some(([name]) => name === reader);
  expect(isReader).toBe(reason.startsWith('reader: '));
});

/** Whether there is, anywhere in a source, a pattern that is made of text, or that repeats something without a bound. */
function repeats(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if ('regex' in node) return isUnbounded((node.regex as { pattern: string }).pattern);
  if ('type' in node && node.type === 'NewExpression' && 'callee' in node) {
    const { name } = node.callee as { name?: string };
    if (name === 'RegExp') return true;
  }
  return Object.values(node).some(repeats);
}

function isUnbounded(pattern: string): boolean {
  const signs = pattern.replace(/\\[^]/g, 'x').replace(/\[\^?[^\]]*\]/g, 'x');
  return /[*+]|\{\d+,\}/.test(signs);
}
