// The only reader of the environment: addresses, files and credentials. A value from .env counts only if the
// environment has none.
import type { Auth } from '../../dialect/auth.js';
import { type SluiceError, wrongUse } from '../../model/errors.js';
import type { Rate } from '../../model/schedule/rate.js';
import { isLoopback, parseUrl } from '../../model/text/address.js';
import type { Credentials } from '../../platform/wire/credentials.js';
import {
  type Payer,
  readCredentials,
  readPayer,
  readUiPassword,
  readWebhookSecret,
  SECRETS,
  SENT_SECRETS,
  type Secret,
  type SecretSource,
} from './credentials.js';

export const VARIABLES = {
  SLUICE_URL: 'Base address of the platform, for every job and command that names none',
  SLUICE_USERNAME: 'User name at the platform',
  SLUICE_PASSWORD: 'Password at the platform',
  SLUICE_API_KEY: 'Key at the platform, for a dialect whose "auth" is a header',
  SLUICE_USERNAME_FILE: 'Instead of SLUICE_USERNAME: a file that holds it',
  SLUICE_PASSWORD_FILE: 'Instead of SLUICE_PASSWORD: a file that holds it',
  SLUICE_API_KEY_FILE: 'Instead of SLUICE_API_KEY: a file that holds it',
  SLUICE_ACCOUNT: 'Name of the account that pays, for every job and command that names none',
  SLUICE_STATE:
    'State file, or postgres://… of a database, for every job and command that names none',
  SLUICE_QUEUE: 'Database of the queue of runs, where it is not that of the state: postgres://…',
  SLUICE_KEEP: 'How long runs stay in the state, for every job that does not say: 90d',
  SLUICE_LOG_LEVEL: 'How much is logged: error, warn, info, debug, trace or silent',
  SLUICE_WEBHOOK_SECRET:
    'The word that the platform sends back with each delivery of a registered hook',
  SLUICE_WEBHOOK_SECRET_FILE: 'Instead of SLUICE_WEBHOOK_SECRET: a file that holds it',
  SLUICE_UI_PASSWORD: 'Password of the pages of "sluice ui", which others can reach only with one',
  SLUICE_UI_PASSWORD_FILE: 'Instead of SLUICE_UI_PASSWORD: a file that holds it',
} as const;
export type Variable = keyof typeof VARIABLES;

/** Whether the file .env gives it: a secret, or the address that gets it. */
export function isReadFromFile(name: string): name is Secret | 'SLUICE_URL' {
  return name === 'SLUICE_URL' || SECRETS.some((secret) => secret === name);
}

export function isNotTaken(variable: string): SluiceError {
  return wrongUse(
    `${variable} is in the file .env of this folder, which gives only credentials and their address. Set it in the environment, write its value into the job, or name a file that holds it with --env-file.`,
  );
}

/** The word that means the embedded sandbox wherever a base address is expected. */
export const SANDBOX_URL = 'sandbox';

export interface FileSettings {
  readonly values: ReadonlyMap<string, string>;
  /** Names of variables in the file that are for other programs. */
  readonly others: readonly string[];
  /** Names of variables that the environment has set already. */
  readonly left: readonly string[];
  /** Names of variables that the file sets to nothing. */
  readonly emptied: readonly string[];
}

const NO_FILE: FileSettings = { values: new Map(), others: [], left: [], emptied: [] };

export interface Environment {
  /** The place of the credentials, for a sentence; undefined if they are in the variables. */
  readonly place?: string;
  /**
   * SLUICE_URL
   * @throws SluiceError `usage` if it comes from the file .env, names no sandbox, and the credentials come from elsewhere
   */
  readonly url: string | undefined;
  /** The limit of the account, where a file of accounts states one. */
  readonly rate?: Rate | undefined;
  readonly state: string | undefined;
  readonly queue: string | undefined;
  readonly account: string | undefined;
  /** SLUICE_KEEP, as it is written there */
  readonly keep: string | undefined;
  /**
   * The proxy of HTTPS_PROXY or HTTP_PROXY for an address, unless NO_PROXY excepts it; it may hold a password.
   * @throws SluiceError `usage` for a variable that is no address of an http or https proxy
   */
  proxyFor(url: string): URL | undefined;
  /** SLUICE_LOG_LEVEL, as it is written there */
  readonly logLevel: string | undefined;
  /**
   * The credentials that the dialect's `auth` asks for: SLUICE_USERNAME and SLUICE_PASSWORD, or SLUICE_API_KEY, or the
   * files named by SLUICE_USERNAME_FILE and so on.
   * @throws SluiceError `usage` if a secret is missing, its file cannot be read, or no header can hold it
   */
  credentials(auth: Auth): Credentials;
  /**
   * The name or key of the account that pays: as `credentials`, without the password of a user name.
   * @throws SluiceError `usage`, as `credentials`
   */
  payer(auth: Auth): Payer;
  /**
   * SLUICE_WEBHOOK_SECRET, or the file named by SLUICE_WEBHOOK_SECRET_FILE; undefined if neither is set.
   * @throws SluiceError `usage` if the file cannot be read, or the secret is blank
   */
  webhookSecret(): string | undefined;
  /**
   * SLUICE_UI_PASSWORD, or the file named by SLUICE_UI_PASSWORD_FILE; undefined if neither is set.
   * @throws SluiceError `usage` if the file cannot be read, or the password is short
   */
  uiPassword(): string | undefined;
  /** @throws SluiceError `usage` if a typed secret would go to an address of the file .env */
  refuseTyped(): void;
  /**
   * Any variable, for `${NAME}` in a job file.
   * @throws SluiceError `usage` for a variable that is in the file .env alone
   */
  readonly variable: (name: string) => string | undefined;
}

