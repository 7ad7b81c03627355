// Chooses rows by a small expression over the columns of the output.
//
//   or:         and, with `or` between
//   and:        not, with `and` between
//   not:        `not` before it, parentheses around it, or a comparison
//   comparison: a column, or a path to a value inside, alone (if it says true; never a column of text or numbers), or
//               with `is empty`, `is not empty`, `= != < <= > >=` and a value, `in (…)`, `contains` and a text

import type { OutputColumn, OutputRow } from '../../ports/table-writer.js';
import { SluiceError } from '../errors.js';
import {
  type CellPlace,
  cellAt,
  columnsInside,
  findValue,
  type SampleRows,
} from '../mapping/find-column.js';
import { exactText, type JsonValue } from '../text/json.js';
import { didYouMean } from '../text/nearest.js';
import { WhereTokens } from './where-tokens.js';

export type Where = (row: OutputRow) => boolean;

const SIGNS = ['=', '!=', '<', '<=', '>', '>='] as const;
type Sign = (typeof SIGNS)[number];
const DEPTH_MAX = 50;
/** The names that the pages give to columns. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  outcome: 'sluice_status',
  reason: 'sluice_reason',
  step: 'email_from',
};

/** The place of the columns in words, and some rows that show which columns hold objects and lists. */
export interface WherePlace {
  readonly place?: string;
  readonly rows?: SampleRows;
}

/** @throws SluiceError `usage` with the place that cannot be read, or the unknown column */
export function parseWhere(
  text: string,
  columns: readonly OutputColumn[],
  { place = 'the output', rows }: WherePlace = {},
): Where {
  const tokens = new WhereTokens(text);
  const where = new Parser(tokens, columns, place, rows).or();
  if (tokens.next === undefined) return where;
  throw tokens.flaw(`"${tokens.next.text}" where "and", "or" or the end should be`);
}

class Parser {
  #depth = 0;

  constructor(
    private readonly tokens: WhereTokens,
    private readonly columns: readonly OutputColumn[],
    private readonly place: string,
    private readonly rows: SampleRows | undefined,
  ) {}

  or(): Where {
    const parts = [this.#and()];
    while (this.tokens.take('word', 'or')) parts.push(this.#and());
    return (row) => parts.some((part) => part(row));
  }

  #and(): Where {
    const parts = [this.#not()];
    while (this.tokens.take('word', 'and')) parts.push(this.#not());
    return (row) => parts.every((part) => part(row));
  }

  #not(): Where {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw this.tokens.flaw('too many parentheses');
    try {
      if (this.tokens.take('word', 'not')) {
        const part = this.#not();
        return (row) => !part(row);
      }
      if (!this.tokens.take('sign', '(')) return this.#comparison();
      const inner = this.or();
      this.#demandSign(')');
      return inner;
    } finally {
      this.#depth -= 1;
    }
  }

  #comparison(): Where {
    const { tokens } = this;
    const column = this.#column();
    const cell = (row: OutputRow): JsonValue => cellAt(column, row) ?? null;
    if (tokens.take('word', 'is')) {
      const isNegated = tokens.take('word', 'not');
      if (!tokens.take('word', 'empty'))
        throw tokens.flaw(
          '"is" wants "empty" or "not empty" after it; to compare with a value, write =',
        );
      return (row) => (plain(cell(row)) === '') !== isNegated;
    }
    if (tokens.take('word', 'contains')) {
      const part = plain(this.#value());
      return (row) => plain(cell(row)).includes(part);
    }
    if (tokens.take('word', 'in')) {
      const values = this.#list().map(plain);
      return (row) => values.includes(plain(cell(row)));
    }
    const sign = SIGNS.find((one) => tokens.take('sign', one));
    if (sign === undefined) {
      this.#demandTruth(column.index);
      return (row) => plain(cell(row)) === 'true';
    }
    const value = this.#value();
    return (row) => compare(cell(row), sign, value);
  }

  /** Demands that a column alone can be true: a column of the input may; of ours, only the boolean ones. */
  #demandTruth(index: number): void {
    const { key = '', kind = 'original' } = this.columns[index] ?? {};
    if (kind === 'boolean' || kind === 'original') return;
    throw new SluiceError(
      'usage',
      `where: the column ${key} says neither true nor false, so it is no condition by itself. Write "${key} is not empty", or compare it.`,
      { where: this.tokens.text, column: key },
    );
  }

  #column(): CellPlace {
    const text = this.tokens.demand('a column', ['word', 'column']);
    const byName = this.columns.findIndex(({ name }) => name === text);
    const keys = this.columns.map(({ key }) => key);
    const byKey = keys.includes(text) ? keys.indexOf(text) : keys.indexOf(SHORT_NAMES[text] ?? '');
    const index = byName === -1 ? byKey : byName;
    if (index !== -1) return { index };
    const inside = findValue(this.columns, text, this.rows);
    if (inside !== undefined) return inside;
    const known = columnsInside(this.columns, this.rows ?? []).map(({ key }) => key);
    throw new SluiceError(
      'usage',
      `where: there is no column ${text} in ${this.place}.${didYouMean(text, known)}`,
      { where: this.tokens.text, column: text },
    );
  }

  #value(): string {
    const next = this.tokens.next;
    if (next?.kind === 'column') throw this.tokens.flaw(quotedValue(next.text));
    return this.tokens.demand('a value', ['word', 'text']);
  }

  #list(): string[] {
    this.#demandSign('(');
    const values = [this.#value()];
    while (this.tokens.take('sign', ',')) values.push(this.#value());
    this.#demandSign(')');
    return values;
  }

  #demandSign(sign: string): void {
    if (!this.tokens.take('sign', sign)) throw this.tokens.flaw(`"${sign}" is missing`);
  }
}

/** The error for a value in double quotes, which are for columns. */
function quotedValue(text: string): string {
  const advice =
    text === ''
      ? 'write "is empty" or "is not empty"'
      : 'a text is in single quotes, and only a column in double ones';
  return `"${text}" where a value should be: ${advice}`;
}

/** A cell in the form of a comparison: case and the space around do not count. */
function plain(cell: JsonValue): string {
  return cell === null ? '' : exactText(cell).trim().toLowerCase();
}

/** Compares as numbers if both are numbers, else as texts; an empty cell is neither more nor less than anything. */
function compare(cell: JsonValue, sign: Sign, value: string): boolean {
  const left = plain(cell);
  const right = plain(value);
  const areNumbers = isNumber(left) && isNumber(right);
  const isSame = left === right || (areNumbers && Number(left) === Number(right));
  if (sign === '=') return isSame;
  if (sign === '!=') return !isSame;
  if (left === '') return false;
  const isLess = areNumbers ? Number(left) < Number(right) : left < right;
  switch (sign) {
    case '<':
      return !isSame && isLess;
    case '<=':
      return isSame || isLess;
    case '>':
      return !isSame && !isLess;
    case '>=':
      return isSame || !isLess;
  }
}

/** Whether people write a number like this: `0x10` and an empty cell are texts. */
function isNumber(text: string): boolean {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text);
}
