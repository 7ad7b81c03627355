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

/** Whether no price is stated for one of them. */
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

/** What its file says: the dialect is made again from it. */
export function fileOf(dialect: Dialect): DialectFile {
  return FILES.get(dialect) ?? changedFile(dialect, NEUTRAL_DIALECT);
}

/** Heading of docs/platform-api.md → the keys that are shown there; a section stands for all keys in it. */
export const DOCUMENTED: Readonly<Record<string, readonly string[]>> = {
  Authentication: ['auth'],
  'POST /enrich': ['enrich.method', 'enrich.path', 'enrich.in', 'enrich.ticket', 'enrich.result'],
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
  'Event types': ['answer.webhook.types', 'events'],
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
  'Webhook secret': ['webhooks'],
  'POST /contacts/lists': ['lists.create'],
  'POST /contacts/lists/{listId}/entities': ['lists.add.method', 'lists.add.path'],
  'GET /inbox/{contactId}/drafts/{draftId}': ['drafts.path', 'drafts.owner', 'drafts.draft'],
  'Inbox draft': ['drafts.fields'],
};

/** Every other key is our guess: what the document leaves open → the keys that guess it. */
export const ASSUMED: Readonly<Record<string, readonly string[]>> = {
  'whether paths have a prefix, and requests constant headers or values': [
    'prefix',
    'headers',
    'enrich.constants',
  ],
  'the names of the parameters, and how they say what is asked': [
    'enrich.inputs',
    'enrich.ask',
    'enrich.webhookUrl',
    'enrich.metadata',
    'enrich.ownKeys',
  ],
  'which inputs suffice': ['requires'],
  'what a hit costs': ['prices'],
  'the bulk call, but that there is one': ['bulk', 'answer.read.metadata'],
  'the path of a result, and how often it may be read': [
    'result.path',
    'result.batchPath',
    'result.id',
    'result.every',
  ],
  'how an answer says that there is a result, none yet, none at all, or a failure': [
    'enrich.accepted',
    'answer.read.pending',
    'answer.read.done',
    'answer.read.notFound',
    'answer.read.failed',
    'answer.read.unknown',
    'answer.read.outOfCredits',
    'answer.read.reason',
    'answer.read.ignored',
    'answer.read.nulls',
    'answer.submit',
  ],
  'whether an empty answer may have its values a moment later': ['second-look'],
  'where a verification is answered': ['blocks.verify_email'],
  'the words for a status besides `deliverable`': ['emailStatuses'],
  'whether there is a free call for the account': ['account'],
  'how webhooks are listed and removed': ['hooks.entries', 'hooks.remove'],
  'what a call holds that adds to a list, and what it answers': [
    'lists.add.max',
    'lists.add.members',
    'lists.add.entities',
    'lists.add.fields',
    'lists.add.added',
    'lists.add.alreadyIn',
    'lists.add.error',
    'lists.upsert',
  ],
  'what an error looks like': ['errors'],
  'how fast one may ask': ['limits'],
};

const SHOWN: ReadonlySet<string> = new Set(Object.values(DOCUMENTED).flat());

/** Whether docs/platform-api.md shows what the neutral dialect has there; `key` is a path like `enrich.method`. */
export function isDocumented(key: string): boolean {
  const parts = key.split('.');
  return parts.some((_, i) => SHOWN.has(parts.slice(0, i + 1).join('.')));
}