/**
 * Reads variables when they are needed, never at import time: those of the process, or `variables`, by which a program
 * can supply its own.
 */
export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  return environmentWith(NO_FILE, variables);
}

/** The file must not decide about values from elsewhere, nor about the secrets in `secretFiles`. */
export function environmentWith(
  file: FileSettings = NO_FILE,
  variables: NodeJS.ProcessEnv = process.env,
  secretFiles: readonly string[] = [],
): Environment {
  const { get, isEmptied, isOfFile, ofProcess } = settingsOf(file, variables);
  const source: SecretSource = { get, isEmptied };
  /** Secrets never go to an address from the file, unless they come from that file too. */
  const refuseMixed = (elsewhere: readonly string[]): void => {
    const isElsewhere = isOfFile('SLUICE_URL') && get('SLUICE_URL') !== SANDBOX_URL;
    if (isElsewhere && elsewhere.length > 0) throw isMixed(elsewhere);
  };
  return {
    get url() {
      const secrets = SENT_SECRETS.flatMap((secret) => [secret, `${secret}_FILE`] as const);
      const named = secrets.filter((each) => get(each) !== undefined && !isOfFile(each));
      refuseMixed([...named, ...secretFiles]);
      return get('SLUICE_URL');
    },
    state: get('SLUICE_STATE'),
    queue: get('SLUICE_QUEUE'),
    account: get('SLUICE_ACCOUNT'),
    keep: get('SLUICE_KEEP'),
    proxyFor: (url) => proxyFor(url, ofProcess),
    logLevel: get('SLUICE_LOG_LEVEL'),
    credentials: (auth) => readCredentials(source, auth),
    payer: (auth) => readPayer(source, auth),
    webhookSecret: () => readWebhookSecret(source),
    uiPassword: () => readUiPassword(source),
    refuseTyped: () => refuseMixed(['a secret that is typed']),
    variable: (name) => {
      const value = ofProcess(name);
      if (value !== undefined && value !== '') return value;
      if (file.others.includes(name) || isOfFile(name)) throw isNotTaken(name);
      return undefined;
    },
  };
}

function isMixed(elsewhere: readonly string[]): SluiceError {
  const variable = 'SLUICE_URL';
  return wrongUse(
    `${variable} comes from the file .env of this folder, and ${elsewhere.join(' and ')} from elsewhere: an address in .env gets only secrets that are in .env too. If the address is right, give --url, or set ${variable} in the environment; or write the secrets into .env as well.`,
  );
}

/** An empty value counts as unset, but for user name and password (`isEmptied`). */
function settingsOf({ values, left, emptied }: FileSettings, variables: NodeJS.ProcessEnv) {
  // Only own properties: every object has a `constructor`.
  const set = (name: string): string | undefined =>
    Object.hasOwn(variables, name) ? variables[name] : undefined;
  return {
    ofProcess: set,
    get: (name: Variable): string | undefined => {
      const value = set(name) ?? values.get(name);
      return value === '' ? undefined : value;
    },
    isOfFile: (name: string): boolean => set(name) === undefined && values.has(name),
    // An environment that empties a variable of the file has to state the other as well. In the file, an empty line
    // alone is one that is not filled in yet.
    isEmptied: (name: Variable, other: Variable): boolean => {
      if (set(name) === '') return !left.includes(name) || (set(other) ?? '') !== '';
      return set(name) === undefined && emptied.includes(name) && values.has(other);
    },
  };
}

/** Variables for the pages alone: other programs of this user may read the environment of a process. */
const NOT_HANDED_ON: readonly Variable[] = ['SLUICE_UI_PASSWORD', 'SLUICE_UI_PASSWORD_FILE'];

export function variablesToHandOn(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !NOT_HANDED_ON.some((one) => one === name)),
  );
}

/** An environment without variables, for a program that gives none. */
export const NO_ENVIRONMENT: Environment = readEnvironment({});

/**
 * Undefined for none. The address may hold a user name and a password.
 * @throws SluiceError `usage` for a variable that is no address of an http or https proxy
 */
function proxyFor(url: string, variable: (name: string) => string | undefined): URL | undefined {
  const target = parseUrl(url);
  if (target === undefined || isLoopback(url)) return undefined;
  const name = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const text = either(name, variable)?.trim();
  if (text === undefined || text === '') return undefined;
  if (isExempt(target, either('NO_PROXY', variable) ?? '')) return undefined;
  const proxy = parseUrl(text.includes('://') ? text : `http://${text}`);
  if (proxy !== undefined && /^https?:$/.test(proxy.protocol)) return proxy;
  // The text may hold a password.
  throw wrongUse(
    `${name} is not the address of an http or https proxy. Give one like http://proxy.example:3128, or unset it.`,
  );
}

function either(name: string, variable: (name: string) => string | undefined): string | undefined {
  return variable(name.toLowerCase()) ?? variable(name);
}

/** Names with commas or blanks between: a host with all below it, `.host`, `*.host`, `host:port`, or `*` for all. */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const ownPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return list.split(/[\s,]/).some((entry) => {
    if (entry === '*') return true;
    const [, name = '', wanted = ownPort] = /^(.+?)(?::(\d{1,5}))?$/.exec(entry) ?? [];
    const host = name.toLowerCase().replace(/^\*?\./, '');
    if (host === '' || wanted !== ownPort) return false;
    return hostname === host || hostname.endsWith(`.${host}`);
  });
}
