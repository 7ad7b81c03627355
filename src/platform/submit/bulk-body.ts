// The body of a bulk call: an array of `{input, enrichmentRequests, metadata}`, with the names and places of
// the dialect (docs/platform-api.md, POST /enrich/bulk).

import { type ItemPart, itemPlaces } from '../../dialect/bulk.js';
import type { Dialect } from '../../dialect/dialect.js';
import { ASKS, INPUTS } from '../../model/ask.js';
import type { JsonObject, JsonValue } from '../../model/text/json.js';
import type { BulkItem } from '../../ports/platform.js';
import { wellFormed } from '../wire/address.js';
import { withValueAt } from '../wire/write-at.js';

/** The body, ready to be written as JSON. */
export function bulkBody(items: readonly BulkItem[], dialect: Dialect): JsonValue {
  const places = itemPlaces(dialect);
  const array = items.map((item) => {
    let wire: JsonObject = {};
    for (const [part, value] of partsOf(item, dialect)) {
      const place = places.get(part);
      if (place !== undefined) wire = withValueAt(wire, place, value);
    }
    return wire;
  });
  const { items: path } = dialect.bulk;
  return path === '.' ? array : withValueAt({}, path.split('.'), array);
}

function partsOf(
  { request: { ask, inputs }, key }: BulkItem,
  { bulk }: Dialect,
): [ItemPart, JsonValue][] {
  const values = INPUTS.flatMap((name): [ItemPart, JsonValue][] => {
    const value = inputs[name];
    return value === undefined ? [] : [[name, wellFormed(value)]];
  });
  const asks = ASKS.filter((name) => ask.includes(name)).map((name) => bulk.asks[name]);
  return [...values, ['enrichmentRequests', asks], ['metadata', key]];
}
