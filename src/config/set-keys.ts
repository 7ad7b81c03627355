// The keys of a job that a command line states as KEY=VALUE: the value is YAML, as in a job file.
import { parseDocument, visit } from 'yaml';
import { type SluiceError, wrongUse } from '../model/errors.js';
import type { JobKey } from './job-keys/key.js';
import { jobKeys } from './job-schema.js';
import { prepareNode, type Variable } from './load-job.js';

interface Setting {
  readonly path: readonly string[];
  /** The value as YAML reads it; null removes what is there. Undefined if YAML cannot read it. */
  readonly value: unknown;
  readonly text: unknown;
}

interface Reading {
  readonly variable: Variable;
  /** The keys that may be stated. Default: all. */
  readonly names?: readonly string[] | undefined;
}

/** It is not checked by the schema yet. @throws SluiceError `usage` naming the key */
export function withSettings(job: object, texts: readonly string[], reading: Reading): object {
  const settings = texts.map((text) => parseSetting(text, reading));
  for (const [i, { path }] of settings.entries()) {
    const isSame = (other: Setting) => path.every((step, at) => (other.path[at] ?? step) === step);
    if (settings.slice(0, i).some(isSame)) throw wrong(path, 'it is given twice. Give it once.');
  }
  return settings.reduce(stated, job);
}

/** A text needs no quotes, though YAML may read it as something else: `delimiter=,` and `list.name={date}`. */
function stated(job: object, { path, value, text }: Setting): object {
  const byYaml = value === undefined ? job : replaced(job, path, value);
  if (value !== undefined && (value === null || isAllowed(byYaml, path))) return byYaml;
  const byText = replaced(job, path, text);
  if (isAllowed(byText, path)) return byText;
  if (value === undefined) throw wrong(path, 'YAML cannot read this. Put texts in it in quotes.');
  if (path.length === 1 && EXAMPLES[path[0] ?? ''] !== undefined && typeof value !== 'object') {
    throw wrong(path, `name what it is for, like --set ${EXAMPLES[path[0] ?? '']}.`);
  }
  return byYaml;
}

/** Keys that hold names, as they are stated. */
const EXAMPLES: Readonly<Record<string, string>> = {
  prices: 'prices.find_email=5',
};

function isAllowed(job: object, [name = '']: readonly string[]): boolean {
  const { [name]: value } = job as Readonly<Record<string, unknown>>;
  return entryOf(name)?.schema.safeParse(value).success === true;
}

function parseSetting(text: string, { names, variable }: Reading): Setting {
  const at = text.indexOf('=');
  if (at < 1) throw wrongUse(`--set ${text}: write KEY=VALUE, like deadline=1h.`);
  const path = text.slice(0, at).trim().split('.');
  const written = text.slice(at + 1).trim();
  if (written === '') throw wrong(path, 'it is empty. Give it a value; null removes the key.');
  const [name = ''] = path;
  if (entryOf(name) !== undefined && names?.includes(name) === false) {
    const own = names.filter((one) => entryOf(one)?.flag === undefined);
    const these = own.length > 9 ? '' : `; it takes ${own.join(', ')}`;
    throw wrong(path, `this command does not take it${these}.`);
  }
  if (hasFlag(path)) throw wrong(path, `it has a flag of its own, --${name}.`);
  const prepared = (value: unknown) => prepareNode(value, path, variable, wrong);
  // To YAML it is a list of one value that is missing.
  const value = written === '-' ? written : readYamlValue(written);
  return { path, value: prepared(value), text: prepared(written) };
}

/** Undefined if YAML cannot read it, or reads nothing in it, as in a comment. */
function readYamlValue(written: string): unknown {
  // The library's warnings are about its own options.
  const document = parseDocument(written, { prettyErrors: false, logLevel: 'error' });
  if (document.errors.length > 0 || document.contents === null) return undefined;
  let hasAlias = false;
  visit(document, { Alias: () => void (hasAlias = true) });
  return hasAlias ? undefined : document.toJS();
}

/** Whether a flag of the name of its key states the value at a path of a job. */
export function hasFlag([name, part]: readonly PropertyKey[]): boolean {
  const { flag, textPart } = entryOf(String(name)) ?? {};
  const isOther = textPart !== undefined && typeof part === 'string' && part !== textPart;
  return flag !== undefined && !isOther;
}

function entryOf(name: string): JobKey | undefined {
  return jobKeys.find(([key]) => key === name)?.[1];
}

function replaced(node: unknown, [step = '', ...rest]: readonly string[], value: unknown): object {
  const { [step]: old, ...others } = node as Readonly<Record<string, unknown>>;
  if (rest.length > 0) return { ...others, [step]: replaced(partsOf(step, old), rest, value) };
  return value === null ? others : { ...others, [step]: value };
}

function partsOf(name: string, value: unknown): object {
  const part = entryOf(name)?.textPart;
  if (part !== undefined && typeof value === 'string') return { [part]: value };
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function wrong(path: readonly PropertyKey[], problem: string): SluiceError {
  return wrongUse(`--set ${path.join('.')}: ${problem}`);
}
