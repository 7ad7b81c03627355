// The accounts whose runs a worker may make: that of its environment, and those of a credentials file.
import { stat } from 'node:fs/promises';
import * as z from 'zod';
import { type JobFile, jobSchema } from '../../config/job-schema.js';
import type { Auth } from '../../dialect/auth.js';
import type { Dialect } from '../../dialect/dialect.js';
import { SluiceError, wrongUse } from '../../model/errors.js';
import { parseRate } from '../../model/schedule/rate.js';
import type { Store } from '../../ports/store/store.js';
import { type AccountSource, accountOf, checkAccount } from '../platform/account.js';
import { type Environment, readEnvironment, SANDBOX_URL } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import { checkAddress, type Stated } from './stated.js';

const secretOf = (text: z.ZodString) =>
  z.union(
    [
      text,
      z.strictObject({ file: z.string().min(1) }),
      z.strictObject({ variable: z.string().min(1) }),
    ],
    'a secret is a text, or { file: PATH }, or { variable: NAME }',
  );
const secret = secretOf(z.string().min(1));
/** One of user name and password may be empty: the other is the key. */
const partOfBasic = secretOf(z.string());

const KEYS = {
  username: 'SLUICE_USERNAME',
  password: 'SLUICE_PASSWORD',
  'api-key': 'SLUICE_API_KEY',
  'webhook-secret': 'SLUICE_WEBHOOK_SECRET',
} as const;
type Key = keyof typeof KEYS;

const STATED = jobSchema.pick({
  url: true,
  dialect: true,
  prices: true,
  'public-url': true,
  rate: true,
}).shape;

const schema = z.strictObject({
  accounts: z.record(
    z.string().min(1),
    z.strictObject({
      username: partOfBasic.optional(),
      password: partOfBasic.optional(),
      'api-key': secret.optional(),
      'webhook-secret': secret.optional(),
      ...STATED,
    }),
  ),
});

const EXAMPLE = {
  accounts: {},
  ...Object.fromEntries([...Object.keys(KEYS), ...Object.keys(STATED)].map((key) => [key, ''])),
};
/** A proxy is the machine's, not the account's. */
const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

export interface WorkerAccount {
  readonly environment: Environment;
  readonly stated: Stated;
}

export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

/**
 * Opens the accounts; `own` is the worker's environment, `file` its credentials file.
 * @throws SluiceError `usage` if there are no credentials at all, the file cannot be read, others may read it, or it is
 * not as it should be
 */
export async function openAccounts(
  own: Environment,
  file: string | undefined,
  variables: NodeJS.ProcessEnv = process.env,
) {
  if (file === undefined) refuseNone(own);
  const named: ReadonlyMap<string, WorkerAccount> =
    file === undefined ? new Map() : await readCredentialsFile(file, variables);
  const ofWorker: WorkerAccount = { environment: own, stated: {} };
  const byName = (name: string): WorkerAccount | undefined =>
    named.get(name) ?? (own.account === name ? ofWorker : undefined);
  return {
    count: named.size,
    /** The credentials of a job that is read here; those of the environment if no account of the file is meant. */
    ofJob: ({ account }: JobSettings): Environment =>
      account === undefined ? own : (byName(account)?.environment ?? own),
    /** The account that pays for `account`, as the store knows it; undefined if this worker does not have it. */
    find: async (
      { settings, dialect }: { readonly settings: JobSettings; readonly dialect: Dialect },
      account: string,
      store: Store,
    ): Promise<WorkerAccount | undefined> => {
      if (settings.url === SANDBOX_URL) return ofWorker;
      if (settings.account !== undefined) return byName(settings.account);
      for (const found of [ofWorker, ...named.values()]) {
        const source = { settings, dialect, environment: found.environment };
        if (mayPay(source) && (await accountOf(source, store)) === account) return found;
      }
      return undefined;
    },
  };
}

/**
 * It throws for an account that the file does not name.
 * @throws SluiceError `usage` as `openAccounts`
 */
