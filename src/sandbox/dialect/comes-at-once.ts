// Decides whether the answer to a submission has the result.
import type { Dialect } from '../../dialect/dialect.js';

/** `id` is the sandbox's own id of the enrichment. If the dialect leaves it open, one half of them come at once. */
export function comesAtOnce(dialect: Dialect, section: 'enrich' | 'bulk', id: string): boolean {
  const mode = dialect[section]?.result ?? 'never';
  return mode === 'always' || (mode === 'maybe' && id.charCodeAt(id.length - 1) % 2 === 1);
}
