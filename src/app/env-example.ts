// .env.example: every variable that has a meaning here, none of them with a value.
import { ENV_FILE } from './env-file.js';
import { VARIABLES, type Variable } from './environment.js';

export const ENV_EXAMPLE = `${ENV_FILE}.example`;

/** What a platform always wants; the others wait as remarks. */
const NEEDED: ReadonlySet<string> = new Set<Variable>(['SLUICE_USERNAME', 'SLUICE_PASSWORD']);

const HEAD = `# What Sluice reads from the environment. In the folder where you start sluice:
#   cp ${ENV_EXAMPLE} ${ENV_FILE} && chmod 600 ${ENV_FILE}
# and fill in what you need. A variable that is set already wins over the file.
# Write '…' around a value that holds # or blanks. Keep ${ENV_FILE} out of version control.
`;

export function renderEnvExample(): string {
  const blocks = Object.entries(VARIABLES).map(
    ([name, about]) => `# ${about}\n${NEEDED.has(name) ? '' : '# '}${name}=\n`,
  );
  return [HEAD, ...blocks].join('\n');
}
