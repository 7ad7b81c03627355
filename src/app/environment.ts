// The only reader of the environment: addresses, files and credentials.
import { readFileSync } from 'node:fs';
import { SluiceError } from '../domain/errors.js';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface Environment {
  /** SLUICE_URL */
  readonly url: string | undefined;
  /** SLUICE_STATE */
  readonly state: string | undefined;
  /**
   * SLUICE_USERNAME and SLUICE_PASSWORD, or the files named by SLUICE_USERNAME_FILE and SLUICE_PASSWORD_FILE.
   * @throws SluiceError `usage` where one is missing or its file cannot be read
   */
  credentials(): Credentials;
  /**
   * SLUICE_WEBHOOK_SECRET, or the file named by SLUICE_WEBHOOK_SECRET_FILE; undefined where neither is set.
   * @throws SluiceError `usage` where the file cannot be read, or the secret is blank
   */
  webhookSecret(): string | undefined;
  /** Any variable, for `${NAME}` in a job file. */
  readonly variable: (name: string) => string | undefined;
}

/** Reads variables when they are asked for, never at import time. */
export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  const get = (name: string): string | undefined => {
    const value = variables[name];
    return value === '' ? undefined : value;
  };
  const optionalSecret = (name: string): string | undefined => {
    const value = get(name);
    if (value !== undefined) return value;
    const path = get(`${name}_FILE`);
    return path === undefined ? undefined : readSecretFile(`${name}_FILE`, path);
  };
  const secret = (name: string): string => {
    const value = optionalSecret(name);
    if (value !== undefined) return value;
    throw new SluiceError(
      'usage',
      `The platform's credentials are missing: set ${name}, or ${name}_FILE to a file that holds it.`,
      { variable: name },
    );
  };
  return {
    url: get('SLUICE_URL'),
    state: get('SLUICE_STATE'),
    credentials: () => ({
      username: secret('SLUICE_USERNAME'),
      password: secret('SLUICE_PASSWORD'),
    }),
    webhookSecret: () => {
      const name = 'SLUICE_WEBHOOK_SECRET';
      const value = optionalSecret(name);
      if (value?.trim() !== '') return value;
      const variable = get(name) === undefined ? `${name}_FILE` : name;
      throw new SluiceError(
        'usage',
        `The secret that ${variable} gives is blank. Give the one that the platform shall send back, or unset ${variable}.`,
        { variable },
      );
    },
    variable: get,
  };
}

function readSecretFile(variable: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new SluiceError(
      'usage',
      `The file that ${variable} names cannot be read: ${path}. Check that it exists and may be read.`,
      { variable, path },
      { cause },
    );
  }
  // Editors end a file with a newline that is not part of the secret.
  const value = text.replace(/\r?\n$/, '');
  if (value !== '') return value;
  throw new SluiceError('usage', `The file that ${variable} names is empty: ${path}.`, {
    variable,
    path,
  });
}
