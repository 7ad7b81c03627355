// Writes a job file for a person who has never seen one: each key has a comment, and the keys that are likely to be
// needed next are commented out.
import { Document, isCollection, isMap, isNode, isPair, isScalar, isSeq, visit } from 'yaml';
import { type JobKey, plain } from './job-keys/key.js';
import { type JobFile, jobKeys } from './job-schema.js';

/**
 * `schema` is the path of the JSON Schema, relative to the file; an editor uses it to complete and check the keys.
 * `sluice run` reads the same `job` from the text.
 */
export function writeJob(name: string, job: JobFile, schema: string | undefined): string {
  const head = [
    ...(schema === undefined ? [] : [`# yaml-language-server: $schema=${schema}\n`]),
    remark(`A job for Sluice. Run it with: sluice run ${name}
"sluice keys" lists every key. \${NAME} is an environment variable.`),
  ].join('');
  return [head, ...jobKeys.map(([name, key]) => blockOf(name, key, job[name]))]
    .filter((block) => block !== '')
    .join('\n');
}

function blockOf(name: string, key: JobKey, value: unknown): string {
  const about = key.remark ?? `${plain(key.meaning)}.`;
  if (value !== undefined) return remark(about) + writeYaml({ [name]: value });
  return key.hint === undefined ? '' : remark(`${about}\n${name}: ${key.hint}`);
}

function remark(text: string): string {
  return text
    .split('\n')
    .map((line) => `# ${line}\n`)
    .join('');
}

/**
 * Writes a value as a person would write YAML: a list of plain values is on one line. `remarkOf` gives the comment
 * beside a value that holds no other key, by its dotted path.
 */
export function writeYaml(
  value: object,
  remarkOf: (key: string) => string | undefined = () => undefined,
): string {
  // Otherwise two keys that share a list in memory would become an anchor and an alias.
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Seq: (_, list) => {
      list.flow ??= list.items.every(isScalar);
    },
    Pair: (_, { key, value: inner }, ancestors) => {
      // A list has one comment, and its elements have none.
      if (ancestors.some(isSeq)) return undefined;
      const isLeaf = !isMap(inner) || inner.items.length === 0;
      const path = [...ancestors.filter(isPair).map((one) => one.key), key].map(String);
      const text = isLeaf && isNode(inner) ? remarkOf(path.join('.')) : undefined;
      if (text === undefined || !isNode(inner)) return undefined;
      inner.comment = ` ${text}`;
      // Beside a list of lines a comment would stand below them.
      if (isCollection(inner)) inner.flow = true;
      return visit.SKIP;
    },
  });
  return document.toString({ flowCollectionPadding: false });
}
