// The only reader of the environment: addresses, files and credentials. What the file .env says stands beside it.
import { readFileSync } from 'node:fs';
import { SluiceError } from '../model/errors.js';
import { SECRET_VARIABLE } from '../model/text/secret-variable.js';

/** Every variable that has a meaning of its own here, and what it is. */
export const VARIABLES = {
  SLUICE_URL: 'Base address of the platform, for every job and command that names none',
  SLUICE_USERNAME: 'User name at the platform',
  SLUICE_PASSWORD: 'Password at the platform',
  SLUICE_USERNAME_FILE: 'Instead of SLUICE_USERNAME: a file that holds it',
  SLUICE_PASSWORD_FILE: 'Instead of SLUICE_PASSWORD: a file that holds it',
  SLUICE_STATE: 'State file, for every job and command that names none',
  SLUICE_LOG_LEVEL: 'How much is logged: error, warn, info, debug, trace or silent',
  SLUICE_WEBHOOK_SECRET: 'What the platform sends back with each delivery of a registered hook',
  SLUICE_WEBHOOK_SECRET_FILE: 'Instead of SLUICE_WEBHOOK_SECRET: a file that holds it',
} as const;
export type Variable = keyof typeof VARIABLES;

/** Those that a file may hold instead. */
const SECRETS = ['SLUICE_USERNAME', 'SLUICE_PASSWORD', 'SLUICE_WEBHOOK_SECRET'] as const;
type Secret = (typeof SECRETS)[number];

/** The variable that says the same in another way: of a secret its file, and the other way round. */
export function twinOf(name: string): Variable | undefined {
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

/** The word that stands for the embedded sandbox wherever a base address is wanted. */
export const SANDBOX_URL = 'sandbox';

/** What a file says of variables that the environment does not set. */
export interface FileSettings {
  readonly values: ReadonlyMap<string, string>;
  /** Names of those that are not read from a file. */
  readonly refused: readonly string[];
}

const NO_FILE: FileSettings = { values: new Map(), refused: [] };

export interface Environment {
  /**
   * SLUICE_URL
   * @throws SluiceError `usage` where it comes from the file .env, and credentials do not
   */
  readonly url: string | undefined;
  /** SLUICE_STATE */
  readonly state: string | undefined;
  /** SLUICE_LOG_LEVEL, as it stands there */
  readonly logLevel: string | undefined;
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
  /**
   * Any variable, for `${NAME}` in a job file; `key` is where it stands there, like `notify.url`.
   * @throws SluiceError `usage` for one of the file .env that may not stand there
   */
  readonly variable: (name: string, key?: string) => string | undefined;
}

/**
 * Reads variables when they are asked for, never at import time: those of the process, or the ones given here
 * instead, which is how a program hands over what it has from elsewhere.
 */
export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  return environmentWith(NO_FILE, variables);
}

