import { type Document, isMap, isNode, isPair, isScalar, type LineCounter } from 'yaml';
import type * as z from 'zod';
import { ANY_NAME } from '../dialect/keys.js';
import { SluiceError } from '../model/errors.js';
import { didYouMean } from '../model/text/nearest.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

export interface Blame {
  readonly fail: (path: Path, message: string) => SluiceError;
  /** Absent if there is no text with lines. */
  readonly lineOf?: (path: Path) => number;
}

interface Flaw {
  readonly path: Path;
  readonly message: string;
}

/** The most errors shown: a file of another kind would have one for each line. */
const FLAWS_SHOWN_MAX = 10;

/** A longer key, or a key with other characters, is probably not a key, but a line of another kind of file. */
const PLAIN_NAME = /^[\w.-]{1,30}$/;
const NOT_REPEATED = '…';

/** Whether an error may repeat a text of a file: a file of the wrong kind may contain secrets. */
export function isPlainName(text: string): boolean {
  return PLAIN_NAME.test(text);
}

/** The path of keys to a value, for an error. */
function keyPath(path: Path): string {
  return path.map((step) => (isPlainName(String(step)) ? String(step) : NOT_REPEATED)).join('.');
}

interface YamlPlace {
  readonly what: string;
  readonly file: string;
  readonly line: number;
}

export function yamlProblem(
  { what, file, line }: YamlPlace,
  message: string,
  cause?: unknown,
): SluiceError {
  return new SluiceError('usage', `${what} ${file}, line ${line}: ${message}`, {}, { cause });
}

/** One error with all issues that the schema found, in the order of the lines. */
export function schemaProblem(
  issues: readonly Issue[],
  example: object,
  { fail, lineOf: line }: Blame,
): SluiceError {
  const flaws = issues.flatMap((issue): readonly Flaw[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => unknownKey(issue.path, key, example))
      : [flawedValue(issue)],
  );
  const placed = flaws.map((flaw) => ({ ...flaw, line: line?.(flaw.path) ?? 0 }));
  const [first, ...others] = placed.toSorted((a, b) => a.line - b.line);
  if (first === undefined) throw new Error('A file was refused without an issue.');
  const shown = others
    .slice(0, FLAWS_SHOWN_MAX - 1)
    .map((flaw) =>
      line === undefined ? ` ${flaw.message}` : ` Line ${flaw.line}: ${flaw.message}`,
    );
  const left = others.length - shown.length;
  return fail(
    first.path,
    first.message + shown.join('') + (left === 0 ? '' : ` And ${left} more.`),
  );
}

function unknownKey(within: Path, key: string, example: object): Flaw {
  const path = [...within, key];
  const known = Object.keys(exampleAt(example, within));
  const list = known.length > 80 ? '' : ` Known here: ${known.join(', ')}.`;
  const name = isPlainName(key)
    ? `"${keyPath(path)}" is not a key that is known here.`
    : 'This is not a known key. It is not repeated here, since it is not a plain name.';
  return { path, message: name + (didYouMean(key, known) || list) };
}

function flawedValue({ code, path, message: about }: Issue): Flaw {
  const isWhole = path.length === 0;
  if (isWhole && code === 'invalid_type') {
    const message = 'the file holds no keys: write each on a line of its own, as "key: value".';
    return { path, message };
  }
  const name = isWhole ? 'the file' : `"${keyPath(path)}"`;
  return { path, message: `${name}: ${about.charAt(0).toLowerCase()}${about.slice(1)}.` };
}

/** The part of the example at a path. In a list, every entry has the keys of the first. */
function exampleAt(example: object, path: Path): object {
  let current: unknown = example;
  for (const step of path) {
    if (typeof current !== 'object' || current === null) return {};
    const entries = new Map<PropertyKey, unknown>(Object.entries(current));
    current = entries.get(typeof step === 'number' ? '0' : step) ?? entries.get(ANY_NAME);
  }
  return typeof current === 'object' && current !== null ? current : {};
}

/** The line of the key that `path` ends in, or of the nearest one around it. */
export function lineOf(document: Document, lines: LineCounter, path: Path): number {
  for (let length = path.length; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length - 1), true);
    const last = path[length - 1];
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(last))
      : undefined;
    const node = isPair(pair) ? pair.key : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
