// Reads the query of POST /enrich, and says in one sentence why it cannot be asked.
// The names are those of the neutral dialect (docs/dialects.md, Every key).
import { ASKS, type Ask, INPUTS, type Requirements } from '../../../model/ask.js';
import type { NewEnrichment } from '../../ledger/ledger.js';
import {
  findInsufficient,
  findMalformed,
  findTooLong,
  isHttpUrl,
  readInputs,
} from './judge-inputs.js';

/** A parameter that was given twice is a list. */
export type RawQuery = Readonly<Record<string, string | readonly string[]>>;

export type EnrichQuery =
  | { readonly kind: 'valid'; readonly enrichment: NewEnrichment }
  | { readonly kind: 'invalid'; readonly sentence: string };

const FLAGS: Readonly<Record<Ask, string>> = {
  find_email: 'findEmail',
  verify_email: 'verifyEmail',
  social_enrichment: 'socialEnrichment',
  find_phone: 'findPhone',
};
const KNOWN = new Set<string>([...Object.values(FLAGS), ...INPUTS, 'webhookUrl']);

/** A blank input counts as absent. What is valid keeps its spelling, without space around it. */
export function parseEnrichQuery(query: RawQuery, requires: Requirements): EnrichQuery {
  const values = readQuery(query, KNOWN);
  if (typeof values === 'string') return invalid(values);
  const ask = readAsk(values);
  if (typeof ask === 'string') return invalid(ask);
  const inputs = readInputs(values);
  const problem =
    findMalformed(inputs) ??
    findBadWebhookUrl(values) ??
    findInsufficient(ask, inputs, requires, (name) => FLAGS[name]);
  if (problem !== undefined) return invalid(problem);
  const { webhookUrl } = values;
  return { kind: 'valid', enrichment: { ask, inputs, ...(webhookUrl && { webhookUrl }) } };
}

/** Each parameter once and none but the `known` ones, without space around; or the sentence that says which. */
export function readQuery(
  query: RawQuery,
  known: ReadonlySet<string>,
): Readonly<Record<string, string>> | string {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    if (!known.has(name)) return `The parameter ${name.slice(0, 50)} is unknown.`;
    if (typeof value !== 'string') return `The parameter ${name} is given more than once.`;
    values[name] = value.trim();
  }
  return findTooLong(values) ?? values;
}

/** A sentence when there is a `webhookUrl` that cannot be sent to. */
export function findBadWebhookUrl({
  webhookUrl,
}: Readonly<Record<string, string>>): string | undefined {
  if (!webhookUrl || isHttpUrl(webhookUrl)) return undefined;
  return 'The value of webhookUrl is not an http(s) URL.';
}

function invalid(sentence: string): EnrichQuery {
  return { kind: 'invalid', sentence };
}

function readAsk(values: Readonly<Record<string, string>>): Ask[] | string {
  for (const flag of Object.values(FLAGS)) {
    const value = values[flag] ?? 'false';
    if (value !== 'true' && value !== 'false') return `The value of ${flag} must be true or false.`;
  }
  const ask = ASKS.filter((name) => values[FLAGS[name]] === 'true');
  if (ask.length > 0) return ask;
  return `Nothing is asked for: set at least one of ${Object.values(FLAGS).join(', ')} to true.`;
}
