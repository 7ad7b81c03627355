// The two types of a webhook that bring results, by a dialect's names; all others are neutral (docs/platform-api.md,
// Event types).
import type { Dialect } from '../../dialect/dialect.js';
import type { JsonValue } from '../../model/text/json.js';
import { RefusedError } from './refused-error.js';

/** The dialect's first name of a neutral type. */
export function writeHookType(type: string, { answer }: Dialect): string | undefined {
  if (type === 'enrichmentDone') return answer.doneTypes[0];
  if (type === 'enrichmentError') return answer.errorTypes[0];
  return type;
}

/**
 * The neutral type that a dialect's name stands for.
 * @throws RefusedError for a neutral name that the dialect has not
 */
export function readHookType(type: JsonValue, { answer }: Dialect): JsonValue {
  if (typeof type !== 'string') return type;
  if (answer.doneTypes.includes(type)) return 'enrichmentDone';
  if (answer.errorTypes.includes(type)) return 'enrichmentError';
  if (type !== 'enrichmentDone' && type !== 'enrichmentError') return type;
  throw new RefusedError(`There is no event ${JSON.stringify(type)}.`);
}
