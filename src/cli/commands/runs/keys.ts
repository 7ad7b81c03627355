// sluice keys [KEY]: the keys of a job, and how a command line states each; or their JSON Schema, for editors.

import * as z from 'zod';
import { type JobKey, plain, typeOf, usualOf } from '../../../config/job-keys/key.js';
import { aboutKey, jobJsonSchema, jobKeys, KEY_GROUPS } from '../../../config/job-schema.js';
import { wrongUse } from '../../../model/errors.js';
import { didYouMean } from '../../../model/text/nearest.js';
import type { Page } from '../../../tell/page.js';
import { factsOf, notes } from '../../../tell/shared.js';
import { command } from '../../command.js';
import { list } from '../../help.js';
import { LIST_OPTIONS, text, toggle } from '../../options.js';

export const keysCommand = command({
  args: { key: text('A key to explain (default: list all)') },
  options: {
    schema: toggle('Print the JSON Schema of a job file, for an editor'),
    ...LIST_OPTIONS,
  },
  examples: { 'sluice keys deadline': 'What it means, its values and its default' },
  handler: ({ key: name, schema }) => {
    if (schema) {
      const json = jobJsonSchema();
      const lines = JSON.stringify(json, null, 2).split('\n');
      return { data: new Map(Object.entries(json)), lines };
    }
    if (name === undefined) return tellKeys();
    const found = jobKeys.find(([one]) => one === name.split('.')[0]);
    if (found === undefined) throw noKey(name);
    return tellKey(found);
  },
});

function toJson([name, key]: readonly [string, JobKey]) {
  return {
    key: name,
    flag: flagOf(name, key),
    type: plain(typeOf(key)),
    default: usualOf(key) === undefined ? null : plain(usualOf(key) ?? ''),
    meaning: plain(key.meaning),
  };
}

function flagOf(name: string, { flag }: JobKey): string {
  if (name === 'input') return 'FILE';
  return flag === undefined ? `--set ${name}=VALUE` : `--${name}`;
}

function tellKeys(): Page {
  const groups = Object.entries(KEY_GROUPS).flatMap(([title, keys]) => {
    const rows = Object.entries(keys).map(([name, key]) => {
      return [key.flag === undefined ? name : `--${name}`, aboutKey(key)] as const;
    });
    return list(`${title}:`, rows);
  });
  return {
    title: 'The keys of a job',
    parts: [
      ...notes(
        'A command line states a key by the flag of its name, where it has one, or else by --set KEY=VALUE.',
        'The value is written as in a job file, in YAML. null removes the key of a job file.',
      ),
      ...groups,
    ],
    data: jobKeys.map(toJson),
  };
}

function tellKey([name, key]: readonly [string, JobKey]): Page {
  const parts = partsOf(key.schema).filter(
    ([part]) => key.flag === undefined || (key.textPart ?? part) !== part,
  );
  const more = [`${plain(key.meaning)}.`, plain(key.more ?? '')].join(' ').trim();
  const facts = factsOf(
    ['key', name],
    ['meaning', more],
    ['value', plain(typeOf(key))],
    ['default', plain(usualOf(key) ?? 'none')],
    ['command line', flagOf(name, key)],
    ...parts.map(([part, about]) => ['', `--set ${name}.${part}=VALUE ${about}`] as const),
  );
  return {
    title: name,
    parts: [{ kind: 'facts', shape: 'list', facts }],
    data: toJson([name, key]),
  };
}

/** The parts of a key that may be an object, each with its meaning. */
function partsOf(schema: z.ZodType): [string, string][] {
  const all = schema instanceof z.ZodUnion ? schema.options : [schema];
  const object = all.find((one) => one instanceof z.ZodObject);
  return Object.entries(object?.shape ?? {}).map(([part, { description = '' }]) => [
    part,
    description === '' ? '' : `(${description})`,
  ]);
}

function noKey(name: string) {
  const hint = didYouMean(
    name,
    jobKeys.map(([one]) => one),
  );
  return wrongUse(`A job has no key "${name}".${hint} "sluice keys" lists them.`);
}
