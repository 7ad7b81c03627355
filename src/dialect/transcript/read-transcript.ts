// Reads a transcript: recorded questions and answers of a platform, in a text file that a person writes
// (docs/dialects.md, Transcripts). Their meaning for a dialect is judged elsewhere.
import { ASKS, type Ask, INPUTS, type InputName, type Inputs } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import { isJsonObject, parseJson } from '../../model/text/json.js';
import { didYouMean } from '../../model/text/nearest.js';
import type { Expectation, Message, TranscriptPart } from './recorded.js';
import { PLAIN_EXPECTATIONS } from './recorded.js';

const REQUEST_LINE = /^(GET|POST|PUT|PATCH|DELETE) (\S+)$/;
const ORIGIN = /^https?:\/\/[^/?#]*/i;
const STATUS_LINE = /^([2-5]\d\d)(?: (.*))?$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~\w-]+): (.*)$/;
/** Said of every line that stands where it cannot. */
const NO_PLACE =
  'this is no line of a transcript here. A request like "POST /path" begins an exchange, or the word WEBHOOK what came in; below it are lines that begin with ">" (sent), then, but for a webhook, with "<" (answered); comments begin with "#", and are above';
const NOTE = /^# *(lead|ask|expect|secret): *(.*)$/;

/**
 * Reads a transcript. `file` is its name, for errors; `asks` are those of the dialect.
 * @throws SluiceError `usage` naming file and line: a line that has no place there, a body that begins as JSON and is
 * none, an input, ask or expectation that there is not
 */
export function readTranscript(
  text: string,
  file: string,
  asks: readonly Ask[] = ASKS,
): TranscriptPart[] {
  const reader = new TranscriptReader(file, asks);
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) reader.read(line.trimEnd());
  return reader.end();
}

/** One side of an exchange as it is read. */
interface Side {
  headers: Record<string, string>;
  body: string[];
  /** The line on which the body begins. */
  line: number;
  hasHeaders: boolean;
  status?: number;
}

interface Open {
  readonly line: number;
  /** Absent for a webhook. */
  readonly call?: { readonly method: string; readonly target: string };
  readonly sent: Side;
  answer?: Side;
}

class TranscriptReader {
  readonly #file: string;
  readonly #asks: readonly Ask[];
  readonly #parts: TranscriptPart[] = [];
  #line = 0;
  #open: Open | undefined;
  #ask: readonly Ask[] = ['find_email'];
  #leads: { readonly inputs: Inputs; ask?: readonly Ask[] }[] = [];
  #isLeadNew = false;
  #isAsking = false;
  #expected: Expectation[] = [];
  #secret: string | undefined;

  constructor(file: string, asks: readonly Ask[]) {
    this.#file = file;
    this.#asks = asks;
  }

  read(line: string): void {
    this.#line += 1;
    if (line === '') this.#finish();
    else if (line.startsWith('#')) this.#readNote(line);
    else if (line.startsWith('>')) this.#readSent(line.slice(1).trim());
    else if (line.startsWith('<')) this.#readAnswer(line.slice(1).trim());
    else this.#begin(line);
  }

  end(): TranscriptPart[] {
    this.#finish();
    if (this.#parts.length > 0) return this.#parts;
    throw this.#problem('nothing is recorded here. An exchange begins with a line like POST /path');
  }

  #readNote(line: string): void {
    const [, word, text = ''] = NOTE.exec(line) ?? [];
    if (word === undefined) return;
    if (this.#open?.answer === undefined && this.#open !== undefined && this.#open.call) {
      throw this.#problem(NO_PLACE);
    }
    this.#finish();
    if (word === 'expect') this.#expected.push(this.#place(() => readExpectation(text)));
    else if (word === 'ask') this.#setAsk(this.#place(() => readAsks(text, this.#asks)));
    else if (word === 'secret') this.#secret = text;
    else {
      if (!this.#isLeadNew) this.#leads = [];
      this.#leads.push({ inputs: this.#place(() => readLead(text)) });
      this.#isLeadNew = true;
      this.#isAsking = true;
    }
  }

  /** It is for the leads above it that have none of their own, and for those that follow. */
  #setAsk(ask: readonly Ask[]): void {
    this.#ask = ask;
    this.#isAsking = true;
    this.#leads = this.#isLeadNew
      ? this.#leads.map((lead) => ({ ask, ...lead }))
      : this.#leads.map(({ inputs }) => ({ inputs, ask }));
  }

  #begin(line: string): void {
    this.#finish();
    const sent: Side = { headers: {}, body: [], line: this.#line, hasHeaders: true };
    if (line === 'WEBHOOK') {
      this.#open = { line: this.#line, sent };
      return;
    }
    const [, method, target] = REQUEST_LINE.exec(line) ?? [];
    const path = target?.replace(ORIGIN, '') ?? '';
    if (method === undefined || (path === target && !path.startsWith('/'))) {
      throw this.#problem(NO_PLACE);
    }
    const whole = path.startsWith('/') ? path : `/${path}`;
    this.#open = { line: this.#line, call: { method, target: whole }, sent };
  }

