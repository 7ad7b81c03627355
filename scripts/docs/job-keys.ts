// docs/reference/job-keys.md, made from the entries of the keys.
import { type JobKey, typeOf, usualOf } from '../../src/config/job-keys/key.js';
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
  const flags = jobKeys.flatMap(([name, { flag }]) =>
    flag === undefined ? [] : [`\`--${name}\``],
  );
  return `# Every key of a job

Made from the entries in \`src/config/job-keys/\` by \`npm run generate\`.

A command line states these keys by a flag of their name: ${flags.join(', ')}. As flags, \`ask\` is a list with commas,
\`map\` is repeated (\`--map firstName=Vorname\`), and \`--no-excel\` switches off what a file switches on. Every other key
is stated by \`--set KEY=VALUE\`, once for each key. The value is YAML, as in a file: \`--set deadline=1h\`,
\`--set 'list.where=email_status = deliverable'\`, \`--set 'notify={command: [./tell-me.sh]}'\`. A key with a dot is a part
of a key; a list replaces the list of the file, and \`null\` removes a key. The command line wins over the file. \`input\` is
the argument of \`enrich\`. \`sluice keys\` lists all of this, and \`sluice keys KEY\` explains a key. Paths begin in the folder
where the command is started.

${table(['key', 'type', 'default', 'meaning'], rows)}

A duration is a whole number with \`d\`, \`h\`, \`m\`, \`s\` or \`ms\`. An unknown key or a wrong value ends the command with
exit code 2, and the message names the line.
`;
}

function defaultOf(key: JobKey): string {
  return usualOf(key) ?? (key.needed === undefined ? 'none' : 'none; needed');
}
