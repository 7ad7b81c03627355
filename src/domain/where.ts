// Which rows go into a contact list: a small expression over the columns of the output.
//
//   or:         and, with `or` between
//   and:        not, with `and` between
//   not:        `not` before it, parentheses around it, or a comparison
//   comparison: a column alone (true where it says true), or with `is empty`, `is not empty`,
//               `= != < <= > >=` and a value, `in (…)`, `contains` and a text
import { SluiceError } from './errors.js';
import type { JsonValue } from './json.js';
import { nearestNames } from './nearest.js';
import type { OutputColumn, OutputRow } from './ports/table-writer.js';
import { readTokens, type WhereToken } from './where-tokens.js';

/** Whether a row is chosen. */
export type Where = (row: OutputRow) => boolean;

const SIGNS = ['=', '!=', '<', '<=', '>', '>='] as const;
type Sign = (typeof SIGNS)[number];
const DEPTH_MAX = 50;

/**
 * Reads an expression over these columns, by their names or keys.
 * @throws SluiceError `usage` saying where it cannot be read, or which column there is not
 */
export function parseWhere(text: string, columns: readonly OutputColumn[]): Where {
  const tokens = readTokens(text);
  if ('failedAt' in tokens) {
    const sign = text.charAt(tokens.failedAt);
    const isQuote = sign === "'" || sign === '"';
    throw flaw(
      text,
      tokens.failedAt,
      isQuote ? 'a quote that is not closed' : `"${sign}" means nothing here`,
    );
  }
  return new Parser(text, tokens, columns).whole();
}

class Parser {
  #next = 0;
  #depth = 0;

  constructor(
    private readonly text: string,
    private readonly tokens: readonly WhereToken[],
    private readonly columns: readonly OutputColumn[],
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
    if (sign === undefined) return (row) => plain(cell(row)) === 'true';
    const value = this.#value();
    return (row) => compare(cell(row), sign, value);
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
    throw new SluiceError('usage', `where: there is no column ${text} in the output.${hint}`, {
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
    `where: ${what}, at character ${at + 1} of: ${where}. It is written like: email_status = deliverable and email_domain_matches.`,
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
  return (typeof cell === 'object' ? JSON.stringify(cell) : String(cell)).trim().toLowerCase();
}

/** By number where both are numbers, else by text; an empty cell is neither more nor less than anything. */
function compare(cell: JsonValue, sign: Sign, value: string): boolean {
  const left = plain(cell);
  const right = plain(value);
  if (sign === '=') return left === right || (isNumber(left) && Number(left) === Number(right));
  if (sign === '!=') return !compare(cell, '=', value);
  if (left === '') return false;
  const order =
    isNumber(left) && isNumber(right) ? Number(left) - Number(right) : byText(left, right);
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

function isNumber(text: string): boolean {
  return text !== '' && Number.isFinite(Number(text));
}

function byText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
