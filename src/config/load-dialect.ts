// Reads a dialect file, which describes a platform's wire format where it differs from the neutral one.
import { type Dialect, dialectSchema, NEUTRAL_DIALECT } from '../dialect/dialect.js';
import { SIGNAL_LISTS, type Signal } from '../dialect/signal.js';

/**
 * The dialect that a file describes; without a file the neutral one.
 * @throws SluiceError `usage`: unreadable, not YAML, or a key or value that no dialect has
 */
export async function loadDialect(file?: string): Promise<Dialect> {
  if (file === undefined) return NEUTRAL_DIALECT;
  // Loaded only if there is a file to read: loading it takes longer than the rest of a start.
  const { readYaml } = await import('./read-yaml.js');
  const example: object = withSignals(NEUTRAL_DIALECT);
  return readYaml(file, { what: 'Dialect', schema: dialectSchema, example });
}

const SIGNAL: Signal = { status: 200, word: 'word', at: ['at'], values: ['value'] };

/** The neutral dialect has every key there is, but for those of signals that it does not give. */
function withSignals(example: object): object {
  const entries = Object.entries(example).map(([key, value]: [string, unknown]) => {
    if (SIGNAL_LISTS.has(key) && Array.isArray(value)) return [key, [SIGNAL]];
    const isSection = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [key, isSection ? withSignals(value) : value];
  });
  return Object.fromEntries(entries) as object;
}
