// Renders the parts of a page as lines for a terminal, safe to print whatever they quote.
import { formatNumber } from '../model/text/count.js';
import { formatTime } from '../model/text/format-time.js';
import { printable } from '../model/text/printable.js';
import type { Bar, Fact, Part, Table, Value } from './page.js';

/** `width`: where lists are broken. */
export function asText(parts: readonly Part[], width = 80): string[] {
  return parts.flatMap((part) => linesOf(part, width)).map((line) => printable(line).trimEnd());
}

function linesOf(part: Part, width: number): string[] {
  switch (part.kind) {
    case 'facts': {
      const { facts, shape, title } = part;
      return titled(title, shape === 'list' ? listLines(facts, width) : factLines(facts));
    }
    case 'table':
      return tableLines(part);
    case 'bars': {
      const { about, bars, empty, notes = [], title } = part;
      if (bars.length === 0) return empty === undefined ? [] : [`${title}: ${empty}`];
      const said = about === undefined ? title : `${title} (${about.replace(/\.$/, '')})`;
      const isLong = bars.some(({ name }) => textOf(name).length > LONG_NAME);
      return titled(said, [...bars.flatMap((bar) => barLines(bar, isLong)), ...notes]);
    }
    case 'steps':
      return titled(
        part.title,
        part.steps.flatMap(({ at, facts = [], name, text }) => [
          ...factLines([{ name, value: text ?? '', about: at === null ? '' : textOf({ at }) }]),
          ...factLines(facts).map((line) => `  ${line}`),
        ]),
      );
    case 'heading': {
      const about = part.about === undefined ? '' : `: ${part.about}`;
      const mark = part.mark === undefined ? '' : `, ${textOf(part.mark)}`;
      return [`${textOf(part.text)}${about}${mark}`];
    }
    case 'note':
      return [part.text, ...(part.more ?? [])].map((one) => textOf(one));
    case 'command':
      return [`  ${part.command}`];
    case 'chart':
      return [`${part.title}: ${part.says}`];
    case 'section':
      return asText(part.parts, width);
  }
}

/** Lines below a title are indented. */
function titled(title: string | undefined, lines: readonly string[]): string[] {
  if (title === undefined || title === '' || lines.length === 0) return [...lines];
  return [title, ...lines.map((line) => `  ${line}`)];
}

const LIST_NAME_MAX = 26;

function listLines(facts: readonly Fact[], width: number): string[] {
  const names = Math.min(LIST_NAME_MAX, Math.max(...facts.map(({ name }) => name.length)));
  const room = Math.max(20, width - names - 4);
  return facts.flatMap(({ name, value }) => {
    const words = textOf(value).split(' ').filter(Boolean);
    const lines = name.length > names || words.length === 0 ? [''] : [];
    for (const word of words) {
      const last = lines.at(-1) ?? '';
      if (last !== '' && last.length + word.length < room) lines.push(`${lines.pop()} ${word}`);
      else lines.push(word);
    }
    return lines.map((line, n) => `${(n === 0 ? name : '').padEnd(names)}  ${line}`);
  });
}

const NAME_WIDTH = 13;
const NUMBER_WIDTH = 9;

function factLines(facts: readonly Fact[]): string[] {
  const told = facts.filter(({ value }) => value !== null);
  // A name that is too long moves its own value alone.
  const names = told.map(({ name }) => name.length).filter((length) => length <= LONG_NAME);
  const width = Math.max(NAME_WIDTH, ...names);
  return told.flatMap(({ about, more = [], name, value }) => {
    const written = textOf(value);
    const shown =
      typeof value === 'number'
        ? `${name.padEnd(width)} ${written.padStart(NUMBER_WIDTH)}`
        : `${name.padEnd(width + 2)} ${written}`;
    return [withAbout(shown, about), ...moreLines(more)];
  });
}

/** Names beyond this stand behind the numbers. */
const LONG_NAME = 24;

function barLines({ about, count, more = [], name, text = count }: Bar, isLong: boolean): string[] {
  const number = textOf(text).padStart(NUMBER_WIDTH);
  const shown = isLong
    ? `${number} ${textOf(name)}`
    : `${textOf(name).padEnd(NAME_WIDTH)} ${number}`;
  return [withAbout(shown, about), ...moreLines(more)];
}

function withAbout(shown: string, about: string | undefined): string {
  return about === undefined || about === '' ? shown : `${shown}  ${about}`;
}

function moreLines(more: readonly Value[]): string[] {
  return more.map((one) => `${''.padEnd(NAME_WIDTH + 5)}${textOf(one)}`);
}

function tableLines({ about, columns, empty, isAlone = false, rows, title }: Table): string[] {
  if (rows.length === 0) return empty === '' ? [] : [empty];
  const cells = rows.map((row) => columns.map((_, n) => printable(textOf(row[n] ?? null, true))));
  const kept = columns.flatMap(({ isOptional = false }, n) =>
    isOptional && cells.every((row) => row[n] === '') ? [] : [n],
  );
  const names = columns.map(({ name }, n) =>
    rows.some((row) => isMoment(row[n] ?? null)) ? `${name} (UTC)` : name,
  );
  const all = [names, ...cells];
  const widths = names.map((_, n) => Math.max(...all.map((row) => row[n]?.length ?? 0)));
  const lines = all.map((row) =>
    kept
      .map((n) => {
        const [cell = '', width = 0] = [row[n], widths[n]];
        return columns[n]?.isNumber === true ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return titled(isAlone ? '' : title, about === undefined ? lines : [...lines, about]);
}

function isMoment(value: Value): boolean {
  return typeof value === 'object' && value !== null && !isList(value) && 'at' in value;
}

/** `isBare`: without the zone of a time. */
export function textOf(value: Value, isBare = false): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatNumber(value);
  if (isList(value)) return value.map((one) => textOf(one, isBare)).join('');
  if ('at' in value) return `${formatTime(value.at)}${isBare ? '' : ' (UTC)'}`;
  if ('mark' in value) return value.mark;
  if ('code' in value) return value.code;
  return 'shares' in value ? '' : value.text;
}

// Array.isArray knows no readonly ones.
export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
