// Which rows go into a contact list: a small expression over the columns of the output.
//
//   or:         and, with `or` between
//   and:        not, with `and` between
//   not:        `not` before it, parentheses around it, or a comparison
//   comparison: a column alone (where it says true; never one of text or numbers), or with `is empty`, `is not empty`,
//               `= != < <= > >=` and a value, `in (…)`, `contains` and a text

import type { OutputColumn, OutputRow } from '../../ports/table-writer.js';
import { SluiceError } from '../errors.js';
import { exactText, type JsonValue } from '../text/json.js';
import { nearestNames } from '../text/nearest.js';
import { readTokens, type WhereToken } from './where-tokens.js';

/** Whether a row is chosen. */
export type Where = (row: OutputRow) => boolean;

const SIGNS = ['=', '!=', '<', '<=', '>', '>='] as const;
type Sign = (typeof SIGNS)[number];
const DEPTH_MAX = 50;
const EXAMPLE = 'It is written like: email_status = deliverable and email_domain_matches.';

/**
 * Reads an expression over these columns, by their names or keys; `place` is where a message says they are.
 * @throws SluiceError `usage` saying where it cannot be read, or which column there is not
 */
export function parseWhere(
  text: string,
  columns: readonly OutputColumn[],
  place = 'the output',
): Where {
  if (text.trim() === '') {
    throw new SluiceError('usage', `where: the expression is empty. ${EXAMPLE}`, { where: text });
  }
  const tokens = readTokens(text);
  if ('failedAt' in tokens) {
    throw flaw(text, tokens.failedAt, strangeness(text.charAt(tokens.failedAt)));
  }
  return new Parser(text, tokens, columns, place).whole();
}

/** What is wrong with a sign that begins no token. */
function strangeness(sign: string): string {
  if (sign === "'" || sign === '"') return 'a quote that is not closed';
  if (/[“”„‟‘’‚‛]/.test(sign)) {
    return `${sign} is no quote: write ' around a text and " around the name of a column`;
  }
  return `"${sign}" means nothing here`;
}

class Parser {
  #next = 0;
  #depth = 0;

  constructor(
    private readonly text: string,
    private readonly tokens: readonly WhereToken[],
    private readonly columns: readonly OutputColumn[],
    private readonly place: string,
  ) {}

