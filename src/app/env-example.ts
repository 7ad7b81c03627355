// .env.example: every variable that is read from .env, none of them with a value.
import { ENV_FILE } from './env-file.js';
import { VARIABLES, type Variable } from './environment.js';

export const ENV_EXAMPLE = `${ENV_FILE}.example`;

/** What a platform always wants; the others wait as remarks. */
const NEEDED: ReadonlySet<string> = new Set<Variable>(['SLUICE_USERNAME', 'SLUICE_PASSWORD']);

const HEAD = `# What Sluice reads from ${ENV_FILE}. In the folder where you start sluice:
#   cp ${ENV_EXAMPLE} ${ENV_FILE} && chmod 600 ${ENV_FILE}
# and fill in what you need. A variable that is set already wins over the file.
# Write '…' around a value that holds # or blanks. Keep ${ENV_FILE} out of version control.
# An address here gets only the secrets that stand here too.
`;

export function renderEnvExample(): string {
  const inFile = Object.entries(VARIABLES).filter(([name]) => !name.endsWith('_FILE'));
  const blocks = inFile.map(
    ([name, about]) => `# ${about}\n${NEEDED.has(name) ? '' : '# '}${name}=\n`,
  );
  return [HEAD, ...blocks].join('\n');
}
