// docs/reference/job-keys.md, made from the entries of the keys.
import * as z from 'zod';
import { type JobKey, usualOf } from '../../src/config/job-keys/key.js';
import { jobKeys } from '../../src/config/job-schema.js';
import { table } from './markdown.js';

/** The page, whole. */
export function renderJobKeysDoc(): string {
  const rows = jobKeys.map(([name, key]) => [
    `\`${name}\``,
    typeOf(key),
    defaultOf(key),
    [`${key.meaning}.`, key.more ?? ''].join(' ').trim(),
  ]);
  const ofFiles = jobKeys.filter(([, { flag }]) => flag === undefined).map(([name]) => name);
  const names = ofFiles.filter((name) => name !== 'input').map((name) => `\`${name}\``);
  return `# Every key of a job

Made from the entries in \`src/config/job-keys/\` by \`npm run generate\`.

Each key is also a flag of \`sluice run\`, \`enrich\` and \`plan\`, and the flag wins; ${names.join(', ')} stand in
files alone, and \`input\` is the argument of the last two. As flags, \`ask\` is a list with commas, \`map\` is repeated
(\`--map firstName=Vorname\`), and \`--no-\` switches a boolean off, as in \`--no-formula-guard\`. Paths begin in the folder
where the command is started.

${table(['key', 'type', 'default', 'meaning'], rows)}

A duration is a whole number with \`d\`, \`h\`, \`m\`, \`s\` or \`ms\`. An unknown key or a wrong value ends the command with
exit code 2, and the message names the line.
`;
}

function typeOf({ form, schema }: JobKey): string {
  if (form !== undefined) return form;
  if (schema instanceof z.ZodEnum) return schema.options.map((one) => `\`${one}\``).join(', ');
  if (schema instanceof z.ZodBoolean) return 'boolean';
  return schema instanceof z.ZodNumber ? 'whole number' : 'text';
}

function defaultOf(key: JobKey): string {
  return usualOf(key) ?? (key.needed === undefined ? 'none' : 'none; needed');
}