  whole(): Where {
    const where = this.#or();
    const rest = this.tokens[this.#next];
    if (rest !== undefined)
      throw this.#flaw(`"${rest.text}" where "and", "or" or the end should be`);
    return where;
  }

  #or(): Where {
    const parts = [this.#and()];
    while (this.#takeWord('or')) parts.push(this.#and());
    return (row) => parts.some((part) => part(row));
  }

  #and(): Where {
    const parts = [this.#not()];
    while (this.#takeWord('and')) parts.push(this.#not());
    return (row) => parts.every((part) => part(row));
  }

  #not(): Where {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw this.#flaw('too many parentheses');
    try {
      if (this.#takeWord('not')) {
        const part = this.#not();
        return (row) => !part(row);
      }
      if (!this.#takeSign('(')) return this.#comparison();
      const inner = this.#or();
      this.#demandSign(')');
      return inner;
    } finally {
      this.#depth -= 1;
    }
  }

  #comparison(): Where {
    const index = this.#column();
    const cell = (row: OutputRow): JsonValue => row[index] ?? null;
    if (this.#takeWord('is')) {
      const isNegated = this.#takeWord('not');
      if (!this.#takeWord('empty')) throw this.#flaw('"is" without "empty" or "not empty"');
      return (row) => isEmpty(cell(row)) !== isNegated;
    }
    if (this.#takeWord('contains')) {
      const part = plain(this.#value());
      return (row) => plain(cell(row)).includes(part);
    }
    if (this.#takeWord('in')) {
      const values = this.#list().map(plain);
      return (row) => values.includes(plain(cell(row)));
    }
    const sign = SIGNS.find((one) => this.#takeSign(one));
    if (sign === undefined) {
      this.#demandTruth(index);
      return (row) => plain(cell(row)) === 'true';
    }
    const value = this.#value();
    return (row) => compare(cell(row), sign, value);
  }

  /** A column of the input may say true; of ours, only those that were made for it. */
  #demandTruth(index: number): void {
    const { key = '', kind = 'original' } = this.columns[index] ?? {};
    if (kind === 'boolean' || kind === 'original') return;
    throw new SluiceError(
      'usage',
      `where: the column ${key} says neither true nor false, so it cannot stand alone. Write "${key} is not empty", or compare it.`,
      { where: this.text, column: key },
    );
  }

  #column(): number {
    const token = this.#take();
    if (token === undefined) throw this.#flaw('nothing where a column should be');
    if (token.kind === 'sign' || token.kind === 'text') {
      throw this.#flaw(`${shown(token)} where a column should be`, token.at);
    }
    const { text } = token;
    const byName = this.columns.findIndex(({ name }) => name === text);
    const index = byName === -1 ? this.columns.findIndex(({ key }) => key === text) : byName;
    if (index !== -1) return index;
    const [near] = nearestNames(
      text,
      this.columns.map(({ key }) => key),
    );
    const hint = near === undefined ? '' : ` Did you mean ${near}?`;
    throw new SluiceError('usage', `where: there is no column ${text} in ${this.place}.${hint}`, {
      where: this.text,
      column: text,
    });
  }

  #value(): string {
    const token = this.#take();
    if (token === undefined) throw this.#flaw('nothing where a value should be');
    if (token.kind === 'word' || token.kind === 'text') return token.text;
    throw this.#flaw(`${shown(token)} where a value should be`, token.at);
  }

  #list(): string[] {
    this.#demandSign('(');
    const values = [this.#value()];
    while (this.#takeSign(',')) values.push(this.#value());
    this.#demandSign(')');
    return values;
  }

  #take(): WhereToken | undefined {
    const token = this.tokens[this.#next];
    if (token !== undefined) this.#next += 1;
    return token;
  }

  #takeWord(word: string): boolean {
    const token = this.tokens[this.#next];
    if (token?.kind !== 'word' || token.text.toLowerCase() !== word) return false;
    this.#next += 1;
    return true;
  }

  #takeSign(sign: string): boolean {
    const token = this.tokens[this.#next];
    if (token?.kind !== 'sign' || token.text !== sign) return false;
    this.#next += 1;
    return true;
  }

  #demandSign(sign: string): void {
    if (!this.#takeSign(sign)) throw this.#flaw(`"${sign}" is missing`);
  }

  #flaw(what: string, at = this.tokens[this.#next]?.at ?? this.text.length): SluiceError {
    return flaw(this.text, at, what);
  }
}

function flaw(where: string, at: number, what: string): SluiceError {
  return new SluiceError(
    'usage',
    `where: ${what}, at character ${at + 1} of: ${where}. ${EXAMPLE}`,
    { where, at: at + 1 },
  );
}

function shown(token: WhereToken): string {
  return token.kind === 'text' ? `the text '${token.text}'` : `"${token.text}"`;
}

function isEmpty(cell: JsonValue): boolean {
  return cell === null || plain(cell) === '';
}

/** As people compare: case and the space around do not count. */
function plain(cell: JsonValue): string {
  if (cell === null) return '';
  return exactText(cell).trim().toLowerCase();
}

/** By number where both are numbers, else by text; an empty cell is neither more nor less than anything. */
function compare(cell: JsonValue, sign: Sign, value: string): boolean {
  const left = plain(cell);
  const right = plain(value);
  if (sign === '=')
    return left === right || (areNumbers(left, right) && Number(left) === Number(right));
  if (sign === '!=') return !compare(cell, '=', value);
  if (left === '') return false;
  const order = areNumbers(left, right) ? Number(left) - Number(right) : byText(left, right);
  switch (sign) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

/** As people write them: `0x10` and an empty cell are texts. */
function areNumbers(...texts: readonly string[]): boolean {
  return texts.every((text) => /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text));
}

function byText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
