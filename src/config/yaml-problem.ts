// A flaw of a YAML file, told so that it can be mended: file, line, key, and the key that was meant.
import { type Document, isMap, isNode, isPair, isScalar, type LineCounter } from 'yaml';
import type * as z from 'zod';
import { SluiceError } from '../domain/errors.js';
import { nearestNames } from '../domain/nearest.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];
type Fail = (path: Path, message: string) => SluiceError;

/** A `usage` error at a line of a file. */
export function yamlProblem(
  what: string,
  file: string,
  line: number,
  message: string,
  key: string | null = null,
  cause?: unknown,
): SluiceError {
  const facts = { file, line, key };
  return new SluiceError('usage', `${what} ${file}, line ${line}: ${message}`, facts, { cause });
}

/** The error for what the schema found; only the first flaw is told in full. */
export function schemaProblem(issues: readonly Issue[], example: object, fail: Fail): SluiceError {
  const [first, ...others] = issues;
  if (first === undefined) throw new Error('A file was refused without an issue.');
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const [path, message] =
    first.code === 'unrecognized_keys' ? unknownKey(first, example) : flawedValue(first);
  return fail(path, message + more);
}

function unknownKey(
  issue: Issue & { readonly keys: readonly string[] },
  example: object,
): [Path, string] {
  const [key = ''] = issue.keys;
  const path = [...issue.path, key];
  const known = Object.keys(exampleAt(example, issue.path));
  const [nearest] = nearestNames(key, known);
  const list = known.length > 40 ? '' : ` Known here: ${known.join(', ')}.`;
  const hint = nearest === undefined ? list : ` Did you mean "${nearest}"?`;
  return [path, `"${path.join('.')}" is not a key that is known here.${hint}`];
}

function flawedValue({ code, path, message }: Issue): [Path, string] {
  const isWhole = path.length === 0;
  if (isWhole && code === 'invalid_type') {
    return [path, 'the file holds no keys: write each on a line of its own, as "key: value".'];
  }
  const name = isWhole ? 'the file' : `"${path.join('.')}"`;
  return [path, `${name}: ${message.charAt(0).toLowerCase()}${message.slice(1)}.`];
}

/** In a list all entries have the keys of its first. */
function exampleAt(example: object, path: Path): object {
  let current: unknown = example;
  for (const step of path) {
    if (typeof current !== 'object' || current === null) return {};
    const entries = new Map<PropertyKey, unknown>(Object.entries(current));
    current = entries.get(typeof step === 'number' ? '0' : step);
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