export async function environmentOf(
  own: Environment,
  file: string | undefined,
): Promise<(account: string) => Environment | undefined> {
  if (file === undefined) return (account) => (own.account === account ? own : undefined);
  const named = await readCredentialsFile(file, process.env);
  return (account) => {
    const found = named.get(account)?.environment;
    if (found !== undefined || own.account === account) return found ?? own;
    throw wrongUse(`${file} names no account ${account}.`);
  };
}

/** Refuses a worker without credentials, which would take no run, without a message. */
function refuseNone(own: Environment): void {
  if (own.url === SANDBOX_URL) return;
  const kinds = ['basic', { header: 'authorization', scheme: null }] as const;
  const problems = kinds.flatMap((auth) => {
    try {
      own.credentials(auth);
      return [];
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error;
      return [error];
    }
  });
  if (problems.length < kinds.length) return;
  throw new SluiceError(
    'usage',
    'This worker has no credentials, and could take no run: set SLUICE_USERNAME and SLUICE_PASSWORD, or SLUICE_API_KEY, or name accounts with --credentials FILE. (For the sandbox in the process: SLUICE_URL=sandbox.)',
    {},
    { cause: problems[0] },
  );
}

/** Whether a source holds the account; credentials of another kind, or none, do not. */
function mayPay(source: AccountSource): boolean {
  try {
    checkAccount(source);
    return true;
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'usage') return false;
    throw error;
  }
}

async function readCredentialsFile(
  file: string,
  variables: NodeJS.ProcessEnv,
): Promise<Map<string, WorkerAccount>> {
  const found = await stat(file).catch(() => undefined);
  if (process.platform !== 'win32' && found !== undefined && (found.mode & 0o077) !== 0) {
    throw wrongUse(
      `Others may read the credentials file ${file}: take their rights away with "chmod 600 ${file}".`,
    );
  }
  const { readYaml } = await import('../../config/read-yaml.js');
  const { accounts } = await readYaml(file, { what: 'Credentials', schema, example: EXAMPLE });
  return new Map(
    Object.entries(accounts).map(([name, secrets]) => {
      const values: NodeJS.ProcessEnv = { SLUICE_ACCOUNT: name };
      for (const proxy of PROXIES) values[proxy] = variables[proxy];
      for (const key of Object.keys(KEYS) as Key[]) {
        const given = secrets[key];
        if (given === undefined) continue;
        if (typeof given === 'string') values[KEYS[key]] = given;
        else if ('file' in given) values[`${KEYS[key]}_FILE`] = given.file;
        else values[KEYS[key]] = variableOf(given.variable, variables, { file, name });
      }
      const { url, dialect, prices, rate } = secrets;
      if (url !== undefined) checkAddress(url);
      const stated = { url, dialect, prices, 'public-url': secrets['public-url'] };
      const environment = ofFile(readEnvironment(values), { file, name, url, rate });
      return [name, { environment, stated }];
    }),
  );
}

function ofFile(
  environment: Environment,
  {
    file,
    name,
    rate,
    url,
  }: { readonly file: string; readonly name: string } & Pick<JobFile, 'rate' | 'url'>,
): Environment {
  const place = `the account ${name} in ${file}`;
  const told = <R>(auth: Auth, read: () => R): R => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error;
      const needed = auth === 'basic' ? 'username and password' : 'api-key';
      const message = `The account ${name} in ${file} does not give the ${needed} that its platform asks for: write it there.`;
      throw new SluiceError('usage', message, { ...error.facts }, { cause: error });
    }
  };
  return {
    ...environment,
    ...(url !== undefined && { url }),
    ...(rate !== undefined && { rate: parseRate(String(rate)) }),
    place,
    credentials: (auth) => told(auth, () => environment.credentials(auth)),
    payer: (auth) => told(auth, () => environment.payer(auth)),
  };
}

function variableOf(
  variable: string,
  variables: NodeJS.ProcessEnv,
  { file, name }: { readonly file: string; readonly name: string },
): string {
  const value = variables[variable];
  if (value !== undefined && value !== '') return value;
  throw wrongUse(
    `${file} takes a secret of the account ${name} from the variable ${variable}, which is not set.`,
  );
}
