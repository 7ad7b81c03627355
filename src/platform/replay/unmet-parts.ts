// The parts of a dialect file that nothing in a transcript needs: each is taken away in turn, and the transcript judged
// anew.
import {
  changedFile,
  type Dialect,
  type DialectFile,
  dialectSchema,
  NEUTRAL_DIALECT,
} from '../../dialect/dialect.js';
import type { ExchangeCheck, UnmetPart } from '../../model/resources/transcript-check.js';
import { isJsonObject, type JsonValue } from '../../model/text/json.js';
import type { IsShown } from './shown-parts.js';

/** Sections whose calls a transcript may lack altogether, and the names of their calls in a check. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  enrich: ['enrich'],
  bulk: ['bulk'],
  result: ['result'],
  account: ['account'],
  peopleSchema: ['peopleSchema'],
  hooks: ['hooks', 'hooks.add', 'hooks.remove'],
  'hooks.add': ['hooks.add'],
  'hooks.remove': ['hooks.remove'],
  lists: ['lists.create', 'lists.add', 'lists.upsert'],
  'lists.create': ['lists.create'],
  'lists.add': ['lists.add'],
  'lists.upsert': ['lists.upsert'],
  drafts: ['drafts'],
  'answer.read': ['result'],
  'answer.webhook': ['webhook'],
};

/** Parts that no exchange shows: they concern neither requests nor answers, or transcripts leave them out. */
const NOT_SHOWN =
  /^(auth|limits\.(rate|headers|reset)|prices|requires|result\.every|bulk\.max|asks\.\w{1,40}\.(about|price|requires|fields\.\w{1,40}\.(about|type)))(\.|$)/;

/** A text that is not a name, path or word of any platform. */
const NOWHERE = 'sluice_nowhere';

/** The unmet parts. `exchanges` is the result of `judgeAll` for the whole dialect. */
export async function unmetParts(
  dialect: Dialect,
  exchanges: readonly ExchangeCheck[],
  isShown: IsShown,
  judgeAll: (dialect: Dialect) => Promise<readonly ExchangeCheck[]>,
): Promise<UnmetPart[]> {
  const file = changedFile(dialect, NEUTRAL_DIALECT);
  const shown = new Set(exchanges.map(({ call }) => call));
  const missing = Object.entries(CALLS).flatMap(([key, calls]) =>
    calls.some((call) => shown.has(call)) || !isStated(file, key) ? [] : [key],
  );
  const judge = async (changed: JsonValue): Promise<string | undefined> => {
    const other = dialectSchema.safeParse(changed);
    return other.success ? JSON.stringify(await judgeAll(other.data)) : undefined;
  };
  const told = JSON.stringify(exchanges);
  const unmet: UnmetPart[] = missing.map((key) => ({ key, values: [] }));
  for (const { key, values, without } of changesOf(file)) {
    if (NOT_SHOWN.test(key) || missing.some((part) => key.startsWith(`${part}.`))) continue;
    const spare: string[] = [];
    const all = values.map((_, i) => i);
    let nothing: Promise<string | undefined> | undefined;
    for (const [i, value] of values.entries()) {
      if (isShown(key, value)) continue;
      let isUseful = differs(await judge(without([i])), told);
      // If two parts say the same, neither is needed alone, but one of them is.
      if (!isUseful && values.length > 1) {
        const alone = await judge(without(all.filter((other) => other !== i)));
        nothing ??= judge(without(all));
        isUseful = differs(alone, await nothing);
      }
      if (!isUseful) spare.push(value);
    }
    if (spare.length > 0) unmet.push({ key, values: spare });
  }
  return unmet;
}

/** Whether two judgements differ; a part without which the dialect is invalid is needed. */
function differs(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one !== other;
}

function isStated(file: DialectFile, key: string): boolean {
  const [section = '', inner] = key.split('.');
  const value = file[section];
  if (inner === undefined) return isJsonObject(value) && value['path'] !== null;
  return isJsonObject(value) && isJsonObject(value[inner]);
}

interface Change {
  readonly key: string;
  /** A text, or the entries of a list. */
  readonly values: readonly string[];
  /** The file without the values at these positions. */
  readonly without: (positions: readonly number[]) => JsonValue;
}

/** The parts that may be taken away: each text of the file, and each list. */
function changesOf(value: JsonValue, key = ''): Change[] {
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, inner]) =>
      changesOf(inner, key === '' ? name : `${key}.${name}`).map(({ without, ...change }) => ({
        ...change,
        without: (positions: readonly number[]) => ({ ...value, [name]: without(positions) }),
      })),
    );
  }
  if (Array.isArray(value)) {
    const entries: readonly JsonValue[] = value;
    const values = entries.map((entry) =>
      typeof entry === 'string' ? entry : JSON.stringify(entry),
    );
    const without = (positions: readonly number[]) =>
      entries.flatMap((entry, i) => {
        if (!positions.includes(i)) return [entry];
        return typeof entry === 'string' ? [NOWHERE + i] : [];
      });
    return entries.every(isTakenAway) ? [{ key, values, without }] : [];
  }
  if (typeof value !== 'string' || !isTakenAway(value)) return [];
  return [{ key, values: [value], without: () => NOWHERE }];
}

/** Whether a value may be taken away. The path of a call, and the path of the whole, are met anyway. */
function isTakenAway(value: JsonValue): boolean {
  return typeof value !== 'string' || !(value === '' || value === '.' || value.startsWith('/'));
}
