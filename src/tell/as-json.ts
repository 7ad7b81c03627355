// Renders the data of a page for a script: keys in snake_case, a time as ISO 8601, and money in its unit. A key that ends
// with `At` holds a time in ms. The keys of a Map are data, and so is all within it: they stay as they are.
import { snakeCase } from '../model/text/json.js';

export function asJson(data: unknown, key = ''): unknown {
  if (data === null || data === undefined) return null;
  if (typeof data === 'bigint') return Number(data) / 1e9;
  if (typeof data === 'number' && /(^a|A)t$/.test(key)) return new Date(data).toISOString();
  if (Array.isArray(data)) return data.map((one) => asJson(one));
  if (data instanceof Map) return Object.fromEntries(data);
  if (typeof data !== 'object') return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [snakeCase(name), asJson(value, name)]),
  );
}