/** The same with a file for what the variables do not set. It decides nothing about what comes from elsewhere. */
export function environmentWith(
  { values, refused }: FileSettings = NO_FILE,
  variables: NodeJS.ProcessEnv = process.env,
): Environment {
  // Of its own: every object has a `constructor`.
  const set = (name: string): string | undefined =>
    Object.hasOwn(variables, name) ? variables[name] : undefined;
  const any = (name: string): string | undefined => {
    const value = set(name) ?? values.get(name);
    return value === '' ? undefined : value;
  };
  const get = (name: Variable): string | undefined => any(name);
  const isOfFile = (name: string): boolean => set(name) === undefined && values.has(name);
  const optionalSecret = (name: Secret): string | undefined => {
    const value = get(name);
    if (value !== undefined) return value;
    const path = get(`${name}_FILE`);
    if (path !== undefined) return readSecretFile(`${name}_FILE`, path);
    if (refused.includes(`${name}_FILE`)) throw namesNoFile(name);
    return undefined;
  };
  /** Secrets never go to an address that a file has chosen, unless they stand in that file. */
  const refuseMixed = (name: string): void => {
    if (!isOfFile(name)) return;
    const secrets = SECRETS.flatMap((secret) => [secret, `${secret}_FILE`] as const);
    const elsewhere = secrets.filter((each) => get(each) !== undefined && !isOfFile(each));
    if (elsewhere.length > 0) throw mixed(name, elsewhere);
  };
  return {
    get url() {
      const url = get('SLUICE_URL');
      if (url !== SANDBOX_URL) refuseMixed('SLUICE_URL');
      return url;
    },
    state: get('SLUICE_STATE'),
    logLevel: get('SLUICE_LOG_LEVEL'),
    credentials: () => credentialsOf(optionalSecret),
    webhookSecret: () => {
      const name = 'SLUICE_WEBHOOK_SECRET';
      const value = optionalSecret(name);
      if (value?.trim() !== '') return value;
      throw blank(get(name) === undefined ? `${name}_FILE` : name);
    },
    variable: (name, key = '') => {
      if (refused.includes(name)) throw notRead(name);
      if (key === 'url' || key === 'public-url') refuseMixed(name);
      if (key.startsWith('notify.command') && isOfFile(name)) throw runsNothing(name);
      return any(name);
    },
  };
}

function credentialsOf(optionalSecret: (name: Secret) => string | undefined): Credentials {
  const username = optionalSecret('SLUICE_USERNAME');
  const password = optionalSecret('SLUICE_PASSWORD');
  if (username !== undefined && password !== undefined) return { username, password };
  throw missing([
    ...(username === undefined ? ['SLUICE_USERNAME'] : []),
    ...(password === undefined ? ['SLUICE_PASSWORD'] : []),
  ]);
}

/** Nothing is set: what a program gets that hands none over. */
export const NO_ENVIRONMENT: Environment = readEnvironment({});

/** What a command that Sluice starts gets to see: everything but the platform's credentials, and nothing of .env. */
export function environmentOfCommands(
  variables: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const seen = Object.entries(variables).filter(([name]) => !SECRET_VARIABLE.test(name));
  return Object.fromEntries(seen.map(([name, value]) => [name, value ?? '']));
}

function blank(variable: Variable): SluiceError {
  return new SluiceError(
    'usage',
    `The secret that ${variable} gives is blank. Give the one that the platform shall send back, or unset ${variable}.`,
    { variable },
  );
}

function mixed(name: string, elsewhere: readonly string[]): SluiceError {
  return new SluiceError(
    'usage',
    `${name} comes from the file .env of this folder, and ${elsewhere.join(' and ')} from elsewhere: an address in .env gets only secrets that stand there too. If the address is right, ${name === 'SLUICE_URL' ? 'give --url, or ' : ''}set ${name} in the environment; or write the secrets into .env as well.`,
    { variable: name },
  );
}

function namesNoFile(name: Secret): SluiceError {
  const variable = `${name}_FILE`;
  return new SluiceError(
    'usage',
    `${variable} is not read from the file .env of this folder, which names no file of a secret. Write ${name} into it, or set ${variable} in the environment.`,
    { variable },
  );
}

function notRead(name: string): SluiceError {
  return new SluiceError(
    'usage',
    `${name} is not read from the file .env of this folder, since it steers programs. Set it in the environment, or take another name.`,
    { variable: name },
  );
}

function runsNothing(name: string): SluiceError {
  return new SluiceError(
    'usage',
    `${name} comes from the file .env of this folder, which has no say in what is run. Set it in the environment, or write it into the job.`,
    { variable: name },
  );
}

function missing(names: readonly string[]): SluiceError {
  const files = names.map((name) => `${name}_FILE`).join(' and ');
  return new SluiceError(
    'usage',
    `The platform's credentials are missing: set ${names.join(' and ')}, also in the file .env of this folder, or ${files} to a file instead.`,
    { variable: names[0] ?? null },
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
