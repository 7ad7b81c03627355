// How a request is kept in two columns of text, and read back.
import type { Ask, EnrichmentRequest, Inputs } from '../../model/ask.js';

export function toRequest(row: { ask: string; inputs: string }): EnrichmentRequest {
  return { ask: row.ask.split(',') as Ask[], inputs: JSON.parse(row.inputs) as Inputs };
}
