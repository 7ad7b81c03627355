// docs/reference/environment.md: every variable that has a meaning here.

import { isReadFromFile, VARIABLES } from '../../src/app/settings/environment.js';
import { table } from './markdown.js';

/** The page, whole. */
export function renderEnvironmentDoc(): string {
  const rows = Object.entries(VARIABLES).map(([name, about]) => [
    `\`${name}\``,
    about,
    isReadFromFile(name) ? 'yes' : 'no',
  ]);
  return `# Environment

Made from \`VARIABLES\` in \`src/app/settings/environment.ts\` by \`npm run generate\`.

${table(['variable', 'what it is', 'read from `.env`'], rows)}

A variable that is set to nothing counts as not set, but for a user name beside a password, or the other way
round; so \`\${NAME}\` of it in a job is an error. A flag wins over the job file, and the job file over a variable. The file \`.env\` of the folder in which a command is started gives credentials that are not set, and an
address, which gets only secrets that are in that file too:
[credentials](../credentials.md) says how it is written. \`\${NAME}\` in a job is any other variable of the environment.
\`sluice init\` writes \`.env.example\`.
`;
}
