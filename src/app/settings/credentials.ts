// The secrets of the environment: each is the value of a variable, or the content of a file named by another variable.
import { readFileSync } from 'node:fs';
import { SluiceError } from '../../model/errors.js';
import { namesNoFile } from './env-file-limits.js';

/** Variables whose value a file may hold instead. */
export const SECRETS = ['SLUICE_USERNAME', 'SLUICE_PASSWORD', 'SLUICE_WEBHOOK_SECRET'] as const;
export type Secret = (typeof SECRETS)[number];

/** The variable that gives the same secret in another way: X_FILE for X, and X for X_FILE. */
export function twinOf(name: string): Secret | `${Secret}_FILE` | undefined {
  for (const secret of SECRETS) {
    if (name === secret) return `${secret}_FILE`;
    if (name === `${secret}_FILE`) return secret;
  }
  return undefined;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Where secrets are looked for. */
export interface SecretSource {
  readonly get: (name: Secret | `${Secret}_FILE`) => string | undefined;
  /** Names of variables that are not read from the file .env. */
  readonly refused: readonly string[];
  /** A sentence about variables that the file .env would set if the environment did not set them to nothing. */
  readonly outranked: (...names: Secret[]) => string;
}

/** @throws SluiceError `usage` where a secret is missing or its file cannot be read */
export function readCredentials(source: SecretSource): Credentials {
  const username = readSecret('SLUICE_USERNAME', source);
  const password = readSecret('SLUICE_PASSWORD', source);
  if (username !== undefined && password !== undefined) return { username, password };
  const names = [
    ...(username === undefined ? (['SLUICE_USERNAME'] as const) : []),
    ...(password === undefined ? (['SLUICE_PASSWORD'] as const) : []),
  ];
  throw missing(names, source.outranked(...names));
}

/** @throws SluiceError `usage` where its file cannot be read, or the secret is blank */
export function readWebhookSecret(source: SecretSource): string | undefined {
  const name = 'SLUICE_WEBHOOK_SECRET';
  const value = readSecret(name, source);
  if (value?.trim() !== '') return value;
  throw blank(source.get(name) === undefined ? `${name}_FILE` : name);
}

function readSecret(name: Secret, { get, refused }: SecretSource): string | undefined {
  const value = get(name);
  if (value !== undefined) return value;
  const path = get(`${name}_FILE`);
  if (path !== undefined) return readSecretFile(`${name}_FILE`, path);
  if (refused.includes(`${name}_FILE`)) throw namesNoFile(name);
  return undefined;
}

function blank(variable: string): SluiceError {
  return new SluiceError(
    'usage',
    `The secret that ${variable} gives is blank. Give the one that the platform is to send back, or unset ${variable}.`,
    { variable },
  );
}

function missing(names: readonly string[], outranked: string): SluiceError {
  const files = names.map((name) => `${name}_FILE`).join(' and ');
  return new SluiceError(
    'usage',
    `The platform's credentials are missing: set ${names.join(' and ')}, also in the file .env of this folder, or ${files} to a file instead.`,
    { variable: names[0] ?? null },
    outranked === '' ? {} : { aside: outranked },
  );
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
