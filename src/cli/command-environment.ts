// The settings of a command: the variables of the process, and the file .env of the folder in which it is started.
import { type EnvFile, readEnvFile } from '../app/settings/env-file.js';
import { type Environment, environmentWith } from '../app/settings/environment.js';
import { SluiceError } from '../model/errors.js';

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

/**
 * Sets the variables of the file of `--env-file` that the process does not have: the user has named it, unlike `.env`.
 * @throws SluiceError `usage` if it cannot be read
 */
export function loadNamedEnvFile(file: string): void {
  try {
    process.loadEnvFile(file);
  } catch (cause) {
    const message = `The file ${file} of --env-file cannot be read. Check that it exists and may be read.`;
    throw new SluiceError('usage', message, {}, { cause });
  }
}
