// Finds values of a result that no path of the dialect reads, which show that a dialect looks in the wrong place: first
// it follows every path into the entry, then it walks over the blocks for the values that were not come by.
import type { AnswerPart, Dialect } from '../../dialect/dialect.js';
import { stepsOf, valueBehind } from '../../dialect/wire-path.js';
import { COMPANY_FIELDS, POSITION_FIELDS, PROFILE_FIELDS } from '../../model/result.js';
import { isJsonObject, JSON_LEVELS_MAX, type JsonValue } from '../../model/text/json.js';
import {
  type Aliases,
  customTable,
  decodeField,
  decodePartialDate,
  EMAIL_FIELDS,
  PHONE_FIELDS,
  POSITION_NAMES,
  type WireTable,
} from './decode-result.js';

/** A value and its place in the entry, such as `.data.mails[].email`: `[]` stands for every element of a list. */
interface Here {
  readonly value: JsonValue;
  readonly place: string;
}

const PATHS_MAX = 20;

/**
 * The dotted paths, below the entry, of the values at `blocksPath` that no path reads; at most 20, each once. An
 * element of a list that the dialect passes over counts as read if the dialect reads another one of the list.
 */
export function unreadPaths(
  entry: JsonValue,
  blocksPath: string,
  dialect: Dialect,
  part: AnswerPart,
): string[] {
  const read = new ReadPlaces(entry, dialect, part);
  const unread = new Set<string>();
  const look = ({ value, place }: Here, levels: number): void => {
    const isKnown = read.places.has(place) || value === null || value === '';
    if (isKnown || unread.size >= PATHS_MAX) return;
    if (typeof value !== 'object' || levels === 0) {
      unread.add(place.replace(/^\./, ''));
      return;
    }
    for (const inner of partsOf(value, place)) look(inner, levels - 1);
  };
  for (const blocks of read.follow([blocksPath])) look(blocks, JSON_LEVELS_MAX);
  return [...unread];
}

function partsOf(value: JsonValue, place: string): Here[] {
  if (Array.isArray(value)) {
    return value.map((item: JsonValue) => ({ value: item, place: `${place}[]` }));
  }
  const members = isJsonObject(value) ? Object.entries(value) : [];
  return members.map(([key, inner]) => ({ value: inner, place: `${place}.${key}` }));
}

class ReadPlaces {
  readonly places = new Set<string>();
  readonly #entry: Here;

  constructor(entry: JsonValue, dialect: Dialect, part: AnswerPart) {
    this.#entry = { value: entry, place: '' };
    const { answer, asks, blocks, fields } = dialect;
    const section = answer[part];
    for (const root of this.follow(section.blocks)) {
      for (const block of this.follow([...blocks.find_email, ...blocks.verify_email], root)) {
        this.#addFields(block, EMAIL_FIELDS, fields.find_email);
      }
      for (const block of this.follow(blocks.find_phone, root)) {
        this.#addFields(block, PHONE_FIELDS, fields.find_phone);
      }
      for (const block of this.follow(blocks.social_enrichment, root)) {
        this.#addProfile(block, fields);
      }
      for (const one of Object.values(asks)) {
        const { aliases, table } = customTable(one);
        for (const block of this.follow(one.blocks, root)) this.#addFields(block, table, aliases);
      }
    }
    for (const { place } of this.follow(section.ignored)) this.places.add(place);
    const { pending, done, notFound, failed, unknown, outOfCredits } = section;
    const signals = [pending, done, notFound, failed, unknown, outOfCredits].flat();
    const words = signals.flatMap(({ at = [] }) => at);
    const beside = [section.ticket, section.metadata, section.reason, answer.webhook.type, words];
    // The same place may hold a text in one answer, and the blocks in another.
    for (const { place, value } of this.follow(beside.flat())) {
      if (typeof value !== 'object') this.places.add(place);
    }
  }

  /** The values to which the paths lead; every alternative counts, no matter which holds the value. */
  follow(paths: readonly string[], from: Here = this.#entry): Here[] {
    return paths.flatMap((path) => {
      let { place, value } = from;
      for (const step of stepsOf(path)) {
        const next = valueBehind(value, step);
        if (next === undefined) return [];
        if ('key' in step) place += `.${step.key}`;
        else if (Array.isArray(value)) place += '[]';
        // The value by which an element is found identifies the element, so it is not an unread value.
        if ('where' in step) this.places.add(`${place}.${step.where}`);
        value = next;
      }
      return [{ place, value }];
    });
  }

  #addFields(from: Here, table: WireTable, aliases: Aliases): void {
    for (const [name, type] of Object.entries(table)) {
      for (const { place, value } of this.follow(aliases[name] ?? [], from)) {
        if (decodeField(value, type) !== undefined) this.places.add(place);
      }
    }
  }

  #addProfile(profile: Here, fields: Dialect['fields']): void {
    this.#addFields(profile, PROFILE_FIELDS, fields.profile);
    for (const group of this.#itemsAt('positionGroups', profile)) {
      for (const company of this.follow(['company'], group)) {
        this.#addFields(company, COMPANY_FIELDS, fields.company);
      }
      this.#addDates(group);
      for (const position of this.#itemsAt('profilePositions', group)) {
        this.#addFields(position, POSITION_FIELDS, POSITION_NAMES);
        this.#addDates(position);
      }
    }
  }

  #itemsAt(path: string, from: Here): Here[] {
    return this.follow([path], from).flatMap(({ place, value }) =>
      Array.isArray(value) ? partsOf(value, place) : [],
    );
  }

  /** A date is a text, or a month and a year; a month without its year is in no column. */
  #addDates(from: Here): void {
    for (const date of this.follow(['date.start', 'date.end'], from)) {
      if (decodePartialDate(date.value).year === undefined) continue;
      if (typeof date.value === 'string') this.places.add(date.place);
      const names = { month: ['month'], year: ['year'] };
      this.#addFields(date, { month: 'integer', year: 'integer' }, names);
    }
  }
}
