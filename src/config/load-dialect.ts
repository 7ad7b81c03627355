// Reads a dialect file, which describes the differences of a platform's wire format from the neutral one: a file of the
// user, or one of those in dialects/, which are known by their names.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { asksOf } from '../dialect/custom-asks.js';
import {
  type Dialect,
  type DialectFile,
  dialectSchema,
  NEUTRAL_DIALECT,
} from '../dialect/dialect.js';
import { factsOf, KEYS, keysOf, SIGNALS_FORM } from '../dialect/keys.js';
import { signalSchema } from '../dialect/signal.js';
import type { Ask, Prices } from '../model/ask.js';
import { wrongUse } from '../model/errors.js';
import { didYouMean } from '../model/text/nearest.js';
import { statedBy, withPrices } from './stated-keys.js';

/** Two folders above the source, the built file and the bundle. */
const READY_MADE = fileURLToPath(new URL('../../dialects/', import.meta.url));
const NAME = /^[a-z0-9][a-z0-9-]*$/;
const ENDING = '.yaml';

/**
 * The dialect that a file describes, or the ready-made one of that name; without either, the neutral one. A name has no
 * slash and no dot.
 * @throws SluiceError `usage`: no such name, a name that is also that of a file here, a file that is unreadable or not
 * YAML, or a key or value that no dialect has
 */
export async function loadDialect(file?: string, folder = READY_MADE): Promise<Dialect> {
  if (file === undefined) return NEUTRAL_DIALECT;
  const path = NAME.test(file) ? pathOf(file, folder) : file;
  // Loaded only if there is a file to read: loading it takes longer than the rest of a start.
  const { readYaml } = await import('./read-yaml.js');
  let stated: DialectFile = {};
  const dialect = await readYaml(path, {
    what: 'Dialect',
    schema: dialectSchema,
    example: exampleOf(dialectSchema),
    prepare: (value) => {
      // The schema refuses a value that is no object.
      stated = value as DialectFile;
      return value;
    },
  });
  return statedBy(stated, dialect);
}

/** The file was checked when it was read. @throws ZodError if no dialect has these keys and values */
export function dialectOf(file: DialectFile): Dialect {
  return statedBy(file, dialectSchema.parse(file));
}

interface JobWords {
  readonly dialect: string | undefined;
  readonly prices: Prices | undefined;
  readonly ask: readonly Ask[];
}

/**
 * The dialect of a job: the prices that the job states outrank the file's.
 * @throws SluiceError as `loadDialect`; `usage` for an ask, or the price of one, that the dialect does not know
 */
export async function loadJobDialect({ ask, dialect: file, prices }: JobWords): Promise<Dialect> {
  const dialect = await loadDialect(file);
  checkAsks(dialect, 'ask', ask);
  checkAsks(dialect, 'prices', Object.keys(prices ?? {}));
  return prices === undefined ? dialect : withPrices(dialect, prices);
}

/** @throws SluiceError `usage` for a name that is none of the dialect's asks; `key` has stated it */
export function checkAsks(dialect: Dialect, key: 'ask' | 'prices', names: readonly Ask[]): void {
  const known = asksOf(dialect);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw wrongUse(
    `${key}: "${unknown}" is none of ${known.join(', ')}, which this dialect knows.${didYouMean(unknown, known)}`,
  );
}

/** Every key of a section, so that an error can name those that are known. */
function exampleOf(section: z.ZodType): object {
  const entries = Object.entries(keysOf(section)).map(([key, inner]) => {
    const areSignals = factsOf(inner).form === SIGNALS_FORM;
    return [key, areSignals ? [exampleOf(signalSchema)] : exampleOf(inner)];
  });
  return Object.fromEntries(entries) as object;
}

export function readyMadeDialects(folder = READY_MADE): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith(ENDING));
  return files.map((file) => file.slice(0, -ENDING.length)).toSorted();
}

/** @throws SluiceError `usage` for a name that no dialect has, or that a file here has as well */
function pathOf(name: string, folder: string): string {
  const path = join(folder, name + ENDING);
  const isReadyMade = existsSync(path);
  if (isReadyMade && !existsSync(name)) return path;
  if (!isReadyMade && existsSync(name)) return name;
  if (isReadyMade) {
    throw wrongUse(
      `"${name}" is a ready-made dialect, and a file of that name is here as well. Write ./${name} for the file, or rename it.`,
    );
  }
  throw wrongUse(
    `There is no ready-made dialect "${name}".${didYouMean(name, readyMadeDialects(folder))} "sluice dialect list" lists them. A file is named with its path or ending, like ./${name} or ${name}.yaml.`,
  );
}

export function dialectJsonSchema(): object {
  return {
    ...z.toJSONSchema(dialectSchema, {
      io: 'input',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const meaning = KEYS.get(zodSchema)?.meaning;
        if (meaning !== undefined) jsonSchema.description = meaning;
      },
    }),
    title: 'A Sluice dialect',
    description: "The differences of a platform's wire format from the neutral dialect.",
  };
}
