// The blocks of a result (docs/platform-api.md, Enrichment result), from the neutral names to a dialect's.

import type { Dialect } from '../../../dialect/dialect.js';
import type { Ask } from '../../../model/ask.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../model/text/json.js';
import { type Way, withPlaced } from '../wire-places.js';

export interface Writing {
  readonly dialect: Dialect;
  readonly way: Way;
}

/** Neutral blocks in a dialect's; a verified address stands in its own block unless an address was to be found. */
export function writeBlocks(
  blocks: JsonObject,
  asked: readonly Ask[] | undefined,
  writing: Writing,
): JsonValue {
  const { dialect, way } = writing;
  const { blocks: places, fields } = dialect;
  const { find_email: email, find_phone: phone, social_enrichment: profile } = blocks;
  const isVerified = asked?.includes('verify_email') === true && !asked.includes('find_email');
  const told: [readonly string[], JsonValue | undefined][] = [
    [
      isVerified ? places.verify_email : places.find_email,
      email && writeFields(email, fields.find_email, way),
    ],
    [places.find_phone, phone && writeFields(phone, fields.find_phone, way)],
    [places.social_enrichment, profile && writeProfile(profile, writing)],
  ];
  return told.reduce<JsonValue>((all, [paths, block]) => withPlaced(all, paths, block, way), {});
}

function writeProfile(profile: JsonValue, { dialect, way }: Writing): JsonValue {
  const { profile: names, structure } = dialect.fields;
  const groups = memberOf(profile, 'positionGroups');
  const written = Array.isArray(groups)
    ? groups.map((group: JsonValue) => writeGroup(group, { dialect, way }))
    : undefined;
  return withPlaced(writeFields(profile, names, way), structure.positionGroups, written, way);
}

function writeGroup(group: JsonValue, writing: Writing): JsonValue {
  const { dialect, way } = writing;
  const { company, position: names, structure } = dialect.fields;
  const positions = memberOf(group, 'profilePositions');
  const written = Array.isArray(positions)
    ? positions.map((position: JsonValue) =>
        withPlaced(
          writeFields(position, names, way),
          structure.date,
          writeRange(memberOf(position, 'date'), writing),
          way,
        ),
      )
    : undefined;
  const firm = writeFields(memberOf(group, 'company') ?? {}, company, way);
  const range = writeRange(memberOf(group, 'date'), writing);
  const dated = withPlaced(
    withPlaced({}, structure.company, firm, way),
    structure.date,
    range,
    way,
  );
  return withPlaced(dated, structure.profilePositions, written, way);
}

function writeRange(
  range: JsonValue | undefined,
  { dialect, way }: Writing,
): JsonValue | undefined {
  if (range === undefined) return undefined;
  const { start, end, month, year } = dialect.fields.structure;
  const dateOf = (name: string) => writeFields(memberOf(range, name) ?? {}, { month, year }, way);
  return withPlaced(withPlaced({}, start, dateOf('start'), way), end, dateOf('end'), way);
}

function writeFields(
  source: JsonValue,
  names: Readonly<Record<string, readonly string[]>>,
  way: Way,
): JsonValue {
  return Object.entries(names).reduce<JsonValue>(
    (all, [name, paths]) => withPlaced(all, paths, memberOf(source, name), way),
    {},
  );
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}
