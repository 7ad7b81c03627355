// The secrets of the environment: each is the value of a variable, or the content of a file named by another variable.
import { readFileSync } from 'node:fs';
import type { Auth } from '../../dialect/auth.js';
import { SluiceError, wrongUse } from '../../model/errors.js';
import { type Credentials, isHeaderText, refuseColon } from '../../platform/wire/credentials.js';

/** Variables whose value a file may hold instead. */
export const SECRETS = [
  'SLUICE_USERNAME',
  'SLUICE_PASSWORD',
  'SLUICE_API_KEY',
  'SLUICE_WEBHOOK_SECRET',
  'SLUICE_UI_PASSWORD',
] as const;
export type Secret = (typeof SECRETS)[number];
/** Those that go to the platform. */
export const SENT_SECRETS = SECRETS.filter((name) => name !== 'SLUICE_UI_PASSWORD');

/** The variable that gives the same secret in another way: X_FILE for X, and X for X_FILE. */
export function otherFormOf(name: string): Secret | `${Secret}_FILE` | undefined {
  for (const secret of SECRETS) {
    if (name === secret) return `${secret}_FILE`;
    if (name === `${secret}_FILE`) return secret;
  }
  return undefined;
}

export interface SecretSource {
  readonly get: (name: Secret | `${Secret}_FILE`) => string | undefined;
  /**
   * Whether a variable is set to nothing on purpose. `other` is the variable beside it, which has a value if the empty
   * one is meant.
   */
  readonly isEmptied: (name: Secret, other: Secret) => boolean;
}

/**
 * The credentials that the dialect's `auth` asks for. One of user name and password may be empty: set to nothing beside
 * the other.
 * @throws SluiceError `usage` if a secret is missing, its file cannot be read, or no header can hold it
 */
export function readCredentials(source: SecretSource, auth: Auth): Credentials {
  if (auth !== 'basic') return { apiKey: readKey(source) };
  const username = readSecret('SLUICE_USERNAME', source);
  const password = readSecret('SLUICE_PASSWORD', source);
  refuseColon(username ?? '', variableOf('SLUICE_USERNAME', source));
  if (username !== undefined && password !== undefined) return { username, password };
  const { isEmptied } = source;
  if (password !== undefined && isEmptied('SLUICE_USERNAME', 'SLUICE_PASSWORD')) {
    return { username: '', password };
  }
  if (username !== undefined && isEmptied('SLUICE_PASSWORD', 'SLUICE_USERNAME')) {
    return { username, password: '' };
  }
  const names = [
    ...(username === undefined ? (['SLUICE_USERNAME'] as const) : []),
    ...(password === undefined ? (['SLUICE_PASSWORD'] as const) : []),
  ];
  throw missing(
    "The platform's credentials are missing",
    names,
    isGiven('SLUICE_API_KEY', source) ? `SLUICE_API_KEY is set, and ${OTHER_AUTH}` : '',
  );
}

/** The account that pays: the user name, unless it or the password is empty; then the other is the key. */
export type Payer =
  | { readonly username: string; readonly key?: never }
  | { readonly username?: never; readonly key: string };

/**
 * No password is needed if there is a user name, and the password is not set to nothing.
 * @throws SluiceError `usage`, as `readCredentials`
 */
export function readPayer(source: SecretSource, auth: Auth): Payer {
  if (auth === 'basic' && isNamedAlone(source)) {
    const username = readSecret('SLUICE_USERNAME', source) as string;
    refuseColon(username, variableOf('SLUICE_USERNAME', source));
    return { username };
  }
  const credentials = readCredentials(source, auth);
  if ('apiKey' in credentials) return { key: credentials.apiKey };
  const { username, password } = credentials;
  return username !== '' && password !== '' ? { username } : { key: username + password };
}

function isNamedAlone(source: SecretSource): boolean {
  if (!isGiven('SLUICE_USERNAME', source) || isGiven('SLUICE_PASSWORD', source)) return false;
  return !source.isEmptied('SLUICE_PASSWORD', 'SLUICE_USERNAME');
}

/** A dialect names the secret that its platform asks for. */
const OTHER_AUTH = 'the "auth" of the dialect asks for something else.';

function readKey(source: SecretSource): string {
  const name = 'SLUICE_API_KEY';
  const key = readSecret(name, source);
  if (key === undefined) {
    const others = (['SLUICE_USERNAME', 'SLUICE_PASSWORD'] as const).filter((other) =>
      isGiven(other, source),
    );
    const are = others.length === 1 ? 'is' : 'are';
    throw missing(
      "The platform's key is missing",
      [name],
      others.length === 0 ? '' : `${others.join(' and ')} ${are} set, and ${OTHER_AUTH}`,
    );
  }
  if (isHeaderText(key)) return key;
  const variable = variableOf(name, source);
  throw wrongUse(
    `The key that ${variable} gives cannot be sent in a header: it is blank, or holds a line break or a sign that is not ASCII. Check it.`,
  );
}

/** The variable that gives a secret, which must be given: its own, or the one that names its file. */
function variableOf(name: Secret, { get }: SecretSource): string {
  return get(name) === undefined ? `${name}_FILE` : name;
}

function isGiven(name: Secret, { get }: SecretSource): boolean {
  return (get(name) ?? get(`${name}_FILE`)) !== undefined;
}

/** @throws SluiceError `usage` if its file cannot be read, or the secret is blank */
export function readWebhookSecret(source: SecretSource): string | undefined {
  const name = 'SLUICE_WEBHOOK_SECRET';
  const value = readSecret(name, source);
  if (value?.trim() !== '') return value;
  throw blank(variableOf(name, source));
}

const UI_PASSWORD_LENGTH_MIN = 12;

/** @throws SluiceError `usage` if its file cannot be read, or the password is short */
export function readUiPassword(source: SecretSource): string | undefined {
  const name = 'SLUICE_UI_PASSWORD';
  const value = readSecret(name, source);
  if (value === undefined || value.length >= UI_PASSWORD_LENGTH_MIN) return value;
  const variable = variableOf(name, source);
  throw wrongUse(
    `The password that ${variable} gives is short: it needs ${UI_PASSWORD_LENGTH_MIN} characters or more, since others may try to guess it.`,
  );
}

function readSecret(name: Secret, { get }: SecretSource): string | undefined {
  const value = get(name);
  if (value !== undefined) return value;
  const path = get(`${name}_FILE`);
  return path === undefined ? undefined : readSecretFile(`${name}_FILE`, path);
}

function blank(variable: string): SluiceError {
  return wrongUse(
    `The secret that ${variable} gives is blank. Give the one that the platform is to send back, or unset ${variable}.`,
  );
}

function missing(problem: string, names: readonly string[], aside: string): SluiceError {
  const files = names.map((name) => `${name}_FILE`).join(' and ');
  return new SluiceError(
    'usage',
    `${problem}: set ${names.join(' and ')}, also in the file .env of this folder, or ${files} to a file instead.`,
    {},
    aside === '' ? {} : { aside },
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
      {},
      { cause },
    );
  }
  // Editors end a file with a newline that is not part of the secret.
  const value = text.replace(/\r?\n$/, '');
  if (value !== '') return value;
  throw wrongUse(`The file that ${variable} names is empty: ${path}.`);
}
