// Reads a dialect file, which describes a platform's wire format where it differs from the neutral one.
import { type Dialect, dialectSchema, NEUTRAL_DIALECT } from '../dialect/dialect.js';

/**
 * The dialect that a file describes; without a file the neutral one.
 * @throws SluiceError `usage`: unreadable, not YAML, or a key or value that no dialect has
 */
export async function loadDialect(file?: string): Promise<Dialect> {
  if (file === undefined) return NEUTRAL_DIALECT;
  // Loaded only if there is a file to read: loading it takes longer than the rest of a start.
  const { readYaml } = await import('./read-yaml.js');
  // The neutral dialect has every key there is.
  return readYaml(file, { what: 'Dialect', schema: dialectSchema, example: NEUTRAL_DIALECT });
}
