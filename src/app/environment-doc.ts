// docs/reference/environment.md: every variable that has a meaning here.
import { table } from '../domain/markdown.js';
import { VARIABLES } from './environment.js';

/** The page, whole. */
export function renderEnvironmentDoc(): string {
  const rows = Object.entries(VARIABLES).map(([name, about]) => [`\`${name}\``, about]);
  return `# Environment

Made from \`VARIABLES\` in \`src/app/environment.ts\` by \`npm run generate\`.

${table(['variable', 'what it is'], rows)}

A variable that is set to nothing counts as not set. A flag wins over the job file, and the job file over a
variable. The file \`.env\` of the folder in which a command is started sets what is not set:
[jobs](../jobs.md#the-environment-and-what-does-not-belong-in-a-job) says how it is written, and that \`\${NAME}\` in
a job is any other variable. \`sluice init\` writes \`.env.example\` with all of them.
`;
}