  #readSent(text: string): void {
    if (this.#open === undefined || this.#open.answer !== undefined) {
      throw this.#problem(NO_PLACE);
    }
    this.#take(this.#open.sent, text);
  }

  #readAnswer(text: string): void {
    const open = this.#open;
    if (open?.call === undefined) throw this.#problem(NO_PLACE);
    if (open.answer !== undefined) return this.#take(open.answer, text);
    const [, status, rest = ''] = STATUS_LINE.exec(text) ?? [];
    const side: Side = { headers: {}, body: [], line: this.#line, hasHeaders: true };
    open.answer = { ...side, status: status === undefined ? 200 : Number(status) };
    const first = status === undefined ? text : rest.trim();
    if (first !== '' || status === undefined) this.#take(open.answer, first);
  }

  /** A header as long as the body has not begun; an empty line begins it. */
  #take(side: Side, text: string): void {
    if (side.hasHeaders) {
      const [, name, value] = HEADER_LINE.exec(text) ?? [];
      if (name !== undefined && value !== undefined) {
        side.headers[name.toLowerCase()] = value.trim();
        return;
      }
      side.hasHeaders = false;
      side.line = this.#line;
      if (text === '') return;
    }
    side.body.push(text);
  }

  #finish(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const { line, call, sent, answer } = open;
    const leads = this.#leads.map(({ inputs, ask = this.#ask }) => ({ inputs, ask }));
    const told = { line, expected: this.#expected, leads };
    const isAsking = this.#isAsking;
    this.#expected = [];
    this.#isAsking = false;
    this.#isLeadNew = false;
    if (call === undefined) {
      this.#parts.push({ kind: 'webhook', ...told, ...this.#message(sent), secret: this.#secret });
      return;
    }
    if (answer === undefined) {
      const missing = 'this request has no answer. Write it below, in lines that begin with "<"';
      throw this.#problem(missing, line);
    }
    const { status = 200 } = answer;
    this.#parts.push({
      kind: 'exchange',
      ...told,
      question: { ...call, ...this.#message(sent) },
      answer: { status, ...this.#message(answer) },
      isAsking,
    });
  }

  #message({ headers, body: lines, line }: Side): Message {
    const body = lines.join('\n');
    if (/^[[{]/.test(body) && parseJson(body) === undefined) {
      throw this.#problem('the body that begins here is not JSON', line);
    }
    return { headers, body };
  }

  #place<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof SluiceError) throw this.#problem(error.message.replace(/\.$/, ''));
      throw error;
    }
  }

  #problem(message: string, line = this.#line): SluiceError {
    return new SluiceError('usage', `Transcript ${this.#file}, line ${line}: ${message}.`);
  }
}

const EXPECTATIONS = ['accepted', 'found', 'failed', 'refused', ...PLAIN_EXPECTATIONS] as const;

/** @throws SluiceError `usage` for a word that is not among the asks of the dialect, `known` */
function readAsks(text: string, known: readonly Ask[]): Ask[] {
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !known.includes(word));
  if (unknown === undefined) return words;
  throw new SluiceError('usage', `"${unknown}" cannot be asked.${suggestion(unknown, known)}`);
}

/**
 * The meaning of an answer: `found {"email": "a@b.example"}`, `failed no such person`, `pending`.
 * @throws SluiceError `usage` for anything else
 */
function readExpectation(text: string): Expectation {
  const known = EXPECTATIONS.find((word) => text === word || text.startsWith(`${word} `));
  const rest = text.slice(known?.length ?? 0).trim();
  const more = rest === '' ? undefined : rest;
  if (known === 'accepted') return { kind: known, ticket: more };
  if (known === 'failed' || known === 'refused') return { kind: known, reason: more };
  if (known === 'found') {
    if (more === undefined) return { kind: known, values: undefined };
    const values = parseJson(more);
    if (isJsonObject(values)) return { kind: known, values };
    const message = '"found" is followed by a JSON object, such as {"email": "a@b.example"}.';
    throw new SluiceError('usage', message);
  }
  if (known !== undefined && more === undefined) return { kind: known };
  throw new SluiceError('usage', `"${text}" is no expectation.${suggestion(text, EXPECTATIONS)}`);
}

function suggestion(word: string, known: readonly string[]): string {
  return didYouMean(word, known) || ` Known: ${known.join(', ')}.`;
}

/**
 * The inputs of a lead: `firstName=Ada, lastName=Lovelace`. A comma inside a value stays, unless a name and "=" follow.
 * @throws SluiceError `usage` for a name that is no input, and for a value that is missing
 */
export function readLead(text: string): Inputs {
  const inputs: Partial<Record<InputName, string>> = {};
  for (const part of text.split(/,(?= *[A-Za-z]+=)/)) {
    const [name = '', ...values] = part.split('=');
    const value = values.join('=').trim();
    const input = INPUTS.find((one) => one === name.trim());
    if (input === undefined) {
      const advice = suggestion(name.trim(), INPUTS);
      throw new SluiceError('usage', `"${name.trim()}" is no input of a lead.${advice}`);
    }
    if (value === '') {
      throw new SluiceError('usage', `The lead's ${input} is empty: write ${input}=value.`);
    }
    inputs[input] = value;
  }
  return inputs;
}
