// The query of a call, from a dialect's names to the neutral ones.

import { type Dialect, NEUTRAL_DIALECT } from '../../dialect/dialect.js';
import { ASKS } from '../../model/ask.js';
import type { RawQuery } from '../routes/read/parse-enrich-query.js';
import type { CallName } from './calls.js';
import { RefusedError } from './refused-error.js';

/**
 * The same query in neutral words.
 * @throws RefusedError for a parameter that the dialect has not, and for a flag with another value than its own
 */
export function readQuery(name: CallName, query: RawQuery, dialect: Dialect): RawQuery {
  const ours = namesOf(name, NEUTRAL_DIALECT);
  const theirs = namesOf(name, dialect);
  if (ours === undefined || theirs === undefined) return query;
  const neutral = new Map(
    Object.entries(theirs).flatMap(([key, word]) => {
      const own = ours[key];
      return word === null || typeof own !== 'string' ? [] : [[word, { key, own }]];
    }),
  );
  const translated = Object.entries(query).map(([word, value]) => {
    const known = neutral.get(word);
    if (known === undefined) {
      throw new RefusedError(`The parameter ${word.slice(0, 50)} is unknown.`);
    }
    const isFlag = name === 'enrich' && ASKS.some((ask) => ask === known.key);
    return [known.own, isFlag ? readFlag(word, value, dialect.enrich.flag) : value] as const;
  });
  return Object.fromEntries(translated);
}

function readFlag(word: string, value: RawQuery[string], flag: string): string {
  if (value === flag) return NEUTRAL_DIALECT.enrich.flag;
  throw new RefusedError(`The value of ${word} must be ${JSON.stringify(flag)}.`);
}

/** The parameters of a call by our keys; undefined where the neutral route looks at none. */
function namesOf(
  name: CallName,
  { enrich, bulk, hooks, drafts }: Dialect,
): Readonly<Record<string, string | null>> | undefined {
  switch (name) {
    case 'enrich':
      return enrich.parameters;
    case 'bulk':
      return { webhookUrl: bulk.webhookUrl };
    case 'addHook':
      return hooks.add.query;
    case 'draft':
      return { owner: drafts.owner };
    case 'createList':
    case 'addToList':
      return {};
    case 'result':
    case 'batch':
    case 'peopleSchema':
    case 'listHooks':
    case 'removeHook':
    case 'upsertContact':
      return undefined;
  }
}
