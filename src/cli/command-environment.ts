// The settings of a command: the variables of the process, and beside them the file .env of the folder it is
// started in.
import { adviseOnRefused, type EnvFile, readEnvFile } from '../app/settings/env-file.js';
import { type Environment, environmentWith } from '../app/settings/environment.js';
import { printable } from '../model/text/printable.js';

let envFile: EnvFile | undefined;

/** The settings, as far as they are known: with `.env` once it was read. */
export function commandEnvironment(): Environment {
  return environmentWith(envFile);
}

/**
 * Reads `.env`; undefined where there is none.
 * @throws SluiceError `usage` where it cannot be read
 */
export function openEnvFile(): EnvFile | undefined {
  envFile = readEnvFile();
  return envFile;
}

/** The same, and says on standard error which lines of it are not read. */
export function takeEnvFile(flags: Readonly<Record<string, unknown>>): void {
  const refused = openEnvFile()?.refused ?? [];
  if (refused.length === 0) return;
  const message = printable(adviseOnRefused(refused));
  const isLogged = (flags['log-level'] ?? commandEnvironment().logLevel ?? 'silent') !== 'silent';
  // Among JSON for a script, and in a log that has standard error to itself, each line is JSON.
  const isForMachines = flags['json'] === true || (isLogged && !process.stderr.isTTY);
  console.error(isForMachines ? JSON.stringify({ warning: { message } }) : `sluice: ${message}`);
}
