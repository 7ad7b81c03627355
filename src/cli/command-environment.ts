// The settings of a command: the variables of the process, and the file .env of the folder in which it is started.
import { adviseOnRefused, type EnvFile, readEnvFile } from '../app/settings/env-file.js';
import { type Environment, environmentWith } from '../app/settings/environment.js';
import { printable } from '../model/text/printable.js';

let envFile: EnvFile | undefined;
let secretFiles: readonly string[] = [];

/** The settings; those of `.env` are included once it is read. */
export function commandEnvironment(): Environment {
  return environmentWith(envFile, undefined, secretFiles);
}

/** From now on an address of `.env` gets nothing: the secrets of this file could go there. */
export function noteSecretFile(file: string): void {
  secretFiles = [file];
}

/**
 * Reads `.env`; undefined if there is no such file.
 * @throws SluiceError `usage` if it cannot be read
 */
export function openEnvFile(): EnvFile | undefined {
  secretFiles = [];
  envFile = readEnvFile();
  return envFile;
}

/** Reads `.env`, and names on standard error the variables in it that are not read. */
export function takeEnvFile(flags: Readonly<Record<string, unknown>>): void {
  const refused = openEnvFile()?.refused ?? [];
  if (refused.length === 0) return;
  const message = printable(adviseOnRefused(refused));
  const isLogged = (flags['log-level'] ?? commandEnvironment().logLevel ?? 'silent') !== 'silent';
  // A JSON line if a script reads JSON, or if only the log writes to standard error.
  const isForMachines = flags['json'] === true || (isLogged && !process.stderr.isTTY);
  console.error(isForMachines ? JSON.stringify({ warning: { message } }) : `sluice: ${message}`);
}
