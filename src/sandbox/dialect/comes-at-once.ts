// Whether the answer to a submission has the result.
import type { Dialect } from '../../dialect/dialect.js';

/** `id` is the sandbox's own of the enrichment. Where the dialect leaves it open, it is so for one half of them. */
export function comesAtOnce(dialect: Dialect, section: 'enrich' | 'bulk', id: string): boolean {
  const mode = dialect[section]?.result ?? 'never';
  return mode === 'always' || (mode === 'maybe' && id.charCodeAt(id.length - 1) % 2 === 1);
}
