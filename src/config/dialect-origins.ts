// Where what a dialect says comes from: its file states it, docs/platform-api.md shows it of the neutral dialect, or it is
// our guess.

import {
  changedFile,
  type Dialect,
  type DialectFile,
  NEUTRAL_DIALECT,
} from '../dialect/dialect.js';
import { valueAt } from '../dialect/wire-path.js';
import type { Ask, Prices } from '../model/ask.js';
import { isJsonObject } from '../model/text/json.js';

/** The same dialect with these prices, stated. */
export function withPrices(dialect: Dialect, prices: Partial<Prices>): Dialect {
  const file = fileOf(dialect);
  const stated = { ...(isJsonObject(file['prices']) ? file['prices'] : {}), ...prices };
  return statedBy(
    { ...file, prices: stated },
    { ...dialect, prices: { ...dialect.prices, ...prices } },
  );
}

/** Whether nobody has stated the price of one of them. */
export function arePricesAssumed(dialect: Dialect, ask: readonly Ask[]): boolean {
  return ask.some((one) => !isStated(dialect, `prices.${one}`));
}

const FILES = new WeakMap<Dialect, DialectFile>();

/** Notes the content of the file that the dialect was read from. Returns the dialect. */
export function statedBy(file: DialectFile, dialect: Dialect): Dialect {
  FILES.set(dialect, file);
  return dialect;
}

/**
 * Whether the file states the key, or one inside it; `key` is `prices` or `prices.find_email`. A dialect that was made
 * by a program states what differs from the neutral one.
 */
export function isStated(dialect: Dialect, key: string): boolean {
  return valueAt(fileOf(dialect), key) !== undefined;
}

function fileOf(dialect: Dialect): DialectFile {
  return FILES.get(dialect) ?? changedFile(dialect, NEUTRAL_DIALECT);
}

/**
 * Heading of docs/platform-api.md → the keys that are shown there; a section stands for all keys in it. Every other key
 * is our guess.
 */
export const DOCUMENTED: Readonly<Record<string, readonly string[]>> = {
  Authentication: ['auth'],
  'POST /enrich': ['enrich.method', 'enrich.path', 'enrich.in', 'enrich.ticket'],
  'GET /enrich/{id}': ['result.method'],
  'Enrichment result': [
    'answer.read.entries',
    'answer.read.ticket',
    'answer.read.blocks',
    'answer.webhook.type',
    'blocks.find_email',
    'blocks.find_phone',
    'blocks.social_enrichment',
    'fields.find_email',
    'fields.find_phone',
  ],
  'Event types': ['answer.webhook.types'],
  Profile: ['fields.profile', 'fields.structure.positionGroups'],
  'Position group': [
    'fields.structure.company',
    'fields.structure.date',
    'fields.structure.profilePositions',
    'fields.structure.start',
    'fields.structure.end',
    'fields.structure.month',
    'fields.structure.year',
  ],
  'Company of a position group': ['fields.company'],
  'Entry of profilePositions': ['fields.position'],
  'People schema': ['peopleSchema'],
  'POST /hooks': ['hooks.path', 'hooks.add'],
  Webhook: ['hooks.id', 'hooks.targetUrl', 'hooks.type', 'hooks.createdAt'],
  'POST /contacts/lists': ['lists.create'],
  'POST /contacts/lists/{listId}/entities': ['lists.add.method', 'lists.add.path'],
  'GET /inbox/{contactId}/drafts/{draftId}': ['drafts.path', 'drafts.owner', 'drafts.draft'],
  'Inbox draft': ['drafts.fields'],
};

const SHOWN: ReadonlySet<string> = new Set(Object.values(DOCUMENTED).flat());

/** Whether docs/platform-api.md shows what the neutral dialect has there; `key` is a path like `enrich.method`. */
export function isDocumented(key: string): boolean {
  const parts = key.split('.');
  return parts.some((_, i) => SHOWN.has(parts.slice(0, i + 1).join('.')));
}
